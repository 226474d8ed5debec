package com.namidb.spark.options;

import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.WriteErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /**
   * Reads them.
   *
   * @throws com.namidb.format.error.InvalidOptionException for keys that the target does not take,
   *     or without their label
   */
  static KeyNames of(OptionReader options, TableTarget target) {
    boolean edges = target instanceof TableTarget.EdgesOf;
    List<String> node = options.names(WriteNames.KEY);
    List<String> src = options.names(WriteNames.SRC_KEY);
    List<String> dst = options.names(WriteNames.DST_KEY);
    Optional<String> srcLabel = options.own(WriteNames.SRC_LABEL);
    Optional<String> dstLabel = options.own(WriteNames.DST_LABEL);
    boolean ends = !src.isEmpty() || !dst.isEmpty() || srcLabel.isPresent() || dstLabel.isPresent();
    if (edges ? !node.isEmpty() : ends) {
      throw WriteErrors.badWrite(
          edges ? "Option 'key' is given for edges" : "Options of edges' ends are given for nodes",
          "Nodes take key; edges take src-key, dst-key, src-label, dst-label.");
    }
    if (src.isEmpty() == srcLabel.isPresent() || dst.isEmpty() == dstLabel.isPresent()) {
      throw WriteErrors.badWrite(
          "A key of an edge's end is given without its label, or the other way round",
          "Give src-key with src-label, and dst-key with dst-label.");
    }
    if (!node.isEmpty() && target instanceof TableTarget.NodesOf n && n.label().isEmpty()) {
      throw WriteErrors.badWrite(
          "Option 'key' is given without a label", "Derived ids depend on the label: name one.");
    }
    return new KeyNames(node, src, dst, srcLabel.orElse(null), dstLabel.orElse(null));
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
