package com.namidb.format.edge;

import com.namidb.format.id.NodeId;
import com.namidb.format.store.Xxh3;
import java.util.Arrays;

/**
 * The end of an edge SST: section table, counts, ranges, trailer. Source: edge §1.4.
 *
 * @param keyCount distinct keys
 * @param edgeCount rows, tombstones included
 * @param offsetWidth bytes of an OFFSETS entry
 * @param minKey first key
 * @param maxKey last key
 * @param minLsn smallest LSN
 * @param maxLsn greatest LSN
 */
record EdgeFooter(
    long keyCount,
    long edgeCount,
    int offsetWidth,
    NodeId minKey,
    NodeId maxKey,
    long minLsn,
    long maxLsn) {
  /** Counts and ranges after the table. */
  static final int FIXED_BYTES = 85;

  /** Hash, length, magic. */
  static final int TRAILER_BYTES = 20;

  private static final int MAX_BYTES = 16 << 20;
  private static final byte[] MAGIC = {'T', 'G', 'E', 'D', 'G', 'E', (byte) 0xFE, (byte) 0xEF};

  /** Fetches the footer and checks trailer and hash; the result ends with the trailer. */
  static Slice fetch(EdgeObject object, int firstGuess) {
    long size = object.size();
    if (size < EdgeHeader.BYTES + TRAILER_BYTES) {
      throw object.damaged("it has only " + size + " bytes");
    }
    Slice tail =
        object.holdTail((int) Math.min(size, Math.max(firstGuess, FIXED_BYTES + TRAILER_BYTES)));
    int end = tail.offset + tail.length;
    if (!Arrays.equals(tail.array, end - MAGIC.length, end, MAGIC, 0, MAGIC.length)) {
      throw object.damaged("no footer ends at byte " + size);
    }
    long length = LeBytes.u32(tail.array, end - MAGIC.length - 4);
    long most = Math.min(MAX_BYTES, size - EdgeHeader.BYTES);
    if (length < TRAILER_BYTES + FIXED_BYTES || length > most) {
      throw object.damaged("its footer claims " + length + " bytes");
    }
    Slice all = length <= tail.length ? tail : object.holdTail((int) length);
    int start = all.offset + all.length - (int) length;
    int body = (int) length - TRAILER_BYTES;
    if (Xxh3.hash(all.array, start, body) != LeBytes.u64(all.array, start + body)) {
      throw object.damaged("the footer does not match its checksum");
    }
    return new Slice(all.array, start, (int) length);
  }

  /** Parses the part after the table. */
  static EdgeFooter parse(EdgeObject object, Slice footer) {
    byte[] b = footer.array;
    int at = fixedAt(footer);
    long keys = LeBytes.u64(b, at + 4);
    long edges = LeBytes.u64(b, at + 12);
    // Every key has 16 bytes and every edge an LSN of 8, so both are bounded by the object.
    if (keys < 0 || edges < keys || edges > object.size() / Long.BYTES) {
      throw object.damaged(
          "the footer counts "
              + Long.toUnsignedString(keys)
              + " keys and "
              + Long.toUnsignedString(edges)
              + " edges");
    }
    int bits = b[at + 20];
    if (bits != 24 && bits != 32 && bits != 40 && bits != 48) {
      throw object.damaged("the footer gives offsets " + bits + " bits");
    }
    return new EdgeFooter(
        keys,
        edges,
        bits / 8,
        NodeId.of(b, at + 21),
        NodeId.of(b, at + 37),
        LeBytes.u64(b, at + 53),
        LeBytes.u64(b, at + 61));
  }

  /** Parses the table. */
  static SectionTable table(EdgeObject object, Slice footer) {
    int at = fixedAt(footer);
    return SectionTable.parse(
        object,
        footer,
        at - footer.offset,
        LeBytes.u32(footer.array, at),
        object.size() - footer.length);
  }

  private static int fixedAt(Slice footer) {
    return footer.offset + footer.length - TRAILER_BYTES - FIXED_BYTES;
  }

  /**
   * The footer as stored.
   *
   * @param table encoded entries, back to back
   * @param count how many there are
   */
  byte[] encode(byte[] table, int count) {
    int body = table.length + FIXED_BYTES;
    byte[] out = Arrays.copyOf(table, body + TRAILER_BYTES);
    int at = table.length;
    LeBytes.put32(out, at, count);
    LeBytes.put64(out, at + 4, keyCount);
    LeBytes.put64(out, at + 12, edgeCount);
    out[at + 20] = (byte) (8 * offsetWidth);
    System.arraycopy(minKey.toBytes(), 0, out, at + 21, NodeId.BYTES);
    System.arraycopy(maxKey.toBytes(), 0, out, at + 37, NodeId.BYTES);
    LeBytes.put64(out, at + 53, minLsn);
    LeBytes.put64(out, at + 61, maxLsn);
    LeBytes.put64(out, body, Xxh3.hash(out, 0, body));
    LeBytes.put32(out, body + 8, out.length);
    System.arraycopy(MAGIC, 0, out, body + 12, MAGIC.length);
    return out;
  }
}
