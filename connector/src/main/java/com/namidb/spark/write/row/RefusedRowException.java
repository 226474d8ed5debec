package com.namidb.spark.write.row;

import com.namidb.format.error.InvalidValueException;
import com.namidb.format.error.Where;
import com.namidb.format.error.WriteErrors;

/** A row must not be stored; the message says why. No stack trace: a job may meet many. */
public final class RefusedRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String kind;
  private final String row;

  /** A reason that is the same for every such row. */
  RefusedRowException(String reason) {
    this(reason, "");
  }

  /**
   * A reason with something only this row has.
   *
   * @param kind what reports count
   * @param detail follows it in the message
   */
  public RefusedRowException(String kind, String detail) {
    this(kind, kind + detail, "");
  }

  private RefusedRowException(String kind, String message, String row) {
    super(message, null, false, false);
    this.kind = kind;
    this.row = row;
  }

  /** The reason in other words for the reports. */
  static RefusedRowException counted(String kind, String message) {
    return new RefusedRowException(kind, message, "");
  }

  /** The same, naming the row. */
  public RefusedRowException of(String name) {
    return new RefusedRowException(kind, getMessage(), name);
  }

  /** The reason without what only this row has. */
  public String kind() {
    return kind;
  }

  /** Which row, e.g. {@code "node 018f…"}. */
  public String row() {
    return row;
  }

  /** As the error of a statement that changes rows. */
  public InvalidValueException changed(Where where) {
    return WriteErrors.changed(where, row, getMessage());
  }
}
