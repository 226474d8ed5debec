package com.namidb.spark.catalog;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.TableSource;
import com.namidb.spark.types.GraphColumns;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.types.StructField;

/** Columns with what is known of them besides their types. */
final class DescribedColumns {
  private static final Map<String, String> OURS =
      Map.of(
          GraphColumns.ID, "the node's id, a UUID",
          GraphColumns.LABELS, "all labels of the node, sorted",
          GraphColumns.SRC, "id of the node the edge starts at",
          GraphColumns.DST, "id of the node the edge ends at",
          GraphColumns.TYPE, "the edge's type");

  private DescribedColumns() {}

  static Column[] of(TableSource source, TableTarget target) {
    Map<String, String> comments = new HashMap<>();
    for (GraphSchema.PropertyDef p : TableFacts.declared(source.snapshot(), target)) {
      comments.put(p.name(), "declared " + TableFacts.declaration(p));
    }
    comments.putAll(OURS);
    StructField[] fields = source.schema().fields();
    Column[] out = new Column[fields.length];
    for (int i = 0; i < out.length; i++) {
      StructField f = fields[i];
      String comment = comments.get(f.name());
      out[i] = Column.create(f.name(), f.dataType(), f.nullable(), comment, null);
    }
    return out;
  }
}
