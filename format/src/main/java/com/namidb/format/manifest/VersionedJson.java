package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.manifest.Document.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The body of one version in the engine's layout. Search catalogs and search generations ({@code
 * vector_indexes} to {@code search_lsm}) are carried through unread: no reader of graph data needs
 * them. Source: manifest §2.3, §2.6.
 */
final class VersionedJson implements ManifestCodec {
  static final VersionedJson INSTANCE = new VersionedJson();

  /** An element of {@code wal_segments}. */
  static final ObjectShape WAL_SEGMENT =
      new ObjectShape()
          .need("seq", Shapes.U64)
          .need("path", Shapes.TEXT)
          .need("last_lsn", Shapes.U64)
          .option("xxh3", Shapes.U64_TEXT);

  private static final ObjectShape BODY = ManifestBody.shape().need("schema", SchemaReader::read);

  private VersionedJson() {}

  @Override
  public Manifest read(String object, byte[] bytes) {
    List<Piece> pieces = new ArrayList<>();
    List<SstDescriptor> ssts = new ArrayList<>();
    DescriptorReader descriptors = new DescriptorReader();
    ManifestBody body;
    try (JsonCursor cursor = JsonCursor.of("Manifest", object, bytes)) {
      body =
          ManifestBody.read(
              cursor,
              BODY,
              in -> {
                in.expect(JsonToken.START_ARRAY, "an array");
                while (in.next() != JsonToken.END_ARRAY) {
                  int from = in.tokenStart();
                  ssts.add(descriptors.read(in));
                  pieces.add(new Piece("", from, in.valueEnd()));
                }
              },
              (in, m) -> {});
    }
    Members m = body.values();
    return new Manifest(
        body.head(),
        (GraphSchema) m.value("schema"),
        new Manifest.Files(ssts, wal(m.list("wal_segments")), descriptors.propertyNames()),
        new Manifest.Kept(new Document(bytes, body.members(), pieces), this, Manifest.Single.NONE));
  }

  @Override
  public Layout layout() {
    return Layout.VERSIONED;
  }

  @Override
  public void stamp(Manifest base, Change change, Map<String, byte[]> values) {
    if (!change.isEmpty()) {
      values.put(ManifestBody.SSTS, ssts(base, change));
    }
  }

  private static byte[] ssts(Manifest base, Change change) {
    SstList out = new SstList();
    for (int i = 0; i < base.ssts().size(); i++) {
      if (!change.removed().contains(base.ssts().get(i).id())) {
        out.add(base.document().descriptor(i));
      }
    }
    change.added().forEach(sst -> out.add(sst.toJson(change.createdAt())));
    return out.toBytes();
  }

  @Override
  public byte[] write(Manifest manifest) {
    return manifest.document().bytes().clone();
  }

  /** An array of texts. */
  static List<String> texts(List<?> list) {
    List<String> out = new ArrayList<>();
    list.forEach(t -> out.add((String) t));
    return out;
  }

  /** The listed segments, ascending by seq. */
  static List<WalSegment> wal(List<?> list) {
    List<WalSegment> out = new ArrayList<>();
    for (Object o : list) {
      Members m = (Members) o;
      out.add(new WalSegment(m.number("seq"), m.number("last_lsn"), m.text("xxh3")));
    }
    out.sort(Comparator.comparing(WalSegment::seq, Long::compareUnsigned));
    return out;
  }
}
