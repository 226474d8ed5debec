package com.namidb.format.edge;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;

/**
 * Writes KEY_IDS, OFFSETS, EDGE_ORDINALS and PARTNERS from spooled columns: the index sections come
 * before the blocks and follow from the blocks' sizes alone. Source: edge §2.1–2.4.
 */
final class BlockSections {
  private static final byte SPLIT = 0x01;
  private static final byte DENSE = 0x10;
  private static final int COPY_IDS = 1024;

  private final Spool keys;
  private final Spool blocks;
  private final Spool partners;
  private final EdgeFooter footer;

  /**
   * Takes the columns.
   *
   * @param keys ids
   * @param blocks per key its degree and the bytes of its payload, 4 bytes each
   * @param partners ids
   */
  BlockSections(Spool keys, Spool blocks, Spool partners, EdgeFooter footer) {
    this.keys = keys;
    this.blocks = blocks;
    this.partners = partners;
    this.footer = footer;
  }

  void writeTo(CsrOutput out) {
    out.begin();
    out.put(keys);
    out.end(SectionKind.KEY_IDS, Section.CODEC_PLAIN, "");
    index(out, SectionKind.OFFSETS, footer.offsetWidth());
    index(out, SectionKind.EDGE_ORDINALS, Long.BYTES);
    partnerBlocks(out);
  }

  private void index(CsrOutput out, int kind, int width) {
    SpoolReader in = new SpoolReader(blocks);
    byte[] entry = new byte[Long.BYTES];
    long value = 0;
    out.begin();
    for (long k = 0; k < footer.keyCount(); k++) {
      LeBytes.putWide(entry, 0, value, width);
      out.put(entry, 0, width);
      int at = in.take(2 * Integer.BYTES);
      int degree = LeBytes.i32(in.buffer(), at);
      value +=
          kind == SectionKind.EDGE_ORDINALS
              ? degree
              : VarInts.length(degree) + 1 + LeBytes.i32(in.buffer(), at + Integer.BYTES);
    }
    LeBytes.putWide(entry, 0, value, width);
    out.put(entry, 0, width);
    out.end(kind, Section.CODEC_PLAIN, "");
  }

  private void partnerBlocks(CsrOutput out) {
    SpoolReader in = new SpoolReader(blocks);
    SpoolReader ids = new SpoolReader(partners);
    byte[] head = new byte[VarInts.MAX_BYTES + 1];
    out.begin();
    for (long k = 0; k < footer.keyCount(); k++) {
      int at = in.take(2 * Integer.BYTES);
      int degree = LeBytes.i32(in.buffer(), at);
      boolean dense = LeBytes.i32(in.buffer(), at + Integer.BYTES) == NodeId.BYTES * degree;
      int n = VarInts.put(head, 0, degree);
      head[n] = dense ? DENSE : SPLIT;
      out.put(head, 0, n + 1);
      if (dense) {
        copy(out, ids, degree);
      } else {
        split(out, ids, degree);
      }
    }
    out.end(SectionKind.PARTNERS, Section.CODEC_PLAIN, "");
  }

  private static void copy(CsrOutput out, SpoolReader ids, int degree) {
    int left = degree;
    while (left > 0) {
      int n = Math.min(left, COPY_IDS);
      int at = ids.take(NodeId.BYTES * n);
      out.put(ids.buffer(), at, NodeId.BYTES * n);
      left -= n;
    }
  }

  private static void split(CsrOutput out, SpoolReader ids, int degree) {
    byte[] delta = new byte[VarInts.MAX_BYTES];
    long before = 0;
    for (int j = 0; j < degree; j++) {
      int at = ids.take(NodeId.BYTES);
      long top = Long.reverseBytes(IdBytes.longAt(ids.buffer(), at));
      out.put(delta, 0, VarInts.put(delta, 0, top - before));
      out.put(ids.buffer(), at + Long.BYTES, Long.BYTES);
      before = top;
    }
  }
}
