package com.namidb.format.error;

import java.util.Collection;
import java.util.List;

/** Errors of what a SQL catalog is asked for. Contract §3, §6. */
public final class CatalogErrors {
  private CatalogErrors() {}

  /**
   * A statement that means nothing for a graph.
   *
   * @param statement e.g. {@code "DROP TABLE"}
   * @param table the table's name
   */
  public static InvalidOptionException refused(String statement, String table, String advice) {
    return new InvalidOptionException(
        statement + " is not possible on '" + table + "'", Where.UNKNOWN, advice, null);
  }

  /**
   * A name that stands for no table of a graph.
   *
   * @param metadata names of the metadata tables
   */
  public static InvalidOptionException noTable(
      String namespace, String table, Collection<String> metadata) {
    List<String> near = NearestName.of(table, metadata);
    return new InvalidOptionException(
        "There is no table '" + table + "' in graph '" + namespace + "'",
        Where.UNKNOWN,
        (near.isEmpty() ? "" : "Did you mean '" + near.get(0) + "'? ")
            + "A graph has nodes, edges, nodes.<label>, edges.<type> and "
            + String.join(", ", metadata)
            + ". Give the whole name, catalog and graph included: after USE, Spark takes"
            + " nodes.Person for a table of a graph called 'nodes'.",
        null);
  }

  /** {@code CREATE TABLE} without a query. */
  public static InvalidOptionException createTable(String table) {
    return refused(
        "CREATE TABLE",
        table,
        "Labels and edge types need no declaration: CREATE TABLE … AS SELECT makes one with its"
            + " first rows, INSERT INTO adds rows, ALTER TABLE … ADD COLUMN announces a property.");
  }

  /**
   * Something a table definition says that no label or edge type can keep.
   *
   * @param what e.g. {@code "PARTITIONED BY"}
   */
  public static InvalidOptionException definition(String what, String table) {
    return refused(
        what,
        table,
        "A label or edge type is nothing but its rows: leave it out. Options of the write go into"
            + " OPTIONS (…).");
  }

  /** Rows are there where a table was to be created. */
  public static InvalidOptionException hasRows(String table) {
    return refused(
        "CREATE TABLE … AS SELECT",
        table,
        "It has rows: use INSERT INTO to add some, INSERT OVERWRITE to replace all.");
  }

  /** A statement that would replace or remove a table. */
  public static InvalidOptionException dropsTable(String statement, String table) {
    return refused(
        statement,
        table,
        "A label or edge type exists by its rows: DELETE FROM removes rows, INSERT OVERWRITE"
            + " replaces all of them.");
  }

  /** A change of a table that is not a new property. */
  public static InvalidOptionException alter(String what, String table) {
    return refused(
        what,
        table,
        "Only ALTER TABLE … ADD COLUMN(S) (name type, …) is possible: it announces properties for"
            + " this session. Stored properties change with their rows.");
  }

  /** A metadata table in a statement that changes tables. */
  public static InvalidOptionException metadata(String statement, String table) {
    return refused(statement, table, "It is a metadata table: it can only be read.");
  }

  /** A change of a graph's properties. */
  public static InvalidOptionException namespaceProperties(String statement, String namespace) {
    return new InvalidOptionException(
        statement + " cannot keep properties, a comment or a location",
        new Where(namespace, null, null, null),
        "A graph has a name and its content only; it lies below the catalog's uri.",
        null);
  }

  /** A namespace that is no graph's name. */
  public static InvalidOptionException namespaceShape(String statement, String namespace) {
    return new InvalidOptionException(
        statement + " is not possible on '" + namespace + "'",
        Where.UNKNOWN,
        "Name a graph directly below the catalog; its 'nodes' and 'edges' come and go with it.",
        null);
  }

  /** A graph's name that would hide behind something of the catalog itself. */
  public static InvalidOptionException reservedNamespace(String namespace, String holds) {
    return new InvalidOptionException(
        "No graph can be made under the name '" + namespace + "'",
        Where.UNKNOWN,
        "This namespace of the catalog holds " + holds + ". Choose another name.",
        null);
  }

  /** The catalog's URI names one graph. */
  public static InvalidOptionException catalogUri(String catalog) {
    return new InvalidOptionException(
        "The uri of catalog '" + catalog + "' names a namespace",
        Where.UNKNOWN,
        "Leave ?ns=… out of spark.sql.catalog."
            + catalog
            + ".uri: each graph below it is a"
            + " namespace of the catalog.",
        null);
  }

