package com.namidb.format.edge;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.store.Xxh3;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A property stream in pages, raw or zstd. Source: edge §2.8.1. */
final class PropertyPages implements PropertyColumn {
  static final byte[] MAGIC = "TGEPRP02".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 1;
  static final int HEAD_BYTES = 32;
  static final int ENTRY_BYTES = 44;

  private static final long MAX_DECODED = 64 << 20;

  /** What incompressible text may gain. */
  private static final long MAX_ENCODED = MAX_DECODED + (1 << 20);

  private static final long MAX_DIRECTORY = 64 << 20;

  private final EdgeFile file;
  private final Section section;
  private final RandomReader entries;
  private final long rows;
  private final boolean zstd;
  private final ZstdDecompressCtx decoder;
  private long pageCount;
  private SectionReader directory;
  private long nextRow;
  private long nextByte;
  private long bodyEnd;
  private Slice chunk = new Slice(new byte[0], 0, 0);
  private long chunkFrom;
  private byte[] own = new byte[0];
  private byte[] page = own;
  private int position;
  private int pageEnd;
  private int left;

  PropertyPages(EdgeFile file, Section section) {
    this.file = file;
    this.section = section;
    entries = file.random(section, 0);
    rows = file.footer().edgeCount();
    zstd = section.codec() == Section.CODEC_ZSTD_PAGES;
    decoder = zstd ? new ZstdDecompressCtx() : null;
  }

  @Override
  public void seek(long first, long end) {
    left = 0;
    if (first == 0) {
      openDirectory();
    } else {
      checkHead(entries.bytes(0, HEAD_BYTES));
      long p = pageOf(first);
      directory = file.reader(section, entryAt(p), directoryEnd());
      Slice e = entries.bytes(entryAt(p), ENTRY_BYTES);
      nextRow = LeBytes.u64(e.array, e.offset);
      nextByte = LeBytes.u64(e.array, e.offset + 12);
      if (nextRow < 0 || nextRow > first || nextByte < directoryEnd()) {
        throw damaged("the directory entry of page " + p + " is impossible");
      }
    }
    bodyEnd = section.length();
    if (end < rows) {
      Slice e = entries.bytes(entryAt(pageOf(end - 1)), ENTRY_BYTES);
      // Only bounds what is fetched ahead; the pages themselves are checked one by one.
      long at = LeBytes.u64(e.array, e.offset + 12) + LeBytes.u64(e.array, e.offset + 20);
      bodyEnd = at < 0 ? bodyEnd : Math.min(at, bodyEnd);
    }
    do {
      load();
    } while (nextRow <= first);
    skip((int) (first - (nextRow - left)));
  }

  private void openDirectory() {
    long guess = Math.min(section.length(), file.pageSize());
    if (guess < HEAD_BYTES) {
      throw damaged("it has no head");
    }
    directory = file.reader(section, 0, guess);
    directory.need(HEAD_BYTES);
    checkHead(new Slice(directory.buffer(), directory.position(), HEAD_BYTES));
    directory.advance(HEAD_BYTES);
    directory.endAt(directoryEnd());
    nextRow = 0;
    nextByte = directoryEnd();
  }

