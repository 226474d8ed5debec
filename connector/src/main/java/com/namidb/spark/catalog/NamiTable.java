package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.WriteErrors;
import com.namidb.spark.options.QueryOptions;
import com.namidb.spark.options.Reading;
import com.namidb.spark.read.NamiScanBuilder;
import com.namidb.spark.read.TableSource;
import com.namidb.spark.rowlevel.ChangedTable;
import com.namidb.spark.types.SparkSchemas;
import com.namidb.spark.write.NamiWriteBuilder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
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
import org.apache.spark.sql.internal.SQLConf;
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
  // Null outside of a catalog.
  private final CatalogEntry entry;
  private final String id;
  private final Optional<String> past;

  /**
   * Wraps what scans need.
   *
   * @param open whether rows of other columns may be written, as DataFrames bring them; the columns
   *     of SQL's INSERT are matched with the table's, by position or by name
   */
  public NamiTable(TableSource source, boolean open) {
    this(source, open, null, null, Optional.empty());
  }

  private NamiTable(
      TableSource source, boolean open, CatalogEntry entry, String id, Optional<String> past) {
    this.source = source;
    this.open = open;
    this.entry = entry;
    this.id = id;
    this.past = past;
  }

  /** The same table with what a catalog knows of it. */
  NamiTable inCatalog(CatalogEntry known) {
    return new NamiTable(source, open, known, id, past);
  }

  /** The same table, for a session that is pinned to its version. */
  NamiTable pinned() {
    String version = Long.toUnsignedString(source.snapshot().version());
    String pin = "pinned to " + version;
    return new NamiTable(source, open, entry, pin, Optional.of("its session was " + pin));
  }

  /**
   * The same table, of which no row is changed or deleted where it is.
   *
   * @param because why it does not show the present, e.g. "it was loaded by its version"
   */
  NamiTable past(String because) {
    return new NamiTable(source, open, entry, id, Optional.of(because));
  }

  /**
   * Spark 4.1 gives whoever names a table the one that is cached under this name, unless its id is
   * another: what was cached before a pin must not stand for the pinned version, nor the reverse.
   */
  @Override
  public String id() {
    return id;
  }

  /** The same rows with other columns. */
  NamiTable with(StructType schema) {
    return schema.equals(source.schema())
        ? this
        : new NamiTable(source.with(schema), open, entry, id, past);
  }

  /** The same table for rows of any columns. */
  NamiTable taking() {
    return new NamiTable(source, true, entry, id, past);
  }

  TableSource source() {
    return source;
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
    return entry == null
        ? SparkSchemas.columns(source.schema())
        : DescribedColumns.of(source, entry.target());
  }

  @Override
  public Map<String, String> properties() {
    return entry == null ? Map.of() : entry.facts(this);
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
    // Outside of a catalog the table was loaded with these same options.
    return new NamiScanBuilder(entry == null ? source : asked(options));
  }

  private TableSource asked(CaseInsensitiveStringMap options) {
    Reading reading =
        QueryOptions.of(
            options.asCaseSensitiveMap(),
            source.reading(),
            source.snapshot().version(),
            entry.chosen());
    return source.with(reading);
  }

  /** A write goes to the newest version, whatever version this table shows. */
  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    if (entry == null) {
      return new NamiWriteBuilder(info);
    }
    if (open) {
      checkColumns(info);
    }
    return new NamiWriteBuilder(new PlacedWrite(info, entry.place()));
  }

  /** Rows by position reach an open table under names of their own, and would become properties. */
  private void checkColumns(LogicalWriteInfo info) {
    List<String> known = Arrays.asList(source.schema().fieldNames());
    List<String> given = Arrays.asList(info.schema().fieldNames());
    boolean keyed = info.options().containsKey("key") || info.options().containsKey("src-key");
    boolean sensitive = SQLConf.get().caseSensitiveAnalysis();
    boolean met =
        given.stream()
            .anyMatch(
                g -> known.stream().anyMatch(k -> sensitive ? k.equals(g) : k.equalsIgnoreCase(g)));
    if (!keyed && !met) {
      throw CatalogErrors.foreignColumns(given, source.name());
    }
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
