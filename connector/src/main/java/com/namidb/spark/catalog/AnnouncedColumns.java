package com.namidb.spark.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Properties that {@code ALTER TABLE … ADD COLUMN} told of and no row has yet. They live as long as
 * the catalog object, which is one per Spark session. Contract §6.
 */
final class AnnouncedColumns {
  private final Map<TableName, List<StructField>> columns = new ConcurrentHashMap<>();

  void add(TableName table, List<StructField> added) {
    columns.computeIfAbsent(table, t -> new CopyOnWriteArrayList<>()).addAll(added);
  }

  /** A table's columns with those announced that its rows do not have. */
  StructType with(TableName table, StructType known) {
    StructType out = known;
    for (StructField field : columns.getOrDefault(table, List.of())) {
      boolean there = false;
      for (String name : out.fieldNames()) {
        there |= folded(name).equals(folded(field.name()));
      }
      if (!there) {
        out = out.add(field);
      }
    }
    return out;
  }

  private static String folded(String name) {
    return SQLConf.get().caseSensitiveAnalysis() ? name : name.toLowerCase(Locale.ROOT);
  }
}
