package com.namidb.spark.catalog;

import com.namidb.spark.read.NamiScanBuilder;
import com.namidb.spark.read.TableSource;
import com.namidb.spark.types.SparkSchemas;
import com.namidb.spark.write.NamiWriteBuilder;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.MetadataColumn;
import org.apache.spark.sql.connector.catalog.SupportsMetadataColumns;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Nodes or edges of one pinned version. There is no {@code version()} on purpose: Spark would load
 * such a table again when a query runs. Equality covers the version instead.
 */
public final class NamiTable implements SupportsRead, SupportsWrite, SupportsMetadataColumns {
  private final TableSource source;
  private final boolean open;
  private final Map<String, String> place;
  private final String id;

  /**
   * Wraps what scans need.
   *
   * @param open whether rows of other columns may be written, as DataFrames bring them; the columns
   *     of SQL's INSERT are matched with the table's, by position or by name
   */
  public NamiTable(TableSource source, boolean open) {
    this(source, open, Map.of(), null);
  }

  private NamiTable(TableSource source, boolean open, Map<String, String> place, String id) {
    this.source = source;
    this.open = open;
    this.place = place;
    this.id = id;
  }

  /** The same table with the write options that say where it is, as a catalog knows them. */
  NamiTable writtenAt(Map<String, String> options) {
    return new NamiTable(source, open, options, id);
  }

  /** The same table, for a session that is pinned to its version. */
  NamiTable pinned() {
    String version = Long.toUnsignedString(source.snapshot().version());
    return new NamiTable(source, open, place, "pinned to " + version);
  }

  /**
   * Spark 4.1 gives whoever names a table the one that is cached under this name, unless its id is
   * another: what was cached before a pin must not stand for the pinned version, nor the reverse.
   */
  @Override
  public String id() {
    return id;
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
