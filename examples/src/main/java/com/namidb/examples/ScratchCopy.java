package com.namidb.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A private copy of a data folder, removed at exit: the shipped namespace stays as the engine left
 * it.
 */
final class ScratchCopy {
  private ScratchCopy() {}

  static Path of(Path source) throws IOException {
    Path copy = folder();
    for (Path p : walk(source)) {
      Path to = copy.resolve(source.relativize(p).toString());
      if (Files.isDirectory(p)) {
        Files.createDirectories(to);
      } else {
        Files.copy(p, to);
      }
    }
    return copy;
  }

  /** An empty folder, removed at exit. */
  static Path folder() throws IOException {
    Path folder = Files.createTempDirectory("namidb-example-");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    return folder;
  }

  /** An empty folder that stays. */
  static Path kept() throws IOException {
    return Files.createTempDirectory("namidb-example-");
  }

  private static List<Path> walk(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.toList();
    }
  }

  private static void delete(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      all.sorted(Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
    } catch (IOException e) {
      System.err.println("Could not remove " + root + ": " + e.getMessage());
    }
  }
}
