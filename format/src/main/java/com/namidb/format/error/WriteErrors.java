package com.namidb.format.error;

/** Errors of what a writer asks for, and of rows that cannot be stored. Contract §6. */
public final class WriteErrors {
  private WriteErrors() {}

  /**
   * Something of the contract that this release cannot do.
   *
   * @param what e.g. {@code "write-mode=patch"}
   * @param instead what to do until it can
   */
  public static InvalidOptionException unsupported(String what, String instead) {
    return new InvalidOptionException(
        what + " is not supported yet by this release", Where.UNKNOWN, instead, null);
  }

  /** Spark's own catalog was asked to hold a table: {@code CREATE TABLE}, {@code saveAsTable}. */
  public static InvalidOptionException sessionCatalog() {
    return new InvalidOptionException(
        "Spark's catalog cannot hold NamiDB tables",
        Where.UNKNOWN,
        "Labels and edge types need no declaration; they are named by options. Write with"
            + " df.write.format(\"namidb\").option(\"label\", …).mode(\"append\").save(uri), read with"
            + " spark.read.format(\"namidb\").option(\"label\", …).load(uri). In SQL read"
            + " through CREATE TEMPORARY VIEW v USING namidb OPTIONS (uri '…', label '…').",
        null);
  }

  /**
   * A DELETE, UPDATE or MERGE of a table that does not show the newest version.
   *
   * @param table its name and version
   * @param because why it does not
   */
  public static InvalidOptionException notPresent(String table, String because) {
    return badWrite(
        "Rows of " + table + " cannot be changed: " + because,
        "Run the statement on the table as it is now: by its plain name, without a version, a pin"
            + " or wal=ignore.");
  }

  /**
   * A row that a DELETE, UPDATE or MERGE cannot make.
   *
   * @param row which row, e.g. {@code "node 018f…"}
   * @param reason what is wrong with it
   */
  public static InvalidValueException changed(Where where, String row, String reason) {
    return new InvalidValueException(
        "A row cannot be changed: " + row + ": " + reason,
        where,
        "Nothing was published. Correct the statement, or leave such rows out of it.",
        null);
  }

  /** {@code TRUNCATE TABLE}. */
  public static InvalidOptionException truncate(String table) {
    return badWrite(
        "TRUNCATE of " + table + " is refused",
        "Use DELETE FROM without WHERE: it looks at the nodes' edges before it commits.");
  }

  /** A write to a metadata table. */
  public static InvalidOptionException metadata(String table) {
    return badWrite(
        "The metadata table '" + table + "' cannot be written",
        "Give label for nodes or type for edges instead of metadata.");
  }

  /** A change to rows that the session sees as they were in the past. */
  public static InvalidOptionException pinned(String what, String namespace, long version) {
    return new InvalidOptionException(
        what + " is refused while this session is pinned: it would act on a past state",
        Where.version(namespace, version),
        "End the pin with CALL …system.unpin, then run it on the newest version. Inserts and"
            + " upserts are possible under a pin, though not visible.",
        null);
  }

  /** Options or columns that do not make a write. */
  public static InvalidOptionException badWrite(String what, String advice) {
    return new InvalidOptionException(what, Where.UNKNOWN, advice, null);
  }

  /**
   * A column that cannot be written.
   *
   * @param column its path
   * @param type its Spark type
   * @param advice what to do
   */
  public static InvalidOptionException column(String column, String type, String advice) {
    return new InvalidOptionException(
        "Column '" + column + "' of type " + type + " cannot be written",
        Where.UNKNOWN,
        advice,
        null);
  }

  /**
   * A column that differs from a reserved one only in case, where case counts.
   *
   * @param column as it was given
   * @param ours as we spell it
   */
  public static InvalidOptionException reservedCase(String column, String ours) {
    return badWrite(
        "Column '" + column + "' differs from the reserved name '" + ours + "' only in case",
        "If it is meant, call it '"
            + ours
            + "'; else rename it: as a property it would make the table unreadable for sessions with"
            + " spark.sql.caseSensitive=false, the default.");
  }

  /** Two columns where one is expected, under names that Spark takes for one. */
  public static InvalidOptionException columnTwins(String one, String other) {
    return badWrite(
        "Columns '" + one + "' and '" + other + "' are the same one, by the names' case",
        "Drop or rename one of them.");
  }

  /**
   * A row that must not be stored.
   *
   * @param row which row, e.g. {@code "node 018f…"}
   * @param reason why
   */
  public static InvalidValueException row(Where where, String row, String reason) {
    return new InvalidValueException(
        "A row cannot be written: " + row + ": " + reason,
        where,
        "Nothing was published. Correct or filter the row and write again, or set such rows aside"
            + " with on-invalid=quarantine.",
        null);
  }

  /** A write in place of a condition, which no table here can do. */
  public static InvalidOptionException overwriteByFilter(String filter) {
    return new InvalidOptionException(
        "Overwriting only the rows where " + filter + " is not possible",
        Where.UNKNOWN,
        "Overwrite the whole table, or delete rows by id with write-mode=delete and append.",
        null);
  }

  /** A stored record that cannot be changed in part, because it cannot be read. */
  public static InvalidValueException unreadable(
      Where where, String record, String detail, Throwable cause) {
    return new InvalidValueException(
        "The stored properties of " + record + " cannot be decoded: " + detail,
        where,
        "Nothing was published. Write the record whole with write-mode=upsert, or delete it.",
        cause);
  }
}
