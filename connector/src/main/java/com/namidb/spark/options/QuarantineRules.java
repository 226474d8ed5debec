package com.namidb.spark.options;

/**
 * Which rows are set aside instead of failing the job.
 *
 * @param invalid those that cannot be stored, and those that break a constraint
 * @param dangling edges with a missing end
 */
public record QuarantineRules(boolean invalid, boolean dangling) {
  /** None. */
  public static final QuarantineRules OFF = new QuarantineRules(false, false);

  /** Whether any. */
  public boolean on() {
    return invalid || dangling;
  }
}
