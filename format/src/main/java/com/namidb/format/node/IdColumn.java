package com.namidb.format.node;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import com.namidb.format.node.Page.Slice;
import com.namidb.format.record.RecordBatch;

/** {@code node_id}: two big-endian longs. */
final class IdColumn extends FlatColumn {
  private final HybridDecoder indexes = new HybridDecoder();
  private final ByteArrayValues other;
  private final int[] scratch;
  private final int[] lengths;
  private long[] dictHi;
  private long[] dictLo;
  private Page page;
  private int pos;

  IdColumn(PageStream pages) {
    super(pages);
    scratch = new int[pages.batch()];
    lengths = new int[pages.batch()];
    other = new ByteArrayValues(pages, NodeId.BYTES);
  }

  @Override
  void init(Page next) {
    page = next;
    Slice d = next.data();
    pos = d.from;
    if (Encodings.dictionary(next.encoding())) {
      dictionary();
      if (d.length() == 0) {
        throw new DamageException("a page of node_id is empty");
      }
      indexes.init(d.bytes, d.from + 1, d.to, d.bytes[d.from] & 0xFF);
    } else if (next.encoding() != Encodings.PLAIN) {
      other.init(next);
    }
  }

  private void dictionary() {
    if (dictHi != null) {
      return;
    }
    Slice d = pages.dictionary();
    int n = pages.dictionaryValues();
    if ((long) n * NodeId.BYTES > d.length()) {
      throw new DamageException("the dictionary of node_id is too short");
    }
    dictHi = new long[n];
    dictLo = new long[n];
    for (int i = 0; i < n; i++) {
      dictHi[i] = IdBytes.longAt(d.bytes, d.from + i * NodeId.BYTES);
      dictLo[i] = IdBytes.longAt(d.bytes, d.from + i * NodeId.BYTES + 8);
    }
  }

  @Override
  void decode(RecordBatch batch, int from, int n) {
    long[] hi = batch.keyHi();
    long[] lo = batch.keyLo();
    if (Encodings.dictionary(page.encoding())) {
      indexes.read(scratch, 0, n);
      for (int i = 0; i < n; i++) {
        int k = LongValues.index(scratch[i], dictHi.length);
        hi[from + i] = dictHi[k];
        lo[from + i] = dictLo[k];
      }
      return;
    }
    byte[] b = page.data().bytes;
    if (page.encoding() == Encodings.PLAIN) {
      int q = pos;
      if (n > (page.data().to - q) / NodeId.BYTES) {
        throw new DamageException("a page of node_id has fewer values than its header says");
      }
      for (int i = 0; i < n; i++, q += NodeId.BYTES) {
        hi[from + i] = IdBytes.longAt(b, q);
        lo[from + i] = IdBytes.longAt(b, q + 8);
      }
      pos = q;
      return;
    }
    other.read(scratch, lengths, 0, n);
    for (int i = 0; i < n; i++) {
      if (lengths[i] != NodeId.BYTES) {
        throw new DamageException("an id has " + lengths[i] + " bytes");
      }
      hi[from + i] = IdBytes.longAt(other.base(), scratch[i]);
      lo[from + i] = IdBytes.longAt(other.base(), scratch[i] + 8);
    }
  }
}
