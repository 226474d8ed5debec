package com.namidb.format.stage;

import com.namidb.format.error.BrokenRule;
import com.namidb.format.manifest.JsonTree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the ids of edges' ends were derived from, to name it where an end is missing. Contract §6.
 *
 * @param src of the sources
 * @param dst of the destinations
 */
public record DerivedEnds(From src, From dst) implements Serializable {
  /** Ids that came as they are. */
  public static final DerivedEnds NONE = new DerivedEnds(From.GIVEN, From.GIVEN);

  /**
   * One end.
   *
   * @param label label that is part of the id
   * @param keys columns, empty if the ids came as they are
   */
  public record From(String label, List<String> keys) implements Serializable {
    /** Ids that came as they are. */
    public static final From GIVEN = new From("", List.of());

    /** Copies into a form every serialiser can handle. */
    public From {
      keys = new ArrayList<>(keys);
    }

    private Map<String, Object> toTree() {
      Map<String, Object> out = new LinkedHashMap<>();
      out.put("label", label);
      out.put("keys", keys);
      return out;
    }

    private static From of(JsonTree tree) {
      return new From(tree.text("label"), tree.texts("keys"));
    }
  }

  /**
   * Says it, a line for each derived end.
   *
   * @param labels all labels that nodes may have
   */
  public List<String> text(Collection<String> labels) {
    List<String> out = new ArrayList<>();
    if (!src.keys.isEmpty()) {
      out.add(BrokenRule.derived("source", src.label, src.keys, labels));
    }
    if (!dst.keys.isEmpty()) {
      out.add(BrokenRule.derived("destination", dst.label, dst.keys, labels));
    }
    return out;
  }

  Map<String, Object> toTree() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("src", src.toTree());
    out.put("dst", dst.toTree());
    return out;
  }

  static DerivedEnds of(JsonTree tree) {
    return new DerivedEnds(From.of(tree.child("src")), From.of(tree.child("dst")));
  }
}
