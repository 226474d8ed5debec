package com.namidb.format.commit

import java.time.{Clock, Duration}
import java.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CommitConflictException, CommitUnknownException, InvalidOptionException}
import com.namidb.format.log.{CommitProbe, CommitState}
import com.namidb.format.manifest.Layout
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.{FaultyStore, ObjectStore}
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.memory.MemoryStore

/** A job that is met again: after success, after a crash anywhere, half staged, given up. */
class JobRecoverySuite extends JobRecoveryTests(Layout.VERSIONED) {
  import Graph.id

  test("a driver killed between body and pointer: the rerun completes its version, nobody else guesses") {
    val g = killed(CommitState.PUT_POINTER)
    intercept[CommitUnknownException](recovery(g, Duration.ofMinutes(11)).discard(open(g)))
    assert(recovery(g).settle(open(g)).isInstanceOf[Verdict.Undecided] && g.latest().version == 1)
    val receipt = rerun(g).get
    assert(receipt.version == 2 && open(g).attempts.size == 1 && g.contents(g.latest()).nodes.keySet == Set(id(0), id(1)))
    assert(rerun(g).get == receipt)
    // What a stalled writer left in its place, once that was collected, changes nothing.
    g.commit(row(3))
    com.namidb.format.log.Floor.raise(g.paths, g.store, 2)
    val others = new String(g.store.get(g.paths.body(2)).get.bytes, "UTF-8").replace(g.at(2).manifest.writerId, "00000000-0000-0000-0000-000000000009")
    val own = g.at(2).manifest.ssts.get(g.at(2).manifest.ssts.size - 1)
    g.store.put(g.paths.body(2), others.replace(own.id.toString, "00000000-0000-0000-0000-000000000008").getBytes("UTF-8"))
    assert(new CommitVerifier(Graph(g.store).namespace.log, g.paths, g.store, g.clock).verify(open(g)) == new Verdict.CommittedAt(2))
    // The body was removed instead, as an engine does that cannot adopt it: published anew.
    val h = killed(CommitState.PUT_POINTER)
    h.store.delete(h.paths.body(2))
    assert(rerun(h, Duration.ofMinutes(11)).get.version == 2 && open(h).attempts.size == 2)
  }
}

class SingleObjectJobRecoverySuite extends JobRecoveryTests(Layout.SINGLE_OBJECT)

abstract class JobRecoveryTests(layout: Layout) extends AnyFunSuite {
  import Graph.id

  protected val on: OnLayout = OnLayout(layout)
  private val decisive = on.steps.filterNot(_._2).last._1

  protected def open(g: Graph): StagedJob = StagedJob.open(g.paths, g.store, "nightly", "b", g.clock)
  protected def row(n: Long) = Seq(N(id(n), Seq("Person"), Some(s"""{"i":$n}""")))

  protected def recovery(g: Graph, later: Duration = Duration.ZERO): JobRecovery =
    new JobRecovery(g.namespace, g.store, new CommitSettings(5, Duration.ZERO, 1L << 30, Clock.offset(g.clock, later),
      new Random(1), _ => (), CommitProbe.NONE))

  protected def rerun(g: Graph, later: Duration = Duration.ZERO) = {
    val job = open(g)
    recovery(g, later).rerun(job, g.target(job), PublishOrder.blind())
  }

  protected def killed(stop: CommitState): Graph = {
    val g = on.fresh(new MemoryStore)
    g.commit(row(0))
    val job = g.stage(open(g), row(1))
    intercept[IllegalArgumentException](g.publisher(0, s => if (s == stop) throw new IllegalArgumentException("killed"))
      .publish(job, g.target(job), PublishOrder.blind()))
    Graph(g.store)
  }

  test("a job that took effect gives its first receipt and commits nothing") {
    val g = on.fresh(new MemoryStore)
    val job = g.stage(open(g), row(1))
    val first = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    for (_ <- 1 to 2) assert(rerun(g).get == first)
    assert(g.latest().version == 1)
    intercept[InvalidOptionException](recovery(g).discard(open(g)))
  }

  test("a driver killed after the decisive write: the rerun finds the version and writes the receipt") {
    for (stop <- on.steps.filter(_._2).map(_._1)) {
      val g = killed(stop)
      val receipt = rerun(g).get
      assert(receipt.version == 2 && receipt.base == 1 && receipt.nodes.count == 1 && receipt.balance.accepted == 1)
      assert(open(g).phase == JobPhase.PUBLISHED && rerun(g).get == receipt && g.latest().version == 2)
    }
  }

