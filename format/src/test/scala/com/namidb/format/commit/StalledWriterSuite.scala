package com.namidb.format.commit

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.CommitConflictException
import com.namidb.format.log.{CommitProbe, Floor, PublishResult}
import com.namidb.format.manifest.{Layout, ManifestEdit, ManifestPointer}
import com.namidb.format.stage.JobPhase
import com.namidb.format.stage.StagedJob
import com.namidb.format.store.{FaultyStore, ObjectStore}
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.memory.MemoryStore

/** A writer sleeps until its base, and the place it is about to take, are collected. */
class StalledWriterSuite extends AnyFunSuite {
  import Graph.id

  private def some(from: Int, n: Int) = (from until from + n).map(i => N(id(i), Seq("P"), Some(s"""{"i":$i}""")))

  /** Others commit up to version `top` and collect what is below `oldest`. */
  private def pass(store: ObjectStore, top: Long, oldest: Long): Unit = {
    val g = Graph(store)
    while (g.latest().version < top) g.commit(some(1000 + g.latest().version.toInt, 1))
    Floor.raise(g.paths, store, oldest - 1)
    for (v <- 0L until oldest) {
      store.delete(g.paths.body(v))
      store.delete(g.paths.pointer(v))
    }
  }

  private def fallAsleep(inner: ObjectStore, store: FaultyStore): Unit =
    store.on(Op.PutIfAbsent, ".*manifest/v.*", Fault.Before(() => pass(inner, 12, 9)))

  private def start(): (MemoryStore, FaultyStore, Graph) = {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    val g = Graph.fresh(store)
    g.commit(some(0, 5))
    (inner, store, g)
  }

  private def hint(g: Graph, store: ObjectStore) = ManifestPointer.parse("", store.get(g.paths.currentHint).get.bytes).version

  private def untouched(g: Graph, inner: ObjectStore): Unit = {
    val others = Graph(inner)
    assert(others.latest().version == 12 && hint(g, inner) == 12)
    assert(others.contents(others.latest()).nodes.size == 16, "rows of a fork are shown")
    assert(inner.head(g.paths.pointer(3)).isEmpty, "a fork was continued")
  }

  test("what it publishes is not committed, and the job can be published again") {
    val (inner, store, g) = start()
    val job = g.stage(StagedJob.open(g.paths, g.store, "j", "nodes of P", g.clock), some(10, 3))
    fallAsleep(inner, store)
    val e = intercept[CommitConflictException](g.publisher(retries = 0).publish(job, g.target(job), PublishOrder.blind()))
    assert(e.getMessage.contains("Nothing was published"))
    assert(inner.head(g.paths.pointer(2)).isPresent, "it took the place that was free again")
    assert(job.phase == JobPhase.SEALED)
    untouched(g, inner)
    val receipt = g.publisher(retries = 0).publish(job, g.target(job), PublishOrder.blind())
    assert((receipt.base, receipt.version) == ((12L, 13L)))
    val others = Graph(inner)
    assert(others.contents(others.latest()).nodes.size == 19 && hint(g, inner) == 13)
  }

  test("its next attempt stands on what the others follow, not on its own lost pointer") {
    val (inner, store, g) = start()
    val job = g.stage(g.unnamed(), some(10, 3))
    fallAsleep(inner, store)
    val receipt = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    assert((receipt.base, receipt.version, receipt.attempts) == ((12L, 13L, 2)))
    val others = Graph(inner)
    assert(others.contents(others.latest()).nodes.size == 19)
    assert(inner.head(g.paths.pointer(3)).isEmpty)
  }

  test("a job that read what is collected now conflicts") {
    val (inner, store, g) = start()
    val read = g.latest()
    val job = g.stage(g.unnamed(), some(10, 3))
    fallAsleep(inner, store)
    val b = PublishOrder.blind()
    val order = new PublishOrder(read, Isolation.SERIALIZABLE, b.footprint, b.checks, b.winners, false)
    intercept[CommitConflictException](g.publisher().publish(job, g.target(job), order))
    untouched(g, inner)
  }

  test("another process that remembers an old version is not led onto the lost pointer") {
    for (warm <- Seq(false, true)) {
      val (inner, store, g) = start()
      val old = Graph(inner)
      if (warm) old.commit(Nil) else old.latest()
      val base = old.latest().version
      val job = g.stage(g.unnamed(), some(10, 3))
      fallAsleep(inner, store)
      intercept[CommitConflictException](g.publisher(retries = 0).publish(job, g.target(job), PublishOrder.blind()))
      assert(inner.head(g.paths.pointer(base + 1)).isPresent && base < 9)
      val receipt = old.commit(some(20, 1))
      assert((receipt.base, receipt.version) == ((12L, 13L)))
      val others = Graph(inner)
      assert(others.contents(others.latest()).nodes.contains(id(20)) && hint(g, inner) == 13)
    }
  }

