package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.GraphFolders;
import com.namidb.format.snapshot.NamespaceRemoval;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.function.GraphFunctions;
import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.options.OpenNamespace;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The graphs below a catalog's root, and {@code nodes} and {@code edges} of each. Contract §3. */
public final class CatalogNamespaces {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogNamespaces.class);

  private final CatalogOptions options;
  private final Clock clock;

  /**
   * Namespaces below a root.
   *
   * @param clock tells the time of creations, and which leases still live
   */
  public CatalogNamespaces(CatalogOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
  }

  /**
   * The namespaces directly below one.
   *
   * @throws NoSuchNamespaceException if there is none
   */
  public String[][] list(String[] parent) throws NoSuchNamespaceException {
    if (parent.length == 0) {
      OpenNamespace root = options.root();
      return GraphFolders.below(root.location().paths().root(), root.store()).stream()
          .map(n -> new String[] {n})
          .toArray(String[][]::new);
    }
    if (!exists(parent)) {
      throw new NoSuchNamespaceException(parent);
    }
    return parent.length > 1
        ? new String[0][]
        : TableName.PARTS.stream().map(p -> new String[] {parent[0], p}).toArray(String[][]::new);
  }

  /** Whether a namespace is there; any name may be asked for. */
  public boolean exists(String[] namespace) {
    boolean possible =
        (namespace.length == 1 || (namespace.length == 2 && TableName.PARTS.contains(namespace[1])))
            && GraphFolders.isName(namespace[0]);
    if (!possible) {
      return false;
    }
    OpenNamespace opened = options.open(namespace[0]);
    return GraphFolders.exists(opened.location().paths(), opened.store());
  }

  /**
   * What {@code DESCRIBE NAMESPACE} shows.
   *
   * @throws NoSuchNamespaceException if there is none
   */
  public Map<String, String> describe(String[] namespace) throws NoSuchNamespaceException {
    if (!exists(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
    OpenNamespace opened = options.open(namespace[0]);
    Snapshot newest;
    try {
      newest = opened.namespace().snapshot(new SnapshotSelector.Latest());
    } catch (NamespaceNotFoundException gone) {
      return Map.of(
          SupportsNamespaces.PROP_COMMENT,
          "files of a deleted graph; DROP NAMESPACE … CASCADE deletes them",
          SupportsNamespaces.PROP_LOCATION,
          TableFacts.place(opened));
    }
    Map<String, String> out = new HashMap<>(TableFacts.of(newest));
    count(newest, List.of(new ScanRequest.Nodes(Optional.empty())), "nodes", out);
    List<ScanRequest.Target> types =
        new TableNames(newest)
            .types().stream().<ScanRequest.Target>map(ScanRequest.Edges::new).toList();
    count(newest, types, "edges", out);
    NotebookPins.hiding(opened.location())
        .ifPresent(version -> out.put("session-pin", Long.toUnsignedString(version)));
    out.put(
        SupportsNamespaces.PROP_COMMENT,
        "graph at snapshot "
            + out.get("snapshot-id")
            + ", epoch "
            + out.get("epoch")
            + ", committed at "
            + out.get("committed-at"));
    return out;
  }

  private static void count(
      Snapshot snapshot, List<ScanRequest.Target> targets, String name, Map<String, String> out) {
    TableFacts.rows(snapshot, targets, WalPolicy.REPLAY)
        .ifPresent(n -> out.put(name, Long.toString(n)));
  }

  /**
   * Makes an empty graph: version 0, as an engine does unless the catalog asks for the other
   * layout.
   *
   * @param owned names of properties the statement gives
   * @throws NamespaceAlreadyExistsException if there is one
   */
  public void create(String[] namespace, Map<String, String> owned)
      throws NamespaceAlreadyExistsException {
    String name = graph("CREATE NAMESPACE", namespace);
    if (name.equals(GraphFunctions.NAMESPACE)) {
      throw CatalogErrors.reservedNamespace(name, "procedures and functions");
    }
    OpenNamespace opened = options.open(name);
    if (owned.keySet().stream().anyMatch(k -> !k.equals(SupportsNamespaces.PROP_OWNER))) {
      throw CatalogErrors.namespaceProperties("CREATE NAMESPACE", name);
    }
    try {
      opened.namespace().snapshot(new SnapshotSelector.Latest());
      throw new NamespaceAlreadyExistsException(namespace);
    } catch (NamespaceNotFoundException free) {
      opened.namespace().log().createIfAbsent(UUID.randomUUID(), clock.instant());
    }
  }

  /**
   * Refuses.
   *
   * @throws NoSuchNamespaceException if there is none
   */
  public void alter(String[] namespace) throws NoSuchNamespaceException {
    if (!exists(namespace)) {
      throw new NoSuchNamespaceException(namespace);
    }
    throw CatalogErrors.namespaceProperties("ALTER NAMESPACE", String.join(".", namespace));
  }

  /**
   * Deletes a graph.
   *
   * @param cascade whether it may hold something
   * @return whether there was one
   */
  public boolean drop(String[] namespace, boolean cascade) {
    String name = graph("DROP NAMESPACE", namespace);
    if (!exists(namespace)) {
      return false;
    }
    OpenNamespace opened = options.open(name);
    NamespaceRemoval removal = new NamespaceRemoval(opened.namespace(), clock);
    if (!cascade) {
      removal.checkEmpty();
    }
    long objects;
    try {
      objects = removal.run();
    } finally {
      OpenNamespace.forget(opened.location());
    }
    LOG.warn("Deleted graph {}: {} object(s) below {}", name, objects, TableFacts.place(opened));
    return true;
  }

  private static String graph(String statement, String[] namespace) {
    if (namespace.length != 1) {
      throw CatalogErrors.namespaceShape(statement, String.join(".", namespace));
    }
    return namespace[0];
  }
}
