package com.namidb.format.error;

import java.util.Collection;
import java.util.List;

/** Errors of what a reader asks for: options, names, columns. Contract §2–4. */
public final class ReadErrors {
  private static final int SHOWN = 15;

  private ReadErrors() {}

  /**
   * An option nobody knows.
   *
   * @param kind {@code "read"} or {@code "write"}
   * @param nearest known names that look alike, best first; may be empty
   * @param known every name of this operation that may be given
   */
  public static InvalidOptionException unknownOption(
      String kind, String name, List<String> nearest, Collection<String> known) {
    return option(
        "Unknown " + kind + " option '" + name + "'",
        nearest.isEmpty()
            ? "Options of a " + kind + " are: " + String.join(", ", known) + "."
            : didYouMean(nearest, "", known));
  }

  /** An option whose value is none of those it may have; only for options that are no secrets. */
  public static InvalidOptionException badValue(String name, String value, String expected) {
    return option(
        "Option '" + name + "' has the value '" + value + "'", "Give it " + expected + ".");
  }

  /** A mandatory option that is missing. */
  public static InvalidOptionException missing(String what, String advice) {
    return option(what, advice);
  }

  /** Options that exclude each other. */
  public static InvalidOptionException conflict(String what, String advice) {
    return option(what, advice);
  }

  /**
   * A label or edge type that never occurred in the graph.
   *
   * @param kind {@code "label"} or {@code "edge type"}
   * @param nearest known names that look alike, best first; may be empty
   * @param known every known name
   */
  public static InvalidOptionException unknownName(
      Where where, String kind, String name, List<String> nearest, Collection<String> known) {
    return new InvalidOptionException(
        "There is no " + kind + " '" + name + "' in this snapshot",
        where,
        didYouMean(nearest, "It has", known),
        null);
  }

  /**
   * A label or edge type that the version a session is pinned to does not know.
   *
   * @param where the pinned version
   * @param kind {@code "label"} or {@code "edge type"}
   * @param known every name the pinned version knows
   */
  public static InvalidOptionException unknownUnderPin(
      Where where, String kind, String name, Pinned pinned, Collection<String> known) {
    String newest = "The newest version, " + Long.toUnsignedString(pinned.newest()) + ", ";
    return new InvalidOptionException(
        "There is no "
            + kind
            + " '"
            + name
            + "' in version "
            + Long.toUnsignedString(where.version())
            + ", which this session is pinned to",
        where,
        pinned.there()
            ? newest
                + "has it: end the pin with CALL …system.unpin('"
                + where.namespace()
                + "'), or read that version with VERSION AS OF "
                + Long.toUnsignedString(pinned.newest())
                + " or option versionAsOf."
            : newest
                + "does not have it either. "
                + didYouMean(NearestName.of(name, known), "The pinned one has", known),
        null);
  }

  /**
   * What the newest version says of a name under a pin.
   *
   * @param newest newest version, unsigned
   * @param there whether it knows the name
   */
  public record Pinned(long newest, boolean there) {}

  /** A metadata table nobody knows. */
  public static InvalidOptionException unknownMetadata(
      String name, List<String> nearest, Collection<String> known) {
    return option(
        "There is no metadata table '" + name + "'",
        didYouMean(nearest, "Metadata tables are", known));
  }

  /** A procedure nobody knows. */
  public static InvalidOptionException unknownProcedure(
      String name, List<String> nearest, Collection<String> known) {
    return option(
        "There is no procedure '" + name + "'", didYouMean(nearest, "Procedures are", known));
  }

  /** An argument of a procedure that cannot be used. */
  public static InvalidOptionException badArgument(
      String procedure, String argument, String problem, String advice) {
    return option("Argument '" + argument + "' of " + procedure + " " + problem, advice);
  }

  /** Property names that Spark would take for one. */
  public static InvalidOptionException caseTwins(Where where, String table, List<String> twins) {
    return new InvalidOptionException(
        "Table " + table + " has properties that differ only in case: " + String.join(", ", twins),
        where,
        "Set spark.sql.caseSensitive=true, or give a schema that names only one of them.",
        null);
  }

  /** Columns of a given schema that Spark would take for one. */
  public static InvalidOptionException givenTwins(List<String> twins) {
    return option(
        "The given schema has columns that Spark takes for one: " + String.join(", ", twins),
        "Name each once, and our own columns as they are (_id, _labels, …); names that differ only"
            + " in case need spark.sql.caseSensitive=true.");
  }

  /** A column of ours in a schema for a table that does not have it. */
  public static InvalidOptionException wrongTable(String column, String table) {
    return option(
        "The given schema names '" + column + "', which " + table + " does not have",
        "Node tables have _id and _labels, edge tables _src, _dst and _type.");
  }

  /** The lease that keeps a version's files could not be put in place. */
  public static StoreException leaseRefused(Where where, Throwable cause) {
    return new StoreException(
        "The lease that keeps this version's files while the query runs could not be put in place",
        where,
        "Allow writing below manifest/pins/ of the namespace, or read without a lease: with"
            + " option pin=off, in SQL and CALL with SET spark.namidb.pin=off. Then nothing keeps the"
            + " files, and a query that meets a removed one fails.",
        cause);
  }

  private static InvalidOptionException option(String what, String advice) {
    return new InvalidOptionException(what, Where.UNKNOWN, advice, null);
  }

  private static String didYouMean(List<String> nearest, String intro, Collection<String> known) {
    if (!nearest.isEmpty()) {
      return "Did you mean "
          + String.join(" or ", nearest.stream().map(n -> "'" + n + "'").toList())
          + "?";
    }
    if (known.isEmpty()) {
      return intro + " none.";
    }
    List<String> some = known.stream().limit(SHOWN).map(n -> "'" + n + "'").toList();
    int more = known.size() - some.size();
    return intro + " " + String.join(", ", some) + (more > 0 ? " and " + more + " more." : ".");
  }
}
