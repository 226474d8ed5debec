package com.namidb.format.commit;

import com.namidb.format.snapshot.Snapshot;
import java.util.List;

/**
 * What to respect when a job is published.
 *
 * @param read version the job read; {@code null} if it read none and any change is fine
 * @param isolation which changes since then are conflicts
 * @param footprint which rows the job reads or writes
 * @param checks rules, in order
 * @param winners compares winners, for {@link Isolation#SNAPSHOT}
 * @param retireSearch whether nodes may be added beside vector and text indexes
 */
public record PublishOrder(
    Snapshot read,
    Isolation isolation,
    Footprint footprint,
    List<PublishCheck> checks,
    WinnerLookup winners,
    boolean retireSearch) {
  /** Copies. */
  public PublishOrder {
    checks = List.copyOf(checks);
  }

  /** No conflict matters and nothing is checked: blind upserts. */
  public static PublishOrder blind() {
    return new PublishOrder(
        null, Isolation.SNAPSHOT, Footprint.ALL, List.of(), (s, b, f, n) -> List.of(), false);
  }

  /** The same, allowed to retire search generations. */
  public PublishOrder retiringSearch() {
    return new PublishOrder(read, isolation, footprint, checks, winners, true);
  }
}
