package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.manifest.Document.Piece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The members of a manifest, whatever its layout.
 *
 * @param members where each of them stands in the text
 * @param values what those say that are known, but for the SSTs
 */
record ManifestBody(List<Piece> members, Members values) {
  static final String SSTS = "ssts";

  /** Members of every layout that need not be there; those of search indexes stay unread. */
  static ObjectShape shape() {
    return new ObjectShape()
        .need("version", Shapes.U64)
        .need("epoch", Shapes.U64)
        .need("writer_id", Shapes.UUID_TEXT)
        .need("created_at", Shapes.TIME)
        .maybe("label_dict", Shapes.list(Shapes.TEXT))
        .maybe("wal_segments", Shapes.list(VersionedJson.WAL_SEGMENT))
        .maybe("vector_indexes", Shapes.ANY_ARRAY)
        .maybe("text_indexes", Shapes.ANY_ARRAY)
        .maybe("search_index_builds", Shapes.ANY_ARRAY)
        .maybe("search_lsm", Shapes.ANY_ARRAY);
  }

  /**
   * Reads a manifest.
   *
   * @param shape its members but for the SSTs
   * @param ssts reads the value of {@code ssts} under the cursor
   * @param check looks at all values; the cursor is at the end of the object
   */
  static ManifestBody read(
      JsonCursor in,
      ObjectShape shape,
      Consumer<JsonCursor> ssts,
      BiConsumer<JsonCursor, Members> check) {
    List<Piece> members = new ArrayList<>();
    Map<String, Object> values = new HashMap<>();
    in.next();
    in.expect(JsonToken.START_OBJECT, "an object");
    long seen = 0;
    while (in.next() != JsonToken.END_OBJECT) {
      String name = in.name();
      int start = in.tokenStart();
      in.next();
      if (name.equals(SSTS)) {
        ssts.accept(in);
      } else {
        seen |= shape.readMember(name, in, values);
      }
      members.add(new Piece(name, start, in.valueEnd()));
    }
    shape.checkComplete(seen, in);
    Members all = new Members(values);
    check.accept(in, all);
    in.expectEnd();
    return new ManifestBody(members, all);
  }

  /** What every layout says of a version. */
  Manifest.Head head() {
    return new Manifest.Head(
        values.number("version"),
        values.number("epoch"),
        values.text("writer_id"),
        values.number("created_at"),
        LabelDictionary.of(VersionedJson.texts(values.list("label_dict"))));
  }
}
