package com.namidb.format.commit

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CommitConflictException, CorruptObjectException, FileErrors}
import com.namidb.format.manifest.Layout
import com.namidb.format.retention.{SweepAge, Sweeper, Swept}
import com.namidb.format.snapshot.Snapshot
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.ObjectStore
import com.namidb.format.store.memory.MemoryStore

/** Under an unsafe age everything but the newest version may go at once, also what a writer is about to commit on. */
class CollectedBaseSuite extends AnyFunSuite {
  import Graph.id

  private def some(from: Int, n: Int) = (from until from + n).map(i => N(id(i), Seq("P"), Some(s"""{"i":$i}""")))

  private def sweep(g: Graph): Unit = {
    val later = java.time.Clock.offset(g.clock, java.time.Duration.ofMinutes(1))
    val s = g.settings()
    val settings = new CommitSettings(s.retries, s.backoff, s.rewriteLimit, later, s.random, s.sleeper, s.probe)
    val plan = new Sweeper(g.namespace, g.store, settings).expire(1, new SweepAge(java.util.OptionalLong.empty(), true), false)
    assert(!plan.doomed.isEmpty): Unit
  }

  private def files(g: Graph, s: Snapshot): Seq[String] = s.manifest.ssts.asScala.map(f => g.paths.`object`(f.path)).toSeq

  /** A check that reads every file of the base, as those that look for existing ids do. */
  private def reading(g: Graph, seen: scala.collection.mutable.Buffer[Long]): PublishOrder = {
    val b = PublishOrder.blind()
    val check: PublishCheck = (base, _) => {
      seen += base.version
      for (f <- files(g, base)) if (g.store.head(f).isEmpty) throw FileErrors.missing("SST", f)
      java.util.List.of[String]()
    }
    new PublishOrder(null, b.isolation, b.footprint, java.util.List.of(check), b.winners, false)
  }

  for (layout <- Layout.values) {
    val on = OnLayout(layout)

    /** A writer that has just committed, and another who replaced its files and collected them. */
    def overtaken(): (ObjectStore, Graph) = {
      val store = new MemoryStore
      val g = on.fresh(store)
      g.commit(some(0, 5))
      val other = Graph(store)
      assert(com.namidb.format.store.s3.Compaction.run(other, _ => ()))
      sweep(other)
      (store, g)
    }

    test(s"$layout: a base whose files are collected is a lost race") {
      val (store, g) = overtaken()
      val seen = scala.collection.mutable.Buffer.empty[Long]
      val job = g.stage(StagedJob.open(g.paths, g.store, "j", "b", g.clock), some(10, 2), base = Some(Graph(store).latest()))
      val none = intercept[CommitConflictException](g.publisher(retries = 0).publish(job, g.target(job), reading(g, seen)))
      assert(none.getMessage.contains("Another writer committed first") && job.phase == JobPhase.SEALED)
      val newest = Graph(store).latest().version
      val warm = Graph(store)
      assert(g.publisher().publish(job, g.target(job), reading(g, seen)).version == newest + 1)
      assert(warm.contents(warm.latest()).nodes.size == 7 && seen.last == newest)
    }

    test(s"$layout: rows that were compared with a version whose files are collected conflict") {
      val store = new MemoryStore
      val g = on.fresh(store)
      g.commit(some(0, 5))
      val read = g.latest()
      val job = g.stage(g.unnamed(), some(10, 2))
      g.commit(some(20, 1))
      assert(com.namidb.format.store.s3.Compaction.run(Graph(store), _ => ()))
      for (collected <- Seq(false, true)) {
        if (collected) sweep(Graph(store)) else files(g, read).foreach(store.delete)
        val winners: WinnerLookup = (r, _, _, _) => {
          for (f <- files(g, r)) if (store.head(f).isEmpty) throw FileErrors.missing("SST", f)
          java.util.List.of[String]()
        }
        val order = new PublishOrder(read, Isolation.SNAPSHOT, Footprint.ALL, java.util.List.of(), winners, false)
        val publish = () => Graph(store).publisher().publish(job, g.target(job), order)
        if (!collected) intercept[CorruptObjectException](publish())
        else assert(intercept[CommitConflictException](publish()).getMessage.contains("collected"))
      }
    }

    test(s"$layout: a base whose WAL is collected is a lost race") {
      val s = Swept(layout = layout)
      s.put("wal/0000000000000001.wal")
      s.engine(Nil, Seq(1))
      val warm = s.open()
      assert(warm.log.base().manifest.walSegments.size == 1)
      val job = s.stage(s.unnamed())
      s.engine(Seq(s.engineFile()))
      s.expire(1, unsafe = true)
      assert(!s.has("wal/0000000000000001.wal"))
      val receipt = new Publisher(warm, s.settings).publish(job, job.target(s.metered, Graph.temp), PublishOrder.blind())
      assert(receipt.attempts == 2 && receipt.version == s.current && s.files(s.latest().manifest).size == 2)
    }

    test(s"$layout: a job whose version expired before its receipt was written is still known to be committed") {
      val store = new MemoryStore
      val g = on.fresh(store)
      val job = g.stage(StagedJob.open(g.paths, g.store, "nightly", "b", g.clock), some(0, 3))
      val first = g.publisher().publish(job, g.target(job), PublishOrder.blind())
      store.delete(job.receiptKey)
      for (i <- 1 to 3) g.commit(some(10 * i, 1))
      sweep(g)
      val h = Graph(store)
      val found = StagedJob.find(h.paths, h.store, "nightly", h.clock).get
      val again = new JobRecovery(h.namespace, h.store, h.settings()).rerun(found, h.target(found), PublishOrder.blind()).get
      assert((again.version, again.writer, again.balance) == ((first.version, first.writer, first.balance)))
      assert(again.files == first.files && h.latest().manifest.ssts.size == 4)
    }

    test(s"$layout: a base that is the newest one and lacks a file is damaged") {
      val store = new MemoryStore
      val g = on.fresh(store)
      g.commit(some(0, 5))
      files(g, g.latest()).foreach(store.delete)
      val job = g.stage(g.unnamed(), some(10, 2))
      intercept[CorruptObjectException](g.publisher().publish(job, g.target(job), reading(g, scala.collection.mutable.Buffer.empty)))
    }
  }
}