  test("a driver killed before the decisive write: unknown while a request may be under way, then published once") {
    for (stop <- on.steps.filterNot(_._2).map(_._1).filter(_ != CommitState.PUT_POINTER)) {
      val g = killed(stop)
      val e = intercept[CommitUnknownException](rerun(g))
      assert(e.getMessage.contains("ten minutes") && open(g).phase == JobPhase.PUBLISHING)
      intercept[CommitUnknownException](recovery(g).discard(open(g)))
      val receipt = rerun(g, Duration.ofMinutes(11)).get
      assert(receipt.version == 2 && g.contents(g.latest()).nodes.keySet == Set(id(0), id(1)))
      assert(open(g).attempts.size == 2)
    }
  }

  test("a driver killed before the decisive write whose place is taken: certain at once") {
    for (stop <- on.steps.filterNot(_._2).map(_._1).filter(_ != CommitState.PUT_POINTER)) {
      val g = killed(stop)
      g.commit(row(7))
      assert(recovery(g).settle(open(g)).isInstanceOf[Verdict.NotCommitted] && open(g).phase == JobPhase.SEALED)
      assert(rerun(g).get.version == 3 && g.contents(g.latest()).nodes.keySet == Set(id(0), id(1), id(7)))
    }
  }

  /** An operator puts version 1 back, as docs/operations.md says. */
  private def restored(g: Graph): Graph = {
    if (on.single) g.store.put(g.paths.manifest, g.store.get(g.paths.archive(1)).get.bytes)
    else {
      for (key <- Seq(g.paths.pointer(2), g.paths.body(2))) g.store.delete(key)
      g.store.put(g.paths.currentHint, g.store.get(g.paths.pointer(1)).get.bytes)
    }
    Graph(g.store)
  }

  test("a job whose version a restore has undone is not said to be committed, before and after its number is used again") {
    for (named <- Seq(true, false)) {
      val g = on.fresh(new MemoryStore)
      g.commit(row(0))
      val job = g.stage(if (named) open(g) else g.unnamed(), row(1))
      g.publisher().publish(job, g.target(job), PublishOrder.blind())
      def verdict(h: Graph): Verdict = {
        val v = new CommitVerifier(h.namespace.log, h.paths, h.store, h.clock)
        if (named) v.verify(open(h)) else v.verify(job.id)
      }
      assert(verdict(g) == new Verdict.CommittedAt(2))
      val h = restored(g)
      for (next <- Seq(false, true)) {
        if (next) assert(h.commit(row(5)).version == 2)
        verdict(h) match {
          case not: Verdict.NotCommitted => assert(not.reason.contains("version 2") && not.reason.contains("restored"))
          case other => fail(other.toString)
        }
        if (named) assert(intercept[InvalidOptionException](rerun(h)).getMessage.contains("another name"))
      }
    }
  }

  test("a driver that was taken for dead and goes on: its commit is found, never done twice, and its files stay") {
    for (dies <- Seq(false, true)) {
      val inner = new MemoryStore
      val store = new FaultyStore(inner)
      val g = on.fresh(store)
      g.commit(row(0))
      val job = g.stage(open(g), row(1))
      val (op, key) = on.take
      store.on(op, key, Fault.Before { () =>
        val late = Graph(inner)
        assert(recovery(late, Duration.ofMinutes(11)).settle(open(late)).isInstanceOf[Verdict.NotCommitted] && open(late).phase == JobPhase.SEALED)
      })
      val last = on.steps.last._1
      def run() = g.publisher(0, s => if (dies && s == last) throw new IllegalArgumentException("killed")).publish(job, g.target(job), PublishOrder.blind())
      if (dies) intercept[IllegalArgumentException](run()) else assert(run().version == 2)
      val h = Graph(inner)
      assert(open(h).phase == (if (dies) JobPhase.SEALED else JobPhase.PUBLISHED) && h.latest().version == 2)
      assert(new CommitVerifier(h.namespace.log, h.paths, inner, h.clock).verify(open(h)) == new Verdict.CommittedAt(2))
      // A publication that knows nothing of it, and a rerun.
      if (dies) assert(h.publisher().publish(open(h), h.target(open(h)), PublishOrder.blind()).version == 2)
      assert(rerun(h).get.version == 2 && Graph(inner).latest().version == 2 && open(h).phase == JobPhase.PUBLISHED)
      intercept[InvalidOptionException](recovery(h).discard(open(h)))
      assert(h.contents(h.latest()).nodes.keySet == Set(id(0), id(1)))
    }
  }

