package com.namidb.format.manifest;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The declared part of a graph's schema; most of what is stored is not declared. Source: manifest
 * §2.4.
 *
 * @param labels declared properties by label, in declaration order
 * @param edgeTypes declared edge types by name
 */
public record GraphSchema(Map<String, List<PropertyDef>> labels, Map<String, EdgeTypeDef> edgeTypes)
    implements Serializable {
  /** Copies into a form every serialiser can handle. */
  public GraphSchema {
    labels = new LinkedHashMap<>(labels);
    edgeTypes = new LinkedHashMap<>(edgeTypes);
  }

  /**
   * A declared property; types are hints, not enforced by the engine.
   *
   * @param name property name
   * @param dataType {@code Utf8}, {@code Int64}, …, or {@code FloatVector}/{@code Int8Vector}
   * @param dim vector length, 0 for anything else
   */
  public record PropertyDef(String name, String dataType, int dim) implements Serializable {}

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
}
