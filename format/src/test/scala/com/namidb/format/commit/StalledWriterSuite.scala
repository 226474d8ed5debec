package com.namidb.format.commit

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.CommitConflictException
import com.namidb.format.log.Floor
import com.namidb.format.manifest.ManifestPointer
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
