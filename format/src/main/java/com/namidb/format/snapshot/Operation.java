package com.namidb.format.snapshot;

import com.namidb.format.log.Committed;
import com.namidb.format.manifest.Layout;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.WalSegment;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What a commit did, as far as the manifest before it shows. The format does not record it; this is
 * a reading aid. Source: manifest §4.2, §4.8.
 */
public enum Operation {
  /** The first version. */
  CREATE,
  /** An engine client opened the namespace: nothing but a new epoch. */
  OPEN,
  /** Rows were added to the WAL. */
  WRITE,
  /** WAL rows became SSTs. */
  FLUSH,
  /** SSTs were merged, rewritten or dropped. */
  COMPACT,
  /** SSTs were added from outside the engine. */
  LOAD,
  /** Only the declared schema or something without rows changed. */
  OTHER;

  private static final String BULK = "bulk/";

  /** Lower-case name, as the {@code snapshots} table shows it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The job whose folder has the files that a commit added; empty if it added none of a job. */
  static Optional<String> job(Committed before, Committed after) {
    Set<UUID> was = ids(before.manifest());
    return after.manifest().ssts().stream()
        .filter(sst -> !was.contains(sst.id()) && sst.path().startsWith(BULK))
        .map(sst -> sst.path().substring(BULK.length()))
        .filter(path -> path.indexOf('/') > 0)
        .map(path -> path.substring(0, path.indexOf('/')))
        .findFirst();
  }

  static Operation between(Committed before, Committed after) {
    Manifest old = before.manifest();
    Manifest now = after.manifest();
    Set<UUID> was = ids(old);
    Set<UUID> is = ids(now);
    boolean added = false;
    boolean bulk = false;
    for (SstDescriptor sst : now.ssts()) {
      if (!was.contains(sst.id())) {
        added = true;
        bulk |= sst.path().startsWith(BULK);
      }
    }
    boolean removed = !is.containsAll(was);
    Set<Long> walWas = seqs(old);
    Set<Long> walIs = seqs(now);
    if (bulk) {
      return LOAD;
    }
    if (!walWas.containsAll(walIs)) {
      return WRITE;
    }
    if (!walIs.containsAll(walWas)) {
      return FLUSH;
    }
    if (removed) {
      return COMPACT;
    }
    if (added) {
      return LOAD;
    }
    if (now.layout() == Layout.SINGLE_OBJECT) {
      // Every commit has an epoch of its own there, so it tells nothing.
      return OTHER;
    }
    return old.epoch() != now.epoch() && old.schema().equals(now.schema()) ? OPEN : OTHER;
  }

  private static Set<UUID> ids(Manifest manifest) {
    Set<UUID> out = new HashSet<>();
    for (SstDescriptor sst : manifest.ssts()) {
      out.add(sst.id());
    }
    return out;
  }

  private static Set<Long> seqs(Manifest manifest) {
    Set<Long> out = new HashSet<>();
    for (WalSegment segment : manifest.walSegments()) {
      out.add(segment.seq());
    }
    return out;
  }
}
