package com.namidb.format.commit;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.PartRules;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Conflicts of a job whose writes were planned on different versions: each part is compared with
 * the version it read, under the isolation it asked for. Source: protocol §6.
 */
public final class PartConflicts implements PublishCheck {
  private final Namespace namespace;
  private final ObjectStore store;
  private final WinnerLookup winners;
  private final Optional<Snapshot> held;

  /**
   * Makes no request.
   *
   * @param held a version that need not be read again, if a part was planned on it
   */
  public PartConflicts(
      Namespace namespace, ObjectStore store, WinnerLookup winners, Optional<Snapshot> held) {
    this.namespace = namespace;
    this.store = store;
    this.winners = winners;
    this.held = held;
  }

  /**
   * Finds nothing or throws.
   *
   * @throws com.namidb.format.error.CommitConflictException naming the version, and keys if known
   */
  @Override
  public List<String> problems(Snapshot base, StagedJob job) {
    Where where =
        new Where(namespace.location().paths().namespace(), base.version(), null, job.id());
    for (StagedPart part : job.parts()) {
      PartRules rules = part.rules();
      // An insert finds out on every base anew whether its ids are there: no other change matters.
      boolean blind = rules.rows() == PartRules.Rows.INSERT && !rules.serializable();
      boolean same = rules.read(base.version(), base.ref().writerId());
      // An overwrite without a row saw an empty table, and depends on it.
      boolean empty = part.files().isEmpty() && rules.rows() != PartRules.Rows.OVERWRITE;
      if (!blind && !same && !rules.readWriter().isEmpty() && !empty) {
        check(where, part, base);
      }
    }
    return List.of();
  }

  private void check(Where where, StagedPart part, Snapshot base) {
    PartRules rules = part.rules();
    Snapshot read =
        held.filter(s -> rules.read(s.version(), s.ref().writerId()))
            .orElseGet(() -> find(where, rules, base));
    PublishOrder order =
        new PublishOrder(
            read,
            rules.serializable() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
            footprint(rules),
            List.of(),
            winners,
            false);
    new Conflicts(namespace.log(), base.location().paths(), store)
        .check(where, order, base, part.files());
  }

  private Snapshot find(Where where, PartRules rules, Snapshot base) {
    Optional<Committed> found =
        Long.compareUnsigned(rules.readVersion(), base.version()) <= 0
            ? namespace.log().find(rules.readVersion())
            : Optional.empty();
    if (found.isEmpty() || !found.get().ref().writerId().equals(rules.readWriter())) {
      String reason =
          found.isEmpty()
              ? "the version it read is collected, so nobody can tell what changed since"
              : "the namespace was replaced meanwhile";
      throw CommitErrors.changed(where, rules.readVersion(), reason, List.of());
    }
    return new Snapshot(base.location(), found.get().ref(), found.get().manifest());
  }

  private static Footprint footprint(PartRules rules) {
    if (rules.incident() == PartRules.Incident.DETACH) {
      return Footprint.ALL;
    }
    return rules.table().edges()
        ? new Footprint(false, Optional.of(Set.of(rules.table().type())))
        : new Footprint(true, Optional.of(Set.of()));
  }
}
