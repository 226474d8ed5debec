package com.namidb.format.validate;

import com.namidb.format.commit.PublishCheck;
import com.namidb.format.commit.WinnerLookup;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.PartRules;
import com.namidb.format.stage.StagedJob;
import com.namidb.format.stage.StagedPart;
import com.namidb.format.store.ObjectStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The checks that read, as {@link PublishCheck}s: nothing of the graph passes through the memory of
 * the caller. Source: protocol §3, §6; contract §6.
 */
public final class StagedChecks {
  private static final int SHOWN = 6;
  private static final ScanRequest.Sizing WHOLE = new ScanRequest.Sizing(Long.MAX_VALUE, false);

  private final ObjectStore store;
  private final NamespacePaths paths;
  private final KeyProbe.Runner runner;
  private final Predicate<PartRules> parts;

  /**
   * Prepares checks of all files of a job; makes no request.
   *
   * @param store for planning; stays owned by the caller
   * @param runner runs the pieces
   */
  public StagedChecks(ObjectStore store, NamespacePaths paths, KeyProbe.Runner runner) {
    this(store, paths, runner, rules -> true);
  }

  private StagedChecks(
      ObjectStore store, NamespacePaths paths, KeyProbe.Runner runner, Predicate<PartRules> parts) {
    this.store = store;
    this.paths = paths;
    this.runner = runner;
    this.parts = parts;
  }

  /** The same checks for the files of some writes of a job only. */
  StagedChecks only(Predicate<PartRules> which) {
    return new StagedChecks(store, paths, runner, which);
  }

  private List<CandidateFile> files(StagedJob job) {
    List<CandidateFile> out = new ArrayList<>();
    for (StagedPart part : job.parts()) {
      if (parts.test(part.rules())) {
        out.addAll(part.files());
      }
    }
    return out;
  }

  /** No staged key is live on the base: what {@code insert} promises. */
  public PublishCheck insert() {
    return (base, job) -> {
      List<KeyProbe> pieces = new ArrayList<>();
      for (CandidateFile f : files(job)) {
        List<ScanSlice> rows =
            isBase(f) ? slices(base, target(f.sst()), f.sst().keys(), false) : List.of();
        // Without a row that may have one of its keys the file need not be read.
        if (!rows.isEmpty()) {
          pieces.add(probe(f.sst(), Question.NEW, rows, List.of()));
        }
      }
      return run(pieces, SHOWN);
    };
  }

  /**
   * No staged node is on the base a node without the label it is written to: replacing a table must
   * not take nodes from others.
   */
  PublishCheck labelled() {
    return (base, job) -> {
      List<KeyProbe> pieces = new ArrayList<>();
      for (StagedPart part : job.parts()) {
        ScanRequest.Target table = new ScanRequest.Nodes(Optional.of(part.rules().table().label()));
        for (CandidateFile f : parts.test(part.rules()) ? part.files() : List.<CandidateFile>of()) {
          if (f.sst().kind() == SstKind.NODES && !deletesOnly(f)) {
            KeyRange keys = f.sst().keys();
            pieces.add(
                probe(
                    f.sst(),
                    Question.LABELLED,
                    slices(base, nodes(), keys, false),
                    slices(base, table, keys, false)));
          }
        }
      }
      return run(pieces, SHOWN);
    };
  }

  /** Both ends of every staged live edge are live nodes on the base. */
  public PublishCheck ends() {
    return (base, job) ->
        perFile(
            files(job),
            f -> f.sst().kind() != SstKind.NODES && !deletesOnly(f),
            f ->
                probe(
                    f.sst(),
                    Question.ENDS_EXIST,
                    slices(base, nodes(), f.sst().keys(), false),
                    List.of()));
  }

  /**
   * The piece that finds the dangling edges of one pair of candidates.
   *
   * @param base version the ends are looked for on
   */
  public DanglingEdges dangling(Snapshot base, CandidateFile forward, CandidateFile inverse) {
    return new DanglingEdges(
        paths,
        forward.sst(),
        inverse.sst(),
        slices(base, nodes(), forward.sst().keys(), false),
        slices(base, nodes(), inverse.sst().keys(), false));
  }

  /**
   * No node staged to be deleted has a live edge on the base: Cypher's rule.
   *
   * @param types all edge types of a version
   */
  public PublishCheck noEdges(BiFunction<Snapshot, ObjectStore, Set<String>> types) {
    return (base, job) -> {
      List<KeyProbe> pieces = new ArrayList<>();
      Set<String> all = types.apply(base, store);
      for (CandidateFile f : files(job)) {
        if (f.sst().kind() != SstKind.NODES || f.sst().counts().tombstones() == 0) {
          continue;
        }
        List<ScanSlice> from = new ArrayList<>();
        List<ScanSlice> to = new ArrayList<>();
        for (String type : all) {
          ScanRequest.Target target = new ScanRequest.Edges(type);
          from.addAll(slices(base, target, f.sst().keys(), false));
          to.addAll(slices(base, target, f.sst().keys(), true));
        }
        if (!from.isEmpty()) {
          pieces.add(probe(f.sst(), Question.NO_EDGE_FROM, from, List.of()));
        }
        if (!to.isEmpty()) {
          pieces.add(probe(f.sst(), Question.NO_EDGE_TO, to, List.of()));
        }
      }
      return run(pieces, SHOWN).stream().distinct().toList();
    };
  }

