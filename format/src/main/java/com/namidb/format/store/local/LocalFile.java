package com.namidb.format.store.local;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.id.Hex;
import com.namidb.format.store.Xxh3;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** One open file that holds an object; a file replaced meanwhile stays as it was opened. */
final class LocalFile implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 18;

  private final FileChannel channel;
  private final long modifiedMillis;

  private LocalFile(FileChannel channel, long modifiedMillis) {
    this.channel = channel;
    this.modifiedMillis = modifiedMillis;
  }

  /** Opens a file; empty if there is none, or a directory in its place. */
  static Optional<LocalFile> open(Path path) throws IOException {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      long modifiedMillis = Files.getLastModifiedTime(path).toMillis();
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      return Optional.of(new LocalFile(channel, modifiedMillis));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  long size() throws IOException {
    return channel.size();
  }

  long modifiedMillis() {
    return modifiedMillis;
  }

  /** Reads bytes that lie inside the file. */
  byte[] read(long offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, offset + buffer.position()) < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
    }
    return buffer.array();
  }

  /** Tag of the whole content, read once through a small buffer. */
  String etag() throws IOException {
    HashStream64 hash = Xxh3.stream();
    ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES);
    long offset = 0;
    for (int n = channel.read(buffer, offset); n >= 0; n = channel.read(buffer, offset)) {
      hash.putBytes(buffer.array(), 0, n);
      offset += n;
      buffer.clear();
    }
    return etag(hash.getAsLong());
  }

  /** Tag of a whole content. */
  static String etag(byte[] content) {
    return etag(Xxh3.hash(content));
  }

  /** Tag of a whole content from its hash. */
  static String etag(long hash) {
    return Hex.h16(hash);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
