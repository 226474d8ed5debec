package com.namidb.spark.write;

import com.namidb.format.error.WriteErrors;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.types.GraphColumns;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a write by the names that everything after it goes by. Under {@code
 * spark.sql.caseSensitive=false} a user's {@code _ID} is our {@code _id}, and options name columns
 * in any case. Otherwise another case of a reserved name is refused: as a property it would make
 * the table unreadable under the default. Contract §3.
 *
 * @param schema the columns, ours as we spell them
 * @param options names of columns in them as the columns are spelled
 */
record WrittenColumns(StructType schema, WriteOptions options) {
  private static final Map<String, String> OURS = ours();

  private static Map<String, String> ours() {
    Map<String, String> out = new HashMap<>();
    GraphColumns.RESERVED.forEach(name -> out.put(GraphColumns.folded(name), name));
    return out;
  }

  /**
   * Finds them.
   *
   * @param sensitive whether names that differ only in case are different
   * @throws com.namidb.format.error.InvalidOptionException for two columns that are the same one of
   *     ours, a reserved name in another case, and an option that names two columns
   */
  static WrittenColumns of(WriteOptions options, StructType given, boolean sensitive) {
    StructField[] fields = given.fields().clone();
    Map<String, String> spelled = new HashMap<>();
    for (int i = 0; i < fields.length; i++) {
      StructField field = fields[i];
      String ours = OURS.get(GraphColumns.folded(field.name()));
      if (ours == null) {
        continue;
      }
      if (sensitive && !ours.equals(field.name())) {
        throw WriteErrors.reservedCase(field.name(), ours);
      }
      String other = spelled.put(ours, field.name());
      if (other != null) {
        throw WriteErrors.columnTwins(other, field.name());
      }
      fields[i] = new StructField(ours, field.dataType(), field.nullable(), field.metadata());
    }
    StructType schema = new StructType(fields);
    return new WrittenColumns(
        schema, sensitive ? options : options.naming(name -> find(schema, name)));
  }

  /**
   * A column's own spelling; the name itself if there is no such column. Spark must tell it, too.
   */
  private static String find(StructType schema, String name) {
    List<String> all = Arrays.asList(schema.fieldNames());
    List<String> same = all.stream().filter(n -> n.equalsIgnoreCase(name)).distinct().toList();
    if (same.size() > 1) {
      throw WriteErrors.columnTwins(same.get(0), same.get(1));
    }
    return same.isEmpty() ? name : same.get(0);
  }
}
