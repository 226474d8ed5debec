package com.namidb.spark.write.task;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.Where;
import com.namidb.format.id.NodeId;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.SortMemory;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.spark.write.quarantine.QuarantineWriter;
import com.namidb.spark.write.row.OriginalRows;
import com.namidb.spark.write.row.RefusedRowException;
import com.namidb.spark.write.row.RowEncoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * One task attempt: sorts its rows, then stages them under names no other attempt uses. What it
 * staged is invisible until the driver publishes it.
 */
final class CandidateRowWriter implements DataWriter<InternalRow> {
  private final WritePlan plan;
  private final Path folder;
  private final ObjectStore store;
  private final StageTarget target;
  private final RowSorter sorter;
  private final RowEncoder encoder;
  private final OriginalRows originals;
  private final QuarantineWriter quarantine;
  private CandidateSink sink;
  private KeepingSink keeping;
  private QuarantineReport aside = QuarantineReport.EMPTY;
  private final KeyDigest.Builder shared = new KeyDigest.Builder();
  private byte[] last = new byte[RowSorter.HEAD];
  private long rows;
  private long accepted;

  CandidateRowWriter(WritePlan plan) {
    this.plan = plan;
    try {
      folder = Files.createTempDirectory("namidb-write");
    } catch (IOException e) {
      throw StoreErrors.failed("make a temporary directory", null, e);
    }
    Where where = new Where(plan.paths().namespace(), null, null, plan.job());
    sorter = new RowSorter(folder, SortMemory.bytes());
    encoder = new RowEncoder(plan.shape(), plan.plan().labels(), where);
    store = StoreOpener.open(plan.store());
    target = new StageTarget(store, plan.paths(), plan.job(), folder);
    originals = new OriginalRows(plan.quarantine().rows());
    quarantine = new QuarantineWriter(target, plan.quarantine().rows(), plan.quarantine().folder());
  }

  @Override
  public void write(InternalRow row) {
    rows++;
    if (!plan.quarantine().carriesRows()) {
      encoder.encode(row, sorter);
      return;
    }
    UnsafeRow original = originals.of(row);
    try {
      encoder.encode(row, original, sorter);
    } catch (RefusedRowException e) {
      refuse(original, e);
    }
  }

  private void refuse(InternalRow original, RefusedRowException e) {
    if (!plan.quarantine().invalid()) {
      throw encoder.error(e);
    }
    quarantine.add(original, e);
  }

  @Override
  public WriterCommitMessage commit() {
    sink =
        plan.shape().edges()
            ? new EdgeSink(target, plan)
            : new NodeSink(target, plan, encoder.dictionary());
    if (plan.base() != null) {
      RowPatcher patcher =
          RowPatcher.open(plan, encoder, sorter.firstIds(RowPatcher.MOST_IDS), store);
      sink = new PatchingSink(patcher, sink);
    }
    if (plan.quarantine().carriesRows()) {
      drainWithRows();
    } else {
      sorter.drain(
          (record, at, length) -> {
            if (accepted++ > 0 && RowSorter.sameKey(record, at, last, 0)) {
              throw encoder.error(encoder.twice(record, at));
            }
            System.arraycopy(record, at, last, 0, RowSorter.HEAD);
            sink.accept(record, at, length);
          });
      sink.finish();
    }
    List<KeptFile> kept = keeping == null ? List.of() : keeping.kept();
    Balance balance = new Balance(rows, accepted, quarantine.rows());
    KeyDigest keys = encoder.encoded().minus(shared.build());
    return new CandidateMessage(new TaskReport(sink.files(), balance, keys, aside, kept));
  }

  private void drainWithRows() {
    keeping = new KeepingSink(target, sink, plan.quarantine().keep());
    TwiceSink distinct =
        new TwiceSink(
            (record, at, length) -> {
              accepted++;
              keeping.accept(record, at, length);
            },
            (record, at, length) -> {
              refuse(
                  originals.read(record, at + RowSorter.HEAD + length), encoder.twice(record, at));
              encoder.count(shared, NodeId.of(record, at), NodeId.of(record, at + NodeId.BYTES));
              if (plan.quarantine().text()) {
                keeping.keepTwice(record, at, length);
              }
            });
    sorter.drain(distinct);
    distinct.finish();
    sink.finish();
    keeping.finish();
    aside = quarantine.finish();
  }

  @Override
  public void abort() {
    if (sink != null) {
      sink.close();
      StagedObjects.delete(store, plan.paths(), sink.files());
      StagedObjects.deleteRows(
          store, plan.paths(), aside, keeping == null ? List.of() : keeping.kept());
    }
  }

  @Override
  public void close() throws IOException {
    try (store) {
      if (keeping != null) {
        keeping.close();
      }
      if (sink != null) {
        sink.close();
      }
      quarantine.close();
      sorter.close();
      last = Arrays.copyOf(last, 0);
    } finally {
      Files.deleteIfExists(folder);
    }
  }
}
