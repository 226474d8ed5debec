package com.namidb.spark.options;

import com.namidb.format.error.ReadErrors;
import com.namidb.format.snapshot.SnapshotSelector;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;

/**
 * Which version a read wants, from {@code versionAsOf}, {@code snapshot-id}, {@code timestampAsOf}.
 */
final class VersionOptions {
  static final String VERSION = "versionAsOf";
  static final String SNAPSHOT = "snapshot-id";
  static final String TIMESTAMP = "timestampAsOf";
  static final String CHANGES_FROM = "changes-from";
  static final String CHANGES_TO = "changes-to";

  private static final int SECONDS_DIGITS = 11;
  private static final int MILLIS_DIGITS = 14;
  private static final int EPOCH_MIN_DIGITS = 9;
  private static final int EPOCH_MAX_DIGITS = 18;

  private VersionOptions() {}

  static SnapshotSelector selector(OptionReader options, ZoneId zone) {
    Optional<Long> version = options.own(VERSION).map(t -> parseVersion(VERSION, t));
    Optional<Long> snapshot = options.own(SNAPSHOT).map(t -> parseVersion(SNAPSHOT, t));
    Optional<String> time = options.own(TIMESTAMP);
    if (version.isPresent() && snapshot.isPresent() && !version.equals(snapshot)) {
      throw ReadErrors.conflict(
          "Options 'versionAsOf' and 'snapshot-id' name different versions", "Keep one of them.");
    }
    Optional<Long> wanted = version.or(() -> snapshot);
    if (wanted.isPresent() && time.isPresent()) {
      throw ReadErrors.conflict(
          "A version and 'timestampAsOf' are given together", "Keep one of them.");
    }
    if (wanted.isPresent()) {
      return new SnapshotSelector.AtVersion(wanted.get());
    }
    return time.<SnapshotSelector>map(t -> new SnapshotSelector.AtTime(parseTime(t, zone)))
        .orElseGet(SnapshotSelector.Latest::new);
  }

  /**
   * The earlier version of a read of changes, empty for a plain read.
   *
   * @throws com.namidb.format.error.InvalidOptionException if the options contradict each other
   */
  static Optional<Long> changesFrom(OptionReader options) {
    Optional<Long> from = options.own(CHANGES_FROM).map(t -> parseVersion(CHANGES_FROM, t));
    if (from.isEmpty() && options.own(CHANGES_TO).isPresent()) {
      throw ReadErrors.missing(
          "Option 'changes-to' is given without 'changes-from'",
          "Name the version to compare with, or read one version with 'versionAsOf'.");
    }
    return from;
  }

  /** The later version of a read of changes: the newest one unless it is named. */
  static SnapshotSelector changesTo(OptionReader options) {
    for (String name : List.of(VERSION, SNAPSHOT, TIMESTAMP)) {
      if (options.own(name).isPresent()) {
        throw ReadErrors.conflict(
            "Options 'changes-from' and '" + name + "' are given together",
            "Changes are between the versions named by 'changes-from' and 'changes-to'.");
      }
    }
    return options
        .own(CHANGES_TO)
        .<SnapshotSelector>map(t -> new SnapshotSelector.AtVersion(parseVersion(CHANGES_TO, t)))
        .orElseGet(SnapshotSelector.Latest::new);
  }

  static long parseVersion(String name, String text) {
    String s = text.strip();
    try {
      if (!s.isEmpty() && s.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Long.parseUnsignedLong(s);
      }
    } catch (NumberFormatException e) {
      // More than 64 bits: reported below like any other text that is no version.
    }
    throw ReadErrors.badValue(name, text, "a version number such as 42");
  }

  /**
   * Microseconds since 1970 UTC. Text as Spark casts it to a timestamp, in the session's zone if it
   * names none; nine or more digits are an epoch: up to 11 seconds, up to 14 milliseconds, else
   * microseconds.
   */
  static long parseTime(String text, ZoneId zone) {
    String s = text.strip();
    int n = s.length();
    if (n >= EPOCH_MIN_DIGITS
        && n <= EPOCH_MAX_DIGITS
        && s.chars().allMatch(c -> c >= '0' && c <= '9')) {
      long number = Long.parseLong(s);
      return n <= SECONDS_DIGITS
          ? number * 1_000_000
          : n <= MILLIS_DIGITS ? number * 1_000 : number;
    }
    Option<Object> micros = DateTimeUtils.stringToTimestamp(UTF8String.fromString(s), zone);
    if (micros.isEmpty()) {
      throw ReadErrors.badValue(
          TIMESTAMP, text, "a time such as 2026-11-29 08:30:00, 2026-11-29T08:30:00Z or an epoch");
    }
    return (Long) micros.get();
  }
}
