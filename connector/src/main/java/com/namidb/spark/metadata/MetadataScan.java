package com.namidb.spark.metadata;

import java.util.Arrays;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownLimit;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;

/** Builds a scan of a metadata table; limit and columns go to whoever makes the rows. */
final class MetadataScan
    implements ScanBuilder, SupportsPushDownLimit, SupportsPushDownRequiredColumns {
  private final String name;
  private final StructType schema;
  private final RowMaker rows;
  private StructType columns;
  private int limit = Integer.MAX_VALUE;

  MetadataScan(String name, StructType schema, RowMaker rows) {
    this.name = name;
    this.schema = schema;
    this.rows = rows;
    this.columns = schema;
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
  public void pruneColumns(StructType required) {
    columns = required;
  }

  @Override
  public Scan build() {
    return new Rows(name, schema, columns, rows, limit);
  }

  private record Rows(
      String name, StructType schema, StructType columns, RowMaker source, int limit)
      implements LocalScan {
    @Override
    public StructType readSchema() {
      return columns;
    }

    @Override
    public InternalRow[] rows() {
      RowMaker.Asked asked = new RowMaker.Asked(limit, Set.of(columns.fieldNames()));
      int[] places = Arrays.stream(columns.fieldNames()).mapToInt(schema::fieldIndex).toArray();
      return source.rows(asked).stream().map(r -> narrowed(r, places)).toArray(InternalRow[]::new);
    }

    private InternalRow narrowed(InternalRow row, int[] places) {
      Object[] cells = new Object[places.length];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = row.get(places[i], schema.apply(places[i]).dataType());
      }
      return new GenericInternalRow(cells);
    }

    @Override
    public String description() {
      return "namidb " + name;
    }
  }
}
