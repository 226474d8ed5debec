package com.namidb.format.stage;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.StoredObject;
import java.util.Arrays;
import java.util.Optional;

/** {@code state.json}: changes by compare-and-set only. Source: protocol §2. */
final class StateObject {
  private static final int TRIES = 4;

  private final ObjectStore store;
  private final String key;
  private String etag = "";
  private JobState state;

  StateObject(ObjectStore store, String key) {
    this.store = store;
    this.key = key;
  }

  /** What is stored, empty if there is none. */
  Optional<JobState> load() {
    Optional<StoredObject> object = store.get(key);
    etag = object.map(o -> o.meta().etag()).orElse("");
    state = object.map(o -> JobState.parse(key, o.bytes())).orElse(null);
    return Optional.ofNullable(state);
  }

  JobState state() {
    return state;
  }

  /**
   * Replaces what was last seen.
   *
   * @return false if somebody else changed it; that state is loaded now
   */
  boolean swap(JobState next) {
    byte[] bytes = next.toBytes();
    for (int i = 0; i < TRIES; i++) {
      String seen = etag;
      PutResult put =
          seen.isEmpty() ? store.putIfAbsent(key, bytes) : store.putIfMatch(key, bytes, seen);
      if (put instanceof PutResult.Written written) {
        etag = written.etag();
        state = next;
        return true;
      }
      Optional<StoredObject> now = store.get(key);
      if (now.isPresent() && Arrays.equals(now.get().bytes(), bytes)) {
        etag = now.get().meta().etag();
        state = next;
        return true;
      }
      if (!now.map(o -> o.meta().etag()).orElse("").equals(seen)) {
        load();
        return false;
      }
    }
    throw StoreErrors.failed("change a job's state", key, null);
  }
}
