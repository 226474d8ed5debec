package com.namidb.format.edge;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.record.RecordBatch;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A legacy property stream: an Arrow IPC stream whose first column is nullable Utf8, plain or zstd
 * as a whole. Each Arrow batch is a page. Source: edge §2.8.2.
 */
final class ArrowColumn implements PropertyColumn {
  private static final int CONTINUATION = -1;
  private static final int MAX_HEAD = 16 << 20;
  private static final int STEP = 1 << 20;
  private static final int SCHEMA = 1;
  private static final int RECORD_BATCH = 3;
  private static final int TYPE_UTF8 = 5;

  private final EdgeFile file;
  private final Section section;
  private final long rows;
  private InputStream in;
  private byte[] head = new byte[1 << 10];
  private byte[] body = new byte[0];
  private ArrowBatch batch;
  private long nextRow;
  private int row;
  private int left;

  ArrowColumn(EdgeFile file, Section section) {
    this.file = file;
    this.section = section;
    rows = file.footer().edgeCount();
  }

  @Override
  public void seek(long first, long end) {
    close();
    try {
      InputStream raw =
          new SectionInput(file.reader(section, 0, section.length()), section.length());
      in = section.codec() == Section.CODEC_ZSTD ? new ZstdInputStreamNoFinalizer(raw) : raw;
      readSchema();
    } catch (IOException e) {
      throw broken(e);
    }
    nextRow = 0;
    do {
      load();
    } while (nextRow <= first);
    row = (int) (left - (nextRow - first));
    left -= row;
  }

  private void readSchema() throws IOException {
    FlatTable message = readHead();
    if (message == null || message.u8(1) != SCHEMA) {
      throw damaged("it does not start with a schema");
    }
    FlatTable schema = message.table(2);
    if (message.i64(3) != 0 || schema.u16(0) != 0) {
      throw file.object().unsupported(section.label() + " is not little-endian Arrow");
    }
    FlatTable field = schema.tableIn(1, 0);
    if (field.u8(2) != TYPE_UTF8 || field.has(4)) {
      throw file.object().unsupported(section.label() + " is no plain Utf8 column");
    }
  }

  /** The root table of the next message, null at the end of the stream. */
  private FlatTable readHead() throws IOException {
    byte[] word = new byte[4];
    int got = in.readNBytes(word, 0, 4);
    if (got == 0) {
      return null;
    }
    if (got == 4 && LeBytes.i32(word, 0) == CONTINUATION) {
      got = in.readNBytes(word, 0, 4);
    }
    if (got != 4) {
      throw new EOFException("a message length is cut");
    }
    int length = LeBytes.i32(word, 0);
    if (length == 0) {
      return null;
    }
    if (length < 8 || length > MAX_HEAD) {
      throw damaged("a message head of " + length + " bytes");
    }
    head = fill(head, length);
    return FlatTable.root(head, length, this::damaged);
  }

  /** Grows with what really arrives, so that a wrong length allocates nothing. */
  private byte[] fill(byte[] buffer, int length) throws IOException {
    byte[] out = buffer;
    int have = 0;
    while (have < length) {
      if (out.length == have) {
        out = Arrays.copyOf(out, (int) Math.min(length, Math.max(STEP, 2L * have)));
      }
      int n = in.read(out, have, Math.min(out.length, length) - have);
      if (n < 0) {
        throw new EOFException("a message is cut");
      }
      have += n;
    }
    return out;
  }

  private void load() {
    try {
      FlatTable message;
      do {
        message = readHead();
        if (message == null) {
          throw damaged("it has " + nextRow + " rows, the footer " + rows);
        }
        if (message.u8(1) != RECORD_BATCH) {
          throw file.object().unsupported(section.label() + " has dictionaries");
        }
        long length = message.i64(3);
        if (length < 0 || length > Integer.MAX_VALUE - 8) {
          throw damaged("a batch of " + length + " bytes");
        }
        body = fill(body, (int) length);
        FlatTable records = message.table(2);
        if (records.has(3)) {
          throw file.object().unsupported(section.label() + " has compressed Arrow buffers");
        }
        batch = ArrowBatch.parse(records, body, (int) length, this::damaged);
      } while (batch.rows() == 0);
    } catch (IOException e) {
      throw broken(e);
    }
    if (batch.rows() > rows - nextRow) {
      throw damaged("it has more rows than the footer counts");
    }
    left = batch.rows();
    row = 0;
    nextRow += left;
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
    return body;
  }

  @Override
  public void take(int n, int[] offsets, int[] lengths) {
    for (int i = 0; i < n; i++, row++) {
      if (batch.isNull(row)) {
        lengths[i] = RecordBatch.NO_PAYLOAD;
      } else {
        offsets[i] = batch.start(row);
        lengths[i] = batch.end(row) - offsets[i];
      }
    }
    left -= n;
  }

  private CorruptObjectException damaged(String detail) {
    return file.object().damaged(section.label() + ": " + detail);
  }

  private CorruptObjectException broken(IOException e) {
    return file.object().damaged(section.label() + " is no Arrow stream", e);
  }

  @Override
  public void close() {
    left = 0;
    if (in instanceof ZstdInputStreamNoFinalizer) {
      try {
        in.close();
      } catch (IOException e) {
        // Only native buffers were at stake; the section itself is read through the store.
        in = null;
      }
    }
    in = null;
  }
}
