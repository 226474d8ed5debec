package com.namidb.format.node;

import java.io.InputStream;
import java.util.Objects;

/** The stored bytes of one page as a stream, fetched window by window. */
final class PageBytes extends InputStream {
  private final ChunkInput in;
  private long left;

  PageBytes(ChunkInput in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() {
    if (left == 0 || in.ensure(1) == 0) {
      return -1;
    }
    int out = in.buffer()[in.position()] & 0xFF;
    in.advance(1);
    left--;
    return out;
  }

  @Override
  public int read(byte[] out, int from, int n) {
    Objects.checkFromIndexSize(from, n, out.length);
    if (n == 0) {
      return 0;
    }
    if (left == 0 || in.ensure(1) == 0) {
      return -1;
    }
    int k = (int) Math.min(Math.min(n, in.buffered()), left);
    System.arraycopy(in.buffer(), in.position(), out, from, k);
    in.advance(k);
    left -= k;
    return k;
  }

  /** Passes over what was not read. */
  void skipRest() {
    while (left > 0 && in.ensure(1) > 0) {
      int k = (int) Math.min(in.buffered(), left);
      in.advance(k);
      left -= k;
    }
  }
}
