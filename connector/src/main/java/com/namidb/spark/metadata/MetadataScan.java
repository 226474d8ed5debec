package com.namidb.spark.metadata;

import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.types.StructType;

/** Builds a scan of a metadata table; a limit goes to whoever makes the rows. */
final class MetadataScan implements ScanBuilder, SupportsPushDownLimit {
  private final String name;
  private final StructType schema;
  private final IntFunction<List<InternalRow>> rows;
  private int limit = Integer.MAX_VALUE;

  MetadataScan(String name, StructType schema, IntFunction<List<InternalRow>> rows) {
    this.name = name;
    this.schema = schema;
    this.rows = rows;
  }

  @Override
  public boolean pushLimit(int most) {
    // A limit of nothing is Spark's own business: rows are asked for at least one version.
    limit = Math.max(1, most);
    return true;
  }

  @Override
  public boolean isPartiallyPushed() {
    return true;
  }

  @Override
  public Scan build() {
    return new Rows(name, schema, rows, limit);
  }

  private record Rows(
      String name, StructType schema, IntFunction<List<InternalRow>> source, int limit)
      implements LocalScan {
    @Override
    public StructType readSchema() {
      return schema;
    }

    @Override
    public InternalRow[] rows() {
      return source.apply(limit).toArray(InternalRow[]::new);
    }

    @Override
    public String description() {
      return "namidb " + name;
    }
  }
}
