package com.namidb.spark.metadata;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.read.EdgeTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * {@code labels}, {@code edge_types}, {@code properties}: the names a version knows. Contract §8.
 */
final class NamesTables {
  static final StructType LABELS =
      new StructType()
          .add("label", DataTypes.StringType, false)
          .add("id", DataTypes.IntegerType, true)
          .add("is_declared", DataTypes.BooleanType, false);

  static final StructType EDGE_TYPES =
      new StructType()
          .add("type", DataTypes.StringType, false)
          .add("is_declared", DataTypes.BooleanType, false)
          .add("src_label", DataTypes.StringType, true)
          .add("dst_label", DataTypes.StringType, true)
          .add("ssts", DataTypes.LongType, false)
          .add("stored_rows", DataTypes.LongType, false);

  static final StructType PROPERTIES =
      new StructType()
          .add("kind", DataTypes.StringType, false)
          .add("scope", DataTypes.StringType, false)
          .add("property", DataTypes.StringType, false)
          .add("data_type", DataTypes.StringType, false)
          .add("dim", DataTypes.IntegerType, true);

  private NamesTables() {}

  /** Labels in id order, then those that are declared but were never carried. */
  static List<InternalRow> labels(Snapshot snapshot) {
    LabelDictionary dictionary = snapshot.manifest().labels();
    GraphSchema schema = snapshot.manifest().schema();
    List<InternalRow> out = new ArrayList<>();
    for (int id = 0; id < dictionary.size(); id++) {
      String name = dictionary.name(id);
      out.add(Cells.row(name, id, schema.labels().containsKey(name)));
    }
    for (String name : new TreeSet<>(schema.labels().keySet())) {
      if (dictionary.id(name).isEmpty()) {
        out.add(Cells.row(name, null, true));
      }
    }
    return out;
  }

  /** Edge types by name; rows are physical ones of the forward SSTs, tombstones included. */
  static List<InternalRow> edgeTypes(Snapshot snapshot, WalPolicy wal, ObjectStore store) {
    Map<String, long[]> stored = new HashMap<>();
    for (SstDescriptor s : snapshot.manifest().ssts()) {
      if (s.kind() == SstKind.EDGES_FWD) {
        long[] sum = stored.computeIfAbsent(s.scope(), t -> new long[2]);
        sum[0]++;
        sum[1] += s.counts().rows();
      }
    }
    Map<String, GraphSchema.EdgeTypeDef> declared = snapshot.manifest().schema().edgeTypes();
    List<InternalRow> out = new ArrayList<>();
    for (String type : EdgeTypes.all(snapshot, wal, store)) {
      GraphSchema.EdgeTypeDef def = declared.get(type);
      long[] sum = stored.getOrDefault(type, new long[2]);
      out.add(
          Cells.row(
              type,
              def != null,
              def == null ? null : def.srcLabel(),
              def == null ? null : def.dstLabel(),
              sum[0],
              sum[1]));
    }
    return out;
  }

  /** Declared properties; what rows hold beyond them is found by reading a table. */
  static List<InternalRow> properties(Snapshot snapshot) {
    GraphSchema schema = snapshot.manifest().schema();
    List<InternalRow> out = new ArrayList<>();
    schema.labels().forEach((label, defs) -> add(out, "label", label, defs));
    schema.edgeTypes().forEach((type, def) -> add(out, "edge type", type, def.properties()));
    return out;
  }

  private static void add(
      List<InternalRow> out, String kind, String scope, List<GraphSchema.PropertyDef> defs) {
    for (GraphSchema.PropertyDef p : defs) {
      out.add(Cells.row(kind, scope, p.name(), p.dataType(), p.dim() > 0 ? p.dim() : null));
    }
  }
}
