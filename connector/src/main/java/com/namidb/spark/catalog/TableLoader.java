package com.namidb.spark.catalog;

import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.metadata.MetadataTables;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.ReadOptions;
import com.namidb.spark.options.Reading;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.TableSource;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.types.StructType;

/** Opens tables: resolves the version once and pins the table to it. */
public final class TableLoader {
  private TableLoader() {}

  /**
   * Loads the table the options name.
   *
   * @param given schema given by the user, which then wins over inference
   * @throws com.namidb.format.error.NamiException if there is no such namespace, version or table
   */
  public static Table load(ReadOptions options, Optional<StructType> given) {
    OpenNamespace opened = OpenNamespace.at(options.location());
    if (options.target() instanceof TableTarget.MetadataOf m) {
      return MetadataTables.load(m.name(), opened, options.selector(), options.reading());
    }
    SnapshotSelector selector = NotebookPins.selector(options.location(), options.selector());
    Snapshot snapshot = opened.namespace().snapshot(selector);
    if (options.changesFrom().isPresent()) {
      Snapshot from =
          opened.namespace().snapshot(new SnapshotSelector.AtVersion(options.changesFrom().get()));
      return ChangesTable.of(from, snapshot, options.target(), options.reading(), given);
    }
    boolean pinned = !selector.equals(options.selector());
    if (pinned) {
      TableNames.checkPinned(snapshot, options.target(), opened.namespace());
    }
    NamiTable table = table(snapshot, options.target(), options.reading(), given);
    if (pinned) {
      return table.pinned();
    }
    return selector instanceof SnapshotSelector.Latest
        ? table
        : table.past("it was loaded by version or time");
  }

  /** The table of a version that is open already. */
  public static NamiTable table(
      Snapshot snapshot, TableTarget target, Reading reading, Optional<StructType> given) {
    List<ScanRequest.Target> parts = parts(snapshot, target, reading);
    StructType schema =
        given.isPresent()
            ? TableSchema.given(given.get(), target)
            : TableSchema.inferred(snapshot, target, parts, reading);
    String name =
        snapshot.location().paths().namespace()
            + " "
            + target
            + " @ "
            + Long.toUnsignedString(snapshot.version());
    boolean edges = target instanceof TableTarget.EdgesOf;
    TableSource source = new TableSource(name, snapshot, parts, edges, schema, reading);
    return new NamiTable(source, given.isPresent());
  }

  static List<ScanRequest.Target> parts(Snapshot snapshot, TableTarget target, Reading reading) {
    TableNames names = new TableNames(snapshot, reading);
    if (target instanceof TableTarget.NodesOf nodes) {
      nodes.label().ifPresent(names::checkLabel);
      return List.of(new ScanRequest.Nodes(nodes.label()));
    }
    if (target instanceof TableTarget.EdgesOf edges) {
      edges.type().ifPresent(names::checkType);
      return edges.type().map(List::of).orElseGet(() -> List.copyOf(names.types())).stream()
          .<ScanRequest.Target>map(ScanRequest.Edges::new)
          .toList();
    }
    throw new IllegalStateException("no rows of the graph: " + target);
  }
}
