package com.namidb.format.edge;

import java.util.Optional;
import java.util.UUID;

/**
 * What an edge SST to be written says about itself.
 *
 * @param id SST id, bound into the file
 * @param inverse whether keys are destinations
 * @param type edge type name
 * @param sourceLabel source label the schema declares for the type, if it is declared
 * @param destinationLabel likewise
 */
public record EdgeSstSpec(
    UUID id,
    boolean inverse,
    String type,
    Optional<String> sourceLabel,
    Optional<String> destinationLabel) {
  /** A type the schema does not declare. */
  public static EdgeSstSpec undeclared(UUID id, boolean inverse, String type) {
    return new EdgeSstSpec(id, inverse, type, Optional.empty(), Optional.empty());
  }
}
