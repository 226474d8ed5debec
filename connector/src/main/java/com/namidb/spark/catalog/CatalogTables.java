package com.namidb.spark.catalog;

import com.namidb.spark.options.ReadOptions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Table;

/** The tables of a catalog, opened as the path form opens them. */
public final class CatalogTables {
  private final CatalogOptions options;

  /** Tables below a root. */
  public CatalogTables(CatalogOptions options) {
    this.options = options;
  }

  /**
   * Loads a table.
   *
   * @param version the path form's options that choose a version; none for the newest
   * @throws com.namidb.format.error.NamiException if there is no such namespace, version or table
   */
  public Table load(TableName name, Map<String, String> version) {
    Map<String, String> place = options.table(name);
    Map<String, String> all = new HashMap<>(place);
    all.putAll(version);
    Table table = TableLoader.load(ReadOptions.inSession(all), Optional.empty());
    return table instanceof NamiTable rows ? rows.writtenAt(place) : table;
  }

  /**
   * The options of a time.
   *
   * @param micros microseconds since 1970 UTC
   */
  public static Map<String, String> asOf(long micros) {
    return Map.of("timestampAsOf", Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString());
  }
}
