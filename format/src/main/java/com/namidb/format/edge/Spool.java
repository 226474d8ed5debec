package com.namidb.format.edge;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.id.IdBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Bytes appended now and read back later: in memory up to a limit, then in a local file. */
final class Spool implements AutoCloseable {
  private static final int FIRST = 1 << 12;

  private final Path folder;
  private final int limit;
  private byte[] buffer = new byte[FIRST];
  private int used;
  private Path file;
  private FileChannel channel;
  private long spilled;

  /**
   * Creates it.
   *
   * @param folder where the local file goes if one is needed
   * @param limit bytes to hold in memory
   */
  Spool(Path folder, int limit) {
    this.folder = folder;
    this.limit = Math.max(limit, FIRST);
  }

  /** Number of bytes. */
  long size() {
    return spilled + used;
  }

  void putByte(int value) {
    int at = reserve(1);
    buffer[at] = (byte) value;
  }

  void putInt(int value) {
    int at = reserve(Integer.BYTES);
    LeBytes.put32(buffer, at, value);
  }

  void putLong(long value) {
    int at = reserve(Long.BYTES);
    LeBytes.put64(buffer, at, value);
  }

  void putId(long hi, long lo) {
    int at = reserve(2 * Long.BYTES);
    IdBytes.putLong(buffer, at, hi);
    IdBytes.putLong(buffer, at + Long.BYTES, lo);
  }

  void put(byte[] bytes, int offset, int length) {
    int done = 0;
    while (done < length) {
      int n = Math.min(length - done, FIRST);
      int at = reserve(n);
      System.arraycopy(bytes, offset + done, buffer, at, n);
      done += n;
    }
  }

  /** Makes room for at most {@link #FIRST} bytes; returns where they go. */
  private int reserve(int n) {
    if (buffer.length - used < n) {
      if (buffer.length < limit) {
        buffer = Arrays.copyOf(buffer, (int) Math.min(limit, 2L * buffer.length));
      }
      if (buffer.length - used < n) {
        spill();
      }
    }
    int at = used;
    used += n;
    return at;
  }

  private void spill() {
    try {
      if (channel == null) {
        file = Files.createTempFile(folder, "edges", ".spool");
        channel =
            FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      ByteBuffer b = ByteBuffer.wrap(buffer, 0, used);
      while (b.hasRemaining()) {
        channel.write(b);
      }
      spilled += used;
      used = 0;
    } catch (IOException e) {
      throw StoreErrors.failed("write a temporary file in " + folder, null, e);
    }
  }

  /** Everything from the start; one reader at a time, and nothing may be appended any more. */
  InputStream read() {
    if (channel == null) {
      return new ByteArrayInputStream(buffer, 0, used);
    }
    spill();
    try {
      channel.position(0);
    } catch (IOException e) {
      throw StoreErrors.failed("read a temporary file in " + folder, null, e);
    }
    return Channels.newInputStream(channel);
  }

  @Override
  public void close() {
    buffer = new byte[0];
    used = 0;
    if (channel != null) {
      try {
        channel.close();
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // A temporary file that stays behind harms nobody.
        spilled = 0;
      }
      channel = null;
    }
  }
}
