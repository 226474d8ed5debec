package com.namidb.format.node;

import com.namidb.format.node.Page.Slice;
import java.util.Arrays;

/** The values of an INT64, INT32, DOUBLE, FLOAT or BOOLEAN column, as the bits of longs. */
final class LongValues {
  private final PageStream pages;
  private final int width;
  private final HybridDecoder indexes = new HybridDecoder();
  private int[] scratch = new int[0];
  private long[] dictionary;
  private Page page;
  private int pos;
  private long[] all;

  /**
   * Reads the column of {@code pages}.
   *
   * @param width stored bytes of a plain value: 4 or 8, 0 for booleans
   */
  LongValues(PageStream pages, int width) {
    this.pages = pages;
    this.width = width;
  }

  /** Starts on a page. */
  void init(Page next) {
    page = next;
    pos = 0;
    Slice d = next.data();
    if (width == 0) {
      booleans(d);
    } else if (Encodings.dictionary(next.encoding())) {
      if (d.length() > 0) {
        dictionary();
        indexes.init(d.bytes, d.from + 1, d.to, d.bytes[d.from] & 0xFF);
      } else {
        indexes.init(d.bytes, d.to, d.to, 0);
      }
    } else if (next.encoding() == Encodings.DELTA_BINARY_PACKED) {
      all =
          d.length() == 0
              ? new long[0]
              : new DeltaDecoder(d.bytes, d.from, d.to).read(next.values());
    } else if (next.encoding() != Encodings.PLAIN
        && next.encoding() != Encodings.BYTE_STREAM_SPLIT) {
      throw Encodings.refuse(next.encoding());
    }
  }

  private void booleans(Slice d) {
    if (page.encoding() == Encodings.RLE) {
      int length = d.length() < 4 ? -1 : LittleEndian.intAt(d.bytes, d.from);
      if (d.length() > 0 && (length < 0 || length > d.length() - 4)) {
        throw new DamageException(pages.column() + " has runs that are longer than the page");
      }
      int from = Math.min(d.from + 4, d.to);
      indexes.init(d.bytes, from, from + Math.max(length, 0), 1);
    } else if (page.encoding() != Encodings.PLAIN) {
      throw Encodings.refuse(page.encoding());
    }
  }

  private void dictionary() {
    if (dictionary != null) {
      return;
    }
    Slice d = pages.dictionary();
    int n = pages.dictionaryValues();
    if ((long) n * width > d.length()) {
      throw new DamageException(pages.column() + " has a dictionary that is too short");
    }
    dictionary = new long[n];
    for (int i = 0; i < n; i++) {
      dictionary[i] = plain(d.bytes, d.from + i * width);
    }
  }

  /** The next {@code n} values that are not null. */
  void read(long[] out, int from, int n) {
    if (Encodings.dictionary(page.encoding())) {
      if (scratch.length < n) {
        scratch = new int[n];
      }
      indexes.read(scratch, 0, n);
      for (int i = 0; i < n; i++) {
        out[from + i] = dictionary[index(scratch[i], dictionary.length)];
      }
      return;
    }
    switch (page.encoding()) {
      case Encodings.PLAIN -> plain(out, from, n);
      case Encodings.RLE -> {
        for (int i = 0; i < n; i++) {
          out[from + i] = indexes.read();
        }
      }
      case Encodings.DELTA_BINARY_PACKED -> {
        need(n, all.length);
        System.arraycopy(all, pos, out, from, n);
      }
      default -> split(out, from, n);
    }
    pos += n;
  }

  /** A dictionary index, checked. */
  static int index(int i, int size) {
    if (i < 0 || i >= size) {
      throw new DamageException("a page names entry " + i + " of a dictionary of " + size);
    }
    return i;
  }

  private void need(int n, int have) {
    if (n > have - pos) {
      throw new DamageException(pages.column() + " has fewer values than its header says");
    }
  }

  private void plain(long[] out, int from, int n) {
    Slice d = page.data();
    if (width == 0) {
      need(n, (int) Math.min((long) d.length() * 8, Integer.MAX_VALUE));
      for (int i = 0; i < n; i++) {
        int at = pos + i;
        out[from + i] = (d.bytes[d.from + (at >> 3)] >> (at & 7)) & 1;
      }
      return;
    }
    need(n, d.length() / width);
    int at = d.from + pos * width;
    if (width == 8) {
      for (int i = 0; i < n; i++) {
        out[from + i] = LittleEndian.longAt(d.bytes, at + 8 * i);
      }
    } else {
      for (int i = 0; i < n; i++) {
        out[from + i] = LittleEndian.intAt(d.bytes, at + 4 * i);
      }
    }
  }

  private long plain(byte[] b, int at) {
    return width == 8 ? LittleEndian.longAt(b, at) : LittleEndian.intAt(b, at);
  }

  private void split(long[] out, int from, int n) {
    Slice d = page.data();
    int count = d.length() / width;
    need(n, count);
    Arrays.fill(out, from, from + n, 0);
    for (int k = 0; k < width; k++) {
      int at = d.from + k * count + pos;
      for (int i = 0; i < n; i++) {
        out[from + i] |= (d.bytes[at + i] & 0xFFL) << (8 * k);
      }
    }
    if (width == 4) {
      for (int i = 0; i < n; i++) {
        out[from + i] = (int) out[from + i];
      }
    }
  }
}
