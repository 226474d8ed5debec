package com.namidb.format.log;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.StoreException;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.ManifestPointer;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Replaces the advisory copy after a commit, and finds out on that occasion whether the commit is
 * on the line that others follow: a writer that was stalled until its place was collected creates a
 * pointer that nobody will ever see. Source: protocol §4.4.
 */
final class HintPublish {
  private static final int TRIES = 4;

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final Manifest next;
  private final Set<UUID> added = new HashSet<>();
  private final List<String> warnings = new ArrayList<>();

  /**
   * What came out.
   *
   * @param result the publication's result
   * @param etag tag of the advisory copy with our pointer, {@code null} if unknown
   */
  record Outcome(PublishResult result, String etag) {}

  HintPublish(NamespacePaths paths, ObjectStore store, Committed base, Manifest next) {
    this.paths = paths;
    this.store = store;
    this.next = next;
    next.ssts().forEach(sst -> added.add(sst.id()));
    for (SstDescriptor sst : base.manifest().ssts()) {
      added.remove(sst.id());
    }
  }

  /**
   * Writes it.
   *
   * @param known tag it was last seen with, {@code null} if unknown
   */
  Outcome run(byte[] pointer, String known, CommitProbe probe) {
    String etag = known;
    try {
      for (int i = 0; i < TRIES; i++) {
        if (etag != null) {
          probe.at(CommitState.PUT_HINT);
          PutResult put =
              etag.isEmpty()
                  ? store.putIfAbsent(paths.currentHint(), pointer)
                  : store.putIfMatch(paths.currentHint(), pointer, etag);
          if (put instanceof PutResult.Written written) {
            return committed(written.etag());
          }
        }
        probe.at(CommitState.SETTLE_HINT);
        Optional<StoredObject> hint = store.get(paths.currentHint());
        long named = hint.isEmpty() ? -1 : version(hint.get());
        if (hint.isPresent() && named == next.version()) {
          return committed(hint.get().meta().etag());
        }
        if (hint.isPresent() && named != -1 && Long.compareUnsigned(named, next.version()) > 0) {
          return overtaken(named);
        }
        etag = hint.isEmpty() ? "" : hint.get().meta().etag();
      }
      warnings.add("the advisory copy " + paths.currentHint() + " kept changing");
    } catch (StoreException e) {
      warnings.add("the advisory copy was not replaced: " + e.getMessage());
    }
    return committed(null);
  }

  private Outcome committed(String etag) {
    ManifestRef ref =
        new ManifestRef(next.version(), next.epoch(), next.writerId(), next.createdAtMicros());
    return new Outcome(new PublishResult.Committed(ref, warnings), etag);
  }

  /** Somebody stands on a later version already: on ours, or past us. */
  private Outcome overtaken(long named) {
    String key = paths.body(next.version() + 1);
    Optional<StoredObject> successor = store.get(key);
    if (successor.isEmpty()) {
      // Versions are collected from the low end only. Ours still stands, so it is not of those: our
      // place was taken, used and collected before we came, and nobody follows our pointer.
      return store.head(paths.pointer(next.version())).isPresent()
          ? new Outcome(new PublishResult.Lost(named), null)
          : unknown("versions up to " + u(named) + " followed, and ours is collected since");
    }
    Manifest later;
    try {
      later = ManifestJson.versioned().read(key, successor.get().bytes());
    } catch (NamiException e) {
      return unknown("the version after ours cannot be read: " + e.getMessage());
    }
    if (later.ssts().stream().anyMatch(sst -> added.contains(sst.id()))) {
      return committed(null);
    }
    if (isBehindFloor()) {
      return new Outcome(new PublishResult.Lost(named), null);
    }
    return unknown(
        "version "
            + u(named)
            + " is current, and the version after ours lists none of our files: they were compacted"
            + " at once, or it stands on another version "
            + u(next.version()));
  }

  /**
   * Whether our pointer came after versions up to ours had been given up, by the store's clock:
   * then another version of that number had been committed, and ours is a fork.
   */
  private boolean isBehindFloor() {
    Optional<Floor> floor = Floor.read(paths, store);
    Optional<ObjectMeta> raised = store.head(paths.bulkFloor());
    Optional<ObjectMeta> pointer = store.head(paths.pointer(next.version()));
    return floor.isPresent()
        && floor.get().covers(next.version())
        && raised.isPresent()
        && pointer.isPresent()
        && pointer.get().modifiedMillis() > raised.get().modifiedMillis();
  }

  private Outcome unknown(String evidence) {
    return new Outcome(new PublishResult.Unknown(evidence), null);
  }

  private static long version(StoredObject hint) {
    try {
      return ManifestPointer.parse(hint.meta().key(), hint.bytes()).version();
    } catch (CorruptObjectException e) {
      // Only advice, and not even that: replaced like an older one.
      return -1;
    }
  }

  private static String u(long number) {
    return Long.toUnsignedString(number);
  }
}
