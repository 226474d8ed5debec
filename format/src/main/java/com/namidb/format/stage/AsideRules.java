package com.namidb.format.stage;

import com.namidb.format.manifest.JsonTree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which rows of a write may still be set aside when it is published, perhaps by another driver than
 * the one that staged them. Source: contract §6.
 *
 * @param invalid whether rows that share a key or break a uniqueness rule are; else they fail it
 * @param dangling whether edges with a missing end are; nothing else looks for the ends then
 * @param rows type of the original rows, as whoever staged them writes it; empty if none is kept
 * @param kept the original rows
 */
public record AsideRules(boolean invalid, boolean dangling, String rows, List<KeptFile> kept)
    implements Serializable {
  /** None. */
  public static final AsideRules NONE = new AsideRules(false, false, "", List.of());

  /** Copies into a form every serialiser can handle. */
  public AsideRules {
    kept = new ArrayList<>(kept);
  }

  /** The same for other objects with the rows. */
  public AsideRules keeping(List<KeptFile> files) {
    return new AsideRules(invalid, dangling, rows, files);
  }

  Map<String, Object> toTree() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("invalid", invalid);
    out.put("dangling", dangling);
    out.put("rows", rows);
    List<Object> list = new ArrayList<>();
    for (KeptFile f : kept) {
      list.add(Map.of("digest", f.digest().toTree(), "path", f.path()));
    }
    out.put("kept", list);
    return out;
  }

  static AsideRules of(JsonTree tree) {
    return new AsideRules(
        tree.flag("invalid"),
        tree.flag("dangling"),
        tree.text("rows"),
        tree.children("kept").stream()
            .map(f -> new KeptFile(KeyDigest.of(f.child("digest")), f.text("path")))
            .toList());
  }
}
