package com.namidb.format.retention;

import com.namidb.format.log.CommitTimes;
import com.namidb.format.log.Floor;
import com.namidb.format.log.ManifestLog;
import com.namidb.format.snapshot.Pin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The oldest version that stays, and why: each rule may only make it lower. Source: protocol §7.
 */
final class Horizon {
  /** A holder's clock may be behind the store's by so much. */
  private static final long SKEW_SECONDS = 60;

  private final List<String> reasons = new ArrayList<>();
  private long version;

  /** Begins with the current version, which always stays. */
  Horizon(History history) {
    version = history.current();
    reasons.add("version " + u(version) + " is the current one");
  }

  long version() {
    return version;
  }

  /** What decided, the last word last. */
  List<String> reasons() {
    return reasons;
  }

  /** Keeps the newest versions. */
  void retainLast(int count, History history) {
    lower(history.oldestOf(count), "retain_last keeps " + count + " versions");
  }

  /**
   * Keeps what was current at or after a time by the store's clock: a version that was overtaken
   * only then, and all later ones. Versions at or below the floor are given up already; a fork that
   * a stalled writer left among them must not hold anything back.
   */
  void currentSince(long millis, History history, Optional<Floor> floor) {
    long v = history.oldest();
    while (v != history.current() && isOver(v, millis, history, floor)) {
      v++;
    }
    lower(v, "younger than the minimum age, or overtaken less than that ago");
  }

  private static boolean isOver(long v, long millis, History history, Optional<Floor> floor) {
    if (floor.isPresent() && floor.get().covers(v)) {
      return true;
    }
    return history.modifiedMillis(v) <= millis && history.modifiedMillis(v + 1) <= millis;
  }

  /** Keeps every time from this one on readable, by the commit times that readers see. */
  void readableSince(long micros, History history, ManifestLog log) {
    CommitTimes times = new CommitTimes(log);
    times.know(history.newest().ref());
    long oldest = history.oldest();
    lower(
        times.newestAt(micros, oldest, history.current()).orElse(oldest),
        "was the current one at older_than");
  }

  /** Keeps what leases name. */
  void pinned(List<Pin> pins, long nowMillis) {
    for (Pin pin : pins) {
      if (isLive(pin, nowMillis)) {
        lower(
            pin.version(),
            "lease "
                + pin.id()
                + (pin.owner().isEmpty() ? "" : " of " + pin.owner())
                + " keeps it readable");
      }
    }
  }

  /** Keeps what unfinished jobs need to be published or settled. */
  void neededBy(JobFolder folder, History history, Optional<Floor> floor) {
    OptionalLong needed = folder.needs();
    // What is gone or given up already cannot be kept, and what follows it does not help.
    if (needed.isPresent()
        && Long.compareUnsigned(needed.getAsLong() + 1, history.oldest()) >= 0
        && (floor.isEmpty() || !floor.get().covers(needed.getAsLong() + 1))) {
      lower(
          needed.getAsLong(),
          "job '"
              + folder.name()
              + "' was planned on it and is "
              + folder.job().orElseThrow().phase()
              + ": publish it, discard it, or let clean_staging do so");
    }
  }

  static boolean isLive(Pin pin, long nowMillis) {
    return pin.expiresAtUnix() + SKEW_SECONDS >= Math.floorDiv(nowMillis, 1000L);
  }

  private void lower(long to, String reason) {
    if (Long.compareUnsigned(to, version) < 0) {
      version = to;
      reasons.add("version " + u(to) + " stays: " + reason);
    }
  }

  private static String u(long number) {
    return Long.toUnsignedString(number);
  }
}
