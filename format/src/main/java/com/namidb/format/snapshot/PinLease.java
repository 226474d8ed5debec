package com.namidb.format.snapshot;

import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.log.Committed;
import com.namidb.format.log.Floor;
import com.namidb.format.manifest.PinBody;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps the files of one snapshot from being collected, by an object that expires. The holder calls
 * {@link #renew} when {@link #isRenewalDue}; nothing here starts a thread. Thread-safe. Source:
 * manifest §6.5, protocol §8.
 *
 * <p>The lease ends by the store's clock, as far as the time it stamps on the lease object tells
 * it, so a driver whose clock is off neither loses its files early nor keeps them for long.
 */
public final class PinLease {
  private static final Duration MAX_MARGIN = Duration.ofMinutes(1);
  private static final long TOLERATED_SKEW_MILLIS = 5_000;

  private final ObjectStore store;
  private final Snapshot snapshot;
  private final String id;
  private final Terms terms;
  private long skewMillis;
  // Read without the lock: asking about a lease must not wait for a renewal that hangs.
  private volatile long renewedMillis;
  private volatile long expiresAtUnix;
  private volatile boolean gone;

  /**
   * How a lease is held.
   *
   * @param ttl how long the lease outlives its last renewal; choose it longer than any pause of the
   *     driver
   * @param owner who holds it, for people who list leases
   * @param clock the driver's clock
   */
  public record Terms(Duration ttl, String owner, Clock clock) {}

  private PinLease(ObjectStore store, Snapshot snapshot, Terms terms) {
    this.store = store;
    this.snapshot = snapshot;
    this.id = UUID.randomUUID().toString();
    this.terms = terms;
  }

  /**
   * Puts a lease in place and then makes sure that it came in time: the snapshot is still the
   * current version, or above the version floor with everything it lists still there. Four
   * requests; for an older version one GET more, and a HEAD for each object that the current
   * version does not list as well.
   *
   * @throws com.namidb.format.error.SnapshotGoneException if a file is collected already; no lease
   *     is left behind
   */
  public static PinLease acquire(Namespace namespace, Snapshot snapshot, Terms terms) {
    PinLease lease = new PinLease(namespace.store(), snapshot, terms);
    try {
      lease.write();
      lease.learnSkew();
      lease.checkClosure(namespace);
    } catch (RuntimeException e) {
      try {
        lease.release();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    return lease;
  }

  /** The lease as it stands. */
  public Pin pin() {
    return new Pin(id, snapshot.version(), expiresAtUnix, terms.owner());
  }

  /** Whether half of the time has passed since the last renewal. */
  public boolean isRenewalDue() {
    return age() >= terms.ttl().toMillis() / 2;
  }

  /**
   * Whether the files are no longer protected for sure: the last renewal is older than the TTL less
   * one minute (less a quarter, if that is shorter), or the lease object was gone. Stays true.
   */
  public boolean isLost() {
    long ttl = terms.ttl().toMillis();
    if (age() > ttl - Math.min(MAX_MARGIN.toMillis(), ttl / 4)) {
      gone = true;
    }
    return gone;
  }

  /**
   * Extends the lease: one HEAD, one PUT. A lost lease is never revived: files may be gone that its
   * new life would seem to cover; acquire another one, which checks them.
   *
   * @throws com.namidb.format.error.SnapshotGoneException if the lease is lost
   * @throws com.namidb.format.error.StoreException if the store failed; try again until {@link
   *     #isLost}
   */
  public synchronized void renew() {
    if (!isLost() && store.head(key()).isEmpty()) {
      gone = true;
    }
    if (gone) {
      throw SnapshotErrors.leaseLost(
          snapshot.location().paths().namespace(), snapshot.version(), key());
    }
    write();
  }

  /** Ends the lease; nothing happens if it is gone already. */
  public synchronized void release() {
    gone = true;
    store.delete(key());
  }

  private String key() {
    return snapshot.location().paths().pin(id);
  }

  private long age() {
    return terms.clock().millis() - renewedMillis;
  }

  private synchronized void write() {
    long now = terms.clock().millis();
    long ends = Math.floorDiv(now + skewMillis + terms.ttl().toMillis(), 1000L);
    PutResult result =
        store.put(key(), new PinBody(snapshot.version(), ends, terms.owner()).toBytes());
    if (result instanceof PutResult.Unclear unclear) {
      throw StoreErrors.failed("write a lease: " + unclear.cause(), key(), null);
    }
    renewedMillis = now;
    expiresAtUnix = ends;
  }

  private synchronized void learnSkew() {
    ObjectMeta meta =
        store
            .head(key())
            .orElseThrow(() -> StoreErrors.failed("show a lease just written", key(), null));
    skewMillis = meta.modifiedMillis() - renewedMillis;
    if (Math.abs(skewMillis) > TOLERATED_SKEW_MILLIS) {
      write();
    } else {
      skewMillis = 0;
    }
  }

  private void checkClosure(Namespace namespace) {
    Committed current = namespace.log().current();
    if (current.ref().equals(snapshot.ref())) {
      return;
    }
    // Who collects raises the floor before it looks for leases: one that came too late meets it.
    Optional<Floor> floor = namespace.log().stored().floor();
    if (floor.isPresent() && floor.get().covers(snapshot.version())) {
      throw SnapshotErrors.belowFloor(
          snapshot.location().paths().namespace(),
          snapshot.version(),
          floor.get().version(),
          current.ref().version());
    }
    // What the current version lists as well is safe: no sweep passes the current version.
    Set<String> keys = ListedObjects.keys(snapshot.location().paths(), snapshot.manifest());
    keys.removeAll(ListedObjects.keys(snapshot.location().paths(), current.manifest()));
    for (String key : keys) {
      if (store.head(key).isEmpty()) {
        throw SnapshotErrors.notComplete(
            snapshot.location().paths().namespace(),
            snapshot.version(),
            current.ref().version(),
            key);
      }
    }
  }
}
