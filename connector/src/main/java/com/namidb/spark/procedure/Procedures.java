package com.namidb.spark.procedure;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.ReadErrors;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;

/** The procedures of a catalog, all in its namespace {@code system}. Contract §7. */
public final class Procedures {
  private static final String SYSTEM = "system";
  private final Map<String, NamiProcedure> byName = new TreeMap<>();

  /**
   * Makes no request.
   *
   * @param open opens a graph of the catalog by name
   * @param place the path form's options that say where a graph is, by its name
   */
  public Procedures(
      Function<String, OpenNamespace> open, Function<String, Map<String, String>> place) {
    List.of(
            new Pin(open),
            new Unpin(open),
            new Pins(open),
            new Publish(open),
            new Discard(open),
            new Staged(open),
            new VerifyCommit(open),
            new Check(open),
            new Diff(place),
            new ExpireSnapshots(open),
            new RemoveOrphanFiles(open),
            new CleanStaging(open),
            new CheckStore(place))
        .forEach(p -> byName.put(p.name(), p));
  }

  /**
   * A procedure by its exact name.
   *
   * @throws NoSuchProcedureException if there is none; its cause is the typed error
   */
  public UnboundProcedure load(Identifier ident) {
    NamiProcedure found = isSystem(ident.namespace()) ? byName.get(ident.name()) : null;
    if (found == null) {
      List<String> path = new ArrayList<>(List.of(ident.namespace()));
      path.add(ident.name());
      List<String> known = byName.keySet().stream().map(n -> SYSTEM + "." + n).toList();
      List<String> near = new ArrayList<>(NearestName.of(String.join(".", path), known));
      if (near.isEmpty()) {
        NearestName.of(ident.name(), byName.keySet()).forEach(n -> near.add(SYSTEM + "." + n));
      }
      String name = String.join(".", path);
      throw new NoSuchProcedureException(name, ReadErrors.unknownProcedure(name, near, known));
    }
    return found;
  }

  /** Those in a namespace of the catalog, by name; all of them for the catalog itself. */
  public Identifier[] list(String[] namespace) {
    return namespace.length == 0 || isSystem(namespace)
        ? byName.keySet().stream()
            .map(n -> Identifier.of(new String[] {SYSTEM}, n))
            .toArray(Identifier[]::new)
        : new Identifier[0];
  }

  private static boolean isSystem(String[] namespace) {
    return namespace.length == 1 && namespace[0].equals(SYSTEM);
  }
}
