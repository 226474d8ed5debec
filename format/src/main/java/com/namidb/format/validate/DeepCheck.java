package com.namidb.format.validate;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.format.error.NamiException;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SstAudit;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * Every file, checksum, pair and reference of a version. The heavy parts are {@link AuditPiece}s,
 * which the caller runs where it likes. Contract §7.
 */
public final class DeepCheck {
  /** Check of what can be read at all. */
  static final String READABLE = "readable";

  private static final String CONTENT = "content";
  private static final String PAIRS = "pairs";
  private static final String DANGLING = "dangling edges";
  private static final ScanRequest.Sizing WHOLE = new ScanRequest.Sizing(Long.MAX_VALUE, true);

  private final Snapshot snapshot;
  private final ObjectStore store;
  private final NamespacePaths paths;
  private final List<Finding> before = new ArrayList<>();

  /**
   * Makes no request.
   *
   * @param store for planning; stays owned by the caller
   */
  public DeepCheck(Snapshot snapshot, ObjectStore store) {
    this.snapshot = snapshot;
    this.store = store;
    this.paths = snapshot.location().paths();
  }

  /** What the manifest says of itself and of its objects' sizes: requests, but no reading. */
  public List<Finding> shallow() {
    List<Finding> out = new ArrayList<>(ManifestRules.findings(snapshot));
    out.addAll(new ListedFiles(paths, store).findings(snapshot.manifest()));
    return out;
  }

  /**
   * The parts of the deep check: one per SST, and one per some million ids of the graph.
   *
   * @param types all edge types of the version
   */
  public List<AuditPiece> pieces(Set<String> types) {
    return pieces(types, IdRanges.LIMIT);
  }

  List<AuditPiece> pieces(Set<String> types, double idsPerPiece) {
    List<AuditPiece> out = new ArrayList<>();
    List<SstDescriptor> ssts = snapshot.manifest().ssts();
    Map<String, Long> hashes = hashes(ssts);
    for (int i = 0; i < ssts.size(); i++) {
      if (ssts.get(i).kind() != SstKind.OTHER) {
        Long hash = hashes.get(ssts.get(i).path());
        SstAudit audit =
            SstAudit.of(snapshot, i, hash == null ? OptionalLong.empty() : OptionalLong.of(hash));
        out.add(new SstPiece(audit));
      }
    }
    try {
      for (KeyRange range : IdRanges.of(snapshot.manifest(), idsPerPiece)) {
        out.add(range(range, types));
      }
    } catch (NamiException e) {
      // The WAL, or a filter, cannot be read.
      before.add(new Finding(READABLE, e.object().orElse(""), e.getMessage(), 1));
    }
    return out;
  }

  private record SstPiece(SstAudit audit) implements AuditPiece {
    @Override
    public Outcome run(ObjectStore store) {
      return Outcome.of(
          audit.run(store).stream()
              .map(p -> new Finding(CONTENT, p.object(), p.what(), p.count()))
              .toList());
    }
  }

  private RangeAudit range(KeyRange range, Set<String> types) {
    KeyRanges keys = KeyRanges.of(range);
    RangeAudit out =
        new RangeAudit(slices(new ScanRequest.Nodes(Optional.empty()), keys, KeyRanges.ALL));
    for (String type : types) {
      ScanRequest.Target edges = new ScanRequest.Edges(type);
      out.add(type, slices(edges, keys, KeyRanges.ALL), slices(edges, KeyRanges.ALL, keys));
    }
    return out;
  }

  private List<ScanSlice> slices(ScanRequest.Target target, KeyRanges keys, KeyRanges partners) {
    ScanRequest request =
        new ScanRequest(target, keys, partners, EnumSet.of(Column.KEY), WalPolicy.REPLAY, WHOLE);
    return ScanPlanner.plan(snapshot, request, store).slices();
  }

  /** Hashes of whole files, as receipts of the commits that added them tell. */
  private Map<String, Long> hashes(List<SstDescriptor> ssts) {
    Set<String> jobs = new LinkedHashSet<>();
    for (SstDescriptor sst : ssts) {
      String[] parts = sst.path().split("/", -1);
      if (parts.length == 3 && parts[0].equals("bulk")) {
        jobs.add(parts[1]);
      }
    }
    Map<String, Long> out = new HashMap<>();
    for (String job : jobs) {
      try {
        CommitReceipt.stored(store, paths, job)
            .ifPresent(
                r -> {
                  for (CandidateFile f : r.files()) {
                    out.put(f.sst().path(), f.xxh3());
                  }
                  for (CandidateFile f : r.folded()) {
                    out.put(f.sst().path(), f.xxh3());
                  }
                });
      } catch (NamiException e) {
        before.add(new Finding("receipts", paths.receipt(job), e.getMessage(), 1));
      }
    }
    return out;
  }

  /** What all pieces together say. */
  public List<Finding> conclude(List<AuditPiece.Outcome> outcomes) {
    Set<Finding> out = new LinkedHashSet<>(before);
    Map<String, AuditPiece.Edges> edges = new TreeMap<>();
    boolean complete = before.stream().noneMatch(f -> f.check().equals(READABLE));
    for (AuditPiece.Outcome o : outcomes) {
      out.addAll(o.findings());
      complete &= o.findings().stream().noneMatch(f -> f.check().equals(READABLE));
      o.edges().forEach((type, e) -> edges.merge(type, e, AuditPiece.Edges::plus));
    }
    if (complete) {
      edges.forEach((type, e) -> graph(type, e, out));
    } else {
      String text = "not checked, because not everything could be read";
      out.add(new Finding(PAIRS, "", text, 1));
      out.add(new Finding(DANGLING, "", text, 1));
    }
    return new ArrayList<>(out);
  }

  private static void graph(String type, AuditPiece.Edges e, Set<Finding> out) {
    KeyDigest forward = e.forward();
    KeyDigest inverse = e.inverse();
    if (!forward.equals(inverse)) {
      String text =
          forward.count()
              + " live edges are found by source and "
              + inverse.count()
              + " by destination, and they are not the same ones";
      out.add(
          new Finding(PAIRS, type, text, Math.max(1, Math.abs(forward.count() - inverse.count()))));
    }
    if (e.sources() > 0) {
      String text = "edges whose source does not exist, such as node " + e.source();
      out.add(new Finding(DANGLING, type, text, e.sources()));
    }
    if (e.destinations() > 0) {
      String text = "edges whose destination does not exist, such as node " + e.destination();
      out.add(new Finding(DANGLING, type, text, e.destinations()));
    }
  }
}
