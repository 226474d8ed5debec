package com.namidb.format.log;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.FileErrors;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.StoreException;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * One publication in the single-object layout as a state machine: base archived if absent, manifest
 * replaced if it still is the base. An answer that is not clear is settled by reading: the version
 * is ours if it carries our writer id, which no other attempt has. Every state makes at most two
 * requests and names its successor. Source: single-object manifest, "Commit".
 */
final class SingleObjectPublish {
  private static final int TRIES = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);
  // Nothing as young as this is ever collected.
  private static final Duration UNCOLLECTED = Duration.ofMinutes(10);

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final CommitTiming timing;
  private final ManifestJson json;
  private final Manifest base;
  private final Manifest next;
  private final String etag;
  private final byte[] bytes;
  private int archiveTries;
  private int replaceTries;
  private Long firstSent;
  private boolean mayArrive;
  private boolean refused;
  private PublishResult result;
  private String written;

  /** The store and how to read what is in it. */
  record Access(NamespacePaths paths, ObjectStore store, CommitTiming timing, ManifestJson json) {}

  /**
   * Makes no request.
   *
   * @param base what is to be replaced, with the tag it was read or written with
   */
  SingleObjectPublish(Access access, KnownTags.Tag base, Manifest next) {
    paths = access.paths;
    store = access.store;
    timing = access.timing;
    json = access.json;
    this.base = base.committed().manifest();
    etag = base.etag();
    this.next = next;
    bytes = next.toBytes();
  }

  /** Tag of the manifest with our bytes, {@code null} if it is not known or not current. */
  String etag() {
    return written;
  }

  /** Publishes. */
  PublishResult run(CommitProbe probe) {
    CommitState state = CommitState.PUT_ARCHIVE;
    while (state != CommitState.DONE) {
      probe.at(state);
      state =
          switch (state) {
            case PUT_ARCHIVE -> putArchive();
            case SETTLE_ARCHIVE -> settleArchive();
            case REPLACE_MANIFEST -> replace();
            case SETTLE_MANIFEST -> settle();
            default -> throw new IllegalStateException("no step of this layout: " + state);
          };
    }
    return result;
  }

  private CommitState putArchive() {
    archiveTries++;
    return put(() -> store.putIfAbsent(paths.archive(base.version()), base.toBytes()))
            instanceof PutResult.Written
        ? CommitState.REPLACE_MANIFEST
        : CommitState.SETTLE_ARCHIVE;
  }

  /** Whoever read the base archives the same bytes; an own archive is no step towards a commit. */
  private CommitState settleArchive() {
    String key = paths.archive(base.version());
    Read there = read(key);
    if (!there.failed && there.object.isPresent()) {
      if (Arrays.equals(there.object.get().bytes(), base.toBytes())) {
        return CommitState.REPLACE_MANIFEST;
      }
      return failed(
          FileErrors.damaged("Archived manifest", key, "it is not the version that was committed")
              .at(Where.version(paths.namespace(), base.version())));
    }
    if (there.failed || archiveTries == TRIES) {
      return failed(
          StoreErrors.failed("archive the current manifest; nothing was published", key, null));
    }
    timing.sleeper().sleep(PAUSE);
    return CommitState.PUT_ARCHIVE;
  }

  private CommitState replace() {
    replaceTries++;
    if (firstSent == null) {
      firstSent = timing.nanos().getAsLong();
    }
    // Always the identical bytes under the same condition: whichever of them arrives, it is one
    // version, and none can arrive on another base.
    PutResult put = put(() -> store.putIfMatch(paths.manifest(), bytes, etag));
    if (put instanceof PutResult.Written w) {
      return committed(w.etag());
    }
    refused = put instanceof PutResult.Refused;
    mayArrive |= !refused;
    return CommitState.SETTLE_MANIFEST;
  }

  private CommitState settle() {
    Read there = read(paths.manifest());
    if (there.failed) {
      return unknown("the manifest may have been replaced and cannot be read back");
    }
    if (there.object.isEmpty()) {
      return unknown("the manifest is not there any more");
    }
    StoredObject object = there.object.get();
    if (object.meta().etag().equals(etag) || Arrays.equals(object.bytes(), base.toBytes())) {
      return unchanged();
    }
    Manifest now;
    try {
      now = json.read(paths.manifest(), object.bytes());
      if (isOurs(now)) {
        return committed(object.meta().etag());
      }
      if (Long.compareUnsigned(now.version(), next.version()) > 0) {
        return overtaken(now);
      }
    } catch (NamiException e) {
      return unknown("the manifest that stands there now cannot be read: " + e.getMessage());
    }
    return end(new PublishResult.Lost(now.version()));
  }

  /** The base still stands. */
  private CommitState unchanged() {
    if (refused && !mayArrive) {
      // Nothing was changed and nothing is under way; asking again would be asking for ever.
      return failed(
          CommitErrors.unsafe(
              new Where(paths.namespace(), next.version(), paths.manifest(), null),
              "it refused to replace an object that still has the tag it was asked to have"));
    }
    if (refused || replaceTries == TRIES) {
      return unknown(
          "the manifest is still that of version "
              + Long.toUnsignedString(base.version())
              + ", but a request to replace it may be under way");
    }
    timing.sleeper().sleep(PAUSE);
    return CommitState.REPLACE_MANIFEST;
  }

  /** Later versions stand there: ours is among them or not. */
  private CommitState overtaken(Manifest now) {
    Read there = read(paths.archive(next.version()));
    if (there.failed) {
      return unknown("the version in our place cannot be read");
    }
    if (there.object.isPresent()) {
      Manifest archived = json.read(paths.archive(next.version()), there.object.get().bytes());
      return isOurs(archived) ? committed(null) : end(new PublishResult.Lost(now.version()));
    }
    // Collected since. What we added may still be listed.
    Set<UUID> added = new HashSet<>();
    next.ssts().forEach(sst -> added.add(sst.id()));
    base.ssts().forEach(sst -> added.remove(sst.id()));
    if (now.ssts().stream().map(SstDescriptor::id).anyMatch(added::contains)) {
      return committed(null);
    }
    if (timing.nanos().getAsLong() - firstSent < UNCOLLECTED.toNanos()) {
      // A version of ours would be too young to be collected: our place was used long ago.
      return end(new PublishResult.Lost(now.version()));
    }
    return unknown(
        "version "
            + Long.toUnsignedString(now.version())
            + " is current, and the one in our place is collected");
  }

  private boolean isOurs(Manifest manifest) {
    return manifest.version() == next.version() && manifest.writerId().equals(next.writerId());
  }

  private CommitState committed(String tag) {
    written = tag;
    ManifestRef ref =
        new ManifestRef(next.version(), next.epoch(), next.writerId(), next.createdAtMicros());
    return end(new PublishResult.Committed(ref, List.of()));
  }

  private CommitState failed(NamiException reason) {
    return end(new PublishResult.Failed(reason));
  }

  private CommitState unknown(String evidence) {
    return end(
        new PublishResult.Unknown(
            "publishing version " + Long.toUnsignedString(next.version()) + ": " + evidence));
  }

  private CommitState end(PublishResult outcome) {
    result = outcome;
    return CommitState.DONE;
  }

  private interface Put {
    PutResult send();
  }

  /** A failure may hide a success, so it counts as unclear. */
  private static PutResult put(Put put) {
    try {
      return put.send();
    } catch (StoreException e) {
      return new PutResult.Unclear(e.getMessage());
    }
  }

  private Read read(String key) {
    for (int i = 1; ; i++) {
      try {
        return new Read(store.get(key), false);
      } catch (StoreException e) {
        if (i == TRIES) {
          return new Read(Optional.empty(), true);
        }
        timing.sleeper().sleep(PAUSE);
      }
    }
  }

  private record Read(Optional<StoredObject> object, boolean failed) {}
}
