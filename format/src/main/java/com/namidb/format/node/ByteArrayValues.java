package com.namidb.format.node;

import com.namidb.format.node.Page.Slice;
import java.util.Arrays;

/**
 * The values of a BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY column as slices. Plain and dictionary values
 * are not copied: they point into the page or the dictionary. All slices of one page lie in one
 * buffer.
 */
final class ByteArrayValues {
  private static final int MAX_BYTES = 256 << 20;

  private final PageStream pages;
  private final int fixed;
  private final HybridDecoder indexes = new HybridDecoder();
  private int[] scratch = new int[0];
  private int[] dictOffset;
  private int[] dictLength;
  private byte[] base = new byte[0];
  private int pos;
  private int end;
  private boolean dictionary;
  private int[] allOffset;
  private int[] allLength;

  /**
   * Reads the column of {@code pages}.
   *
   * @param fixed length of every value, 0 if each has its own
   */
  ByteArrayValues(PageStream pages, int fixed) {
    this.pages = pages;
    this.fixed = fixed;
  }

  /** Starts on a page. */
  void init(Page page) {
    Slice d = page.data();
    dictionary = Encodings.dictionary(page.encoding());
    allOffset = null;
    base = d.bytes;
    pos = d.from;
    end = d.to;
    if (d.length() == 0) {
      dictionary = false;
    } else if (dictionary) {
      dictionary(page.data());
    } else if (page.encoding() != Encodings.PLAIN) {
      decodeAll(page);
      pos = 0;
    }
  }

  private void dictionary(Slice d) {
    Slice dict = pages.dictionary();
    if (dictOffset == null) {
      int n = pages.dictionaryValues();
      if (n > dict.length()) {
        throw new DamageException(pages.column() + " has a dictionary that is too short");
      }
      dictOffset = new int[n];
      dictLength = new int[n];
      pos = dict.from;
      end = dict.to;
      plain(dict.bytes, dictOffset, dictLength, 0, n);
    }
    base = dict.bytes;
    indexes.init(d.bytes, d.from + 1, d.to, d.bytes[d.from] & 0xFF);
  }

  /** The buffer the slices of the current page lie in. */
  byte[] base() {
    return base;
  }

  /** The next {@code n} values that are not null. */
  void read(int[] offset, int[] length, int from, int n) {
    if (dictionary) {
      if (scratch.length < n) {
        scratch = new int[n];
      }
      indexes.read(scratch, 0, n);
      for (int i = 0; i < n; i++) {
        int k = LongValues.index(scratch[i], dictOffset.length);
        offset[from + i] = dictOffset[k];
        length[from + i] = dictLength[k];
      }
    } else if (allOffset != null) {
      if (n > allOffset.length - pos) {
        throw tooFew();
      }
      System.arraycopy(allOffset, pos, offset, from, n);
      System.arraycopy(allLength, pos, length, from, n);
      pos += n;
    } else {
      plain(base, offset, length, from, n);
    }
  }

  private void plain(byte[] b, int[] offset, int[] length, int from, int n) {
    int q = pos;
    int stop = end;
    if (fixed > 0) {
      if ((long) n * fixed > stop - q) {
        throw tooFew();
      }
      for (int i = 0; i < n; i++, q += fixed) {
        offset[from + i] = q;
        length[from + i] = fixed;
      }
    } else {
      for (int i = 0; i < n; i++) {
        int k = q + 4 <= stop ? LittleEndian.intAt(b, q) : -1;
        q += 4;
        if (k < 0 || k > stop - q) {
          throw tooFew();
        }
        offset[from + i] = q;
        length[from + i] = k;
        q += k;
      }
    }
    pos = q;
  }

  private void decodeAll(Page page) {
    Slice d = page.data();
    switch (page.encoding()) {
      case Encodings.DELTA_LENGTH_BYTE_ARRAY -> {
        DeltaDecoder lengths = new DeltaDecoder(d.bytes, d.from, d.to);
        place(lengths.read(page.values()), lengths.position(), d.to);
      }
      case Encodings.DELTA_BYTE_ARRAY -> fronts(page);
      case Encodings.BYTE_STREAM_SPLIT -> split(d);
      default -> throw Encodings.refuse(page.encoding());
    }
  }

  /** Values that stand one after the other from {@code from}. */
  private void place(long[] lengths, int from, int to) {
    allOffset = new int[lengths.length];
    allLength = new int[lengths.length];
    int q = from;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0 || lengths[i] > to - q) {
        throw tooFew();
      }
      allOffset[i] = q;
      allLength[i] = (int) lengths[i];
      q += allLength[i];
    }
  }

  /** Each value shares a prefix with the one before. */
  private void fronts(Page page) {
    Slice d = page.data();
    DeltaDecoder reader = new DeltaDecoder(d.bytes, d.from, d.to);
    long[] prefix = reader.read(page.values());
    reader = new DeltaDecoder(d.bytes, reader.position(), d.to);
    place(reader.read(page.values()), reader.position(), d.to);
    if (prefix.length != allOffset.length) {
      throw tooFew();
    }
    byte[] out = new byte[d.length()];
    int size = 0;
    int before = 0;
    for (int i = 0; i < prefix.length; i++) {
      if (prefix[i] < 0 || prefix[i] > (i == 0 ? 0 : allLength[i - 1])) {
        throw tooFew();
      }
      int shared = (int) prefix[i];
      long length = (long) shared + allLength[i];
      if (size + length > MAX_BYTES) {
        throw new DamageException(pages.column() + " has a page of more than 256 MiB");
      }
      if (size + length > out.length) {
        out =
            Arrays.copyOf(out, (int) Math.max(size + length, Math.min(2L * out.length, MAX_BYTES)));
      }
      System.arraycopy(out, before, out, size, shared);
      System.arraycopy(d.bytes, allOffset[i], out, size + shared, allLength[i]);
      before = size;
      allOffset[i] = size;
      allLength[i] = (int) length;
      size += (int) length;
    }
    base = out;
  }

  private void split(Slice d) {
    if (fixed == 0) {
      throw Encodings.refuse(Encodings.BYTE_STREAM_SPLIT);
    }
    int n = d.length() / fixed;
    byte[] out = new byte[n * fixed];
    allOffset = new int[n];
    allLength = new int[n];
    for (int i = 0; i < n; i++) {
      allOffset[i] = i * fixed;
      allLength[i] = fixed;
      for (int k = 0; k < fixed; k++) {
        out[i * fixed + k] = d.bytes[d.from + k * n + i];
      }
    }
    base = out;
  }

  private DamageException tooFew() {
    return new DamageException(pages.column() + " has fewer values than its header says");
  }
}
