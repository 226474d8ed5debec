package com.namidb.format.store

import java.nio.file.{Files, Path}
import java.util.Comparator

/** Directories that live as long as a test. */
object TempDirs {
  def withDir[T](test: Path => T): T = {
    val dir = Files.createTempDirectory("namidb-test")
    try test(dir)
    finally delete(dir)
  }

  /** A directory that is removed when the JVM ends. */
  def lasting(name: String): Path = {
    val dir = Files.createTempDirectory(name)
    sys.addShutdownHook(if (Files.exists(dir)) delete(dir))
    dir
  }

  private def delete(dir: Path): Unit = {
    val all = Files.walk(dir)
    try all.sorted(Comparator.reverseOrder[Path]()).forEach(p => Files.deleteIfExists(p): Unit)
    finally all.close()
  }
}
