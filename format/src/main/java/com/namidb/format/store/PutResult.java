package com.namidb.format.store;

/** Outcome of a write, as a value: nothing above the store guesses from exceptions. */
public sealed interface PutResult {
  /**
   * The object is there with our bytes.
   *
   * @param etag its tag
   */
  record Written(String etag) implements PutResult {}

  /**
   * The condition did not hold: another body is there, or ours from a lost reply. The caller
   * compares.
   */
  record Refused() implements PutResult {}

  /**
   * The answer was lost or ambiguous (time-out, HTTP 409): read the key before anything else.
   *
   * @param cause what was seen
   */
  record Unclear(String cause) implements PutResult {}
}
