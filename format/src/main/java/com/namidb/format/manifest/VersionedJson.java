package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.manifest.Document.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The body of one version in the engine's layout. Search catalogs and search generations ({@code
 * vector_indexes} to {@code search_lsm}) are carried through unread: no reader of graph data needs
 * them. Source: manifest §2.3, §2.6.
 */
final class VersionedJson implements ManifestCodec {
  static final VersionedJson INSTANCE = new VersionedJson();

  private static final String SSTS = "ssts";

  /** An element of {@code wal_segments}. */
  static final ObjectShape WAL_SEGMENT =
      new ObjectShape()
          .need("seq", Shapes.U64)
          .need("path", Shapes.TEXT)
          .need("last_lsn", Shapes.U64)
          .option("xxh3", Shapes.U64_TEXT);

  private static final ObjectShape BODY =
      new ObjectShape()
          .need("version", Shapes.U64)
          .need("epoch", Shapes.U64)
          .need("writer_id", Shapes.UUID_TEXT)
          .need("created_at", Shapes.TIME)
          .need("schema", SchemaReader::read)
          .maybe("wal_segments", Shapes.list(WAL_SEGMENT))
          .maybe("label_dict", Shapes.list(Shapes.TEXT))
          .maybe("vector_indexes", Shapes.ANY_ARRAY)
          .maybe("text_indexes", Shapes.ANY_ARRAY)
          .maybe("search_index_builds", Shapes.ANY_ARRAY)
          .maybe("search_lsm", Shapes.ANY_ARRAY);

  private VersionedJson() {}

  @Override
  public Manifest read(String object, byte[] bytes) {
    List<Piece> members = new ArrayList<>();
    List<Piece> pieces = new ArrayList<>();
    List<SstDescriptor> ssts = new ArrayList<>();
    DescriptorReader descriptors = new DescriptorReader();
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
          in.expect(JsonToken.START_ARRAY, "an array");
          while (in.next() != JsonToken.END_ARRAY) {
            int from = in.tokenStart();
            ssts.add(descriptors.read(in));
            pieces.add(new Piece("", from, in.valueEnd()));
          }
        } else {
          seen |= BODY.readMember(name, in, values);
        }
        members.add(new Piece(name, start, in.valueEnd()));
      }
      BODY.checkComplete(seen, in);
      in.expectEnd();
    }
    Members m = new Members(values);
    return new Manifest(
        new Manifest.Head(
            m.number("version"),
            m.number("epoch"),
            m.text("writer_id"),
            m.number("created_at"),
            LabelDictionary.of(texts(m.list("label_dict")))),
        (GraphSchema) m.value("schema"),
        new Manifest.Files(ssts, wal(m.list("wal_segments")), descriptors.propertyNames()),
        new Manifest.Kept(new Document(bytes, members, pieces), this, Manifest.Single.NONE));
  }

  @Override
  public Layout layout() {
    return Layout.VERSIONED;
  }

  @Override
  public void stamp(Manifest base, Change change, Map<String, byte[]> values) {
    if (!change.isEmpty()) {
      values.put(SSTS, ssts(base, change));
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
