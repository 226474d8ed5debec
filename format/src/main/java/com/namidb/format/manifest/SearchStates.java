package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.id.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The search generations of a version, read as far as retiring them needs. Source: manifest §2.8,
 * §4.7 R5.
 *
 * @param ssts search bodies and barriers the generations own
 * @param builds {@code kind/name} of the maintenance markers that go with them
 * @param count number of generations
 */
record SearchStates(Set<UUID> ssts, Set<String> builds, int count) {
  private static final String OBJECT = "search members";
  private static final byte[] NONE = {'[', ']'};

  private static final ObjectShape SEGMENT = new ObjectShape().maybe("sst_id", Shapes.UUID);

  private static final ObjectShape STATE =
      new ObjectShape()
          .maybe("index_name", Shapes.TEXT)
          .maybe("kind", Shapes.TEXT)
          .maybe("segments", Shapes.list(SEGMENT))
          .option("compat_barrier_sst_id", Shapes.UUID);

  private static final ObjectShape BUILD =
      new ObjectShape().need("kind", Shapes.TEXT).need("name", Shapes.TEXT);

  private static final ObjectShape INDEX = new ObjectShape().need("name", Shapes.TEXT);

  SearchStates {
    ssts = Set.copyOf(ssts);
    builds = Set.copyOf(builds);
  }

  /** Reads {@code search_lsm}. */
  static SearchStates of(Document document) {
    Set<UUID> ssts = new HashSet<>();
    Set<String> builds = new HashSet<>();
    List<Members> states = elements(document, "search_lsm", STATE);
    for (Members state : states) {
      for (Object segment : state.list("segments")) {
        add(((Members) segment).value("sst_id"), ssts);
      }
      add(state.value("compat_barrier_sst_id"), ssts);
      String kind = "text".equals(state.text("kind")) ? "TextIndex" : "VectorGraph";
      builds.add(kind + "/" + state.text("index_name"));
    }
    return new SearchStates(ssts, builds, states.size());
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** {@code search_index_builds} without the markers of these generations, others untouched. */
  byte[] buildsLeft(Document document) {
    byte[] text = document.value("search_index_builds").orElse(NONE);
    StringBuilder out = new StringBuilder("[");
    try (JsonCursor in = JsonCursor.of("Manifest", OBJECT, text)) {
      in.next();
      in.expect(JsonToken.START_ARRAY, "an array");
      while (in.next() != JsonToken.END_ARRAY) {
        int from = in.tokenStart();
        Members build = BUILD.read(in);
        if (!builds.contains(build.text("kind") + "/" + build.text("name"))) {
          out.append(out.length() > 1 ? "," : "")
              .append(new String(text, from, in.valueEnd() - from, StandardCharsets.UTF_8));
        }
      }
    }
    return out.append(']').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static final ObjectShape VECTOR_INDEX =
      new ObjectShape()
          .need("label", Shapes.TEXT)
          .need("property", Shapes.TEXT)
          .need("dim", Shapes.SMALL);

  /** What the registered vector indexes expect of the vectors they hold. */
  static List<Manifest.VectorIndex> vectors(Document document) {
    return elements(document, "vector_indexes", VECTOR_INDEX).stream()
        .map(m -> new Manifest.VectorIndex(m.text("label"), m.text("property"), m.small("dim")))
        .toList();
  }

  /** Names of the registered indexes. */
  static List<String> names(Document document) {
    List<String> out = new ArrayList<>();
    for (String member : List.of("vector_indexes", "text_indexes")) {
      elements(document, member, INDEX).forEach(m -> out.add(m.text("name")));
    }
    return out;
  }

  private static void add(Object id, Set<UUID> to) {
    if (id instanceof NodeId n) {
      to.add(new UUID(n.hi(), n.lo()));
    }
  }

  private static List<Members> elements(Document document, String member, ObjectShape shape) {
    List<Members> out = new ArrayList<>();
    try (JsonCursor in = JsonCursor.of("Manifest", OBJECT, document.value(member).orElse(NONE))) {
      in.next();
      in.expect(JsonToken.START_ARRAY, "an array");
      while (in.next() != JsonToken.END_ARRAY) {
        out.add(shape.read(in));
      }
    }
    return out;
  }
}
