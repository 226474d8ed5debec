package com.namidb.spark.catalog;

import com.namidb.spark.options.TableTarget;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * A table as SQL names it below the catalog: {@code social.nodes}, {@code social.nodes.Person},
 * {@code social.edges.KNOWS}, {@code social.snapshots}. Contract §3.
 *
 * @param namespace the graph
 * @param target which of its tables
 */
public record TableName(String namespace, TableTarget target) {
  static final String NODES = "nodes";
  static final String EDGES = "edges";

  /** What a graph holds as namespaces of their own. */
  static final List<String> PARTS = List.of(NODES, EDGES);

  // Means all of them in the path form's options; no label of this name can be reached.
  private static final String ALL = "*";

  /**
   * Reads an identifier; makes no request.
   *
   * @throws NoSuchTableException if its parts cannot be a table, as Spark expects it of a name that
   *     it only tries
   */
  public static TableName of(Identifier ident) throws NoSuchTableException {
    String[] above = ident.namespace();
    String name = ident.name();
    if (name.equals(ALL) || name.isEmpty()) {
      throw new NoSuchTableException(ident);
    }
    if (above.length == 1) {
      return new TableName(
          above[0],
          switch (name) {
            case NODES -> new TableTarget.NodesOf(Optional.empty());
            case EDGES -> new TableTarget.EdgesOf(Optional.empty());
            default -> new TableTarget.MetadataOf(name);
          });
    }
    if (above.length == 2 && above[1].equals(NODES)) {
      return new TableName(above[0], new TableTarget.NodesOf(Optional.of(name)));
    }
    if (above.length == 2 && above[1].equals(EDGES)) {
      return new TableName(above[0], new TableTarget.EdgesOf(Optional.of(name)));
    }
    throw new NoSuchTableException(ident);
  }

  /** Whether a name directly below a graph is that of a metadata table, which there may not be. */
  public static boolean isMetadata(String name) {
    return !PARTS.contains(name);
  }

  /** As Spark names it. */
  Identifier identifier() {
    if (target instanceof TableTarget.NodesOf nodes && nodes.label().isPresent()) {
      return Identifier.of(new String[] {namespace, NODES}, nodes.label().get());
    }
    if (target instanceof TableTarget.EdgesOf edges && edges.type().isPresent()) {
      return Identifier.of(new String[] {namespace, EDGES}, edges.type().get());
    }
    return Identifier.of(new String[] {namespace}, target.toString());
  }

  /** As messages show it. */
  @Override
  public String toString() {
    return namespace + "." + target;
  }
}
