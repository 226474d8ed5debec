package com.namidb.format.manifest;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The declared part of a graph's schema; most of what is stored is not declared. Source: manifest
 * §2.4.
 *
 * @param labels declared properties by label, in declaration order
 * @param edgeTypes declared edge types by name
 * @param constraints uniqueness constraints, enforced by writers only
 */
public record GraphSchema(
    Map<String, List<PropertyDef>> labels,
    Map<String, EdgeTypeDef> edgeTypes,
    List<Constraint> constraints)
    implements Serializable {
  /** Copies into a form every serialiser can handle. */
  public GraphSchema {
    labels = new LinkedHashMap<>(labels);
    edgeTypes = new LinkedHashMap<>(edgeTypes);
    constraints = new ArrayList<>(constraints);
  }

  /** A schema without constraints. */
  public GraphSchema(Map<String, List<PropertyDef>> labels, Map<String, EdgeTypeDef> edgeTypes) {
    this(labels, edgeTypes, List.of());
  }

  /**
   * A declared property; types are hints, not enforced by the engine.
   *
   * @param name property name
   * @param dataType {@code Utf8}, {@code Int64}, …, or {@code FloatVector}/{@code Int8Vector}
   * @param dim vector length, 0 for anything else
   * @param nullable whether a record may lack it
   * @param unique whether writers keep its values distinct
   * @param indexed whether the engine keeps an equality index
   */
  public record PropertyDef(
      String name, String dataType, int dim, boolean nullable, boolean unique, boolean indexed)
      implements Serializable {
    /** A nullable property that is neither unique nor indexed. */
    public PropertyDef(String name, String dataType, int dim) {
      this(name, dataType, dim, true, false, false);
    }
  }

  /**
   * A declared edge type.
   *
   * @param name type name
   * @param srcLabel declared source label
   * @param dstLabel declared destination label
   * @param properties declared properties, each possibly in a stream of its own
   */
  public record EdgeTypeDef(
      String name, String srcLabel, String dstLabel, List<PropertyDef> properties)
      implements Serializable {}

  /**
   * No two nodes of the label may share the values of these properties.
   *
   * @param name constraint name
   * @param label label it holds for
   * @param properties the properties, taken together
   */
  public record Constraint(String name, String label, List<String> properties)
      implements Serializable {}
}
