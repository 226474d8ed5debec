package com.namidb.spark.read;

import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.spark.types.GraphColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NullOrdering;
import org.apache.spark.sql.connector.expressions.SortDirection;
import org.apache.spark.sql.connector.expressions.SortOrder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * The order inside every partition of a scan, as far as it is certain. Files are ordered by the
 * unsigned order of ids, which is the order of their lower-case text and of their bytes; every part
 * of a slice keeps it, shadows and WAL included.
 */
final class ScanOrder {
  private static final List<String> NODES = List.of(GraphColumns.ID);
  private static final List<String> FORWARD = List.of(GraphColumns.SRC, GraphColumns.DST);
  private static final List<String> INVERSE = List.of(GraphColumns.DST, GraphColumns.SRC);

  private ScanOrder() {}

  /** Columns the rows of each partition ascend by; none if there is no order common to all. */
  static List<String> of(ScanShape shape, PlannedScan plan) {
    List<String> stored = stored(shape, plan);
    List<String> out = new ArrayList<>();
    for (String name : stored) {
      if (!isSortable(shape, name)) {
        break;
      }
      out.add(name);
    }
    return out;
  }

  private static List<String> stored(ScanShape shape, PlannedScan plan) {
    boolean edges = shape.source().edges();
    boolean inverse = false;
    boolean forward = false;
    for (PlannedScan.Typed t : plan.slices()) {
      if (!t.slice().isOrdered()) {
        return List.of();
      }
      inverse |= t.slice().isByDestination();
      forward |= !t.slice().isByDestination();
    }
    if (!edges) {
      return NODES;
    }
    if (inverse && forward) {
      return List.of();
    }
    return inverse ? INVERSE : FORWARD;
  }

  /**
   * The order to report: none if a run-time filter may yet turn the scan over to files of the other
   * order, which is worth far more than a sort saved.
   */
  static List<String> reported(ScanShape shape, PlannedScan plan) {
    List<String> order = of(shape, plan);
    if (order.isEmpty() || order.equals(NODES) || !shape.source().reading().pushdown()) {
      return order;
    }
    boolean inverse = order.get(0).equals(GraphColumns.DST);
    boolean turned =
        inverse
            ? has(shape, GraphColumns.SRC)
            : has(shape, GraphColumns.DST) && shape.pushed().keys().isAll() && mayTurn(shape);
    return turned ? List.of() : order;
  }

  private static boolean mayTurn(ScanShape shape) {
    for (ScanRequest.Target target : shape.source().targets()) {
      if (target instanceof ScanRequest.Edges e
          && ScanPlanner.hasInverse(shape.source().snapshot().manifest(), e.type())) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(ScanShape shape, String name) {
    return List.of(shape.columns().fieldNames()).contains(name);
  }

  /** Whether Spark sorts the column as files do: it is there, and no text of another collation. */
  private static boolean isSortable(ScanShape shape, String name) {
    for (StructField f : shape.columns().fields()) {
      if (f.name().equals(name)) {
        DataType t = f.dataType();
        return t.equals(DataTypes.StringType) || t.equals(DataTypes.BinaryType);
      }
    }
    return false;
  }

  /** The same for Spark. */
  static SortOrder[] expressions(List<String> columns) {
    return columns.stream()
        .map(
            c ->
                Expressions.sort(
                    Expressions.column(c), SortDirection.ASCENDING, NullOrdering.NULLS_FIRST))
        .toArray(SortOrder[]::new);
  }
}
