package com.namidb.format.store;

/**
 * One request as it was sent.
 *
 * @param kind what was asked
 * @param key of which object, or under which prefix
 */
public record Request(RequestKind kind, String key) {
  @Override
  public String toString() {
    return kind + " " + key;
  }
}
