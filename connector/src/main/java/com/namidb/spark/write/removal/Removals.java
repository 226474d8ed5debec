package com.namidb.spark.write.removal;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.Column;
import com.namidb.format.scan.ScanPlanner;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.store.ObjectStore;
import com.namidb.spark.options.PublishRules;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.read.EdgeTypes;
import com.namidb.spark.read.KeyFilter;
import com.namidb.spark.write.task.WritePlan;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * The rows that go although nobody named them: the old content of an overwritten table, and edges
 * detached from deleted nodes. They are found on the version the job was planned on, by Spark jobs
 * over keys, and get tombstones in the same commit. Contract §6, protocol §3.
 */
public final class Removals {
  private static final ScanRequest.Sizing SIZING = new ScanRequest.Sizing(128L << 20, true);

  private final WritePlan plan;
  private final PublishRules rules;
  private final Snapshot base;
  private final ObjectStore store;
  private final KeyFilter filter;

  /**
   * Finds them.
   *
   * @param filter which rows of a table go that is emptied
   */
  public Removals(
      WritePlan plan, PublishRules rules, Snapshot base, ObjectStore store, KeyFilter filter) {
    this.plan = plan;
    this.rules = rules;
    this.base = base;
    this.store = store;
    this.filter = filter;
  }

  private boolean overwrites() {
    return plan.shape().mode() == WriteMode.OVERWRITE;
  }

  /**
   * Stages the tombstones.
   *
   * @param written what the job's rows became
   * @throws com.namidb.format.error.ValidationFailedException if rows must not go
   */
  public List<CandidateFile> stage(List<CandidateFile> written) {
    List<CandidateFile> out = new ArrayList<>();
    if (overwrites()) {
      out.addAll(run(scope(written), table()));
    }
    if (rules.removal().detach()) {
      List<CandidateFile> deleted = new ArrayList<>(written);
      deleted.addAll(out);
      deleted.removeIf(f -> f.sst().counts().tombstones() == 0);
      out.addAll(run(scope(deleted), incident(base, deleted)));
    }
    return out;
  }

  private List<CandidateFile> run(RemovalScope scope, List<RemovalPiece> pieces) {
    RemovalPiece.Outcome done = SparkRemovals.run(plan.store(), scope, pieces);
    if (!done.problems().isEmpty()) {
      throw CommitErrors.invalid(
          new Where(plan.paths().namespace(), base.version(), null, plan.job()), done.problems());
    }
    return done.files();
  }

  private RemovalScope scope(List<CandidateFile> files) {
    return new RemovalScope(
        plan.paths(),
        plan.job(),
        plan.plan().lsn(),
        plan.schema(),
        ScanPlanner.labels(base.manifest()),
        files.stream().map(CandidateFile::sst).toList());
  }

  /** The whole table as it was. */
  private List<RemovalPiece> table() {
    String scope = plan.shape().scope();
    boolean edges = plan.shape().edges();
    boolean alone = !edges && !scope.isEmpty() && !rules.removal().multiLabel();
    ScanRequest.Target target =
        edges
            ? new ScanRequest.Edges(scope)
            : new ScanRequest.Nodes(scope.isEmpty() ? Optional.empty() : Optional.of(scope));
    EnumSet<Column> columns = EnumSet.of(Column.KEY);
    if (alone) {
      columns.add(Column.LABELS);
    }
    int tasks = SparkSession.active().sparkContext().defaultParallelism();
    ScanRequest request =
        new ScanRequest(
            target,
            filter.keys(),
            filter.partners(),
            columns,
            WalPolicy.REPLAY,
            SIZING.forTasks(tasks));
    List<RemovalPiece> out = new ArrayList<>();
    for (ScanSlice slice : ScanPlanner.plan(base, request, store).slices()) {
      out.add(new TablePiece(slice, edges ? scope : null, alone ? scope : ""));
    }
    return out;
  }

  private List<RemovalPiece> incident(Snapshot at, List<CandidateFile> deleted) {
    List<RemovalPiece> out = new ArrayList<>();
    for (String type : EdgeTypes.all(at, WalPolicy.REPLAY, store)) {
      for (CandidateFile file : deleted) {
        NewSst sst = file.sst();
        for (boolean destinations : new boolean[] {false, true}) {
          List<ScanSlice> slices = edges(at, type, KeyRanges.of(sst.keys()), destinations);
          if (!slices.isEmpty()) {
            out.add(new IncidentPiece(sst, type, slices, destinations));
          }
        }
      }
    }
    return out;
  }

  private List<ScanSlice> edges(Snapshot at, String type, KeyRanges nodes, boolean destinations) {
    ScanRequest request =
        new ScanRequest(
            new ScanRequest.Edges(type),
            destinations ? KeyRanges.ALL : nodes,
            destinations ? nodes : KeyRanges.ALL,
            EnumSet.of(Column.KEY),
            WalPolicy.REPLAY,
            new ScanRequest.Sizing(Long.MAX_VALUE, false));
    return ScanPlanner.plan(at, request, store).slices();
  }
}
