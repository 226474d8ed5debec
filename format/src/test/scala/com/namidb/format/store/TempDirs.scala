package com.namidb.format.store

import java.io.{IOException, UncheckedIOException}
import java.nio.file.{Files, Path}
import java.util.Comparator
import java.util.concurrent.ConcurrentHashMap

import scala.util.Try

/** Directories that live as long as a test. */
object TempDirs {
  private val made = ConcurrentHashMap.newKeySet[Path]()
  sys.addShutdownHook(made.forEach(delete(_): Unit))

  def withDir[T](test: Path => T): T = {
    val dir = lasting("namidb-test")
    try test(dir)
    finally if (delete(dir)) made.remove(dir)
  }

  /** A directory that is removed when the JVM ends. */
  def lasting(name: String): Path = {
    val dir = Files.createTempDirectory(name)
    made.add(dir)
    dir
  }

  /** Removes a directory now, or when the JVM ends if somebody keeps writing into it. */
  def remove(dir: Path): Unit = if (!delete(dir)) made.add(dir): Unit

  /** Whether all is gone. Once more if somebody else, such as a lease that is released, writes or deletes meanwhile. */
  private def delete(dir: Path): Boolean = Iterator.fill(3)(Try(deleteOnce(dir))).exists { t =>
    t.failed.foreach { case _: IOException | _: UncheckedIOException => case other => throw other }
    !Files.exists(dir)
  }

  private def deleteOnce(dir: Path): Unit = if (Files.exists(dir)) {
    val all = Files.walk(dir)
    try all.sorted(Comparator.reverseOrder[Path]()).forEach(p => Files.deleteIfExists(p): Unit)
    finally all.close()
  }
}
