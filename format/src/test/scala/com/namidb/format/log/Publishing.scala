package com.namidb.format.log

import java.time.{Duration, Instant}
import java.util.UUID
import java.util.concurrent.atomic.AtomicLong

import com.namidb.format.manifest.{Manifest, ManifestEdit, NewSst, NewSsts}
import com.namidb.format.store.ObjectStore

/** A log whose clock moves only when something sleeps or a test says so. */
class Publishing(val store: ObjectStore) {
  val nanos = new AtomicLong
  val timing = new CommitTiming(() => nanos.get, d => nanos.addAndGet(d.toNanos), Duration.ofMinutes(5), Duration.ofMinutes(1))
  val log = new PointerLog(Histories.Paths, store, timing)

  def next(base: Committed, n: Long = 1): Manifest = Publishing.next(base, n)

  def pass(d: Duration): Unit = nanos.addAndGet(d.toNanos)
}

object Publishing {
  private val writers = new AtomicLong

  /** A version that adds one SST of nodes; no two are equal. */
  def next(base: Committed, n: Long): Manifest = edit(base, java.util.List.of(NewSsts.nodes(n, base.manifest.lsnFloor + 1)))

  def edit(base: Committed, ssts: java.util.List[NewSst]): Manifest =
    ManifestEdit.of(base.manifest).add(ssts)
      .build(new UUID(99, writers.incrementAndGet()), Instant.parse("2026-11-29T10:00:00Z"), "next")
}
