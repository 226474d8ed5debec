package com.namidb.spark;

import com.namidb.format.error.CatalogErrors;
import com.namidb.spark.catalog.CatalogNamespaces;
import com.namidb.spark.catalog.CatalogOptions;
import com.namidb.spark.catalog.CatalogTables;
import com.namidb.spark.catalog.TableDefinition;
import com.namidb.spark.catalog.TableName;
import com.namidb.spark.function.GraphFunctions;
import com.namidb.spark.metadata.MetadataTables;
import com.namidb.spark.procedure.Procedures;
import com.namidb.spark.types.SparkSchemas;
import java.time.Clock;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.ProcedureCatalog;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.expressions.Transform;
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
public final class NamiCatalog
    implements StagingTableCatalog, SupportsNamespaces, FunctionCatalog, ProcedureCatalog {
  private static final Set<TableWritePrivilege> ADDS =
      EnumSet.of(TableWritePrivilege.INSERT, TableWritePrivilege.DELETE);

  private String name;
  private CatalogTables tables;
  private CatalogNamespaces namespaces;
  private Procedures procedures;

  @Override
  public void initialize(String catalogName, CaseInsensitiveStringMap options) {
    name = catalogName;
    CatalogOptions place = new CatalogOptions(catalogName, options.asCaseSensitiveMap());
    tables = new CatalogTables(place);
    namespaces = new CatalogNamespaces(place, Clock.systemUTC());
    procedures = new Procedures(place::open, place::place);
  }

  @Override
  public String name() {
    return name;
  }

  // ---- tables

  @Override
  public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
    return tables.list(namespace);
  }

  @Override
  public boolean tableExists(Identifier ident) {
    try {
      return tables.exists(TableName.of(ident));
    } catch (NoSuchTableException e) {
      return false;
    }
  }

  @Override
  public Table loadTable(Identifier ident) throws NoSuchTableException {
    return MetadataTables.closed(tables.load(TableName.of(ident), Map.of()));
  }

  /**
   * What rows may be added by depends on the statement; a change of rows sees the table as it is.
   */
  @Override
  public Table loadTable(Identifier ident, Set<TableWritePrivilege> privileges)
      throws NoSuchTableException {
    TableName table = TableName.of(ident);
    if (!privileges.contains(TableWritePrivilege.INSERT)) {
      return loadTable(ident);
    }
    return ADDS.containsAll(privileges) ? tables.loadForInsert(table) : tables.loadForMerge(table);
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
  public UnboundProcedure loadProcedure(Identifier ident) {
    return procedures.load(ident);
  }

  @Override
  public Identifier[] listProcedures(String[] namespace) {
    return procedures.list(namespace);
  }

  @Override
  @SuppressWarnings("deprecation") // what every Spark version calls, or ends up in
  public Table createTable(
      Identifier ident, Column[] columns, Transform[] partitions, Map<String, String> properties) {
    throw CatalogErrors.createTable(ident.toString());
  }

  @Override
  @SuppressWarnings("deprecation") // what every Spark version calls, or ends up in
  public StagedTable stageCreate(
      Identifier ident, Column[] columns, Transform[] partitions, Map<String, String> properties) {
    try {
      return tables.create(
          TableName.of(ident),
          SparkSchemas.of(columns),
          new TableDefinition(partitions.length, properties));
    } catch (NoSuchTableException e) {
      throw CatalogErrors.refused(
          "CREATE TABLE",
          ident.toString(),
          "Name a label as graph.nodes.Label, or a type as graph.edges.TYPE.");
    }
  }

  @Override
  @SuppressWarnings("deprecation") // what every Spark version calls, or ends up in
  public StagedTable stageReplace(
      Identifier ident, Column[] columns, Transform[] partitions, Map<String, String> properties) {
    throw CatalogErrors.dropsTable("REPLACE TABLE", ident.toString());
  }

  @Override
  @SuppressWarnings("deprecation") // what every Spark version calls, or ends up in
  public StagedTable stageCreateOrReplace(
      Identifier ident, Column[] columns, Transform[] partitions, Map<String, String> properties) {
    throw CatalogErrors.dropsTable("CREATE OR REPLACE TABLE", ident.toString());
  }

  @Override
  public Table alterTable(Identifier ident, TableChange... changes) throws NoSuchTableException {
    return tables.alter(TableName.of(ident), changes);
  }

  @Override
  public boolean dropTable(Identifier ident) {
    throw drop("DROP TABLE", ident);
  }

  @Override
  public boolean purgeTable(Identifier ident) {
    throw drop("DROP TABLE … PURGE", ident);
  }

  private static RuntimeException drop(String statement, Identifier ident) {
    boolean metadata = ident.namespace().length == 1 && TableName.isMetadata(ident.name());
    return metadata
        ? CatalogErrors.metadata(statement, ident.toString())
        : CatalogErrors.dropsTable(statement, ident.toString());
  }

  @Override
  public void renameTable(Identifier oldIdent, Identifier newIdent) {
    throw CatalogErrors.dropsTable("RENAME", oldIdent.toString());
  }

  // ---- namespaces

  @Override
  public String[][] listNamespaces() throws NoSuchNamespaceException {
    return namespaces.list(new String[0]);
  }

  @Override
  public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
    return namespaces.list(namespace);
  }

  @Override
  public boolean namespaceExists(String[] namespace) {
    return namespaces.exists(namespace);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(String[] namespace)
      throws NoSuchNamespaceException {
    return namespaces.describe(namespace);
  }

  @Override
  public void createNamespace(String[] namespace, Map<String, String> metadata)
      throws NamespaceAlreadyExistsException {
    namespaces.create(namespace, metadata);
  }

  @Override
  public void alterNamespace(String[] namespace, NamespaceChange... changes)
      throws NoSuchNamespaceException {
    namespaces.alter(namespace);
  }

  @Override
  public boolean dropNamespace(String[] namespace, boolean cascade) {
    return namespaces.drop(namespace, cascade);
  }

  // ---- functions

  @Override
  public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
    if (isSystem(namespace)) {
      return Arrays.stream(GraphFunctions.names())
          .map(n -> Identifier.of(namespace, n))
          .toArray(Identifier[]::new);
    }
    if (namespace.length > 0 && !namespaces.exists(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
    return new Identifier[0];
  }

  @Override
  public UnboundFunction loadFunction(Identifier ident) throws NoSuchFunctionException {
    if (!isSystem(ident.namespace())) {
      throw new NoSuchFunctionException(ident);
    }
    return GraphFunctions.named(ident.name()).orElseThrow(() -> new NoSuchFunctionException(ident));
  }

  private static boolean isSystem(String[] namespace) {
    return namespace.length == 1 && namespace[0].equals(GraphFunctions.NAMESPACE);
  }
}
