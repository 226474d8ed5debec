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

  private static final StructField CHANGE =
      DataTypes.createStructField(GraphColumns.CHANGE, DataTypes.StringType, false);

  private static final Set<String> OF_NODES = Set.of(GraphColumns.ID, GraphColumns.LABELS);
  private static final Set<String> OF_EDGES =
      Set.of(GraphColumns.SRC, GraphColumns.DST, GraphColumns.TYPE);

  private TableSchema() {}

  /** The inferred schema of a table in contract order. */
  static StructType inferred(
      Snapshot snapshot, TableTarget target, List<ScanRequest.Target> parts, Reading reading) {
    List<StructField> fields = new ArrayList<>(own(target, reading.ids()));
    fields.addAll(List.of(properties(snapshot, parts, reading).fields()));
    StructType schema = new StructType(fields.toArray(StructField[]::new));
    checkCaseTwins(snapshot, target, schema);
    return schema;
  }

  /**
   * The inferred schema of changes: {@code _change}, our own columns, the properties of the later
   * version as its table has them, then those that only the earlier one has.
   */
  static StructType changes(
      Snapshot from,
      Snapshot to,
      TableTarget target,
      List<ScanRequest.Target> parts,
      Reading reading) {
    StructType merged =
        SchemaMerge.merge(
            List.of(properties(to, parts, reading), properties(from, parts, reading)));
    List<StructField> fields = new ArrayList<>();
    fields.add(CHANGE);
    fields.addAll(own(target, reading.ids()));
    fields.addAll(List.of(merged.fields()));
    StructType schema = new StructType(fields.toArray(StructField[]::new));
    checkCaseTwins(to, target, schema);
    return schema;
  }

  private static StructType properties(
      Snapshot snapshot, List<ScanRequest.Target> parts, Reading reading) {
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
    return properties.size() == 1 ? properties.get(0) : sorted(SchemaMerge.merge(properties));
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

  /** Checks a schema the user gave for changes: {@code _change} may be anywhere in it. */
  static StructType givenChanges(StructType schema, TableTarget target) {
    List<StructField> others = new ArrayList<>(List.of(schema.fields()));
    others.removeIf(f -> f.name().equals(CHANGE.name()) && f.dataType().equals(CHANGE.dataType()));
    StructType checked = given(new StructType(others.toArray(StructField[]::new)), target);
    List<StructField> out = new ArrayList<>(List.of(checked.fields()));
    for (int i = 0; i < schema.size(); i++) {
      if (!others.contains(schema.fields()[i])) {
        out.add(i, CHANGE);
      }
    }
    return new StructType(out.toArray(StructField[]::new));
  }

  /**
   * The same columns for rows whose label is that of the table: {@code _labels} may be left out.
   */
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
