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
import java.util.function.IntFunction;
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
          "snapshots",
              new OfNamespace(
                  SnapshotsTable.SCHEMA, (o, n) -> SnapshotsTable.rows(o.namespace(), n)),
          "pins", new OfNamespace(PinsTable.SCHEMA, (o, n) -> PinsTable.rows(o.namespace())),
          "staged", new OfNamespace(StagedTable.SCHEMA, (o, n) -> StagedTable.rows(o)),
          "receipts", new OfNamespace(ReceiptsTable.SCHEMA, (o, n) -> ReceiptsTable.rows(o)));

  private record OfNamespace(
      StructType schema, BiFunction<OpenNamespace, Integer, List<InternalRow>> rows) {}

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
      return new MetadataTable(title, all.schema(), n -> all.rows().apply(opened, n));
    }
    return ofVersion(name, opened.namespace().snapshot(selector), opened, reading);
  }

  private static Table ofVersion(
      String name, Snapshot snapshot, OpenNamespace opened, Reading reading) {
    return switch (name) {
      case "ssts" -> table(name, snapshot, SstsTable.SCHEMA, n -> SstsTable.rows(snapshot));
      case "wal" -> table(name, snapshot, WalTable.SCHEMA, n -> WalTable.rows(snapshot));
      case "labels" -> table(name, snapshot, NamesTables.LABELS, n -> NamesTables.labels(snapshot));
      case "edge_types" ->
          table(
              name,
              snapshot,
              NamesTables.EDGE_TYPES,
              n -> NamesTables.edgeTypes(snapshot, reading.wal(), opened.store()));
      case "properties" ->
          table(name, snapshot, NamesTables.PROPERTIES, n -> NamesTables.properties(snapshot));
      default -> throw new IllegalStateException("no such metadata table: " + name);
    };
  }

  private static Table table(
      String name, Snapshot snapshot, StructType schema, IntFunction<List<InternalRow>> rows) {
    String title =
        snapshot.location().paths().namespace()
            + " "
            + name
            + " @ "
            + Long.toUnsignedString(snapshot.version());
    return new MetadataTable(title, schema, rows);
  }
}
