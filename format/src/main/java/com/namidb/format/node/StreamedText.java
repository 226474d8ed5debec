package com.namidb.format.node;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Plain values of a page that is too large to be held: the page is decompressed piece by piece, and
 * only whole values are handed out. Writers count rows, not bytes, so long properties make pages of
 * hundreds of megabytes.
 */
final class StreamedText implements AutoCloseable {
  /** Bytes held, unless a single value is longer. */
  private static final int PIECE = 4 << 20;

  private final String column;
  private final PageBytes stored;
  private final InputStream plain;
  private long left;
  private byte[] buffer = new byte[0];
  private int pos;
  private int end;

  /**
   * Starts on a page.
   *
   * @param stored the page's bytes
   * @param plain decompresses {@code stored}
   * @param length bytes {@code plain} must give
   */
  StreamedText(String column, PageBytes stored, InputStream plain, long length) {
    this.column = column;
    this.stored = stored;
    this.plain = plain;
    this.left = length;
  }

  /** The next bytes of the page, before any value was read: levels of a V1 page. */
  byte[] take(int n) {
    if (n < 0 || n > left) {
      throw new DamageException(column + " has levels that are longer than the page");
    }
    try {
      byte[] out = plain.readNBytes(n);
      if (out.length != n) {
        throw tooShort();
      }
      left -= n;
      return out;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** How many whole values can be read next; 0 only after the last one. Moves {@link #base}. */
  int available() {
    int n = whole();
    while (n == 0 && left > 0) {
      fill();
      n = whole();
    }
    if (n == 0 && pos < end) {
      throw new DamageException(column + " has fewer values than its header says");
    }
    return n;
  }

  private int whole() {
    int n = 0;
    int q = pos;
    while (end - q >= 4) {
      int k = LittleEndian.intAt(buffer, q);
      if (k < 0 || k - 4L > left + end - q) {
        throw new DamageException(column + " has a value of " + k + " bytes");
      }
      if (k > end - q - 4) {
        break;
      }
      q += 4 + k;
      n++;
    }
    return n;
  }

  /** Moves the rest to the front and fills up; a value that fills the buffer makes it grow. */
  private void fill() {
    int rest = end - pos;
    if (buffer.length == 0) {
      buffer = new byte[PIECE];
    } else if (pos == 0 && rest == buffer.length) {
      long grown = Math.min(2L * buffer.length, Integer.MAX_VALUE - 64);
      buffer = Arrays.copyOf(buffer, (int) Math.min(grown, rest + left));
    } else {
      System.arraycopy(buffer, pos, buffer, 0, rest);
    }
    pos = 0;
    int want = (int) Math.min(buffer.length - rest, left);
    if (want == 0) {
      throw new DamageException(column + " has a value of more than 2 GiB");
    }
    try {
      int got = plain.readNBytes(buffer, rest, want);
      if (got != want) {
        throw tooShort();
      }
    } catch (IOException e) {
      throw broken(e);
    }
    end = rest + want;
    left -= want;
  }

  /** Where the values of the last {@link #read} lie, until {@link #available} is called. */
  byte[] base() {
    return buffer;
  }

  /** The next {@code n} values, at most {@link #available}. */
  void read(int[] offset, int[] length, int from, int n) {
    for (int i = 0; i < n; i++) {
      if (end - pos < 4) {
        throw new DamageException(column + " has fewer values than its header says");
      }
      int k = LittleEndian.intAt(buffer, pos);
      offset[from + i] = pos + 4;
      length[from + i] = k;
      pos += 4 + k;
    }
  }

  /** Checks that the page holds exactly what it promised, and moves behind it. */
  void finish() {
    try {
      if (left > 0 || pos < end || plain.read() >= 0) {
        throw new DamageException(column + " has a page with bytes behind its values");
      }
      stored.skipRest();
    } catch (IOException e) {
      throw broken(e);
    } finally {
      close();
    }
  }

  private DamageException tooShort() {
    return new DamageException(column + " has a page that ends early");
  }

  private DamageException broken(IOException e) {
    return new DamageException("a page of " + column + " does not decompress", e);
  }

  @Override
  public void close() {
    try {
      plain.close();
    } catch (IOException e) {
      throw broken(e);
    }
  }
}
