package com.namidb.format.wal;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.Lsn;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Records of one kind in key order, as arrays. Payloads lie in chunks of about {@link #CHUNK_BYTES}
 * so that a batch can refer to one buffer.
 */
final class WalRecords {
  static final int CHUNK_BYTES = 16 << 20;

  final long[] keyHi;
  final long[] keyLo;
  final long[] partnerHi;
  final long[] partnerLo;
  final long[] lsn;
  final boolean[] tombstone;
  final int[] labelSet;
  final long[] schemaVersion;
  final byte[][] chunks;
  final int[] chunk;
  final int[] offset;
  final int[] length;
  final LabelSets labels;
  private final boolean inFileOrder;

  private WalRecords(Builder b) {
    keyHi = b.keyHi;
    keyLo = b.keyLo;
    partnerHi = b.partnerHi;
    partnerLo = b.partnerLo;
    lsn = b.lsn;
    tombstone = b.tombstone;
    labelSet = b.labelSet;
    schemaVersion = b.schemaVersion;
    chunks = b.chunks.toArray(new byte[0][]);
    chunk = b.chunk;
    offset = b.offset;
    length = b.length;
    labels = b.labels;
    inFileOrder = true;
  }

  /** The same edges keyed by destination, then source; payloads are shared. */
  private WalRecords(WalRecords forward, Integer[] order) {
    keyHi = pick(forward.partnerHi, order);
    keyLo = pick(forward.partnerLo, order);
    partnerHi = pick(forward.keyHi, order);
    partnerLo = pick(forward.keyLo, order);
    lsn = pick(forward.lsn, order);
    schemaVersion = pick(forward.schemaVersion, order);
    tombstone = new boolean[order.length];
    for (int i = 0; i < order.length; i++) {
      tombstone[i] = forward.tombstone[order[i]];
    }
    labelSet = pick(forward.labelSet, order);
    chunk = pick(forward.chunk, order);
    offset = pick(forward.offset, order);
    length = pick(forward.length, order);
    chunks = forward.chunks;
    labels = forward.labels;
    inFileOrder = false;
  }

  WalRecords inverse() {
    Integer[] order = new Integer[size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    // Stable, and the forward order already ascends by source.
    Arrays.sort(
        order, (a, b) -> NodeId.compare(partnerHi[a], partnerLo[a], partnerHi[b], partnerLo[b]));
    return new WalRecords(this, order);
  }

  private static long[] pick(long[] from, Integer[] order) {
    long[] out = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      out[i] = from[order[i]];
    }
    return out;
  }

  private static int[] pick(int[] from, Integer[] order) {
    int[] out = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      out[i] = from[order[i]];
    }
    return out;
  }

  int size() {
    return keyHi.length;
  }

  Optional<KeyRange> keys() {
    return size() == 0 ? Optional.empty() : Optional.of(new KeyRange(key(0), key(size() - 1)));
  }

  NodeId key(int i) {
    return new NodeId(keyHi[i], keyLo[i]);
  }

  /** Position of the first record whose key is not below this one. */
  int lowerBound(NodeId key) {
    int a = 0;
    int z = size();
    while (a < z) {
      int m = (a + z) >>> 1;
      if (NodeId.compare(keyHi[m], keyLo[m], key.hi(), key.lo()) < 0) {
        a = m + 1;
      } else {
        z = m;
      }
    }
    return a;
  }

  /** Position after the last record whose key is not above this one. */
  int upperBound(NodeId key) {
    return key.equals(NodeId.MAX) ? size() : lowerBound(key.next());
  }

  long minLsn() {
    long min = -1L;
    for (long l : lsn) {
      min = Lsn.min(min, l);
    }
    return min;
  }

  long maxLsn() {
    long max = 0;
    for (long l : lsn) {
      max = Lsn.max(max, l);
    }
    return max;
  }

  int tombstones() {
    int n = 0;
    for (boolean t : tombstone) {
      n += t ? 1 : 0;
    }
    return n;
  }

  /** Approximate heap use; shared chunks count once, with the forward order. */
  long heapBytes() {
    long bytes = 80L * size();
    if (inFileOrder) {
      for (byte[] c : chunks) {
        bytes += c.length;
      }
    }
    return bytes;
  }

  /** Fills records in key order. */
  static final class Builder {
    private final long[] keyHi;
    private final long[] keyLo;
    private final long[] partnerHi;
    private final long[] partnerLo;
    private final long[] lsn;
    private final boolean[] tombstone;
    private final int[] labelSet;
    private final long[] schemaVersion;
    private final int[] chunk;
    private final int[] offset;
    private final int[] length;
    private final List<byte[]> chunks = new ArrayList<>();
    private final LabelSets labels = new LabelSets();
    private byte[] open = new byte[0];
    private int used;
    private int size;

    Builder(int count, boolean edges) {
      keyHi = new long[count];
      keyLo = new long[count];
      partnerHi = edges ? new long[count] : null;
      partnerLo = edges ? new long[count] : null;
      lsn = new long[count];
      tombstone = new boolean[count];
      labelSet = new int[count];
      schemaVersion = new long[count];
      chunk = new int[count];
      offset = new int[count];
      length = new int[count];
    }

    void tombstone(WalEntry e) {
      tombstone[size] = true;
      add(e, RecordBatch.NO_PAYLOAD);
    }

    void upsert(WalEntry e, byte[] segment, WalDocument document) {
      labelSet[size] = labels.intern(document.labelIds(), document.labelCount());
      schemaVersion[size] = document.schemaVersion();
      int bytes = document.hasProperties() ? document.propertiesLength() : RecordBatch.NO_PAYLOAD;
      if (bytes > 0) {
        room(bytes);
        System.arraycopy(segment, document.propertiesFrom(), open, used, bytes);
        offset[size] = used;
        used += bytes;
      }
      add(e, bytes);
    }

    private void add(WalEntry e, int bytes) {
      keyHi[size] = e.key().hi();
      keyLo[size] = e.key().lo();
      if (partnerHi != null) {
        partnerHi[size] = e.partner().hi();
        partnerLo[size] = e.partner().lo();
      }
      lsn[size] = e.lsn();
      length[size] = bytes;
      chunk[size] = chunks.size();
      size++;
    }

    private void room(int bytes) {
      if (bytes <= open.length - used) {
        return;
      }
      if (used > 0 && used + (long) bytes > CHUNK_BYTES) {
        seal();
      }
      if (bytes > open.length - used) {
        long wanted = Math.max((long) used + bytes, Math.min(CHUNK_BYTES, 2L * open.length));
        open = Arrays.copyOf(open, (int) Math.max(wanted, 4096));
      }
    }

    private void seal() {
      chunks.add(Arrays.copyOf(open, used));
      open = new byte[0];
      used = 0;
    }

    WalRecords build() {
      seal();
      return new WalRecords(this);
    }
  }
}
