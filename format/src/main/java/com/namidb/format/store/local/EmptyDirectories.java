package com.namidb.format.store.local;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Directories that hold nothing, or nothing but such directories. */
final class EmptyDirectories {
  private EmptyDirectories() {}

  /** Removes them below a directory, and the directory itself if it is one; follows no link. */
  static void remove(Path directory) {
    try {
      Files.walkFileTree(directory, new Remover());
    } catch (IOException e) {
      return; // not there, or not to be looked at: it harms nobody
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path visited, IOException e) {
      try {
        // Refused by the system unless it is empty at this moment.
        Files.delete(visited);
      } catch (IOException stays) {
        return FileVisitResult.CONTINUE;
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
