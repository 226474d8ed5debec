package com.namidb.spark.catalog;

import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.Where;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.lease.QueryLeases;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.Reading;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.types.IdFormat;
import com.namidb.spark.types.SchemaInference;
import com.namidb.spark.types.SchemaMerge;
import com.namidb.spark.types.SparkSchemas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Columns of a table: our own first, then the properties; or a given schema, checked. */
final class TableSchema {
  private static final DataType LABELS_TYPE =
      DataTypes.createArrayType(DataTypes.StringType, false);

  private static final Set<String> OF_NODES = Set.of(GraphColumns.ID, GraphColumns.LABELS);
  private static final Set<String> OF_EDGES =
      Set.of(GraphColumns.SRC, GraphColumns.DST, GraphColumns.TYPE);

  private TableSchema() {}

  /** The inferred schema of a table in contract order. */
  static StructType inferred(
      Snapshot snapshot, TableTarget target, List<ScanRequest.Target> parts, Reading reading) {
    List<StructType> properties = new ArrayList<>();
    Executor jobs =
        reading.pin()
            ? job -> QueryLeases.during(snapshot, OpenNamespace.at(snapshot.location()), job)
            : Runnable::run;
    for (ScanRequest.Target part : parts) {
      properties.add(
          SchemaInference.properties(
              snapshot, part, reading.wal(), reading.sample(), reading.onMismatch(), jobs));
    }
    StructType merged =
        properties.size() == 1 ? properties.get(0) : sorted(SchemaMerge.merge(properties));
    List<StructField> fields = new ArrayList<>(own(target, reading.ids()));
    fields.addAll(List.of(merged.fields()));
    StructType schema = new StructType(fields.toArray(StructField[]::new));
    checkCaseTwins(snapshot, target, schema);
    return schema;
  }

  /** By the UTF-8 bytes of the names: no type's declarations come before another's. */
  private static StructType sorted(StructType schema) {
    StructField[] fields = schema.fields().clone();
    Arrays.sort(fields, Comparator.comparing(f -> UTF8String.fromString(f.name())));
    return new StructType(fields);
  }

  private static List<StructField> own(TableTarget target, IdFormat ids) {
    DataType id = ids == IdFormat.BINARY ? DataTypes.BinaryType : DataTypes.StringType;
    if (target instanceof TableTarget.NodesOf) {
      return List.of(
          DataTypes.createStructField(GraphColumns.ID, id, false),
          DataTypes.createStructField(GraphColumns.LABELS, LABELS_TYPE, false));
    }
    List<StructField> out = new ArrayList<>();
    out.add(DataTypes.createStructField(GraphColumns.SRC, id, false));
    out.add(DataTypes.createStructField(GraphColumns.DST, id, false));
    if (target instanceof TableTarget.EdgesOf e && e.type().isEmpty()) {
      out.add(DataTypes.createStructField(GraphColumns.TYPE, DataTypes.StringType, false));
    }
    return out;
  }

  private static void checkCaseTwins(Snapshot snapshot, TableTarget target, StructType schema) {
    if (SQLConf.get().caseSensitiveAnalysis()) {
      return;
    }
    List<String> twins = twins(schema, GraphColumns.HIDDEN);
    if (!twins.isEmpty()) {
      Where where = Where.version(snapshot.location().paths().namespace(), snapshot.version());
      throw ReadErrors.caseTwins(where, target.toString(), twins);
    }
  }

  /**
   * Pairs of names that Spark takes for one.
   *
   * @param ours names of columns the table has besides
   */
  private static List<String> twins(StructType schema, Collection<String> ours) {
    Map<String, String> own = new HashMap<>();
    ours.forEach(name -> own.put(folded(name), name));
    Map<String, String> seen = new HashMap<>();
    List<String> twins = new ArrayList<>();
    for (String name : schema.fieldNames()) {
      String other = seen.put(folded(name), name);
      String ourOwn = own.getOrDefault(folded(name), name);
      if (other != null || !ourOwn.equals(name)) {
        twins.add("'" + (other != null ? other : ourOwn) + "' and '" + name + "'");
      }
    }
    return twins;
  }

  private static String folded(String name) {
    return SQLConf.get().caseSensitiveAnalysis() ? name : name.toLowerCase(Locale.ROOT);
  }

  static StructType labelsOptional(StructType schema) {
    StructField[] out = schema.fields().clone();
    for (int i = 0; i < out.length; i++) {
      if (out[i].name().equals(GraphColumns.LABELS)) {
        out[i] = new StructField(out[i].name(), out[i].dataType(), true, out[i].metadata());
      }
    }
    return new StructType(out);
  }

  /** Checks a schema the user gave. */
  static StructType given(StructType schema, TableTarget target) {
    List<String> twins = twins(schema, GraphColumns.RESERVED);
    if (!twins.isEmpty()) {
      throw ReadErrors.givenTwins(twins);
    }
    Set<String> elsewhere = target instanceof TableTarget.NodesOf ? OF_EDGES : OF_NODES;
    for (String name : schema.fieldNames()) {
      if (elsewhere.contains(name)) {
        throw ReadErrors.wrongTable(name, target.toString());
      }
    }
    return SparkSchemas.readable(schema);
  }
}
