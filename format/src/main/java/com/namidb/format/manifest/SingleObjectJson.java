package com.namidb.format.manifest;

import com.namidb.format.id.Lsn;
import com.namidb.format.value.QuotedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * {@code manifest.json}, the one object of the single-object layout, and its archived versions.
 * SSTs are grouped by kind and level, the schema is an object of its own; the rest is as in the
 * engine's layout, members of search indexes included if there are any. Source: single-object
 * manifest.
 */
final class SingleObjectJson implements ManifestCodec {
  /** As many job ids as a version remembers. */
  static final int JOBS = 256;

  private static final Pattern SCHEMA_ID = Pattern.compile("[0-9a-f]{64}");

  private static final ObjectShape BODY =
      ManifestBody.shape()
          .need("lsn_watermark", Shapes.U64)
          .need("schema_id", SingleObjectJson::schemaId)
          .option("floor", Shapes.U64)
          .maybe("job_ids", Shapes.map(Shapes.U64));

  private final SchemaSource schemas;

  SingleObjectJson(SchemaSource schemas) {
    this.schemas = schemas;
  }

  /** The first version: no rows, a schema that declares nothing, nothing collected. */
  static Manifest first(UUID writer, String time, String object, SchemaSource schemas) {
    String text =
        "{\"version\":0,\"epoch\":0,\"lsn_watermark\":0,\"schema_id\":\""
            + SchemaObject.EMPTY_ID
            + "\",\"writer_id\":\""
            + writer
            + "\",\"created_at\":\""
            + time
            + "\",\"floor\":null,\"label_dict\":[],"
            + "\"ssts\":{\"node\":{\"L0\":[]},\"edge\":{\"L0\":[]}},"
            + "\"wal_segments\":[],\"job_ids\":{}}";
    return new SingleObjectJson(schemas).read(object, utf8(text));
  }

  @Override
  public Manifest read(String object, byte[] bytes) {
    SstGroups groups = new SstGroups();
    ManifestBody body;
    try (JsonCursor in = JsonCursor.of("Manifest", object, bytes)) {
      body = ManifestBody.read(in, BODY, groups::read, SingleObjectJson::checkFloor);
    }
    Members m = body.values();
    Map<String, Long> jobs = new LinkedHashMap<>();
    m.map("job_ids").forEach((job, version) -> jobs.put((String) job, (Long) version));
    OptionalLong floor = m.has("floor") ? OptionalLong.of(m.number("floor")) : OptionalLong.empty();
    return new Manifest(
        body.head(),
        schemas.schema(m.text("schema_id")),
        new Manifest.Files(
            groups.ssts(), VersionedJson.wal(m.list("wal_segments")), groups.propertyNames()),
        new Manifest.Kept(
            new Document(bytes, body.members(), groups.pieces()),
            this,
            new Manifest.Single(m.number("lsn_watermark"), floor, jobs)));
  }

  private static void checkFloor(JsonCursor in, Members m) {
    if (m.has("floor") && Long.compareUnsigned(m.number("floor"), m.number("version")) >= 0) {
      throw in.damaged("has a version floor that is not below its version");
    }
  }

  @Override
  public byte[] write(Manifest manifest) {
    return manifest.document().bytes().clone();
  }

  @Override
  public Layout layout() {
    return Layout.SINGLE_OBJECT;
  }

  @Override
  public void stamp(Manifest base, Change change, Map<String, byte[]> values) {
    // Goes up with every commit: a plan made on one epoch cannot be committed on another.
    values.put("epoch", number(base.epoch() + 1));
    long watermark = base.lsnFloor();
    for (NewSst sst : change.added()) {
      watermark = Lsn.max(watermark, sst.lsns().max());
    }
    values.put("lsn_watermark", number(watermark));
    if (!change.isEmpty()) {
      byte[] text = base.document().value(ManifestBody.SSTS).orElse(new byte[] {'{', '}'});
      values.put(ManifestBody.SSTS, SstGroups.edited(base, text, change));
    }
    if (change.jobId() != null) {
      values.put("job_ids", jobs(base, change.jobId()));
    }
  }

  private static byte[] jobs(Manifest base, String job) {
    List<Map.Entry<String, Long>> kept = new ArrayList<>(base.jobs().entrySet());
    kept.removeIf(e -> e.getKey().equals(job));
    kept.add(Map.entry(job, base.version() + 1));
    StringBuilder out = new StringBuilder("{");
    for (Map.Entry<String, Long> e : kept.subList(Math.max(0, kept.size() - JOBS), kept.size())) {
      out.append(out.length() == 1 ? "" : ",").append(QuotedText.of(e.getKey())).append(':');
      out.append(Long.toUnsignedString(e.getValue()));
    }
    return utf8(out.append('}').toString());
  }

  private static Object schemaId(JsonCursor in) {
    String id = (String) Shapes.TEXT.read(in);
    // It becomes a part of an object key.
    if (!SCHEMA_ID.matcher(id).matches()) {
      throw in.damaged("is not a lower-case hex SHA-256");
    }
    return id;
  }

  private static byte[] number(long unsigned) {
    return utf8(Long.toUnsignedString(unsigned));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
