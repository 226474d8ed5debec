package com.namidb.format.node;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.store.Xxh3;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** Parquet's output seam over a {@link ByteSink}; counts and hashes what passes. */
final class SinkOutputFile implements OutputFile {
  private static final int BUFFER = 1 << 16;

  private final ByteSink sink;
  private final HashStream64 hash = Xxh3.stream();
  private final byte[] buffer = new byte[BUFFER];
  private int held;
  private long position;

  SinkOutputFile(ByteSink sink) {
    this.sink = sink;
  }

  /** Bytes written so far. */
  long position() {
    return position;
  }

  /** Hash of everything written; once, at the end. */
  long xxh3() {
    flush();
    return hash.getAsLong();
  }

  private void write(byte[] bytes, int offset, int length) {
    position += length;
    if (length > BUFFER - held) {
      flush();
    }
    if (length >= BUFFER) {
      hash.putBytes(bytes, offset, length);
      sink.write(bytes, offset, length);
    } else {
      System.arraycopy(bytes, offset, buffer, held, length);
      held += length;
    }
  }

  private void flush() {
    if (held > 0) {
      hash.putBytes(buffer, 0, held);
      sink.write(buffer, 0, held);
      held = 0;
    }
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) {
    return new PositionOutputStream() {
      @Override
      public long getPos() {
        return position;
      }

      @Override
      public void write(int b) {
        SinkOutputFile.this.write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        SinkOutputFile.this.write(bytes, offset, length);
      }
    };
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    return create(blockSizeHint);
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }
}
