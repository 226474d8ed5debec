package com.namidb.format.edge;

import com.namidb.format.error.StoreErrors;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads a {@link Spool} back through a buffer. */
final class SpoolReader {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;

  SpoolReader(Spool spool) {
    in = spool.read();
  }

  byte[] buffer() {
    return buffer;
  }

  /**
   * Takes {@code n} bytes, at most the buffer's size.
   *
   * @return where they are in {@link #buffer}
   */
  int take(int n) {
    if (limit - position < n) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      limit -= position;
      position = 0;
      try {
        while (limit < n) {
          int got = in.read(buffer, limit, BUFFER - limit);
          if (got < 0) {
            throw new EOFException("a temporary file is shorter than written");
          }
          limit += got;
        }
      } catch (IOException e) {
        throw StoreErrors.failed("read a temporary file", null, e);
      }
    }
    int at = position;
    position += n;
    return at;
  }
}
