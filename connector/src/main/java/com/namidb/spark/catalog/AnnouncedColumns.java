package com.namidb.spark.catalog;

import com.namidb.spark.types.GraphColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Properties that {@code ALTER TABLE … ADD COLUMN} told of and no row has yet. They live as long as
 * the catalog object, which is one per Spark session. Contract §6.
 */
final class AnnouncedColumns {
  private final Map<TableName, List<StructField>> columns = new ConcurrentHashMap<>();

  void add(TableName table, List<StructField> added) {
    columns.computeIfAbsent(table, t -> new CopyOnWriteArrayList<>()).addAll(added);
  }

  /**
   * A table's columns with those announced that its rows do not have, each where it will be once a
   * row has it, so that an INSERT by position means the same before and after.
   *
   * @param declared how many properties the graph declares; they come first, in their own order
   */
  StructType with(TableName table, StructType known, int declared) {
    List<StructField> out = new ArrayList<>(List.of(known.fields()));
    int ours = 0;
    while (ours < out.size() && GraphColumns.RESERVED.contains(out.get(ours).name())) {
      ours++;
    }
    int fixed = Math.min(out.size(), ours + declared);
    for (StructField field : columns.getOrDefault(table, List.of())) {
      if (out.stream().noneMatch(f -> folded(f.name()).equals(folded(field.name())))) {
        int at = fixed;
        while (at < out.size() && bytes(out.get(at)).compareTo(bytes(field)) < 0) {
          at++;
        }
        out.add(at, field);
      }
    }
    return new StructType(out.toArray(StructField[]::new));
  }

  private static UTF8String bytes(StructField field) {
    return UTF8String.fromString(field.name());
  }

  private static String folded(String name) {
    return SQLConf.get().caseSensitiveAnalysis() ? name : name.toLowerCase(Locale.ROOT);
  }
}
