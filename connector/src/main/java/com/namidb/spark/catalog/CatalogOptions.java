package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PlaceOptions;
import com.namidb.spark.options.ReadOptions;
import com.namidb.spark.options.SessionConf;
import java.util.HashMap;
import java.util.Map;

/**
 * What the session's configuration says of a catalog: where the root is, how to reach the store.
 * May hold secrets, so it has no text form of its own.
 */
public final class CatalogOptions {
  private static final String NAMESPACE = "namespace";

  private final String catalog;
  private final Map<String, String> options;

  /**
   * Keeps them; nothing is checked before a namespace is asked for.
   *
   * @param catalog the catalog's name
   * @param options {@code uri} without a namespace, and the store's options
   */
  public CatalogOptions(String catalog, Map<String, String> options) {
    this.catalog = catalog;
    this.options = Map.copyOf(options);
  }

  String catalog() {
    return catalog;
  }

  /** A graph below the root; makes no request. */
  public OpenNamespace open(String namespace) {
    return OpenNamespace.at(PlaceOptions.of(place(namespace), SessionConf.lookup()));
  }

  /** The root as if a graph lay in it, for what lies beside it; makes no request. */
  OpenNamespace root() {
    return open("a");
  }

  /** The path form's options that say where a graph is; they may hold secrets. */
  public Map<String, String> place(String namespace) {
    String uri = options.get("uri");
    if (uri == null) {
      throw CatalogErrors.noCatalogUri(catalog);
    }
    if (PlaceOptions.namesOne(uri) || options.containsKey(NAMESPACE)) {
      throw CatalogErrors.catalogUri(catalog);
    }
    Map<String, String> out = new HashMap<>(options);
    out.put(NAMESPACE, namespace);
    return out;
  }

  /** The path form's options of a table. */
  Map<String, String> table(TableName name) {
    Map<String, String> out = place(name.namespace());
    out.putAll(ReadOptions.naming(name.target()));
    return out;
  }

  @Override
  public String toString() {
    return "catalog " + catalog;
  }
}
