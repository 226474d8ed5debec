package com.namidb.spark.read;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.Where;
import com.namidb.format.id.NodeId;
import com.namidb.format.scan.ExactCounts;
import com.namidb.format.scan.ExtremeKeys;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Aggregates as far as metadata proves them.
 *
 * @param rows rows of the answer, or of its first part
 * @param rest slices whose rows have still to be counted; none if the answer is complete
 * @param settled SSTs that metadata answered for
 * @param ssts SSTs of the table
 */
record AggregateAnswer(
    List<InternalRow> rows, List<PlannedScan.Typed> rest, int settled, int ssts) {

  /** Answers, or says nothing where Spark does better by itself. */
  static Optional<AggregateAnswer> of(AskedAggregates asked, TableSource source, Pushdown pushed) {
    Snapshot snapshot = source.snapshot();
    try {
      return new Search(asked, source, pushed).answer();
    } catch (NamiException e) {
      throw e.at(Where.version(snapshot.location().paths().namespace(), snapshot.version()));
    }
  }

  boolean isComplete() {
    return rest.isEmpty();
  }

  /** A row of the answer. */
  static InternalRow row(
      AskedAggregates asked, String type, long count, List<Optional<NodeId>> extremes) {
    int first = asked.byType() ? 1 : 0;
    Object[] cells = new Object[first + asked.items().size()];
    if (asked.byType()) {
      cells[0] = UTF8String.fromString(type);
    }
    int next = 0;
    for (int i = 0; i < asked.items().size(); i++) {
      AskedAggregates.Item item = asked.items().get(i);
      if (item.isCount()) {
        cells[first + i] = count;
      } else {
        cells[first + i] = extremes.get(next++).map(id -> cell(id, item.type())).orElse(null);
      }
    }
    return new GenericInternalRow(cells);
  }

  /**
   * A row that only counts: what else is asked is null, which Spark passes over.
   *
   * @param type edge type of the group, {@code null} without groups
   */
  static InternalRow row(String type, long count, boolean[] isCount) {
    int first = type == null ? 0 : 1;
    Object[] cells = new Object[first + isCount.length];
    if (type != null) {
      cells[0] = UTF8String.fromString(type);
    }
    for (int i = 0; i < isCount.length; i++) {
      cells[first + i] = isCount[i] ? count : null;
    }
    return new GenericInternalRow(cells);
  }

  private static Object cell(NodeId id, DataType type) {
    return type.equals(DataTypes.BinaryType) ? id.toBytes() : UTF8String.fromString(id.toString());
  }

  /** One search. */
  private static final class Search {
    private final AskedAggregates asked;
    private final TableSource source;
    private final Pushdown pushed;
    private final ObjectStore store;
    private final List<InternalRow> rows = new ArrayList<>();
    private final List<PlannedScan.Typed> rest = new ArrayList<>();
    private int settled;
    private int ssts;
    private long total;

    Search(AskedAggregates asked, TableSource source, Pushdown pushed) {
      this.asked = asked;
      this.source = source;
      this.pushed = pushed;
      this.store = OpenNamespace.at(source.snapshot().location()).store();
    }

    Optional<AggregateAnswer> answer() {
      List<ScanRequest.Target> targets = source.targets();
      boolean all = true;
      if (asked.byType()) {
        for (ScanRequest.Target target : targets) {
          all = all && group(List.of(target), ((ScanRequest.Edges) target).type());
        }
      } else {
        all = group(targets, null);
      }
      if (all && rest.isEmpty() && total == 0 && asked.hasCount()) {
        EmptyTable.warn(source, pushed);
      }
      boolean worth = rest.isEmpty() || (settled > 0 && asked.canBeSplit());
      return all && worth
          ? Optional.of(new AggregateAnswer(rows, rest, settled, ssts))
          : Optional.empty();
    }

    /** Answers for some targets together; false if that takes Spark. */
    private boolean group(List<ScanRequest.Target> targets, String type) {
      long count = 0;
      List<PlannedScan.Typed> uncounted = new ArrayList<>();
      if (type != null || asked.hasCount()) {
        for (ScanRequest.Target target : targets) {
          ExactCounts.Counted counted = ExactCounts.of(source.snapshot(), request(target), store);
          count += counted.rows();
          total += counted.rows();
          settled += counted.settled();
          ssts += counted.ssts();
          String edgeType = target instanceof ScanRequest.Edges e ? e.type() : null;
          counted.rest().forEach(s -> uncounted.add(new PlannedScan.Typed(s, edgeType)));
        }
      }
      List<Optional<NodeId>> extremes = new ArrayList<>();
      for (AskedAggregates.Item item : asked.items()) {
        if (!item.isCount()) {
          ExtremeKeys.Extreme found =
              new ExtremeKeys(source.snapshot(), request(targets), item.side(), store).of(targets);
          if (!found.known()) {
            return false;
          }
          extremes.add(found.id());
        }
      }
      rest.addAll(uncounted);
      // Without groups there is one row always, with groups none for a type without edges.
      if (type == null || count > 0 || extremes.stream().anyMatch(Optional::isPresent)) {
        rows.add(row(asked, type, count, extremes));
      }
      return true;
    }

    private ScanRequest request(List<ScanRequest.Target> targets) {
      return request(targets.isEmpty() ? new ScanRequest.Edges("") : targets.get(0));
    }

    private ScanRequest request(ScanRequest.Target target) {
      return new ScanRequest(
          target,
          pushed.keys(),
          pushed.partners(),
          Set.of(),
          source.reading().wal(),
          source.reading().sizing().forTasks(PlannedScan.tasksPerTarget(source)));
    }
  }
}