  test("a verdict on one attempt does not seal another that was begun meanwhile") {
    val g = killed(on.steps.filterNot(_._2).head._1)
    val a = open(g)
    a.publishing(new com.namidb.format.stage.Attempt(1, new java.util.UUID(1, 1), java.util.List.of(), g.clock.millis()))
    val judging = open(g)
    a.publishing(new com.namidb.format.stage.Attempt(1, new java.util.UUID(1, 2), java.util.List.of(), g.clock.millis()))
    assert(!judging.lost() && open(g).phase == JobPhase.PUBLISHING && open(g).attempts.size == a.attempts.size)
    assert(open(g).lost() && open(g).phase == JobPhase.SEALED)
  }

  test("staged files are published by the rerun, half-staged ones forgotten") {
    val g = on.fresh(new MemoryStore)
    val job = g.stage(open(g), row(1))
    job.seal()
    assert(rerun(g).get.version == 1 && g.contents(g.latest()).nodes.keySet == Set(id(1)))
    val h = on.fresh(new MemoryStore)
    h.stage(open(h), row(1))
    assert(rerun(h).isEmpty)
    val again = h.stage(open(h), row(2))
    h.publisher().publish(again, h.target(again), PublishOrder.blind())
    assert(h.contents(h.latest()).nodes.keySet == Set(id(2)))
  }

  test("a job that was given up cannot be published; its rerun starts afresh") {
    val g = on.fresh(new MemoryStore)
    val job = g.stage(open(g), row(1))
    recovery(g).discard(open(g))
    val e = intercept[InvalidOptionException](g.publisher().publish(job, g.target(job), PublishOrder.blind()))
    assert(e.getMessage.contains("was discarded") && e.getMessage.contains("Write again under this name"), e.getMessage)
    assert(g.latest().version == 0 && rerun(g).isEmpty && open(g).phase == JobPhase.OPEN)
  }

  test("two drivers that publish one job at once: one commits it, the other is refused, whoever is ahead") {
    for (stop <- Seq(None, Some(CommitState.CHECK_AGE), Some(decisive))) {
      val g = on.fresh(new MemoryStore)
      g.commit(row(0))
      g.stage(open(g), row(1)).seal()
      val first = open(g)
      var other: Either[RuntimeException, CommitReceipt] = null
      def meet(): Unit = other = try Right(rerun(g).get) catch { case e: RuntimeException => Left(e) }
      val check: PublishCheck = (_, _) => { if (stop.isEmpty && other == null) meet(); java.util.List.of() }
      val order = new PublishOrder(null, Isolation.SNAPSHOT, Footprint.ALL, java.util.List.of(check), (_, _, _, _) => java.util.List.of(), false)
      def publish() = g.publisher(5, s => if (stop.contains(s)) meet()).publish(first, g.target(first), order)
      stop match {
        case None =>
          // The other one overtakes while checks run.
          val e = intercept[InvalidOptionException](publish())
          assert(e.getMessage.contains("and cannot be published") && other.toOption.get.version == 2)
        // Without a body in its place the other one cannot complete it.
        case Some(s) if s == CommitState.CHECK_AGE || on.single => assert(publish().version == 2 && other.swap.toOption.get.isInstanceOf[CommitUnknownException])
        case _ => assert(publish().version == 2 && other.toOption.get.version == 2)
      }
      assert(g.latest().version == 2 && g.contents(g.latest()).nodes.keySet == Set(id(0), id(1)) && open(g).phase == JobPhase.PUBLISHED)
      assert(rerun(g).get.version == 2)
    }
  }

  test("a job that another driver is publishing is left to it") {
    val g = on.fresh(new MemoryStore)
    g.commit(row(0))
    g.stage(open(g), row(1)).seal()
    val first = open(g)
    val check: PublishCheck = (_, _) => {
      // The other driver has recorded its attempt and dies there.
      val other = open(g)
      intercept[IllegalArgumentException](g.publisher(0, s => if (s == on.steps(1)._1) throw new IllegalArgumentException("killed"))
        .publish(other, g.target(other), PublishOrder.blind()))
      java.util.List.of()
    }
    val order = new PublishOrder(null, Isolation.SNAPSHOT, Footprint.ALL, java.util.List.of(check), (_, _, _, _) => java.util.List.of(), false)
    val e = intercept[CommitConflictException](g.publisher().publish(first, g.target(first), order))
    assert(e.getMessage.contains("Another driver"), e.getMessage)
    val met = open(g)
    assert(intercept[InvalidOptionException](g.publisher().publish(met, g.target(met), PublishOrder.blind())).getMessage.contains("PUBLISHING"))
    assert(g.latest().version == 1 && rerun(g, Duration.ofMinutes(11)).get.version == 2)
  }

