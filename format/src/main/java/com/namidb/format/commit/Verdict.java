package com.namidb.format.commit;

/** Whether a job took effect. */
public sealed interface Verdict {
  /**
   * It did.
   *
   * @param version as which version, unsigned
   */
  record CommittedAt(long version) implements Verdict {}

  /**
   * It did not, and no request of it can still change that.
   *
   * @param reason how that is known
   */
  record NotCommitted(String reason) implements Verdict {}

  /**
   * Cannot be told, or not yet.
   *
   * @param reason what is missing
   */
  record Undecided(String reason) implements Verdict {}
}
