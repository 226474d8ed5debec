package com.namidb.spark.catalog;

import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.Where;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.Reading;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.types.IdFormat;
import com.namidb.spark.types.SchemaInference;
import com.namidb.spark.types.SchemaMerge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** Columns of a table: our own first, then the properties; or a given schema, checked. */
final class TableSchema {
  private static final DataType LABELS_TYPE =
      DataTypes.createArrayType(DataTypes.StringType, false);

  private TableSchema() {}

  /** The inferred schema of a table in contract order. */
  static StructType inferred(
      Snapshot snapshot, TableTarget target, List<ScanRequest.Target> parts, Reading reading) {
    List<StructType> properties = new ArrayList<>();
    for (ScanRequest.Target part : parts) {
      properties.add(SchemaInference.properties(snapshot, part, reading.wal(), reading.sample()));
    }
    StructType merged = properties.size() == 1 ? properties.get(0) : SchemaMerge.merge(properties);
    List<StructField> fields = new ArrayList<>(own(target, reading.ids()));
    fields.addAll(List.of(merged.fields()));
    StructType schema = new StructType(fields.toArray(StructField[]::new));
    checkCaseTwins(snapshot, target, schema);
    return schema;
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
    Map<String, String> seen = new HashMap<>();
    List<String> twins = new ArrayList<>();
    for (String name : schema.fieldNames()) {
      String other = seen.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
      if (other != null) {
        twins.add("'" + other + "' and '" + name + "'");
      }
    }
    if (!twins.isEmpty()) {
      Where where = Where.version(snapshot.location().paths().namespace(), snapshot.version());
      throw ReadErrors.caseTwins(where, target.toString(), twins);
    }
  }

  /** Checks the types of our own columns in a schema the user gave. */
  static StructType given(StructType schema, TableTarget target) {
    boolean nodes = target instanceof TableTarget.NodesOf;
    for (StructField f : schema.fields()) {
      switch (f.name()) {
        case GraphColumns.ID -> checkId(f, nodes);
        case GraphColumns.SRC, GraphColumns.DST -> checkId(f, !nodes);
        case GraphColumns.LABELS ->
            check(
                f,
                nodes
                    && f.dataType() instanceof ArrayType a
                    && a.elementType().equals(DataTypes.StringType),
                "ARRAY<STRING> in node tables");
        case GraphColumns.TYPE ->
            check(f, !nodes && f.dataType().equals(DataTypes.StringType), "STRING in edge tables");
        case GraphColumns.LSN, GraphColumns.SNAPSHOT_ID ->
            check(f, f.dataType().equals(DataTypes.LongType), "BIGINT");
        case GraphColumns.LEVEL -> check(f, f.dataType().equals(DataTypes.IntegerType), "INT");
        case GraphColumns.SST, GraphColumns.JSON ->
            check(f, f.dataType().equals(DataTypes.StringType), "STRING");
        default -> {
          // A property: its type is checked where its values are converted.
        }
      }
    }
    return schema;
  }

  private static void checkId(StructField f, boolean here) {
    boolean fits = f.dataType().equals(DataTypes.StringType) || f.dataType() instanceof BinaryType;
    check(
        f,
        here && fits,
        f.name().equals(GraphColumns.ID)
            ? "STRING or BINARY in node tables"
            : "STRING or BINARY in edge tables");
  }

  private static void check(StructField f, boolean fits, String expected) {
    if (!fits) {
      throw ReadErrors.badColumn(f.name(), f.dataType().sql(), expected);
    }
  }
}