  /** No key is in two of the job's files. Reads nothing if their key ranges are disjoint. */
  public PublishCheck distinct() {
    return (base, job) -> {
      List<KeyProbe> pieces = new ArrayList<>();
      pieces.addAll(twice(files(job), SstKind.NODES));
      pieces.addAll(twice(files(job), SstKind.EDGES_FWD));
      return run(pieces, SHOWN);
    };
  }

  /** Compares winners of the staged keys in two versions. */
  public WinnerLookup winners() {
    return (read, base, files, limit) -> {
      List<KeyProbe> pieces = new ArrayList<>();
      for (CandidateFile f : files) {
        if (isBase(f)) {
          ScanRequest.Target target = target(f.sst());
          pieces.add(
              probe(
                  f.sst(),
                  Question.SAME_WINNER,
                  slices(base, target, f.sst().keys(), false),
                  slices(read, target, f.sst().keys(), false)));
        }
      }
      return run(pieces, limit);
    };
  }

  /**
   * Looks only where two files meet: files of sorted tasks share the key at their border at most.
   */
  private List<KeyProbe> twice(List<CandidateFile> files, SstKind kind) {
    Map<String, List<NewSst>> byScope = new TreeMap<>();
    for (CandidateFile f : files) {
      if (f.sst().kind() == kind) {
        byScope.computeIfAbsent(f.sst().scope(), k -> new ArrayList<>()).add(f.sst());
      }
    }
    List<KeyProbe> out = new ArrayList<>();
    for (List<NewSst> group : byScope.values()) {
      for (KeyRange shared : KeyRanges.shared(group.stream().map(NewSst::keys).toList()).ranges()) {
        cut(group.stream().filter(s -> s.keys().overlaps(shared)).toList(), shared, out);
      }
    }
    return out;
  }

  /** One piece per file, of about equal width: derived ids are spread evenly. */
  private void cut(List<NewSst> group, KeyRange range, List<KeyProbe> out) {
    int pieces = group.size();
    long width = Long.divideUnsigned(range.max().hi() - range.min().hi(), pieces);
    NodeId from = range.min();
    for (int i = 1; i < pieces && width > 0; i++) {
      NodeId end = new NodeId(range.min().hi() + width * i, 0);
      if (end.compareTo(from) > 0 && end.compareTo(range.max()) <= 0) {
        out.add(new TwiceProbe(paths, group, new KeyRange(from, end.previous())));
        from = end;
      }
    }
    out.add(new TwiceProbe(paths, group, new KeyRange(from, range.max())));
  }

  private List<String> perFile(
      List<CandidateFile> files,
      Predicate<CandidateFile> which,
      java.util.function.Function<CandidateFile, KeyProbe> piece) {
    return run(files.stream().filter(which).map(piece).toList(), SHOWN);
  }

  /** Inverse files repeat what the forward ones hold. */
  private static boolean isBase(CandidateFile f) {
    return f.sst().kind() != SstKind.EDGES_INV;
  }

  private static boolean deletesOnly(CandidateFile f) {
    return f.sst().counts().tombstones() == f.sst().counts().rows();
  }

  private KeyProbe probe(
      NewSst sst, Question question, List<ScanSlice> now, List<ScanSlice> before) {
    return new LiveProbe(paths, sst, question, now, before);
  }

  private static ScanRequest.Target target(NewSst sst) {
    return sst.kind() == SstKind.NODES ? nodes() : new ScanRequest.Edges(sst.scope());
  }

  private static ScanRequest.Target nodes() {
    return new ScanRequest.Nodes(Optional.empty());
  }

  private List<ScanSlice> slices(
      Snapshot at, ScanRequest.Target target, KeyRange range, boolean byPartner) {
    KeyRanges keys = KeyRanges.of(range);
    ScanRequest request =
        new ScanRequest(
            target,
            byPartner ? KeyRanges.ALL : keys,
            byPartner ? keys : KeyRanges.ALL,
            EnumSet.of(Column.KEY, Column.LSN),
            WalPolicy.REPLAY,
            WHOLE);
    return ScanPlanner.plan(at, request, store).slices();
  }

  private List<String> run(List<KeyProbe> pieces, int limit) {
    if (pieces.isEmpty()) {
      return List.of();
    }
    List<String> found = runner.run(pieces, limit);
    return found.size() > limit ? found.subList(0, limit) : found;
  }
}
