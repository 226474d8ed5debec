package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.snapshot.Snapshot;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lease that ends at a certain age, because a forgotten one would keep files for ever. */
final class AgedLease implements Lease {
  private static final Logger LOG = LoggerFactory.getLogger(AgedLease.class);
  private final Lease lease;
  private final Snapshot snapshot;
  private final Duration maxAge;
  private final Clock clock;
  private final long endsMillis;
  private volatile boolean over;

  AgedLease(Lease lease, Snapshot snapshot, Duration maxAge, Clock clock) {
    this.lease = lease;
    this.snapshot = snapshot;
    this.maxAge = maxAge;
    this.clock = clock;
    this.endsMillis = clock.millis() + maxAge.toMillis();
  }

  boolean isOver() {
    return over;
  }

  @Override
  public String id() {
    return lease.id();
  }

  @Override
  public long renewAfterMillis() {
    return Math.max(0, Math.min(lease.renewAfterMillis(), endsMillis - clock.millis()));
  }

  @Override
  public boolean renew() {
    // Asked at every renewal, because asking forgets sessions that are gone.
    LOG.debug("Renewing the pin of {}; sessions with pins: {}", snapshot, NotebookPins.sessions());
    if (clock.millis() >= endsMillis) {
      over = true;
      lease.release();
      return false;
    }
    return lease.renew();
  }

  @Override
  public NamiException lost() {
    return over
        ? SnapshotErrors.pinTooOld(
            snapshot.location().paths().namespace(), snapshot.version(), maxAge)
        : lease.lost();
  }

  @Override
  public void release() {
    lease.release();
  }
}
