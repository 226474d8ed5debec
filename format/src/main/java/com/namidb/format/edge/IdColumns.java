package com.namidb.format.edge;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import java.util.Arrays;

/**
 * Decodes keys and partner blocks of a run of keys, in any portions. Order of keys and partners is
 * checked. Source: edge §2.1, §2.4.
 */
final class IdColumns {
  private static final byte SPLIT = 0x01;
  private static final byte DENSE = 0x10;
  private static final int LOW_HALF = 8;

  private final KeyRun run;
  private final SectionReader keys;
  private final SectionReader partners;
  private long keysLeft;
  private long rowsLeft;
  private boolean anyKey;
  private long keyHi;
  private long keyLo;
  private long degreeLeft;
  private boolean dense;
  private boolean blockStart;
  private long top;
  private long lastHi;
  private long lastLo;

  IdColumns(EdgeFile file, KeyRun run) {
    this.run = run;
    SectionTable table = file.table();
    keys =
        file.reader(
            table.require(SectionKind.KEY_IDS),
            run.firstKey() * NodeId.BYTES,
            run.endKey() * NodeId.BYTES);
    partners = file.reader(table.require(SectionKind.PARTNERS), run.firstByte(), run.endByte());
    keysLeft = run.endKey() - run.firstKey();
    rowsLeft = run.rows().count();
  }

  /** Decodes the next {@code n} rows; the caller asks for no more than the run has. */
  void fill(RecordBatch batch, int n) {
    int at = 0;
    while (at < n) {
      if (degreeLeft == 0) {
        startBlock();
      }
      int m = (int) Math.min(degreeLeft, n - at);
      Arrays.fill(batch.keyHi(), at, at + m, keyHi);
      Arrays.fill(batch.keyLo(), at, at + m, keyLo);
      if (dense) {
        fillDense(batch, at, at + m);
      } else {
        fillSplit(batch, at, at + m);
      }
      degreeLeft -= m;
      at += m;
    }
    rowsLeft -= n;
    if (rowsLeft == 0 && (keysLeft != 0 || degreeLeft != 0 || partners.offset() != run.endByte())) {
      throw partners.damaged("the blocks do not end with the rows");
    }
  }

  private void startBlock() {
    if (keysLeft == 0) {
      throw partners.damaged("there are fewer rows than the footer counts");
    }
    keys.need(NodeId.BYTES);
    int i = keys.position();
    long hi = IdBytes.longAt(keys.buffer(), i);
    long lo = IdBytes.longAt(keys.buffer(), i + LOW_HALF);
    if (anyKey && NodeId.compare(hi, lo, keyHi, keyLo) <= 0) {
      throw keys.damaged("keys do not ascend");
    }
    keys.advance(NodeId.BYTES);
    keysLeft--;
    anyKey = true;
    keyHi = hi;
    keyLo = lo;
    degreeLeft = VarInts.take(partners);
    partners.need(1);
    byte tag = partners.takeByte();
    // A hub's degree is bounded by the rows that are left, so it is never trusted beyond them.
    if (degreeLeft < 1 || degreeLeft > run.rows().count()) {
      throw partners.damaged("a block claims " + Long.toUnsignedString(degreeLeft) + " rows");
    }
    if (tag != DENSE && tag != SPLIT) {
      throw partners.damaged("a block has tag " + tag);
    }
    dense = tag == DENSE;
    blockStart = true;
    top = 0;
  }

  private void fillDense(RecordBatch batch, int from, int to) {
    long[] his = batch.partnerHi();
    long[] los = batch.partnerLo();
    int at = from;
    while (at < to) {
      int stop = at + Math.min(to - at, partners.ready(NodeId.BYTES) / NodeId.BYTES);
      byte[] b = partners.buffer();
      int i = partners.position();
      int start = i;
      long pHi = lastHi;
      long pLo = lastLo;
      if (blockStart) {
        blockStart = false;
        pHi = IdBytes.longAt(b, i);
        pLo = IdBytes.longAt(b, i + LOW_HALF);
        his[at] = pHi;
        los[at] = pLo;
        at++;
        i += NodeId.BYTES;
      }
      for (; at < stop; at++, i += NodeId.BYTES) {
        long hi = IdBytes.longAt(b, i);
        long lo = IdBytes.longAt(b, i + LOW_HALF);
        if (NodeId.compare(hi, lo, pHi, pLo) <= 0) {
          throw unordered();
        }
        his[at] = hi;
        los[at] = lo;
        pHi = hi;
        pLo = lo;
      }
      lastHi = pHi;
      lastLo = pLo;
      partners.advance(i - start);
    }
  }

  private void fillSplit(RecordBatch batch, int from, int to) {
    for (int at = from; at < to; at++) {
      top += VarInts.take(partners);
      partners.need(LOW_HALF);
      long hi = Long.reverseBytes(top);
      long lo = IdBytes.longAt(partners.buffer(), partners.position());
      partners.advance(LOW_HALF);
      if (!blockStart && NodeId.compare(hi, lo, lastHi, lastLo) <= 0) {
        throw unordered();
      }
      blockStart = false;
      batch.partnerHi()[at] = hi;
      batch.partnerLo()[at] = lo;
      lastHi = hi;
      lastLo = lo;
    }
  }

  private CorruptObjectException unordered() {
    return partners.damaged("partners of a key do not ascend");
  }
}
