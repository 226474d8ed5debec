package com.namidb.format.log;

import com.namidb.format.error.StoreException;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.ManifestJson;
import com.namidb.format.manifest.ManifestPointer;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * One publication in the engine's layout as a state machine: body if absent, pointer if absent,
 * hint if unchanged. An answer that is not clear is settled by reading and comparing whole bytes.
 * Every state makes at most two requests and names its successor. Source: manifest §4.7 R13,
 * protocol §4.
 */
final class PointerPublish {
  private static final int TRIES = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);
  // An open by the engine may remove a body it could not adopt: look again after so long.
  private static final Duration BODY_SEEN = Duration.ofSeconds(5);

  private final NamespacePaths paths;
  private final ObjectStore store;
  private final CommitTiming timing;
  private final long version;
  private final byte[] body;
  private final byte[] pointer;
  private long bodySeen;
  private boolean mayArrive;
  private int bodyTries;
  private int pointerTries;
  private Long waitingSince;
  private PublishResult result;

  PointerPublish(NamespacePaths paths, ObjectStore store, CommitTiming timing, Manifest next) {
    this.paths = paths;
    this.store = store;
    this.timing = timing;
    version = next.version();
    body = ManifestJson.versioned().write(next);
    pointer = new ManifestPointer(version, next.epoch(), paths.body(version)).toBytes();
  }

  byte[] pointer() {
    return pointer;
  }

  /**
   * Takes the version's place, up to and including the pointer.
   *
   * @return empty if it is ours and committed, else what became of it
   */
  Optional<PublishResult> take(CommitProbe probe) {
    CommitState state = CommitState.PUT_BODY;
    while (state != CommitState.PUT_HINT && state != CommitState.DONE) {
      probe.at(state);
      state =
          switch (state) {
            case PUT_BODY -> putBody();
            case SETTLE_BODY -> settleBody();
            case AWAIT_POINTER -> awaitPointer();
            case PUT_POINTER -> putPointer();
            case SETTLE_POINTER -> settlePointer();
            default -> throw new IllegalStateException("not a step of taking a place: " + state);
          };
    }
    return Optional.ofNullable(result);
  }

  private CommitState putBody() {
    bodyTries++;
    PutResult put = put(paths.body(version), body);
    if (put instanceof PutResult.Written) {
      bodySeen = timing.nanos().getAsLong();
      return CommitState.PUT_POINTER;
    }
    mayArrive |= put instanceof PutResult.Unclear;
    return CommitState.SETTLE_BODY;
  }

  private CommitState settleBody() {
    Read read = read(paths.body(version));
    if (read.failed()) {
      return end(
          mayArrive
              ? new PublishResult.Unknown(
                  "the body of version " + u() + " may have been written and cannot be read back")
              : new PublishResult.Unknown(
                  "the place of version " + u() + " is taken and cannot be read"));
    }
    if (read.isOurs(body)) {
      bodySeen = timing.nanos().getAsLong();
      return CommitState.PUT_POINTER;
    }
    if (read.object.isPresent()) {
      return CommitState.AWAIT_POINTER;
    }
    if (bodyTries == TRIES) {
      return end(
          new PublishResult.Unknown(
              "the body of version " + u() + " was not accepted and is not there either"));
    }
    timing.sleeper().sleep(PAUSE);
    return CommitState.PUT_BODY;
  }

  private CommitState awaitPointer() {
    long now = timing.nanos().getAsLong();
    if (waitingSince == null) {
      waitingSince = now;
    }
    Optional<Boolean> there = exists(paths.pointer(version));
    if (there.isPresent() && there.get()) {
      return end(new PublishResult.Lost(version));
    }
    // Pauses return at once in an interrupted thread: give up instead of asking without end.
    boolean interrupted = Thread.currentThread().isInterrupted();
    if (interrupted || now - waitingSince >= timing.patience().toNanos()) {
      return end(new PublishResult.Stalled(version));
    }
    timing.sleeper().sleep(PAUSE);
    // The engine may have removed the body meanwhile: then the place is free again.
    return there.isPresent() && exists(paths.body(version)).equals(Optional.of(false))
        ? CommitState.PUT_BODY
        : CommitState.AWAIT_POINTER;
  }

  private CommitState putPointer() {
    if (timing.nanos().getAsLong() - bodySeen > BODY_SEEN.toNanos()) {
      return CommitState.SETTLE_BODY;
    }
    pointerTries++;
    return put(paths.pointer(version), pointer) instanceof PutResult.Written
        ? CommitState.PUT_HINT
        : CommitState.SETTLE_POINTER;
  }

  private CommitState settlePointer() {
    Read there = read(paths.pointer(version));
    if (there.failed()) {
      return end(unread("pointer"));
    }
    if (there.object.isPresent()) {
      Read stored = read(paths.body(version));
      if (stored.failed() || stored.object.isEmpty()) {
        return end(unread("body"));
      }
      return stored.isOurs(body) ? CommitState.PUT_HINT : end(new PublishResult.Lost(version));
    }
    if (pointerTries == TRIES) {
      return end(
          new PublishResult.Unknown(
              "the pointer of version " + u() + " was not accepted and is not there either"));
    }
    timing.sleeper().sleep(PAUSE);
    return CommitState.SETTLE_BODY;
  }

  private PublishResult unread(String what) {
    return new PublishResult.Unknown(
        "our body of version " + u() + " was written, but its " + what + " cannot be read back");
  }

  private CommitState end(PublishResult outcome) {
    result = outcome;
    return CommitState.DONE;
  }

  private String u() {
    return Long.toUnsignedString(version);
  }

  /** A failure may hide a success, so it counts as unclear. */
  private PutResult put(String key, byte[] bytes) {
    try {
      return store.putIfAbsent(key, bytes);
    } catch (StoreException e) {
      return new PutResult.Unclear(e.getMessage());
    }
  }

  private Optional<Boolean> exists(String key) {
    try {
      return Optional.of(store.head(key).isPresent());
    } catch (StoreException e) {
      return Optional.empty();
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

  private record Read(Optional<StoredObject> object, boolean failed) {
    boolean isOurs(byte[] bytes) {
      return object.isPresent() && Arrays.equals(object.get().bytes(), bytes);
    }
  }
}
