package com.namidb.spark.procedure;

import com.namidb.format.log.CommitTimes;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.format.wal.WalState;
import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.lease.PinnedVersion;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PinOptions;
import com.namidb.spark.options.SessionConf;
import com.namidb.spark.read.EdgeTypes;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code pin}: every table of a graph read in this session is one version. Contract §4. */
final class Pin extends NamiProcedure {
  private static final String VERSION = "version";
  private static final StructType COLUMNS =
      new StructType()
          .add("namespace", DataTypes.StringType, false)
          .add("snapshot_id", DataTypes.LongType, false)
          .add("epoch", DataTypes.LongType, false)
          .add("committed_at", DataTypes.TimestampType, false)
          .add("ssts", DataTypes.IntegerType, false)
          .add("wal_rows", DataTypes.LongType, false)
          .add("lease_id", DataTypes.StringType, false);

  private final Function<String, OpenNamespace> open;

  Pin(Function<String, OpenNamespace> open) {
    super(
        "pin",
        "Pins every table of a graph read in this session to one version",
        namespace(),
        optional(VERSION, DataTypes.LongType, "snapshot id; the current one if not given"));
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    OpenNamespace opened = open.apply(arguments.text(NAMESPACE));
    SnapshotSelector selector =
        arguments
            .version(VERSION)
            .<SnapshotSelector>map(SnapshotSelector.AtVersion::new)
            .orElseGet(SnapshotSelector.Latest::new);
    Snapshot snapshot = opened.namespace().snapshot(selector);
    PinnedVersion pinned =
        NotebookPins.pin(
            SparkSession.active(), snapshot, opened, PinOptions.maxAge(SessionConf.lookup()));
    WalState wal = EdgeTypes.replay(snapshot, opened.store());
    long walRows = wal.nodeCount();
    for (String type : wal.edgeTypes()) {
      walRows += wal.edgeCount(type);
    }
    CommitTimes times = new CommitTimes(opened.namespace().log());
    times.know(snapshot.ref());
    return new Result(
        COLUMNS,
        List.of(
            Cells.row(
                opened.location().paths().namespace(),
                snapshot.version(),
                snapshot.ref().epoch(),
                times
                    .committedAtMicros(snapshot.version())
                    .orElse(snapshot.ref().createdAtMicros()),
                snapshot.manifest().ssts().size(),
                walRows,
                pinned.leaseId())));
  }
}
