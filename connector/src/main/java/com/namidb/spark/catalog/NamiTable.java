package com.namidb.spark.catalog;

import com.namidb.format.error.WriteErrors;
import com.namidb.format.scan.ScanRequest;
import com.namidb.spark.read.NamiScanBuilder;
import com.namidb.spark.read.TableSource;
import com.namidb.spark.rowlevel.ChangedTable;
import com.namidb.spark.types.SparkSchemas;
import com.namidb.spark.write.NamiWriteBuilder;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsDeleteV2;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsRowLevelOperations;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.RowLevelOperationBuilder;
import org.apache.spark.sql.connector.write.RowLevelOperationInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Nodes or edges of one pinned version. There is no {@code version()} on purpose: Spark would load
 * such a table again when a query runs. Equality covers the version instead.
 */
public final class NamiTable
    implements SupportsRead,
        SupportsWrite,
        SupportsMetadataColumns,
        SupportsRowLevelOperations,
        SupportsDeleteV2 {
  private final TableSource source;
  private final boolean open;
  private final Map<String, String> place;
  private final Optional<String> past;

  /**
   * Wraps what scans need.
   *
   * @param open whether rows of other columns may be written, as DataFrames bring them; the columns
   *     of SQL's INSERT are matched with the table's, by position or by name
   */
  public NamiTable(TableSource source, boolean open) {
    this(source, open, Map.of(), Optional.empty());
  }

  private NamiTable(
      TableSource source, boolean open, Map<String, String> place, Optional<String> past) {
    this.source = source;
    this.open = open;
    this.place = place;
    this.past = past;
  }

  /** The same table with the write options that say where it is, as a catalog knows them. */
  NamiTable writtenAt(Map<String, String> options) {
    return new NamiTable(source, open, options, past);
  }

  /**
   * The same table, of which no row is changed or deleted where it is.
   *
   * @param because why it does not show the present, e.g. "it was loaded by its version"
   */
  public NamiTable past(String because) {
    return new NamiTable(source, open, place, Optional.of(because));
  }

  /** The same table, of which added rows without labels get the table's own. */
  public NamiTable labelsOptional() {
    boolean label =
        source.targets().stream()
            .anyMatch(t -> t instanceof ScanRequest.Nodes n && n.label().isPresent());
    if (!label) {
      return this;
    }
    TableSource optional =
        new TableSource(
            source.name(),
            source.snapshot(),
            source.targets(),
            source.edges(),
            TableSchema.labelsOptional(source.schema()),
            source.reading());
    return new NamiTable(optional, open, place, past);
  }

  @Override
  public String name() {
    return "namidb " + source.name();
  }

  @Override
  @SuppressWarnings("deprecation") // abstract on Spark 4.0, and what columns() comes from
  public StructType schema() {
    return source.schema();
  }

  @Override
  public Column[] columns() {
    return SparkSchemas.columns(source.schema());
  }

  @Override
  public MetadataColumn[] metadataColumns() {
    return HiddenColumn.all();
  }

  @Override
  public Set<TableCapability> capabilities() {
    Set<TableCapability> out =
        EnumSet.of(
            TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
    if (open) {
      out.add(TableCapability.ACCEPT_ANY_SCHEMA);
    }
    return out;
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new NamiScanBuilder(source);
  }

  /** A write goes to the newest version, whatever version this table shows. */
  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new NamiWriteBuilder(place.isEmpty() ? info : new PlacedWrite(info, place));
  }

  @Override
  public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
    ChangedTable table = new ChangedTable(source, past);
    return () -> table.operation(info.command());
  }

  @Override
  public boolean canDeleteWhere(Predicate[] predicates) {
    return new ChangedTable(source, past).canDelete(predicates);
  }

  @Override
  public void deleteWhere(Predicate[] predicates) {
    new ChangedTable(source, past).delete(predicates);
  }

  @Override
  public boolean truncateTable() {
    throw WriteErrors.truncate(name());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NamiTable t && source.equals(t.source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
