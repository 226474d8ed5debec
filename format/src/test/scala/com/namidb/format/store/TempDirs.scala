package com.namidb.format.store

import java.nio.file.{Files, Path}
import java.util.Comparator

/** Directories that live as long as a test. */
object TempDirs {
  def withDir[T](test: Path => T): T = {
    val dir = Files.createTempDirectory("namidb-test")
    try test(dir)
    finally {
      val all = Files.walk(dir)
      try all.sorted(Comparator.reverseOrder[Path]()).forEach(p => Files.delete(p))
      finally all.close()
    }
  }
}
