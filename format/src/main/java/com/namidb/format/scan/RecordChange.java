package com.namidb.format.scan;

/** What a row of a difference tells about its key. Contract §4. */
public enum RecordChange {
  /** Visible in the later version only. */
  INSERT("insert"),
  /** Visible in both with another content: as the earlier version has it. */
  UPDATE_BEFORE("update_before"),
  /** Visible in both with another content: as the later version has it. */
  UPDATE_AFTER("update_after"),
  /** Visible in the earlier version only. */
  DELETE("delete");

  private final String text;

  RecordChange(String text) {
    this.text = text;
  }

  /** How users see it. */
  public String text() {
    return text;
  }

  /** Whether the row is that of the earlier version. */
  public boolean isBefore() {
    return this == UPDATE_BEFORE || this == DELETE;
  }
}
