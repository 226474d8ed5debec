package com.namidb.format.edge;

import com.namidb.format.record.Column;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** The rows of some runs of keys in batches; all asked sections advance together. */
final class RowBatches implements RecordCursor {
  /** Most rows of a batch. */
  static final int CAPACITY = 4096;

  private final EdgeFile file;
  private final Set<Column> columns;
  private final Iterator<KeyRun> runs;
  private final RecordBatch batch;
  private final Payloads payloads;
  private final boolean tombstonesWanted;
  private IdColumns ids;
  private SectionReader lsns;
  private SectionReader tombstones;
  private int tombstoneBit;
  private long rowsLeft;

  RowBatches(EdgeFile file, List<String> declared, Set<Column> columns, List<KeyRun> runs) {
    this.file = file;
    this.columns = columns;
    this.runs = runs.iterator();
    // Small files come by the thousand: their cursors must not hold arrays for rows they lack.
    batch = new RecordBatch((int) Math.min(CAPACITY, file.footer().edgeCount()), true);
    payloads = columns.contains(Column.PAYLOAD) ? Payloads.of(file, declared) : null;
    tombstonesWanted =
        columns.contains(Column.TOMBSTONE) && file.table().find(SectionKind.TOMBSTONES).isPresent();
  }

  @Override
  public boolean next() {
    while (rowsLeft == 0) {
      if (!runs.hasNext()) {
        batch.resize(0);
        return false;
      }
      start(runs.next());
    }
    int n = (int) Math.min(CAPACITY, rowsLeft);
    if (payloads != null) {
      n = Math.min(n, payloads.left());
      payloads.fill(batch, n);
    }
    if (ids != null) {
      ids.fill(batch, n);
    }
    if (lsns != null) {
      fillLsns(n);
    }
    batch.anyTombstone(tombstones != null && fillTombstones(n));
    if (payloads != null && batch.anyTombstone()) {
      hideTombstonePayloads(n);
    }
    batch.resize(n);
    rowsLeft -= n;
    return true;
  }

  private void start(KeyRun run) {
    KeyRun.Rows rows = run.rows();
    rowsLeft = rows.count();
    if (rowsLeft == 0) {
      return;
    }
    if (columns.contains(Column.KEY)) {
      ids = new IdColumns(file, run);
    }
    if (columns.contains(Column.LSN)) {
      Section s = file.table().require(SectionKind.LSN);
      lsns = file.reader(s, rows.first() * Long.BYTES, rows.end() * Long.BYTES);
    }
    if (tombstonesWanted) {
      Section s = file.table().require(SectionKind.TOMBSTONES);
      tombstones = file.reader(s, rows.first() / 8, (rows.end() + 7) / 8);
      tombstoneBit = (int) (rows.first() % 8);
    }
    if (payloads != null) {
      payloads.seek(rows);
    }
  }

  private void fillLsns(int n) {
    long[] out = batch.lsn();
    int at = 0;
    while (at < n) {
      int stop = at + Math.min(n - at, lsns.ready(Long.BYTES) / Long.BYTES);
      byte[] b = lsns.buffer();
      int i = lsns.position();
      lsns.advance((stop - at) * Long.BYTES);
      for (; at < stop; at++, i += Long.BYTES) {
        out[at] = LeBytes.u64(b, i);
      }
    }
  }

  private boolean fillTombstones(int n) {
    boolean[] out = batch.tombstone();
    int any = 0;
    int at = 0;
    while (at < n) {
      tombstones.need(1);
      int bits = tombstones.buffer()[tombstones.position()] >> tombstoneBit;
      int stop = Math.min(n, at + 8 - tombstoneBit);
      tombstoneBit = (tombstoneBit + stop - at) & 7;
      if (tombstoneBit == 0) {
        tombstones.advance(1);
      }
      for (; at < stop; at++, bits >>= 1) {
        out[at] = (bits & 1) != 0;
        any |= bits & 1;
      }
    }
    return any != 0;
  }

  /** A tombstone has no properties, whatever is stored. Source: edge §6.3. */
  private void hideTombstonePayloads(int n) {
    for (int i = 0; i < n; i++) {
      if (batch.tombstone()[i]) {
        batch.payloadLength()[i] = RecordBatch.NO_PAYLOAD;
      }
    }
  }

  @Override
  public RecordBatch batch() {
    return batch;
  }

  @Override
  public void close() {
    rowsLeft = 0;
    ids = null;
    lsns = null;
    tombstones = null;
    batch.payload(new byte[0]);
    Arrays.fill(batch.payloadLength(), RecordBatch.NO_PAYLOAD);
    if (payloads != null) {
      payloads.close();
    }
  }
}
