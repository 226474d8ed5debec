package com.namidb.format.error;

/** Errors of rows that are turned into columns. A row is named by the caller: "node 018f…". */
public final class RowErrors {
  private static final String MISMATCH =
      "Read the property as a type that takes it (STRING takes every value), leave it out and use"
          + " _json, or set on-mismatch=null.";

  private RowErrors() {}

  /**
   * A stored value has another type than its column.
   *
   * @param row which row
   * @param stored what is stored, e.g. {@code "STRING"}
   * @param column the column's type
   */
  public static InvalidValueException doesNotFit(
      String row, String property, String stored, String column) {
    return new InvalidValueException(
        "Property '"
            + property
            + "' of "
            + row
            + " holds a value of type "
            + stored
            + ", which does not fit the column type "
            + column,
        Where.UNKNOWN,
        MISMATCH,
        null);
  }

  /**
   * A property object is not what the engine would accept.
   *
   * @param property property being read, {@code null} if the object itself is broken
   * @param detail what is wrong
   */
  public static InvalidValueException unreadable(
      String row, String property, String detail, Throwable cause) {
    String what = property == null ? "The property object" : "Property '" + property + "'";
    return new InvalidValueException(
        what + " of " + row + " cannot be decoded: " + detail,
        Where.UNKNOWN,
        "Write the record again, or set on-mismatch=null to read the others.",
        cause);
  }

  /** An LSN above what a signed column can show. */
  public static InvalidValueException lsnTooLarge(String row, long lsn) {
    return new InvalidValueException(
        "The LSN of "
            + row
            + " is "
            + Long.toUnsignedString(lsn)
            + ", more than the column _lsn can hold",
        Where.UNKNOWN,
        "Leave _lsn out of the query; all other columns can be read.",
        null);
  }

  /** A column of the user's schema has a name that is neither ours to read nor a property's. */
  public static InvalidOptionException reserved(String column) {
    return new InvalidOptionException(
        "Column '" + column + "' of the given schema has a reserved name",
        Where.UNKNOWN,
        "Leave it out; a property called so can be read through _json.",
        null);
  }

  /**
   * A column of the user's schema cannot be read at all.
   *
   * @param column path of the column
   * @param type its Spark type
   * @param accepted what it may be instead
   */
  public static InvalidOptionException columnType(String column, String type, String accepted) {
    return new InvalidOptionException(
        "Column '" + column + "' of the given schema has type " + type + ", which cannot be read",
        Where.UNKNOWN,
        "Give it one of these types: " + accepted + ".",
        null);
  }
}
