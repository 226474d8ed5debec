package com.namidb.spark.metadata;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.Reading;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.types.StructType;

/** Metadata tables by name. Contract §8. */
public final class MetadataTables {
  private static final List<String> NAMES =
      List.of(
          "snapshots",
          "ssts",
          "wal",
          "labels",
          "edge_types",
          "properties",
          "pins",
          "staged",
          "receipts");

  /** Those that are about all versions. */
  private static final Map<String, OfNamespace> OF_NAMESPACE =
      Map.of(
          "snapshots", new OfNamespace(SnapshotsTable.SCHEMA, SnapshotsTable::rows),
          "pins", new OfNamespace(PinsTable.SCHEMA, (o, asked) -> PinsTable.rows(o.namespace())),
          "staged", new OfNamespace(StagedTable.SCHEMA, (o, asked) -> StagedTable.rows(o)),
          "receipts", new OfNamespace(ReceiptsTable.SCHEMA, (o, asked) -> ReceiptsTable.rows(o)));

  private record OfNamespace(
      StructType schema, BiFunction<OpenNamespace, RowMaker.Asked, List<InternalRow>> rows) {}

  private MetadataTables() {}

  /** Names of all metadata tables. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * Opens a metadata table. Those about one version are pinned to it when they are loaded; those
   * about all of them tell what stands when a query runs.
   *
   * @param selector which version, for the tables about one
   * @throws com.namidb.format.error.NamiException if there is no such namespace, version or table
   */
  public static Table load(
      String name, OpenNamespace opened, SnapshotSelector selector, Reading reading) {
    if (!NAMES.contains(name)) {
      throw ReadErrors.unknownMetadata(name, NearestName.of(name, NAMES), NAMES);
    }
    OfNamespace all = OF_NAMESPACE.get(name);
    if (all != null) {
      if (!(selector instanceof SnapshotSelector.Latest)) {
        throw ReadErrors.conflict(
            "The metadata table '" + name + "' is about all versions, but one is asked for",
            "Leave the version or time out.");
      }
      // Proves now, not at the first query, that the namespace is there.
      opened.namespace().snapshot(selector);
      String title = opened.location().paths().namespace() + " " + name;
      return new MetadataTable(title, all.schema(), asked -> all.rows().apply(opened, asked));
    }
    return ofVersion(name, opened.namespace().snapshot(selector), opened, reading);
  }

  /**
   * A table for a statement that adds no rows: of a metadata table Spark then knows the columns.
   */
  public static Table closed(Table table) {
    return table instanceof MetadataTable metadata ? metadata.closed() : table;
  }

  private static Table ofVersion(
      String name, Snapshot snapshot, OpenNamespace opened, Reading reading) {
    return switch (name) {
      case "ssts" -> table(name, snapshot, SstsTable.SCHEMA, asked -> SstsTable.rows(snapshot));
      case "wal" -> table(name, snapshot, WalTable.SCHEMA, asked -> WalTable.rows(snapshot));
      case "labels" ->
          table(name, snapshot, NamesTables.LABELS, asked -> NamesTables.labels(snapshot));
      case "edge_types" ->
          table(
              name,
              snapshot,
              NamesTables.EDGE_TYPES,
              asked -> NamesTables.edgeTypes(snapshot, reading.wal(), opened.store()));
      case "properties" ->
          table(name, snapshot, NamesTables.PROPERTIES, asked -> NamesTables.properties(snapshot));
      default -> throw new IllegalStateException("no such metadata table: " + name);
    };
  }

  private static Table table(String name, Snapshot snapshot, StructType schema, RowMaker rows) {
    String title =
        snapshot.location().paths().namespace()
            + " "
            + name
            + " @ "
            + Long.toUnsignedString(snapshot.version());
    return new MetadataTable(title, schema, rows);
  }
}
