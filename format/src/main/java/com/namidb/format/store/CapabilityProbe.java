package com.namidb.format.store;

import static com.namidb.format.store.StoreCapabilities.CREATE;
import static com.namidb.format.store.StoreCapabilities.REPLACE;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.StoreException;
import com.namidb.format.store.StoreCapabilities.Check;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Finds out with scratch objects whether a store honours the two conditions commits are built on:
 * first one request after the other, then with several writers at once, because some stores check
 * and write in two steps. The objects are deleted at the end. Source: design §6.1.
 */
public final class CapabilityProbe {
  /** Enough to find a store that loses a race now and then. */
  public static final int THOROUGH_ROUNDS = 150;

  private static final int WRITERS = 8;
  private static final int TRIES = 5;

  private final ObjectStore store;
  private final String folder;
  private final List<Check> checks = new ArrayList<>();
  private final List<String> used = new ArrayList<>();

  /**
   * Makes no request yet.
   *
   * @param folder prefix with a trailing slash below which nobody looks for anything
   */
  public CapabilityProbe(ObjectStore store, String folder) {
    this.store = store;
    this.folder = folder + "probe-" + UUID.randomUUID() + "/";
  }

  /**
   * Probes. Once per object.
   *
   * @param rounds contests per condition; each costs nine requests and a delete
   * @throws StoreException if a request fails, or the store gives no clear answer
   */
  public StoreCapabilities run(int rounds) {
    try {
      creating();
      replacing();
      // A store that ignores conditions need not be asked how it does so under contention.
      if (checks.stream().allMatch(Check::honoured)) {
        contests(rounds);
      }
      return new StoreCapabilities(checks);
    } finally {
      clean();
    }
  }

  private void creating() {
    String key = key("create");
    PutResult first = clear(() -> store.putIfAbsent(key, bytes("first")), key, "first");
    tell(CREATE, "a new object", holds(key, "first"), first);
    PutResult second = clear(() -> store.putIfAbsent(key, bytes("second")), key, "second");
    tell(CREATE, "one that exists", isRefused(second) && holds(key, "first"), second);
  }

  private void replacing() {
    String key = key("replace");
    clear(() -> store.putIfAbsent(key, bytes("first")), key, "first");
    String tag = tag(key);
    PutResult right = clear(() -> store.putIfMatch(key, bytes("second"), tag), key, "second");
    tell(REPLACE, "with the current tag", holds(key, "second"), right);
    PutResult stale = clear(() -> store.putIfMatch(key, bytes("third"), tag), key, "third");
    tell(REPLACE, "with an older tag", isRefused(stale) && holds(key, "second"), stale);
    String none = key("missing");
    PutResult gone = clear(() -> store.putIfMatch(none, bytes("first"), tag), none, "first");
    boolean absent = store.get(none).isEmpty();
    tell(REPLACE, "of what is not there", isRefused(gone) && absent, gone);
  }

  private void contests(int rounds) {
    try (ProbeContest contest = new ProbeContest(store, WRITERS)) {
      String replaced = key("contested");
      clear(() -> store.putIfAbsent(replaced, bytes("first")), replaced, "first");
      Optional<String> create = Optional.empty();
      Optional<String> replace = Optional.empty();
      // In turns, so that a store which breaks one of them is found out early.
      for (int i = 0; i < rounds && create.isEmpty() && replace.isEmpty(); i++) {
        String key = key("contest-" + i);
        create = contest.round(key, body -> store.putIfAbsent(key, body));
        String tag = tag(replaced);
        replace = contest.round(replaced, body -> store.putIfMatch(replaced, body, tag));
      }
      contested(CREATE, rounds, create);
      contested(REPLACE, rounds, replace);
    }
  }

  private void contested(String condition, int rounds, Optional<String> flaw) {
    checks.add(
        new Check(
            condition,
            WRITERS + " writers at once",
            flaw.isEmpty(),
            flaw.orElse("at most one winner in each of up to " + rounds + " rounds")));
  }

  /** Repeats what got no clear answer and had no effect; an effect counts as written. */
  private PutResult clear(Supplier<PutResult> put, String key, String body) {
    String last = "";
    for (int i = 0; i < TRIES; i++) {
      PutResult result = put.get();
      if (!(result instanceof PutResult.Unclear unclear)) {
        return result;
      }
      last = unclear.cause();
      if (holds(key, body)) {
        return new PutResult.Written("");
      }
    }
    throw StoreErrors.failed("answer a conditional write: " + last, key, null);
  }

  private void tell(String condition, String name, boolean honoured, PutResult result) {
    String answer = isRefused(result) ? "refused" : "written";
    checks.add(
        new Check(
            condition,
            name,
            honoured,
            honoured ? answer : "it answered '" + answer + "' to a write that must end otherwise"));
  }

  private static boolean isRefused(PutResult result) {
    return result instanceof PutResult.Refused;
  }

  private boolean holds(String key, String body) {
    return store.get(key).filter(o -> Arrays.equals(o.bytes(), bytes(body))).isPresent();
  }

  private String tag(String key) {
    return store
        .get(key)
        .orElseThrow(() -> StoreErrors.failed("show an object just written", key, null))
        .meta()
        .etag();
  }

  private String key(String name) {
    String key = folder + name;
    used.add(key);
    return key;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What stays behind does no harm. */
  private void clean() {
    try {
      used.forEach(store::delete);
    } catch (StoreException e) {
      return; // the probe's answer does not depend on it
    }
  }
}
