package com.namidb.spark.catalog;

import com.namidb.format.error.InvalidOptionException;
import com.namidb.format.error.ScanErrors;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.Reading;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.ChangesScanBuilder;
import com.namidb.spark.read.ChangesSource;
import com.namidb.spark.types.SparkSchemas;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

/** What changed in a table between two pinned versions. Contract §4. */
public final class ChangesTable implements SupportsRead, SupportsWrite, SupportsMetadataColumns {
  private final ChangesSource source;

  private ChangesTable(ChangesSource source) {
    this.source = source;
  }

  static ChangesTable of(
      Snapshot from, Snapshot to, TableTarget target, Reading reading, Optional<StructType> given) {
    String namespace = to.location().paths().namespace();
    if (Long.compareUnsigned(from.version(), to.version()) > 0) {
      throw ScanErrors.changesBackwards(namespace, from.version(), to.version());
    }
    List<ScanRequest.Target> targets = targets(from, to, target, reading);
    StructType schema =
        given.isPresent()
            ? TableSchema.givenChanges(given.get(), target)
            : TableSchema.changes(from, to, target, targets, reading);
    String name =
        "%s %s %s..%s"
            .formatted(
                namespace,
                target,
                Long.toUnsignedString(from.version()),
                Long.toUnsignedString(to.version()));
    boolean edges = target instanceof TableTarget.EdgesOf;
    return new ChangesTable(new ChangesSource(name, from, to, targets, edges, schema, reading));
  }

  /** A label or type must have been there in one of the versions only. */
  private static List<ScanRequest.Target> targets(
      Snapshot from, Snapshot to, TableTarget target, Reading reading) {
    if (target instanceof TableTarget.EdgesOf e && e.type().isEmpty()) {
      Set<String> types = new TreeSet<>(new TableNames(to, reading).types());
      types.addAll(new TableNames(from, reading).types());
      return types.stream().<ScanRequest.Target>map(ScanRequest.Edges::new).toList();
    }
    try {
      return TableLoader.parts(to, target, reading);
    } catch (InvalidOptionException unknown) {
      try {
        return TableLoader.parts(from, target, reading);
      } catch (InvalidOptionException neither) {
        unknown.addSuppressed(neither);
        throw unknown;
      }
    }
  }

  @Override
  public String name() {
    return "namidb changes of " + source.name();
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

  /** Writes are taken only to be refused with a reason. */
  @Override
  public Set<TableCapability> capabilities() {
    return EnumSet.of(
        TableCapability.BATCH_READ,
        TableCapability.BATCH_WRITE,
        TableCapability.TRUNCATE,
        TableCapability.ACCEPT_ANY_SCHEMA);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new ChangesScanBuilder(source);
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    throw WriteErrors.badWrite(
        "Changes between two versions cannot be written",
        "Leave out 'changes-from' and 'changes-to'.");
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ChangesTable t && source.equals(t.source);
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
