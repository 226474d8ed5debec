package com.namidb.format.snapshot;

import com.namidb.format.log.ManifestRef;
import com.namidb.format.manifest.Manifest;

/**
 * One version opened for reading; needs its log never again. Immutable; equal if location and ref
 * are.
 *
 * @param location where the namespace is
 * @param ref which version
 * @param manifest its content
 */
public record Snapshot(Location location, ManifestRef ref, Manifest manifest) {
  /** The version number, unsigned. */
  public long version() {
    return ref.version();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Snapshot s && location.equals(s.location) && ref.equals(s.ref);
  }

  @Override
  public int hashCode() {
    return 31 * location.hashCode() + ref.hashCode();
  }

  @Override
  public String toString() {
    return location.paths().namespace() + "@" + Long.toUnsignedString(version());
  }

  /**
   * The same version as if it held something else, to look at what a commit would make of it.
   *
   * @param other what it is to hold
   */
  public Snapshot holding(Manifest other) {
    return new Snapshot(location, ref, other);
  }
}
