package com.namidb.spark.read;

import com.namidb.format.record.Column;
import com.namidb.format.scan.LiveBatches;
import com.namidb.spark.types.GraphColumns;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;

/** The vectors of a reader in schema order: which are ours, which are properties. */
final class BatchColumns {
  private final List<ColumnVector> all = new ArrayList<>();
  private final List<GraphVector> graph = new ArrayList<>();
  private final List<PropertyVector> properties = new ArrayList<>();
  private final List<String> propertyNames;
  private final Set<Integer> asText;

  /**
   * Makes the vectors.
   *
   * @param edgeType edge type of the slice, {@code null} for nodes
   * @param names names rows in errors
   * @param capacity most rows of a batch
   */
  BatchColumns(ReadSpec spec, String edgeType, RowNames names, int capacity) {
    for (StructField field : spec.schema().fields()) {
      GraphVector vector = graphVector(spec, field, edgeType, names, capacity);
      if (vector != null) {
        graph.add(vector);
        all.add(vector);
      } else {
        PropertyVector property = PropertyVectors.of(field.dataType(), capacity);
        properties.add(property);
        all.add(property);
      }
    }
    propertyNames = propertyNames(spec.schema());
    asText = asText(spec.schema());
  }

  private static GraphVector graphVector(
      ReadSpec spec, StructField field, String edgeType, RowNames names, int capacity) {
    DataType type = field.dataType();
    return switch (field.name()) {
      case GraphColumns.ID, GraphColumns.SRC -> new IdVector(type, false, capacity);
      case GraphColumns.DST -> new IdVector(type, true, capacity);
      case GraphColumns.LABELS -> new LabelsVector(type, spec.labelNames(), capacity);
      case GraphColumns.TYPE -> StorageVectors.Constants.text(edgeType);
      case GraphColumns.LSN -> new StorageVectors.Lsns(names, capacity);
      case GraphColumns.SST, GraphColumns.LEVEL -> new StorageVectors.Origins(type, capacity);
      case GraphColumns.SNAPSHOT_ID ->
          spec.since() == null
              ? StorageVectors.Constants.number(spec.version())
              : new ChangeVectors.Versions(spec.since(), spec.version(), capacity);
      case GraphColumns.CHANGE -> new ChangeVectors.Kinds(capacity);
      case GraphColumns.JSON -> new StorageVectors.Payloads(capacity);
      default -> null;
    };
  }

  /** The columns that are properties, in schema order. */
  static List<String> propertyNames(StructType schema) {
    List<String> out = new ArrayList<>();
    for (String name : schema.fieldNames()) {
      if (!GraphColumns.RESERVED.contains(name)) {
        out.add(name);
      }
    }
    return out;
  }

  /** Positions of the properties that are read as text. */
  static Set<Integer> asText(StructType schema) {
    Set<Integer> out = new HashSet<>();
    int position = 0;
    for (StructField field : schema.fields()) {
      if (!GraphColumns.RESERVED.contains(field.name())) {
        if (field.dataType() instanceof StringType) {
          out.add(position);
        }
        position++;
      }
    }
    return out;
  }

  /** What the slice has to deliver for these columns. */
  static Set<Column> needed(StructType schema) {
    Set<Column> out = EnumSet.noneOf(Column.class);
    for (String name : schema.fieldNames()) {
      switch (name) {
        case GraphColumns.ID, GraphColumns.SRC, GraphColumns.DST -> out.add(Column.KEY);
        case GraphColumns.LABELS -> out.add(Column.LABELS);
        case GraphColumns.LSN -> out.add(Column.LSN);
        case GraphColumns.TYPE, GraphColumns.SST, GraphColumns.LEVEL, GraphColumns.SNAPSHOT_ID -> {}
        default -> out.add(Column.PAYLOAD);
      }
    }
    return out;
  }

  /** All vectors in schema order. */
  ColumnVector[] vectors() {
    return all.toArray(new ColumnVector[0]);
  }

  /** The property vectors by property position. */
  PropertyVector[] properties() {
    return properties.toArray(new PropertyVector[0]);
  }

  /** The property names by property position. */
  List<String> propertyNames() {
    return propertyNames;
  }

  /** Property positions read as text. */
  Set<Integer> asText() {
    return asText;
  }

  /** Fills our own columns. */
  void fillGraph(LiveBatches rows, int from, int count) {
    for (GraphVector vector : graph) {
      vector.fill(rows, from, count);
    }
  }
}
