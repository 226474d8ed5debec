package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.InvalidOptionException;
import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.GraphFolders;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.lease.PinnedVersion;
import com.namidb.spark.metadata.MetadataTables;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.ReadOptions;
import com.namidb.spark.options.TableTarget;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of a catalog, opened as the path form opens them. */
public final class CatalogTables {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogTables.class);

  private final CatalogOptions options;
  private final AnnouncedColumns announced = new AnnouncedColumns();

  /** Tables below a root. */
  public CatalogTables(CatalogOptions options) {
    this.options = options;
  }

  /**
   * Loads a table.
   *
   * @param version the path form's options that choose a version; none for the newest
   * @throws com.namidb.format.error.NamiException if there is no such version, or, in SQL, no such
   *     namespace or table, with names that look alike
   * @throws NoSuchTableException if there is no such table and no SQL statement asks: programs only
   *     try a name, and Spark wants to be told so
   */
  public Table load(TableName name, Map<String, String> version) throws NoSuchTableException {
    try {
      return opened(name, version);
    } catch (InvalidOptionException | NamespaceNotFoundException e) {
      boolean told = SqlOrigin.isSql() && !SqlOrigin.isOnlyTried();
      if (told || known(name).isPresent()) {
        throw e;
      }
      LOG.warn("{}", e.getMessage());
      throw new NoSuchTableException(name.identifier());
    }
  }

  private Table opened(TableName name, Map<String, String> version) {
    if (name.target() instanceof TableTarget.MetadataOf metadata
        && !MetadataTables.names().contains(metadata.name())) {
      throw CatalogErrors.noTable(name.namespace(), metadata.name(), MetadataTables.names());
    }
    Map<String, String> place = options.table(name);
    Table table = TableLoader.load(read(place, version), Optional.empty());
    if (!(table instanceof NamiTable rows)) {
      return table;
    }
    NamiTable entry = rows.inCatalog(new CatalogEntry(name, place, !version.isEmpty()));
    if (!version.isEmpty()) {
      return entry;
    }
    int declared = TableFacts.declared(rows.source().snapshot(), name.target()).size();
    return entry.with(announced.with(name, rows.source().schema(), declared));
  }

  /**
   * Loads a table that rows are added to: a DataFrame may bring columns the table does not have
   * yet, and a label need not be repeated in {@code _labels}.
   *
   * @throws NoSuchTableException as {@link #load}
   */
  public Table loadForInsert(TableName name) throws NoSuchTableException {
    Table table = loadForMerge(name);
    return table instanceof NamiTable rows && !SqlOrigin.isSql() ? rows.taking() : table;
  }

  /**
   * Loads a table whose rows are changed and added to by one statement: a label need not be
   * repeated in {@code _labels}.
   *
   * @throws NoSuchTableException as {@link #load}
   */
  public Table loadForMerge(TableName name) throws NoSuchTableException {
    Table table = load(name, Map.of());
    boolean label = name.target() instanceof TableTarget.NodesOf && name.target().isOne();
    return label && table instanceof NamiTable rows
        ? rows.with(TableSchema.labelsOptional(rows.source().schema()))
        : table;
  }

  /** The newest version of the graph, if a name stands for something in it, rows or not. */
  private Optional<Snapshot> known(TableName name) {
    if (!GraphFolders.isName(name.namespace())) {
      return Optional.empty();
    }
    try {
      Snapshot snapshot = newest(name.namespace());
      return names(snapshot, name.target()) ? Optional.of(snapshot) : Optional.empty();
    } catch (NamespaceNotFoundException e) {
      return Optional.empty();
    }
  }

  private static boolean names(Snapshot snapshot, TableTarget target) {
    if (target instanceof TableTarget.MetadataOf metadata) {
      return MetadataTables.names().contains(metadata.name());
    }
    return new TableNames(snapshot).has(target);
  }

  private static ReadOptions read(Map<String, String> place, Map<String, String> version) {
    Map<String, String> all = new HashMap<>(place);
    all.putAll(version);
    return ReadOptions.inSession(all);
  }

  /**
   * The options of a time.
   *
   * @param micros microseconds since 1970 UTC
   */
  public static Map<String, String> asOf(long micros) {
    return Map.of("timestampAsOf", Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString());
  }

  /**
   * Whether a table is there: a label or edge type is once it has rows, so that a known name
   * without any can be created.
   */
  public boolean exists(TableName name) {
    Optional<Snapshot> newest = known(name);
    return newest.isPresent()
        && (name.target() instanceof TableTarget.MetadataOf
            || hasRows(newest.get(), name.target()));
  }

  private static boolean hasRows(Snapshot snapshot, TableTarget target) {
    if (target instanceof TableTarget.NodesOf nodes) {
      return nodes.label().isEmpty()
          || LiveRowsProbe.any(snapshot, new ScanRequest.Nodes(nodes.label()));
    }
    Optional<String> type = ((TableTarget.EdgesOf) target).type();
    return type.isEmpty() || LiveRowsProbe.any(snapshot, new ScanRequest.Edges(type.get()));
  }

  /**
   * The tables of a namespace, at the version that the session reads.
   *
   * @throws NoSuchNamespaceException if there is none
   */
  public Identifier[] list(String[] namespace) throws NoSuchNamespaceException {
    try {
      return listed(namespace);
    } catch (NamespaceNotFoundException e) {
      throw new NoSuchNamespaceException(namespace);
    }
  }

  private Identifier[] listed(String[] namespace) throws NoSuchNamespaceException {
    List<String> names = new ArrayList<>();
    if (namespace.length == 1 && GraphFolders.isName(namespace[0])) {
      shown(namespace[0]);
      names.addAll(List.of(TableName.NODES, TableName.EDGES));
      names.addAll(MetadataTables.names());
    } else if (namespace.length == 2
        && GraphFolders.isName(namespace[0])
        && TableName.PARTS.contains(namespace[1])) {
      TableNames known = new TableNames(shown(namespace[0]));
      names.addAll(namespace[1].equals(TableName.NODES) ? known.labels() : known.types());
    } else if (namespace.length > 0) {
      throw new NoSuchNamespaceException(namespace);
    }
    return names.stream().map(n -> Identifier.of(namespace, n)).toArray(Identifier[]::new);
  }

  /** The version that the session reads. */
  private Snapshot shown(String namespace) {
    return NotebookPins.current(options.open(namespace).location())
        .map(PinnedVersion::snapshot)
        .orElseGet(() -> newest(namespace));
  }

  private Snapshot newest(String namespace) {
    return options.open(namespace).namespace().snapshot(new SnapshotSelector.Latest());
  }

  /** Announces new properties; anything else is refused. */
  public Table alter(TableName name, TableChange... changes) throws NoSuchTableException {
    announced.add(name, NewProperties.of(name, changes));
    return load(name, Map.of());
  }

  /**
   * Prepares a label or edge type that is made with its first rows.
   *
   * @param definition what the statement says of the table besides its columns
   */
  public StagedTable create(TableName name, StructType schema, TableDefinition definition) {
    Map<String, String> writing = definition.checked(name);
    if (!name.target().isOne()) {
      throw CatalogErrors.refused(
          "CREATE TABLE", name.toString(), "Name a label below nodes, or a type below edges.");
    }
    OpenNamespace opened = options.open(name.namespace());
    if (!GraphFolders.exists(opened.location().paths(), opened.store())) {
      throw CatalogErrors.noGraph(name.namespace(), options.catalog());
    }
    if (exists(name)) {
      throw CatalogErrors.hasRows(name.toString());
    }
    return new StagedLabel(name, schema, writing, options.table(name));
  }
}
