package com.namidb.spark.lease;

import java.lang.ref.WeakReference;

/** Compares users by identity without keeping them. */
final class WeakUser {
  private final WeakReference<Object> user;
  private final int hash;

  WeakUser(Object user) {
    this.user = new WeakReference<>(user);
    this.hash = System.identityHashCode(user);
  }

  /** The user, {@code null} if it is gone. */
  Object get() {
    return user.get();
  }

  /** Whether nobody can reach it any more. */
  boolean gone() {
    return user.get() == null;
  }

  /** Whether it is this very object. */
  boolean is(Object other) {
    return user.get() == other;
  }

  @Override
  public boolean equals(Object o) {
    Object mine = user.get();
    return this == o || (o instanceof WeakUser w && mine != null && mine == w.user.get());
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
