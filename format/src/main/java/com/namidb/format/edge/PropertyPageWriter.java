package com.namidb.format.edge;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.namidb.format.store.Xxh3;
import java.nio.file.Path;
import java.util.Arrays;

/** Collects one property stream into pages. Source: edge §2.8.1, page cutting as the engine's. */
final class PropertyPageWriter implements AutoCloseable {
  private static final int PAGE_ROWS = 1024;
  private static final int PAGE_BYTES = 1 << 20;

  /** Longest text a page can take: its decoded size is limited to 64 MiB. */
  static final int MAX_TEXT = (64 << 20) - Integer.BYTES - 5;

  private static final int ZSTD_LEVEL = 3;

  private final int codec;
  private final ZstdCompressCtx encoder;
  private final Spool directory;
  private final Spool bodies;
  private byte[] page = new byte[1 << 12];
  private byte[] encoded = new byte[0];
  private int used = Integer.BYTES;
  private int rows;
  private long textBytes;
  private long pages;
  private long firstRow;
  private long present;

  PropertyPageWriter(Path folder, int spoolBytes, int codec) {
    this.codec = codec;
    directory = new Spool(folder, spoolBytes);
    bodies = new Spool(folder, spoolBytes);
    encoder = codec == Section.CODEC_ZSTD_PAGES ? new ZstdCompressCtx() : null;
    if (encoder != null) {
      encoder.setLevel(ZSTD_LEVEL);
      encoder.setContentSize(false);
    }
  }

  /** Adds a row without text. */
  void addAbsent() {
    reserve(1);
    page[used++] = 0;
    endRow();
  }

  /** Adds a row. */
  void add(byte[] text, int offset, int length) {
    if (rows > 0 && textBytes + length > PAGE_BYTES) {
      flush();
    }
    reserve(5 + length);
    page[used] = 1;
    LeBytes.put32(page, used + 1, length);
    System.arraycopy(text, offset, page, used + 5, length);
    used += 5 + length;
    textBytes += length;
    present++;
    endRow();
  }

  private void reserve(int n) {
    if (page.length - used < n) {
      page = Arrays.copyOf(page, Math.max(used + n, 2 * page.length));
    }
  }

  private void endRow() {
    rows++;
    if (rows == PAGE_ROWS || textBytes >= PAGE_BYTES) {
      flush();
    }
  }

  private void flush() {
    LeBytes.put32(page, 0, rows);
    byte[] stored = page;
    int length = used;
    if (encoder != null) {
      int bound = (int) Zstd.compressBound(used);
      if (encoded.length < bound) {
        encoded = new byte[bound];
      }
      length = encoder.compressByteArray(encoded, 0, bound, page, 0, used);
      stored = encoded;
    }
    directory.putLong(firstRow);
    directory.putInt(rows);
    directory.putLong(bodies.size());
    directory.putLong(length);
    directory.putLong(used);
    directory.putLong(Xxh3.hash(stored, 0, length));
    bodies.put(stored, 0, length);
    pages++;
    firstRow += rows;
    rows = 0;
    textBytes = 0;
    used = Integer.BYTES;
  }

  /** Whether any row has a text; otherwise the stream is not to be written. */
  boolean any() {
    return present > 0;
  }

  /** Writes the stream as a section. */
  void writeTo(CsrOutput out, String name) {
    if (rows > 0) {
      flush();
    }
    byte[] head = Arrays.copyOf(PropertyPages.MAGIC, PropertyPages.HEAD_BYTES);
    LeBytes.put16(head, 8, PropertyPages.VERSION);
    LeBytes.put32(head, 12, (int) pages);
    LeBytes.put64(head, 16, firstRow);
    LeBytes.put32(head, 24, PropertyPages.ENTRY_BYTES);
    out.begin();
    out.put(head, 0, head.length);
    long start = PropertyPages.HEAD_BYTES + PropertyPages.ENTRY_BYTES * pages;
    SpoolReader in = new SpoolReader(directory);
    for (long p = 0; p < pages; p++) {
      int at = in.take(PropertyPages.ENTRY_BYTES);
      // Places become final only now that the directory's length is known.
      LeBytes.put64(in.buffer(), at + 12, start + LeBytes.u64(in.buffer(), at + 12));
      out.put(in.buffer(), at, PropertyPages.ENTRY_BYTES);
    }
    out.put(bodies);
    out.end(SectionKind.PROPERTY_STREAM, codec, name);
  }

  @Override
  public void close() {
    directory.close();
    bodies.close();
    if (encoder != null) {
      encoder.close();
    }
  }
}
