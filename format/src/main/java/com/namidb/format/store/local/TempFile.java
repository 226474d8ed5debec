package com.namidb.format.store.local;

import com.namidb.format.store.PutResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Content on its way to a file: written beside the target as {@code <name>#<digits>}, which no
 * listing shows, and moved there in one step. Closing drops what did not get there.
 */
final class TempFile implements AutoCloseable {
  private final Path target;
  private final Path path;
  private final FileChannel channel;

  private TempFile(Path target, Path path, FileChannel channel) {
    this.target = target;
    this.path = path;
    this.channel = channel;
  }

  /** Starts a file for {@code target}; makes its directories. */
  static TempFile beside(Path target) throws IOException {
    Path directory = target.getParent();
    makeDirectory(directory);
    // 63 random bits: no other writer takes the same number.
    long digits = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
    Path path = directory.resolve(target.getFileName() + "#" + digits);
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return new TempFile(target, path, channel);
  }

  private static void makeDirectory(Path directory) throws IOException {
    if (directory == null || Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.getParent();
    makeDirectory(parent);
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
    syncDirectory(parent);
  }

  void write(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /**
   * Gives the target this content if nothing is there.
   *
   * @return {@code Unclear} if the target is there but perhaps not durably
   */
  PutResult create(String etag) throws IOException {
    sync();
    try {
      Files.createLink(target, path);
    } catch (FileAlreadyExistsException e) {
      if (Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
        return new PutResult.Refused();
      }
      throw e;
    } catch (UnsupportedOperationException e) {
      throw new IOException("no hard links here", e);
    }
    return durable(etag);
  }

  /** Gives the target this content whatever is there. */
  PutResult replace(String etag) throws IOException {
    sync();
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return durable(etag);
  }

  private void sync() throws IOException {
    channel.force(true);
    channel.close();
  }

  private PutResult durable(String etag) {
    try {
      syncDirectory(target.getParent());
      return new PutResult.Written(etag);
    } catch (IOException e) {
      return new PutResult.Unclear("the directory could not be made durable: " + e);
    }
  }

  private static void syncDirectory(Path directory) throws IOException {
    if (!directory.getFileSystem().supportedFileAttributeViews().contains("posix")
        || !Files.isReadable(directory)) {
      return; // a directory that cannot be opened cannot be synced either
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // The content is where it belongs or was given up; a file left here is ignored by listings.
      return;
    }
  }
}
