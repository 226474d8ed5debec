package com.namidb.spark.write.delta;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.error.Where;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.spark.read.StoredValues;
import com.namidb.spark.write.row.RowEncoder;
import com.namidb.spark.write.row.RowShape;
import com.namidb.spark.write.row.RowUpdater;
import com.namidb.spark.write.task.SortedPart;
import com.namidb.spark.write.task.TaskReport;
import com.namidb.spark.write.task.WritePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DeltaWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * One task attempt of a DELETE, UPDATE or MERGE. Deleted, updated and inserted rows go to files of
 * their own, so that deletions make delete files; names are used by no other attempt.
 */
final class DeltaRowWriter implements DeltaWriter<InternalRow> {
  /** Length of an object without members. */
  private static final int EMPTY_OBJECT = 2;

  private final DeltaPlan plan;
  private final Where where;
  private final Path folder;
  private final ObjectStore store;
  private final StageTarget target;
  private SortedPart deletes;
  private SortedPart updates;
  private SortedPart inserts;
  private RowUpdater updater;

  DeltaRowWriter(DeltaPlan plan) {
    this.plan = plan;
    WritePlan any = plan.deletes();
    where = new Where(any.paths().namespace(), any.plan().baseVersion(), null, any.job());
    try {
      folder = Files.createTempDirectory("namidb-change");
    } catch (IOException e) {
      throw StoreErrors.failed("make a temporary directory", null, e);
    }
    store = StoreOpener.open(any.store());
    target = new StageTarget(store, any.paths(), any.job(), folder);
  }

  private RowEncoder encoder(WritePlan part) {
    return new RowEncoder(part.shape(), part.plan().labels(), where);
  }

  private SortedPart part(WritePlan of) {
    return new SortedPart(of, encoder(of), target, where);
  }

  @Override
  public void delete(InternalRow metadata, InternalRow id) {
    ids(id);
    if (deletes == null) {
      deletes = part(plan.deletes());
    }
    deletes.add(id);
  }

  @Override
  public void update(InternalRow metadata, InternalRow id, InternalRow row) {
    ids(id);
    whole(row);
    if (metadata.numFields() <= plan.json()) {
      throw new IllegalStateException("metadata of " + metadata.numFields() + " columns");
    }
    if (updates == null) {
      RowEncoder encoder = encoder(plan.updates());
      updates = new SortedPart(plan.updates(), encoder, target, where);
      StoredValues stored = new StoredValues(plan.rows(), plan.onMismatch());
      RowShape ids = plan.deletes().shape();
      updater = new RowUpdater(plan.updates().shape(), encoder, ids, stored, where);
    }
    updater.update(id, stored(metadata), row, updates.next());
  }

  /** The object a row was read with; none if it is empty, which is how the engine stores that. */
  private byte[] stored(InternalRow metadata) {
    byte[] json =
        metadata.isNullAt(plan.json()) ? null : metadata.getUTF8String(plan.json()).getBytes();
    return json == null || json.length == EMPTY_OBJECT ? null : json;
  }

  @Override
  public void insert(InternalRow row) {
    whole(row);
    if (inserts == null) {
      inserts = part(plan.inserts());
    }
    inserts.add(row);
  }

  /** Rows of another width than announced would put every value into the wrong column. */
  private void whole(InternalRow row) {
    width(row, plan.rows().size());
  }

  private void ids(InternalRow id) {
    width(id, plan.deletes().shape().edges() ? 2 : 1);
  }

  private static void width(InternalRow row, int expected) {
    if (row.numFields() != expected) {
      throw new IllegalStateException(
          "a row of " + row.numFields() + " columns instead of " + expected);
    }
  }

  @Override
  public WriterCommitMessage commit() {
    return new DeltaMessage(
        new DeltaMessage.Reports(staged(deletes), staged(updates), staged(inserts)));
  }

  private static TaskReport staged(SortedPart part) {
    return part == null ? null : part.stage();
  }

  private Stream<SortedPart> parts() {
    return Stream.of(deletes, updates, inserts).filter(Objects::nonNull);
  }

  @Override
  public void abort() {
    parts().forEach(SortedPart::discard);
  }

  @Override
  public void close() throws IOException {
    try (store) {
      parts().forEach(SortedPart::close);
    } finally {
      Files.deleteIfExists(folder);
    }
  }
}
