package com.namidb.spark.source;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.WriteErrors;
import com.namidb.spark.catalog.TableLoader;
import com.namidb.spark.catalog.WrittenTable;
import com.namidb.spark.options.Direction;
import com.namidb.spark.options.ReadOptions;
import com.namidb.spark.options.SessionConf;
import com.namidb.spark.options.WriteOptions;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * {@code spark.read.format("namidb")}: turns options into a table pinned at a version.
 *
 * <p>Spark asks for the schema first and for the table afterwards. The version is resolved for the
 * first question only, so that both answers belong together whatever is committed in between.
 */
public final class NamiDataSource implements TableProvider, DataSourceRegister {
  private Map<String, String> askedWith;
  private Table answered;

  @Override
  public String shortName() {
    return "namidb";
  }

  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  @Override
  public synchronized StructType inferSchema(CaseInsensitiveStringMap options) {
    Map<String, String> asked = options.asCaseSensitiveMap();
    refuseCatalogTable(asked);
    Table table = load(asked, Optional.empty());
    askedWith = asked;
    answered = table;
    // Table.schema is deprecated for callers, but the only accessor on every Spark version.
    return schemaOf(table);
  }

  @Override
  public synchronized Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    refuseCatalogTable(properties);
    Table table = answered;
    boolean same = table != null && properties.equals(askedWith) && schema.equals(schemaOf(table));
    askedWith = null;
    answered = null;
    return same ? table : given(properties, schema);
  }

  /**
   * Spark's catalog hands a table's properties over as if they were options. It sets these two on
   * every table that it creates, and no reader or writer of a path does.
   */
  private static void refuseCatalogTable(Map<String, String> options) {
    if (options.containsKey(TableCatalog.PROP_OWNER)
        && options.containsKey(TableCatalog.PROP_PROVIDER)) {
      throw WriteErrors.sessionCatalog();
    }
  }

  /**
   * A table with a schema from outside: of a user who reads, or of a DataFrame that is written.
   * Spark does not tell which, so what cannot be read may still be written: a new label has no rows
   * yet, a new namespace no version.
   */
  private static Table given(Map<String, String> options, StructType schema) {
    try {
      return load(options, Optional.of(schema));
    } catch (NamiException unreadable) {
      try {
        WriteOptions.check(options, SessionConf.lookup());
      } catch (NamiException unwritable) {
        Direction direction = Direction.of(options);
        if (direction != Direction.UNKNOWN || !Direction.isStrange(options)) {
          throw direction == Direction.WRITE ? unwritable : unreadable;
        }
        // Fails as soon as Spark asks for a scan or a write, with the words for that one.
      }
      return new WrittenTable(schema, unreadable);
    }
  }

  @SuppressWarnings("deprecation") // the only accessor that exists on every Spark version
  private static StructType schemaOf(Table table) {
    return table.schema();
  }

  private static Table load(Map<String, String> options, Optional<StructType> schema) {
    return TableLoader.load(ReadOptions.inSession(options), schema);
  }
}