  test("two drivers that run one job at once do not mix their rows") {
    val g = on.fresh(new MemoryStore)
    val first = open(g)
    first.restart()
    g.stage(first, row(1))
    val second = open(g)
    second.restart()
    for (late <- Seq[StagedJob => Any](_.seal(), j => g.stage(j, row(3)))) {
      val e = intercept[CommitConflictException](late(first))
      assert(e.getMessage.contains("Another driver") && e.getMessage.contains("run this write again"), e.getMessage)
    }
    g.stage(second, row(2))
    g.publisher().publish(second, g.target(second), PublishOrder.blind())
    assert(g.contents(g.latest()).nodes.keySet == Set(id(2)))
  }

  test("a part is in the stage before it is sealed, or its write is told") {
    val g = on.fresh(new MemoryStore)
    val one = g.stage(open(g), row(1))
    val two = open(g)
    // The other write is about to add its part while this one seals.
    one.seal()
    val e = intercept[InvalidOptionException](g.stage(two, row(2)))
    assert(e.getMessage.contains("SEALED"), e.getMessage)
    assert(rerun(g).get.nodes.count == 1)
  }

  test("a job without a name whose outcome is unknown can be asked for by its id") {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    val g = on.fresh(store)
    g.commit(row(0))
    val job = g.stage(g.unnamed(), row(1))
    store.on(on.commit._1, on.commit._2, Fault.LostReply)
    store.on(Op.Get, ".*manifest.*", Fault.FailBefore, FaultyStore.Always)
    val e = intercept[CommitUnknownException](g.publisher().publish(job, g.target(job), PublishOrder.blind()))
    assert(e.getMessage.contains(s"job_id => '${job.id}'"))
    val h = Graph(inner)
    val found = StagedJob.find(h.paths, inner, job.id, h.clock).get
    assert(recovery(h).settle(found) == new Verdict.CommittedAt(2) && found.phase == JobPhase.PUBLISHED)
    assert(found.balance == job.balance && found.candidates == job.candidates)
  }

  /** Every write of a named publication, met by every fault. */
  test("whatever write fails or loses its answer, the report says what the store says") {
    val keys = Seq(".*state.json", ".*receipt.json") ++ on.writes
    val faults = Seq(Fault.FailBefore, Fault.FailAfter, Fault.LostReply, Fault.Conflict409, Fault.Refuse)
    var committed = 0
    for (key <- keys; fault <- faults; skip <- 0 to 1; times <- Seq(1, 2)) {
      val clue = s"$key $fault skip $skip times $times"
      val inner = new MemoryStore
      val store = new FaultyStore(inner)
      val g = on.fresh(store)
      g.commit(row(0))
      val job = g.stage(open(g), row(1))
      job.seal()
      store.on(Op.AnyWrite, key, fault, times, skip)
      val outcome = try Right(g.publisher().publish(job, g.target(job), PublishOrder.blind())) catch { case e: RuntimeException => Left(e) }
      store.heal()
      val seen: ObjectStore = inner
      val h = Graph(seen)
      val visible = h.contents(h.latest()).nodes.contains(id(1))
      outcome match {
        case Right(receipt) =>
          committed += 1
          assert(visible && h.at(receipt.version).manifest.writerId == receipt.writer, clue)
          assert(h.latest().version == 2, clue)
        case Left(e) => assert(!visible || e.isInstanceOf[CommitUnknownException], s"$clue: $e")
      }
      // Whatever happened, ten minutes later the same job is settled and its rows are there once.
      val settled = new JobRecovery(h.namespace, seen, new CommitSettings(5, Duration.ZERO, 1L << 30,
        Clock.offset(h.clock, Duration.ofMinutes(11)), new Random(1), _ => (), CommitProbe.NONE))
      val found = open(h)
      settled.rerun(found, h.target(found), PublishOrder.blind())
      assert(h.contents(h.latest()).nodes.keySet == Set(id(0), id(1)) && h.latest().version == 2, clue)
      assert(open(h).phase == JobPhase.PUBLISHED, clue)
    }
    assert(committed > keys.size * 16, "most of these faults must be survived")
  }
}
