package com.namidb.spark.procedure;

import com.namidb.format.error.NamiException;
import com.namidb.format.log.Committed;
import com.namidb.format.log.HistoryAudit;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.format.validate.DeepCheck;
import com.namidb.format.validate.Finding;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.read.EdgeTypes;
import com.namidb.spark.write.check.GraphAudit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code check}: what is wrong with the history and its current version; no rows if nothing is.
 * Contract §7.
 */
final class Check extends NamiProcedure {
  private static final String DEEP = "deep";
  private static final StructType COLUMNS =
      new StructType()
          .add("check", DataTypes.StringType, false)
          .add("object", DataTypes.StringType, false)
          .add("problem", DataTypes.StringType, false)
          .add("count", DataTypes.LongType, false);

  private final Function<String, OpenNamespace> open;

  Check(Function<String, OpenNamespace> open) {
    super(
        "check",
        "Looks for damage in the history of a graph and in its current version",
        namespace(),
        flag(DEEP, "read every file: checksums, rows, pairs, dangling edges, unique values"));
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    OpenNamespace opened = open.apply(arguments.text(NAMESPACE));
    Snapshot snapshot = opened.namespace().snapshot(new SnapshotSelector.Latest());
    DeepCheck check = new DeepCheck(snapshot, opened.store());
    Set<Finding> found = new LinkedHashSet<>(history(opened, snapshot));
    found.addAll(check.shallow());
    if (arguments.flag(DEEP)) {
      QueryLeases.during(snapshot, opened, () -> deep(opened, snapshot, check, found));
    }
    return new Result(
        COLUMNS,
        found.stream().map(f -> Cells.row(f.check(), f.object(), f.problem(), f.count())).toList());
  }

  private static List<Finding> history(OpenNamespace opened, Snapshot snapshot) {
    Committed current = new Committed(snapshot.ref(), snapshot.manifest());
    return new HistoryAudit(opened.location().paths(), opened.store(), opened.namespace().log())
        .problems(current).stream()
            .map(p -> new Finding("history", p.object(), p.what(), p.count()))
            .toList();
  }

  private static void deep(
      OpenNamespace opened, Snapshot snapshot, DeepCheck check, Set<Finding> found) {
    boolean types = true;
    try {
      EdgeTypes.replay(snapshot, opened.store());
    } catch (NamiException e) {
      types = false;
    }
    GraphAudit audit = new GraphAudit(opened, snapshot);
    List<Finding> deep = audit.deep(check, types);
    found.addAll(deep);
    if (deep.stream().noneMatch(f -> f.check().equals("readable") || f.check().equals("content"))) {
      found.addAll(audit.duplicates());
    } else {
      found.add(new Finding("unique values", "", "not checked, because some files are damaged", 1));
    }
  }
}
