package com.namidb.spark.options;

import java.util.Map;

/**
 * Which rows are set aside instead of failing the job.
 *
 * @param invalid those that cannot be stored, and those that break a constraint
 * @param dangling edges with a missing end
 */
public record QuarantineRules(boolean invalid, boolean dangling) {
  /** None. */
  public static final QuarantineRules OFF = new QuarantineRules(false, false);

  /** Reads them; {@link PublishRules} refuses what does not fit the target. */
  static QuarantineRules of(OptionReader options, TableTarget target, WriteMode mode) {
    Map<String, Boolean> values =
        Map.of("fail", false, WriteNames.QUARANTINE, true, "allow", false);
    boolean ends =
        target instanceof TableTarget.EdgesOf
            && mode != WriteMode.DELETE
            && mode != WriteMode.PATCH;
    return new QuarantineRules(
        options.ownChoice(
            WriteNames.ON_INVALID, Map.of("fail", false, WriteNames.QUARANTINE, true), false),
        ends && options.ownChoice(WriteNames.ON_DANGLING, values, false));
  }

  /** Whether any. */
  public boolean on() {
    return invalid || dangling;
  }
}
