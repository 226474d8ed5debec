package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.internal.SQLConf;

/**
 * What a {@code CREATE TABLE … AS SELECT} says besides its query. Has no text form, because options
 * may hold secrets.
 */
public final class TableDefinition {
  private static final String FORMAT = "namidb";

  private final int partitions;
  private final Map<String, String> properties;

  /**
   * Keeps it.
   *
   * @param partitions how many columns it is to be partitioned by
   * @param properties as Spark hands them over, options among them
   */
  public TableDefinition(int partitions, Map<String, String> properties) {
    this.partitions = partitions;
    this.properties = Map.copyOf(properties);
  }

  /**
   * The options of the write.
   *
   * @throws com.namidb.format.error.InvalidOptionException for anything a label cannot keep
   */
  Map<String, String> checked(TableName name) {
    if (partitions > 0) {
      throw CatalogErrors.definition("PARTITIONED BY", name.toString());
    }
    Map<String, String> writing = new HashMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(TableCatalog.OPTION_PREFIX)) {
            writing.put(key.substring(TableCatalog.OPTION_PREFIX.length()), value);
          }
        });
    for (Map.Entry<String, String> p : properties.entrySet()) {
      boolean ours =
          p.getKey().startsWith(TableCatalog.OPTION_PREFIX)
              || writing.containsKey(p.getKey())
              || p.getKey().equals(TableCatalog.PROP_OWNER)
              || (p.getKey().equals(TableCatalog.PROP_PROVIDER) && isFormat(p.getValue()));
      if (!ours) {
        throw CatalogErrors.definition(said(p.getKey(), p.getValue()), name.toString());
      }
    }
    return writing;
  }

  /** Ours, or the one Spark's {@code saveAsTable} names when the program does not. */
  private static boolean isFormat(String provider) {
    return provider.equalsIgnoreCase(FORMAT)
        || provider.equalsIgnoreCase(SQLConf.get().defaultDataSourceName());
  }

  private static String said(String key, String value) {
    return switch (key) {
      case TableCatalog.PROP_PROVIDER -> "USING " + value;
      case TableCatalog.PROP_LOCATION, TableCatalog.PROP_EXTERNAL -> "LOCATION";
      case TableCatalog.PROP_COMMENT -> "COMMENT";
      default -> "TBLPROPERTIES ('" + key + "' …)";
    };
  }
}
