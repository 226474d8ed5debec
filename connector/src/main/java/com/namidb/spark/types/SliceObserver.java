package com.namidb.spark.types;

import com.namidb.format.error.NamiException;
import com.namidb.format.error.RowErrors;
import com.namidb.format.error.Where;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreConfig;
import com.namidb.format.store.open.StoreOpener;
import com.namidb.format.value.InvalidJsonException;
import com.namidb.format.value.PropertyObserver;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Looks at the property objects of a slice's live rows.
 *
 * @param store how to open the store
 * @param edgeType edge type of the slices, {@code null} for nodes
 * @param maxRows look at this many rows of a slice at most
 * @param onMismatch what to do with a record that cannot be decoded
 * @param where the snapshot the slices are of, for errors
 */
record SliceObserver(
    StoreConfig store, String edgeType, long maxRows, OnMismatch onMismatch, Where where)
    implements Serializable {
  private static final int THREADS = 2;

  /** What one slice holds. */
  SeenProperties observe(ScanSlice slice) {
    PropertyObserver observer = new PropertyObserver();
    long skipped = 0;
    try (ObjectStore open = StoreOpener.open(store);
        SliceReader rows = SliceReader.open(slice, open)) {
      long left = maxRows;
      while (left > 0 && rows.next()) {
        int count = (int) Math.min(left, rows.selection().size());
        skipped += observe(observer, rows.batch(), rows.selection(), count);
        left -= count;
      }
    } catch (NamiException e) {
      throw PropertyScan.explained(e, where, store);
    }
    return new SeenProperties(observer.summaries(), skipped);
  }

  /** Looks at the first selected records; returns how many cannot be decoded. */
  private long observe(PropertyObserver observer, RecordBatch batch, Selection rows, int count) {
    byte[] payload = batch.payload();
    long skipped = 0;
    for (int i = 0; i < count; i++) {
      int row = rows.row(i);
      int length = batch.payloadLength()[row];
      if (length == RecordBatch.NO_PAYLOAD) {
        continue;
      }
      try {
        observer.observe(payload, batch.payloadOffset()[row], length);
      } catch (InvalidJsonException e) {
        if (onMismatch == OnMismatch.FAIL) {
          String name = RowName.of(batch, row, edgeType);
          throw RowErrors.unreadable(name, e.property(), e.getMessage(), e);
        }
        skipped++;
      }
    }
    return skipped;
  }

  /** What all slices hold, without Spark. */
  static SeenProperties onDriver(SliceObserver observer, List<ScanSlice> slices) {
    if (slices.size() <= 1) {
      return slices.isEmpty() ? SeenProperties.none() : observer.observe(slices.get(0));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<SeenProperties>> parts = new ArrayList<>();
      for (ScanSlice slice : slices) {
        parts.add(threads.submit(() -> observer.observe(slice)));
      }
      SeenProperties all = SeenProperties.none();
      for (Future<SeenProperties> part : parts) {
        all = all.merge(part.get());
      }
      return all;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking at properties", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
