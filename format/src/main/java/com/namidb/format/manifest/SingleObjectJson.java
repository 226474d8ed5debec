package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.id.Lsn;
import com.namidb.format.manifest.Document.Piece;
import com.namidb.format.value.QuotedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
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

  private static final String SSTS = "ssts";
  private static final Pattern SCHEMA_ID = Pattern.compile("[0-9a-f]{64}");

  private static final ObjectShape BODY =
      new ObjectShape()
          .need("version", Shapes.U64)
          .need("epoch", Shapes.U64)
          .need("lsn_watermark", Shapes.U64)
          .need("schema_id", SingleObjectJson::schemaId)
          .need("writer_id", Shapes.UUID_TEXT)
          .need("created_at", Shapes.TIME)
          .option("floor", Shapes.U64)
          .maybe("label_dict", Shapes.list(Shapes.TEXT))
          .maybe("wal_segments", Shapes.list(VersionedJson.WAL_SEGMENT))
          .maybe("job_ids", Shapes.map(Shapes.U64))
          .maybe("vector_indexes", Shapes.ANY_ARRAY)
          .maybe("text_indexes", Shapes.ANY_ARRAY)
          .maybe("search_index_builds", Shapes.ANY_ARRAY)
          .maybe("search_lsm", Shapes.ANY_ARRAY);

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
    List<Piece> members = new ArrayList<>();
    SstGroups groups = new SstGroups();
    Map<String, Object> values = new HashMap<>();
    try (JsonCursor in = JsonCursor.of("Manifest", object, bytes)) {
      in.next();
      in.expect(JsonToken.START_OBJECT, "an object");
      long seen = 0;
      while (in.next() != JsonToken.END_OBJECT) {
        String name = in.name();
        int start = in.tokenStart();
        in.next();
        if (name.equals(SSTS)) {
          groups.read(in);
        } else {
          seen |= BODY.readMember(name, in, values);
        }
        members.add(new Piece(name, start, in.valueEnd()));
      }
      BODY.checkComplete(seen, in);
      if (values.get("floor") instanceof Long collected
          && Long.compareUnsigned(collected, (Long) values.get("version")) >= 0) {
        throw in.damaged("has a version floor that is not below its version");
      }
      in.expectEnd();
    }
    Members m = new Members(values);
    Map<String, Long> jobs = new LinkedHashMap<>();
    m.map("job_ids").forEach((job, version) -> jobs.put((String) job, (Long) version));
    OptionalLong floor = m.has("floor") ? OptionalLong.of(m.number("floor")) : OptionalLong.empty();
    return new Manifest(
        new Manifest.Head(
            m.number("version"),
            m.number("epoch"),
            m.text("writer_id"),
            m.number("created_at"),
            LabelDictionary.of(VersionedJson.texts(m.list("label_dict")))),
        schemas.schema(m.text("schema_id")),
        new Manifest.Files(
            groups.ssts(), VersionedJson.wal(m.list("wal_segments")), groups.propertyNames()),
        new Manifest.Kept(
            new Document(bytes, members, groups.pieces()),
            this,
            new Manifest.Single(m.number("lsn_watermark"), floor, jobs)));
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
      byte[] text = base.document().value(SSTS).orElse(new byte[] {'{', '}'});
      values.put(SSTS, SstGroups.edited(base, text, change));
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
