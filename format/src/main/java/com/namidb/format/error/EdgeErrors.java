package com.namidb.format.error;

/** Edges that cannot be stored. */
public final class EdgeErrors {
  private EdgeErrors() {}

  /** One node has more edges than the engine can decode from one file. */
  public static InvalidValueException tooManyEdges(String type, String node, long limit) {
    return new InvalidValueException(
        "Node "
            + node
            + " has more than "
            + limit
            + " edges of type '"
            + type
            + "' in one direction",
        Where.UNKNOWN,
        "The engine reads no more of one node from one file. Split the edges of this node over"
            + " several types.",
        null);
  }

  /** The property object of an edge does not fit a page. */
  public static InvalidValueException tooLarge(String type, String edge, long bytes) {
    return new InvalidValueException(
        "The properties of edge " + edge + " of type '" + type + "' take " + bytes + " bytes",
        Where.UNKNOWN,
        "An edge can store at most 64 MiB of properties. Shorten them.",
        null);
  }
}
