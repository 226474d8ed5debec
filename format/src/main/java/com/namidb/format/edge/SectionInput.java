package com.namidb.format.edge;

import java.io.InputStream;

/** A section as a stream, for decoders that want one. */
final class SectionInput extends InputStream {
  private final SectionReader reader;
  private final long end;

  SectionInput(SectionReader reader, long end) {
    this.reader = reader;
    this.end = end;
  }

  @Override
  public int read() {
    if (reader.offset() == end) {
      return -1;
    }
    reader.need(1);
    return reader.takeByte() & 0xFF;
  }

  @Override
  public int read(byte[] b, int off, int len) {
    long left = end - reader.offset();
    if (left == 0) {
      return len == 0 ? 0 : -1;
    }
    if (len == 0) {
      return 0;
    }
    int n = (int) Math.min(Math.min(len, left), reader.ready(1));
    System.arraycopy(reader.buffer(), reader.position(), b, off, n);
    reader.advance(n);
    return n;
  }
}
