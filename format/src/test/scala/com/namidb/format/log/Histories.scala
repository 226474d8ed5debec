package com.namidb.format.log

import com.namidb.format.manifest.{ManifestFiles, ManifestPointer, NamespacePaths}

/** Histories of versions in a store, as the engine would leave them. */
object Histories {
  val Paths = new NamespacePaths("tenants", "acme")
  private val Start = java.time.Instant.parse("2026-01-01T00:00:00Z")

  def time(seconds: Long): String = Start.plusSeconds(seconds).toString
  def micros(seconds: Long): Long = Start.plusSeconds(seconds).getEpochSecond * 1000000

  def body(store: RecordingStore, version: Long, createdAt: String, rest: String = "\"ssts\":[]", epoch: Long = 0): Unit =
    store.set(Paths.body(version), ManifestFiles.small(version, epoch, createdAt, rest = rest))

  def pointer(version: Long, paths: NamespacePaths = Paths): Array[Byte] =
    new ManifestPointer(version, 0, paths.body(version)).toBytes

  def commit(store: RecordingStore, version: Long, createdAt: String, rest: String = "\"ssts\":[]", epoch: Long = 0): Unit = {
    body(store, version, createdAt, rest, epoch)
    store.set(Paths.pointer(version), pointer(version))
    store.set(Paths.currentHint, pointer(version))
  }

  /** Versions 0 to `last`, one second apart. */
  def upTo(last: Long): RecordingStore = {
    val store = new RecordingStore
    for (v <- 0L to last) commit(store, v, time(v))
    store
  }

  def collect(store: RecordingStore, below: Long): Unit =
    for (v <- 0L until below) {
      store.remove(Paths.body(v))
      store.remove(Paths.pointer(v))
    }
}
