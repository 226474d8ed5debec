package com.namidb.format.store.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One conditional replacement at a time, among the threads of this JVM and among processes.
 *
 * <p>An OS lock belongs to the whole process and is lost as soon as the process closes any handle
 * of the file. So the threads of this JVM queue before the file is even opened.
 */
final class ReplaceLock {
  private ReplaceLock() {}

  /** Work done under the lock. */
  interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Runs {@code work} while holding the lock; waits for it as long as it takes.
   *
   * @param file lock file in an existing directory; made if needed, never removed
   */
  static <T> T holding(Path file, Work<T> work) throws IOException {
    Path real = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
    synchronized (monitor(real)) {
      try (FileChannel channel =
              FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (!lock.isValid()) {
          throw new IOException("the lock of " + real + " was lost");
        }
        return work.run();
      }
    }
  }

  /** An interned text is one object for all class loaders of the JVM, as the OS lock is. */
  private static Object monitor(Path file) {
    return ("com.namidb.format.store.local.ReplaceLock " + file).intern();
  }
}