  private void checkHead(Slice s) {
    byte[] b = s.array;
    int at = s.offset;
    if (!Arrays.equals(b, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw damaged("it does not start as property pages");
    }
    if (LeBytes.u16(b, at + 8) != VERSION || LeBytes.u16(b, at + 10) != 0) {
      throw file.object().unsupported(section.label() + " has another version or flags");
    }
    pageCount = LeBytes.u32(b, at + 12);
    if (LeBytes.u64(b, at + 16) != rows) {
      throw damaged("it counts " + LeBytes.u64(b, at + 16) + " rows, the footer " + rows);
    }
    long bytes = ENTRY_BYTES * pageCount;
    if (LeBytes.i32(b, at + 24) != ENTRY_BYTES
        || LeBytes.i32(b, at + 28) != 0
        || bytes > MAX_DIRECTORY
        || HEAD_BYTES + bytes > section.length()
        || pageCount > rows
        || (pageCount == 0 && (rows != 0 || section.length() != HEAD_BYTES))) {
      throw damaged("its directory of " + pageCount + " pages is impossible");
    }
  }

  private static long entryAt(long page) {
    return HEAD_BYTES + ENTRY_BYTES * page;
  }

  private long directoryEnd() {
    return entryAt(pageCount);
  }

  /** The last page that does not start after {@code row}. */
  private long pageOf(long row) {
    long a = 0;
    long z = pageCount;
    while (z - a > 1) {
      long m = (a + z) >>> 1;
      Slice e = entries.bytes(entryAt(m), ENTRY_BYTES);
      if (LeBytes.u64(e.array, e.offset) <= row) {
        a = m;
      } else {
        z = m;
      }
    }
    return a;
  }

  @Override
  public int left() {
    if (left == 0) {
      load();
    }
    return left;
  }

  @Override
  public byte[] buffer() {
    return page;
  }

  private void load() {
    if (directory.offset() >= directoryEnd()) {
      throw damaged("its pages hold fewer than " + rows + " rows");
    }
    directory.need(ENTRY_BYTES);
    byte[] e = directory.buffer();
    int at = directory.position();
    long count = LeBytes.u32(e, at + 8);
    long encoded = LeBytes.u64(e, at + 20);
    long decoded = LeBytes.u64(e, at + 28);
    boolean last = directory.offset() + ENTRY_BYTES == directoryEnd();
    boolean fits =
        LeBytes.u64(e, at) == nextRow
            && count >= 1
            && count <= rows - nextRow
            && LeBytes.u64(e, at + 12) == nextByte
            && encoded >= 0
            && encoded <= Math.min(MAX_ENCODED, section.length() - nextByte)
            && decoded >= Integer.BYTES + count
            && decoded <= MAX_DECODED
            && (zstd || encoded == decoded)
            && last == (nextRow + count == rows)
            && (!last || nextByte + encoded == section.length());
    if (!fits) {
      throw damaged("the page of row " + nextRow + " has an impossible directory entry");
    }
    fetch((int) encoded);
    int start = chunk.offset + (int) (nextByte - chunkFrom);
    if (Xxh3.hash(chunk.array, start, (int) encoded) != LeBytes.u64(e, at + 36)) {
      throw damaged("the page of row " + nextRow + " does not match its checksum");
    }
    decode(start, (int) encoded, (int) decoded);
    directory.advance(ENTRY_BYTES);
    if (LeBytes.u32(page, position) != count) {
      throw damaged("the page of row " + nextRow + " holds another number of rows");
    }
    position += Integer.BYTES;
    left = (int) count;
    nextRow += count;
    nextByte += encoded;
  }

  private void fetch(int encoded) {
    if (nextByte >= chunkFrom && nextByte + encoded <= chunkFrom + chunk.length) {
      return;
    }
    long ahead = Math.min(file.window(), bodyEnd - nextByte);
    int n = (int) Math.max(encoded, ahead);
    chunk = file.object().read(section.offset() + nextByte, n);
    chunkFrom = nextByte;
  }

  private void decode(int start, int encoded, int decoded) {
    if (!zstd) {
      page = chunk.array;
      position = start;
      pageEnd = start + decoded;
      return;
    }
    if (own.length < decoded) {
      own = new byte[decoded];
    }
    int got;
    try {
      got = decoder.decompressByteArray(own, 0, decoded, chunk.array, start, encoded);
    } catch (ZstdException e) {
      throw file.object()
          .damaged(section.label() + ": the page of row " + nextRow + " is no zstd frame", e);
    }
    if (got != decoded) {
      throw damaged("the page of row " + nextRow + " inflates to " + got + " bytes");
    }
    page = own;
    position = 0;
    pageEnd = decoded;
  }

  @Override
  public void take(int n, int[] offsets, int[] lengths) {
    byte[] b = page;
    int at = position;
    for (int i = 0; i < n; i++) {
      if (at < pageEnd && b[at] == 0) {
        lengths[i] = RecordBatch.NO_PAYLOAD;
        at++;
      } else {
        int length = textLength(at);
        offsets[i] = at + 5;
        lengths[i] = length;
        at += 5 + length;
      }
    }
    position = at;
    finish(n);
  }

  private void skip(int n) {
    for (int i = 0; i < n; i++) {
      position += position < pageEnd && page[position] == 0 ? 1 : 5 + textLength(position);
    }
    finish(n);
  }

  private void finish(int n) {
    left -= n;
    if (left == 0 && position != pageEnd) {
      throw damaged("a page before row " + nextRow + " has bytes behind its rows");
    }
  }

  private int textLength(int at) {
    int room = pageEnd - at - 5;
    if (room >= 0 && page[at] == 1) {
      int length = LeBytes.i32(page, at + 1);
      if (length >= 0 && length <= room) {
        return length;
      }
    }
    throw damaged("a page before row " + nextRow + " has a broken row");
  }

  private CorruptObjectException damaged(String detail) {
    return file.object().damaged(section.label() + ": " + detail);
  }

  @Override
  public void close() {
    if (decoder != null) {
      decoder.close();
    }
  }
}