  test("a newest version that is not above the floor is refused before anything is written") {
    val (inner, _, g) = start()
    Floor.raise(g.paths, inner, 1)
    // Its own last commit is warm; another process asks.
    val other = Graph(inner)
    val job = other.stage(StagedJob.open(g.paths, inner, "j", "nodes of P", g.clock), some(10, 3))
    val e = intercept[CommitConflictException](other.publisher().publish(job, other.target(job), PublishOrder.blind()))
    assert(e.getMessage.contains("version floor 1"))
    assert(job.phase == JobPhase.SEALED && inner.head(g.paths.body(2)).isEmpty)
  }
}

/** The same sleeper where one object is replaced: its condition fails, so there is no fork to be followed. */
class SingleObjectStalledWriterSuite extends AnyFunSuite {
  import Graph.id

  private val on = OnLayout(Layout.SINGLE_OBJECT)
  private def some(from: Int, n: Int) = (from until from + n).map(i => N(id(i), Seq("P"), Some(s"""{"i":$i}""")))

  /** Others commit up to version `top`; what is below `oldest` is collected, if anything. */
  private def pass(store: ObjectStore, top: Long, oldest: Long): Unit = {
    val g = Graph(store)
    while (g.latest().version < top) g.commit(some(1000 + g.latest().version.toInt, 1))
    if (oldest > 0) {
      val base = g.namespace.log.base()
      val floor = ManifestEdit.of(base.manifest).floor(oldest - 1).build(java.util.UUID.randomUUID(), java.time.Instant.now(), "floor")
      assert(g.namespace.log.publish(base, floor, CommitProbe.NONE).isInstanceOf[PublishResult.Committed])
      for (v <- 0L until oldest) store.delete(g.paths.archive(v))
    }
  }

  private def start(oldest: Long, at: (Op, String)): (MemoryStore, Graph) = {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    val g = on.fresh(store)
    g.commit(some(0, 5))
    store.on(at._1, at._2, Fault.Before(() => pass(inner, 12, oldest)))
    (inner, g)
  }

  for ((what, oldest) <- Seq("superseded" -> 0L, "collected" -> 9L); (where, at) <- Seq("archive" -> ((Op.PutIfAbsent, ".*/manifests/.*")), "manifest" -> on.commit))
    test(s"stalled before it writes the $where until its base is $what: not committed, and published anew on request") {
      val (inner, g) = start(oldest, at)
      val top = if (oldest > 0) 13L else 12L
      val job = g.stage(StagedJob.open(g.paths, g.store, "j", "nodes of P", g.clock), some(10, 3))
      val e = intercept[CommitConflictException](g.publisher(retries = 0).publish(job, g.target(job), PublishOrder.blind()))
      assert(e.getMessage.contains("Nothing was published") && job.phase == JobPhase.SEALED)
      val others = Graph(inner)
      assert(others.latest().version == top && others.contents(others.latest()).nodes.size == 16)
      val verifier = new CommitVerifier(others.namespace.log, others.paths, inner, java.time.Clock.offset(others.clock, java.time.Duration.ofMinutes(11)))
      assert(verifier.verify(StagedJob.find(others.paths, inner, "j", others.clock).get).isInstanceOf[Verdict.NotCommitted])
      val receipt = g.publisher(retries = 0).publish(job, g.target(job), PublishOrder.blind())
      assert((receipt.base, receipt.version) == ((top, top + 1)))
      assert(Graph(inner).contents(Graph(inner).latest()).nodes.size == 19)
    }

  test("its next attempt stands on what the others committed; a job that read what is collected conflicts") {
    val (inner, g) = start(9, on.commit)
    val job = g.stage(g.unnamed(), some(10, 3))
    val receipt = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    assert((receipt.base, receipt.version, receipt.attempts) == ((13L, 14L, 2)))
    assert(Graph(inner).contents(Graph(inner).latest()).nodes.size == 19)
    val (_, h) = start(9, on.commit)
    val read = h.latest()
    val late = h.stage(h.unnamed(), some(10, 3))
    val b = PublishOrder.blind()
    val order = new PublishOrder(read, Isolation.SERIALIZABLE, b.footprint, b.checks, b.winners, false)
    intercept[CommitConflictException](h.publisher().publish(late, h.target(late), order))
  }

  test("a job that the manifest names is committed already, whoever runs it again and whatever is left of its state") {
    val inner = new MemoryStore
    val g = on.fresh(inner)
    val job = g.stage(StagedJob.open(g.paths, inner, "nightly", "b", g.clock), some(0, 2))
    val first = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    g.commit(some(50, 1))
    assert(g.latest().manifest.jobs.get("nightly") == first.version)
    for (receipt <- Seq(true, false)) {
      // The state is cleaned away, and the same job is staged once more.
      inner.delete(s"ns/bulk/nightly/state.json")
      if (!receipt) inner.delete(job.receiptKey)
      val h = Graph(inner)
      val again = h.stage(StagedJob.open(h.paths, inner, "nightly", "b", h.clock), some(0, 2), seed = 8)
      val same = h.publisher().publish(again, h.target(again), PublishOrder.blind())
      assert(same.version == first.version && same.writer == first.writer && again.phase == JobPhase.PUBLISHED && (same == first) == receipt)
      assert(h.latest().version == 2)
      assert(new CommitVerifier(h.namespace.log, h.paths, inner, h.clock).verify("nightly") == new Verdict.CommittedAt(first.version))
    }
  }
}
