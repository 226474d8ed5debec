package com.namidb.spark.function;

import java.util.Optional;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;

/** The functions below {@code system}. Contract §6. */
public final class GraphFunctions {
  /** The namespace that holds them. */
  public static final String NAMESPACE = "system";

  private GraphFunctions() {}

  /** Their names. */
  public static String[] names() {
    return new String[] {NodeIdFunction.NAME};
  }

  /** A function by its name in any case; empty if there is none. */
  public static Optional<UnboundFunction> named(String name) {
    return name.equalsIgnoreCase(NodeIdFunction.NAME)
        ? Optional.of(new NodeIdFunction())
        : Optional.empty();
  }
}
