package com.namidb.spark.lease;

import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.log.StoredVersions;
import com.namidb.format.snapshot.Location;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.spark.options.OpenNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSession;

/**
 * Versions that sessions are pinned to: every table of the namespace that a session loads without a
 * version is that version, whether named by a path or by a catalog, until it is unpinned. Each
 * session has pins of its own. Contract §4, protocol §10.
 *
 * <p>A pin ends when it is given up, when its time is over, when nobody can reach its session any
 * more, or with the application. Only Spark Connect tells when a session ends; the pins of that
 * session end with it.
 */
public final class NotebookPins {
  /** By session, compared by identity: Spark's sessions have no equality of their own. */
  private static final Map<SparkSession, Map<Place, SessionPin>> PINS = new WeakHashMap<>();

  private NotebookPins() {}

  /** A namespace, however its store is reached. */
  private record Place(String scheme, String place, String endpoint, String prefix) {
    static Place of(Location location) {
      return new Place(
          location.store().scheme(),
          location.store().place(),
          location.store().options().getOrDefault("s3.endpoint", ""),
          location.paths().prefix());
    }
  }

  /**
   * Pins a session; moves the pin it may have on the namespace. If this fails, the old pin stays.
   *
   * @param snapshot the version
   * @param opened its namespace
   * @param maxAge how long the pin lasts at most
   * @throws com.namidb.format.error.StoreException if the store does not let the lease be written
   * @throws com.namidb.format.error.SnapshotGoneException if the version's files are going already
   */
  public static PinnedVersion pin(
      SparkSession session, Snapshot snapshot, OpenNamespace opened, Duration maxAge) {
    SessionPin pin =
        new SessionPin(
            QueryLeases.of(session.sparkContext()),
            snapshot,
            opened,
            maxAge,
            ConnectSessions.operation(session.sparkContext()).orElse(""));
    pin.take();
    // Others must be able to open the version as well, and this driver may remember a body.
    StoredVersions stored = opened.namespace().log().stored();
    if (!stored.isStored(snapshot.version())) {
      pin.giveUp();
      throw SnapshotErrors.notComplete(
          snapshot.location().paths().namespace(),
          snapshot.version(),
          opened.namespace().log().current().ref().version(),
          stored.body(snapshot.version()));
    }
    SessionPin before;
    synchronized (PINS) {
      before =
          PINS.computeIfAbsent(session, s -> new HashMap<>())
              .put(Place.of(snapshot.location()), pin);
    }
    if (before != null) {
      before.giveUp();
    }
    return pin.told();
  }

  /** Ends a pin, also one that is lost; returns what was pinned. */
  public static Optional<PinnedVersion> unpin(SparkSession session, Location location) {
    SessionPin pin;
    synchronized (PINS) {
      Map<Place, SessionPin> ofSession = PINS.get(session);
      pin = ofSession == null ? null : ofSession.remove(Place.of(location));
    }
    if (pin == null) {
      return Optional.empty();
    }
    pin.giveUp();
    return Optional.of(pin.told());
  }

  /**
   * Ends the pins of a Spark Connect session; their leases go on another thread.
   *
   * @param operations what the tags of the session's operations begin with
   */
  static void ended(String operations) {
    List<SessionPin> pins = new ArrayList<>();
    synchronized (PINS) {
      PINS.values()
          .forEach(
              ofSession -> ofSession.values().removeIf(p -> p.isOf(operations) && pins.add(p)));
    }
    pins.forEach(SessionPin::giveUpSoon);
  }

  /**
   * What the active session is pinned to.
   *
   * @throws com.namidb.format.error.SnapshotGoneException if the pin is lost or its time is over
   */
  public static Optional<PinnedVersion> current(Location location) {
    return find(location).map(SessionPin::version);
  }

  /** What a session is pinned to, even if the pin is lost. */
  public static Optional<PinnedVersion> told(SparkSession session, Location location) {
    return find(session, location).map(SessionPin::told);
  }

  /**
   * The version a read of the active session takes.
   *
   * @param asked what the read itself says
   * @throws com.namidb.format.error.SnapshotGoneException if it says nothing, and the pin is lost
   */
  public static SnapshotSelector selector(Location location, SnapshotSelector asked) {
    return asked instanceof SnapshotSelector.Latest
        ? current(location)
            .<SnapshotSelector>map(p -> new SnapshotSelector.AtVersion(p.snapshot().version()))
            .orElse(asked)
        : asked;
  }

  /**
   * Refuses what changes rows that the active session sees as they were. A lost pin refuses as
   * well.
   *
   * @param what for the error, such as {@code "MERGE"}
   * @throws com.namidb.format.error.InvalidOptionException if the namespace is pinned
   */
  public static void refuseChange(Location location, String what) {
    find(location)
        .ifPresent(
            pin -> {
              throw WriteErrors.pinned(
                  what, location.paths().namespace(), pin.snapshot().version());
            });
  }

  /** The version under which rows written now are not visible, if there is one. */
  public static Optional<Long> hiding(Location location) {
    return find(location).map(pin -> pin.snapshot().version());
  }

  private static Optional<SessionPin> find(Location location) {
    return session().flatMap(s -> find(s, location));
  }

  private static Optional<SessionPin> find(SparkSession session, Location location) {
    synchronized (PINS) {
      return Optional.ofNullable(PINS.get(session))
          .map(ofSession -> ofSession.get(Place.of(location)));
    }
  }

  private static Optional<SparkSession> session() {
    scala.Option<SparkSession> active = SparkSession.getActiveSession();
    scala.Option<SparkSession> any = active.isDefined() ? active : SparkSession.getDefaultSession();
    return any.isDefined() ? Optional.of(any.get()) : Optional.empty();
  }

  /** How many sessions have pins; forgets those that nobody can use any more, and their pins. */
  static int sessions() {
    synchronized (PINS) {
      return PINS.size();
    }
  }
}
