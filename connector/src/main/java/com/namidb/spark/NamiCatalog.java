package com.namidb.spark;

import com.namidb.spark.catalog.CatalogOptions;
import com.namidb.spark.catalog.CatalogTables;
import com.namidb.spark.catalog.NamiTable;
import com.namidb.spark.catalog.TableName;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The graphs below one root as Spark tables: {@code nami.social.nodes.Person}, {@code
 * nami.social.edges.KNOWS}, {@code nami.social.snapshots}. Contract §3.
 *
 * <pre>
 * spark.sql.catalog.nami      com.namidb.spark.NamiCatalog
 * spark.sql.catalog.nami.uri  s3://bucket/graphs
 * </pre>
 *
 * Each table is pinned to one version when it is loaded.
 */
public final class NamiCatalog implements TableCatalog {
  private String name;
  private CatalogTables tables;

  @Override
  public void initialize(String catalogName, CaseInsensitiveStringMap options) {
    name = catalogName;
    tables = new CatalogTables(new CatalogOptions(catalogName, options.asCaseSensitiveMap()));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Table loadTable(Identifier ident) throws NoSuchTableException {
    return tables.load(TableName.of(ident), Map.of());
  }

  /** Rows that a statement adds need not repeat the label of the table they go to. */
  @Override
  public Table loadTable(Identifier ident, Set<TableWritePrivilege> privileges)
      throws NoSuchTableException {
    Table table = loadTable(ident);
    return privileges.contains(TableWritePrivilege.INSERT) && table instanceof NamiTable rows
        ? rows.labelsOptional()
        : table;
  }

  @Override
  public Table loadTable(Identifier ident, String version) throws NoSuchTableException {
    return tables.load(TableName.of(ident), Map.of("versionAsOf", version));
  }

  @Override
  public Table loadTable(Identifier ident, long timestamp) throws NoSuchTableException {
    return tables.load(TableName.of(ident), CatalogTables.asOf(timestamp));
  }

  @Override
  public Identifier[] listTables(String[] namespace) {
    return new Identifier[0];
  }

  @Override
  @SuppressWarnings("deprecation") // abstract on every Spark version
  public Table createTable(
      Identifier ident, StructType schema, Transform[] partitions, Map<String, String> properties) {
    throw new UnsupportedOperationException("CREATE TABLE");
  }

  @Override
  public Table alterTable(Identifier ident, TableChange... changes) {
    throw new UnsupportedOperationException("ALTER TABLE");
  }

  @Override
  public boolean dropTable(Identifier ident) {
    throw new UnsupportedOperationException("DROP TABLE");
  }

  @Override
  public void renameTable(Identifier oldIdent, Identifier newIdent) {
    throw new UnsupportedOperationException("RENAME TABLE");
  }
}