  /** The catalog has no URI. */
  public static InvalidOptionException noCatalogUri(String catalog) {
    return new InvalidOptionException(
        "Catalog '" + catalog + "' has no uri",
        Where.UNKNOWN,
        "Set spark.sql.catalog." + catalog + ".uri, e.g. to file:///data/graphs.",
        null);
  }

  /** A graph that does not exist, where a new label was to be made in it. */
  public static InvalidOptionException noGraph(String namespace, String catalog) {
    return new InvalidOptionException(
        "There is no graph '" + namespace + "'",
        new Where(namespace, null, null, null),
        "CREATE NAMESPACE "
            + catalog
            + ".`"
            + namespace
            + "` makes one; SHOW NAMESPACES IN "
            + catalog
            + " lists those there are.",
        null);
  }

  /** DROP without CASCADE on a graph that holds something. */
  public static ValidationFailedException notEmpty(
      String namespace, long version, int ssts, int walSegments, String place) {
    return new ValidationFailedException(
        "The graph is not empty: it lists "
            + ssts
            + " SST(s) and "
            + walSegments
            + " WAL segment(s)",
        Where.version(namespace, version),
        "DROP NAMESPACE … CASCADE deletes everything below " + place + ", all versions, for good.",
        null);
  }

  /** What is left of a graph whose deletion was cut off. */
  public static ValidationFailedException halfDropped(String namespace, Throwable cause) {
    return new ValidationFailedException(
        "Only files of a deleted graph are left",
        new Where(namespace, null, null, null),
        "DROP NAMESPACE … CASCADE deletes them.",
        cause);
  }

  /** Somebody reads what is to be deleted. */
  public static ValidationFailedException pinned(
      String namespace, int leases, String lease, long version, String owner) {
    return new ValidationFailedException(
        "The graph is in use: "
            + leases
            + " lease(s) keep versions of it, e.g. "
            + lease
            + " of '"
            + owner
            + "'",
        Where.version(namespace, version),
        "Nothing was deleted. End those queries or CALL … unpin, or wait until the leases expire:"
            + " SELECT * FROM ….pins shows when.",
        null);
  }

  /**
   * No version can be read, but something of a graph is there.
   *
   * @param object the first that was found
   */
  public static ValidationFailedException folderNotFree(
      String namespace, String object, Throwable cause) {
    return new ValidationFailedException(
        "No graph can be made here: its folder holds files of another one, or of this one without"
            + " its newest version",
        new Where(namespace, null, object, null),
        "Nothing was written. If they are those of the graph you mean, its manifests were lost:"
            + " restore them as docs/operations.md says. Otherwise choose another name, or remove"
            + " the folder after a look at it.",
        cause);
  }

  /**
   * A read option that a table of a catalog cannot take any more.
   *
   * @param instead what to do
   */
  public static InvalidOptionException tooLate(String option, String instead) {
    return new InvalidOptionException(
        "Option '"
            + option
            + "' cannot be given to a table of a catalog: its version and columns"
            + " are settled when it is loaded",
        Where.UNKNOWN,
        instead,
        null);
  }

  /** Columns that have nothing in common with the table they are written to. */
  public static InvalidOptionException foreignColumns(List<String> columns, String table) {
    return new InvalidOptionException(
        "None of the columns " + String.join(", ", columns) + " is one of '" + table + "'",
        Where.UNKNOWN,
        "DataFrames are written by name: rename the columns. Rows without any known column need the"
            + " option key.",
        null);
  }

  /** A key no id can be derived from. */
  public static InvalidOptionException keyType(int position, String type) {
    return new InvalidOptionException(
        "Argument " + position + " of node_id has the type " + type,
        Where.UNKNOWN,
        "Ids derive from strings, integers, booleans, dates, timestamps, binaries and decimals;"
            + " cast it.",
        null);
  }

  /** Too few or wrong arguments of {@code node_id}. */
  public static InvalidOptionException nodeIdArguments() {
    return new InvalidOptionException(
        "node_id needs a label and at least one key",
        Where.UNKNOWN,
        "Call node_id('Person', key, …) with the keys in the order of the write's option key.",
        null);
  }
}
