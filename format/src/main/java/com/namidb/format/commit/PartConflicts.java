package com.namidb.format.commit;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.log.Committed;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.snapshot.Namespace;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.PartRules;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Conflicts of a job whose writes were planned on different versions: each part is compared with
 * the version it read, under the isolation it asked for. Source: protocol §6.
 */
public final class PartConflicts implements PublishCheck {
  private final Namespace namespace;
  private final ObjectStore store;
  private final WinnerLookup winners;

  /** Makes no request. */
  public PartConflicts(Namespace namespace, ObjectStore store, WinnerLookup winners) {
    this.namespace = namespace;
    this.store = store;
    this.winners = winners;
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
      boolean same =
          rules.readVersion() == base.version() && rules.readWriter().equals(base.ref().writerId());
      if (!blind && !same && !rules.readWriter().isEmpty() && !part.files().isEmpty()) {
        check(where, part, base);
      }
    }
    return List.of();
  }

  private void check(Where where, StagedPart part, Snapshot base) {
    PartRules rules = part.rules();
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
    Snapshot read = new Snapshot(base.location(), found.get().ref(), found.get().manifest());
    PublishOrder order =
        new PublishOrder(
            read,
            rules.serializable() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
            footprint(part.files()),
            List.of(),
            winners,
            false);
    new Conflicts(namespace.log(), base.location().paths(), store)
        .check(where, order, base, part.files());
  }

  private static Footprint footprint(List<CandidateFile> files) {
    boolean nodes = false;
    Set<String> types = new TreeSet<>();
    for (CandidateFile file : files) {
      if (file.sst().kind() == SstKind.NODES) {
        nodes = true;
      } else {
        types.add(file.sst().scope());
      }
    }
    return new Footprint(nodes, Optional.of(types));
  }
}
