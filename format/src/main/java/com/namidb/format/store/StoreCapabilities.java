package com.namidb.format.store;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a probe found out about a store.
 *
 * @param checks each promise that was tried, in order
 */
public record StoreCapabilities(List<Check> checks) {
  /** Promises of creation. */
  static final String CREATE = "create-if-absent";

  /** Promises of replacement. */
  static final String REPLACE = "replace-if-match";

  /** Copies. */
  public StoreCapabilities {
    checks = new ArrayList<>(checks);
  }

  /**
   * One promise.
   *
   * @param condition {@code create-if-absent} or {@code replace-if-match}
   * @param name what was tried
   * @param honoured whether the store did as it must
   * @param detail what it did
   */
  public record Check(String condition, String name, boolean honoured, String detail) {}

  /** Whether of many who create one object exactly one succeeds. */
  public boolean createIfAbsent() {
    return honours(CREATE);
  }

  /** Whether only who knows an object's current tag replaces it. */
  public boolean replaceIfMatch() {
    return honours(REPLACE);
  }

  /** Whether commits on this store are safe. */
  public boolean isSafe() {
    return checks.stream().allMatch(Check::honoured);
  }

  /** What it did wrong, empty if nothing. */
  public String flaws() {
    return checks.stream()
        .filter(c -> !c.honoured())
        .map(c -> c.condition() + ", " + c.name() + ": " + c.detail())
        .collect(Collectors.joining("; "));
  }

  private boolean honours(String condition) {
    return checks.stream().filter(c -> c.condition().equals(condition)).allMatch(Check::honoured);
  }
}
