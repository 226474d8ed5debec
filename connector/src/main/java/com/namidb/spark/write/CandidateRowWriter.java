package com.namidb.spark.write;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.Where;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * One task attempt: sorts its rows, then stages them under names no other attempt uses. What it
 * staged is invisible until the driver publishes it.
 */
final class CandidateRowWriter implements DataWriter<InternalRow> {
  private static final int SORT_BYTES = 64 << 20;

  private final WritePlan plan;
  private final Path folder;
  private final ObjectStore store;
  private final RowSorter sorter;
  private final RowEncoder encoder;
  private CandidateSink sink;
  private RowPatcher patcher;
  private byte[] last = new byte[RowSorter.HEAD];
  private long rows;

  CandidateRowWriter(WritePlan plan) {
    this.plan = plan;
    try {
      folder = Files.createTempDirectory("namidb-write");
    } catch (IOException e) {
      throw StoreErrors.failed("make a temporary directory", null, e);
    }
    Where where = new Where(plan.paths().namespace(), null, null, plan.job());
    sorter = new RowSorter(folder, SORT_BYTES);
    encoder = new RowEncoder(plan.shape(), plan.plan().labels(), where);
    store = StoreOpener.open(plan.store());
  }

  @Override
  public void write(InternalRow row) {
    encoder.encode(row, sorter);
    rows++;
  }

  @Override
  public WriterCommitMessage commit() {
    StageTarget target = new StageTarget(store, plan.paths(), plan.job(), folder);
    sink =
        plan.shape().edges()
            ? new EdgeSink(target, plan)
            : new NodeSink(target, plan, encoder.dictionary());
    if (plan.base() != null) {
      patcher = RowPatcher.open(plan, encoder, sorter.firstIds(RowPatcher.MOST_IDS), store);
    }
    long[] seen = {0};
    sorter.drain(
        (record, at, length) -> {
          if (seen[0]++ > 0 && RowSorter.sameKey(record, at, last, 0)) {
            throw encoder.twice(record, at);
          }
          System.arraycopy(record, at, last, 0, RowSorter.HEAD);
          if (patcher == null) {
            sink.accept(record, at, length);
          } else if (patcher.patch(record, at, length)) {
            sink.accept(patcher.record(), 0, patcher.length());
          }
        });
    if (patcher != null) {
      patcher.finish();
    }
    sink.finish();
    return new CandidateMessage(
        new TaskReport(sink.files(), new Balance(rows, seen[0], 0), encoder.accepted()));
  }

  @Override
  public void abort() {
    if (sink != null) {
      List<CandidateFile> files = sink.files();
      sink.close();
      StagedObjects.delete(store, plan.paths(), files);
    }
  }

  @Override
  public void close() throws IOException {
    try (store) {
      if (sink != null) {
        sink.close();
      }
      if (patcher != null) {
        patcher.close();
      }
      sorter.close();
      last = Arrays.copyOf(last, 0);
    } finally {
      Files.deleteIfExists(folder);
    }
  }
}
