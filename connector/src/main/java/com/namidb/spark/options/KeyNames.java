package com.namidb.spark.options;

import com.namidb.format.error.ReadErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Columns that ids are derived from; empty lists where ids come as they are.
 *
 * @param node of nodes
 * @param src of edges' sources
 * @param dst of edges' destinations
 * @param srcLabel label of the sources, {@code null} without {@code src}
 * @param dstLabel label of the destinations, {@code null} without {@code dst}
 */
public record KeyNames(
    List<String> node, List<String> src, List<String> dst, String srcLabel, String dstLabel) {
  /** Copies. */
  public KeyNames {
    node = List.copyOf(node);
    src = List.copyOf(src);
    dst = List.copyOf(dst);
  }

  /** The same keys by other names. */
  KeyNames naming(UnaryOperator<String> names) {
    return new KeyNames(
        naming("key", node, names),
        naming("src-key", src, names),
        naming("dst-key", dst, names),
        srcLabel,
        dstLabel);
  }

  private static List<String> naming(
      String option, List<String> keys, UnaryOperator<String> names) {
    List<String> out = keys.stream().map(names).distinct().toList();
    if (out.size() < keys.size()) {
      throw ReadErrors.badValue(
          option, String.join(",", keys), "distinct column names separated by commas");
    }
    return out;
  }

  /** All of them, each once. */
  public List<String> all() {
    List<String> out = new ArrayList<>(node);
    src.stream().filter(n -> !out.contains(n)).forEach(out::add);
    dst.stream().filter(n -> !out.contains(n)).forEach(out::add);
    return out;
  }
}
