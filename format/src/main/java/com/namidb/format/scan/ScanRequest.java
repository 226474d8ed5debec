package com.namidb.format.scan;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.snapshot.WalPolicy;
import java.util.Optional;
import java.util.Set;

/**
 * What to read of a snapshot.
 *
 * @param target nodes, or edges of a type
 * @param keys allowed node ids; for edges allowed source ids
 * @param partners for edges allowed destination ids; {@link KeyRanges#ALL} for nodes
 * @param columns what the consumer needs of each live record
 * @param wal what to do with WAL rows
 * @param sizing how slices are cut
 */
public record ScanRequest(
    Target target,
    KeyRanges keys,
    KeyRanges partners,
    Set<Column> columns,
    WalPolicy wal,
    Sizing sizing) {

  /** What to read. */
  public sealed interface Target {}

  /**
   * Nodes.
   *
   * @param label only nodes that carry this label; empty for all nodes, unlabelled ones too
   */
  public record Nodes(Optional<String> label) implements Target {}

  /**
   * Edges of one type, as stored: ends may be missing.
   *
   * @param type edge type
   */
  public record Edges(String type) implements Target {}

  /**
   * How slices are cut.
   *
   * @param splitBytes SSTs above this size are cut at row groups or key pages
   * @param combineSmall whether small SSTs share a slice
   * @param tasks how many slices are wanted at least: a scan of fewer SSTs is cut finer than {@code
   *     splitBytes}, if its SSTs are large enough for that to pay; 1 for no such wish
   */
  public record Sizing(long splitBytes, boolean combineSmall, int tasks) {
    /** Sizing without a wish for a number of slices. */
    public Sizing(long splitBytes, boolean combineSmall) {
      this(splitBytes, combineSmall, 1);
    }

    /** The same with a wish for a number of slices. */
    public Sizing forTasks(int wanted) {
      return new Sizing(splitBytes, combineSmall, Math.max(1, wanted));
    }
  }
}
