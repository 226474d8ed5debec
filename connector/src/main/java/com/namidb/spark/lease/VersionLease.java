package com.namidb.spark.lease;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.SnapshotErrors;
import com.namidb.format.error.SnapshotGoneException;
import com.namidb.format.error.StoreException;
import com.namidb.format.error.Where;
import com.namidb.format.snapshot.PinLease;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.OpenNamespace;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease object below {@code manifest/pins/} on behalf of one application. A lost lease is
 * replaced if every file of the version is still there. Source: manifest §6.5, protocol §8.
 */
final class VersionLease implements Lease {
  private static final Logger LOG = LoggerFactory.getLogger(VersionLease.class);
  private static final Duration TTL = Duration.ofMinutes(15);

  private final OpenNamespace opened;
  private final Snapshot snapshot;
  private final PinLease.Terms terms;
  private volatile PinLease lease;

  private VersionLease(OpenNamespace opened, Snapshot snapshot, PinLease.Terms terms) {
    this.opened = opened;
    this.snapshot = snapshot;
    this.terms = terms;
  }

  /** Puts the lease in place and makes sure that it came in time. */
  static Lease acquire(Snapshot snapshot, OpenNamespace opened, String application) {
    PinLease.Terms terms = new PinLease.Terms(TTL, "spark " + application, Clock.systemUTC());
    VersionLease out = new VersionLease(opened, snapshot, terms);
    try {
      out.lease = PinLease.acquire(opened.namespace(), snapshot, terms);
    } catch (StoreException e) {
      throw ReadErrors.leaseRefused(
          Where.version(snapshot.location().paths().namespace(), snapshot.version()), e);
    }
    return out;
  }

  @Override
  public String id() {
    return lease.pin().id();
  }

  @Override
  public long renewAfterMillis() {
    return TTL.toMillis() / 2;
  }

  @Override
  public boolean renew() {
    try {
      lease.renew();
      return true;
    } catch (SnapshotGoneException e) {
      return replace(e);
    } catch (StoreException e) {
      if (!lease.isLost()) {
        throw e;
      }
      return replace(e);
    }
  }

  private boolean replace(NamiException why) {
    try {
      lease = PinLease.acquire(opened.namespace(), snapshot, terms);
      LOG.warn("A lost lease on {} was replaced; all files are there", snapshot, why);
      return true;
    } catch (NamiException e) {
      e.addSuppressed(why);
      LOG.warn("A lost lease on {} could not be replaced", snapshot, e);
      return false;
    }
  }

  @Override
  public NamiException lost() {
    return SnapshotErrors.leaseLost(
        snapshot.location().paths().namespace(),
        snapshot.version(),
        snapshot.location().paths().pin(lease.pin().id()));
  }

  @Override
  public void release() {
    try {
      lease.release();
    } catch (StoreException e) {
      LOG.warn("A lease on {} could not be removed; it expires by itself", snapshot, e);
    }
  }
}
