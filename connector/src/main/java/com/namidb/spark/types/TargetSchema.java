package com.namidb.spark.types;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.GraphSchema.PropertyDef;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.value.TypeSummary;
import com.namidb.format.value.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Joins what is declared and what was seen into the property columns of a table. Values §6.3. */
final class TargetSchema {
  private static final Comparator<String> UTF8_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private TargetSchema() {}

  /**
   * The columns: declared first, in declaration order, then the others by name. What was seen
   * decides on the type; the declaration does if nothing but nulls was seen.
   */
  static StructType of(
      GraphSchema schema, ScanRequest.Target target, Map<String, TypeSummary> seen) {
    Map<String, DataType> columns = new LinkedHashMap<>();
    for (PropertyDef def : declared(schema, target)) {
      columns.putIfAbsent(def.name(), SparkSchemas.declared(def.dataType()));
    }
    seen.keySet().stream()
        .sorted(UTF8_ORDER)
        .forEach(
            name -> {
              if (hasValue(seen.get(name)) || !columns.containsKey(name)) {
                columns.put(name, ValueMapping.of(seen.get(name)));
              }
            });
    columns.keySet().removeAll(GraphColumns.RESERVED);
    List<StructField> fields = new ArrayList<>();
    columns.forEach((name, type) -> fields.add(DataTypes.createStructField(name, type, true)));
    return DataTypes.createStructType(fields);
  }

  /**
   * Adds the properties of nodes that the statistics of SSTs name and a sample has not met. Their
   * type is STRING, which takes every value.
   */
  static StructType withStatistics(
      StructType columns, Manifest manifest, ScanRequest.Target target) {
    if (!(target instanceof ScanRequest.Nodes nodes)) {
      return columns;
    }
    TreeSet<String> names = new TreeSet<>(UTF8_ORDER);
    manifest
        .propertyNamesInStatistics()
        .forEach(
            (label, properties) -> {
              if (nodes.label().isEmpty()
                  || (manifest.labels().knows(label)
                      && manifest.labels().name(label).equals(nodes.label().get()))) {
                names.addAll(properties);
              }
            });
    names.removeAll(GraphColumns.RESERVED);
    names.removeAll(List.of(columns.fieldNames()));
    StructType out = columns;
    for (String name : names) {
      out = out.add(name, DataTypes.StringType, true);
    }
    return out;
  }

  private static boolean hasValue(TypeSummary seen) {
    return !Set.of(ValueType.NULL).containsAll(seen.types());
  }

  /** Declarations of the target; for all nodes those of every label, labels by name. */
  private static List<PropertyDef> declared(GraphSchema schema, ScanRequest.Target target) {
    if (target instanceof ScanRequest.Edges edges) {
      GraphSchema.EdgeTypeDef def = schema.edgeTypes().get(edges.type());
      return def == null ? List.of() : def.properties();
    }
    ScanRequest.Nodes nodes = (ScanRequest.Nodes) target;
    if (nodes.label().isPresent()) {
      return schema.labels().getOrDefault(nodes.label().get(), List.of());
    }
    return schema.labels().keySet().stream()
        .sorted(UTF8_ORDER)
        .flatMap(label -> schema.labels().get(label).stream())
        .toList();
  }
}
