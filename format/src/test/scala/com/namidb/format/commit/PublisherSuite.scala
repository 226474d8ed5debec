package com.namidb.format.commit

import java.time.Duration
import java.util.concurrent.{Executors, TimeUnit}
import java.util.{Optional, Set => JSet}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.Golden
import com.namidb.format.error.{CommitConflictException, CommitUnknownException, ValidationFailedException}
import com.namidb.format.log.Converted
import com.namidb.format.manifest.{Layout, NamespacePaths, SstKind}
import com.namidb.format.stage.{Balance, StagedJob}
import com.namidb.format.store.{FaultyStore, MeteredStore, Request, RequestKind}
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.local.LocalStore
import com.namidb.format.store.memory.MemoryStore

class PublisherSuite extends PublisherTests(Layout.VERSIONED)

class SingleObjectPublisherSuite extends PublisherTests(Layout.SINGLE_OBJECT)

abstract class PublisherTests(layout: Layout) extends AnyFunSuite {
  import Graph.id

  private val on = OnLayout(layout)

  private def some(from: Int, n: Int, label: String = "Person") = (from until from + n).map(i => N(id(i), Seq(label), Some(s"""{"i":$i}""")))
  private def edges(from: Int, n: Int) = (from until from + n).map(i => E(id(i), id(i + 1), Some(s"""{"w":$i}""")))

  test("what was staged is what is read, once, and nothing is seen before") {
    val g = on.fresh(new MemoryStore)
    val job = g.stage(g.unnamed(), some(0, 100), Map("KNOWS" -> edges(0, 50), "LIKES" -> edges(7, 3)))
    assert(g.contents(g.latest()) == Contents(Map.empty, Map.empty))
    val receipt = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    val seen = g.contents(g.latest())
    assert(seen.nodes == (0 until 100).map(i => id(i) -> (Seq("Person") -> s"""{"i":$i}""")).toMap)
    assert(seen.edges.size == 53 && seen.edges(("LIKES", id(8), id(9))) == """{"w":8}""")
    assert(receipt.base == 0 && receipt.version == 1 && receipt.nodes.count == 100 && receipt.edges.count == 53)
    assert(CommitReceipt.parse("", g.store.get(job.receiptKey).get.bytes) == receipt)
    // Updates, deletes, other labels.
    g.commit(Seq(N(id(1), Seq("City", "Person"), Some("{}")), N(id(2), Nil, None)), Map("KNOWS" -> Seq(E(id(0), id(1), None))))
    val after = g.contents(g.latest())
    assert(after.nodes(id(1)) == (Seq("City", "Person") -> "{}") && !after.nodes.contains(id(2)) && after.nodes.size == 99)
    assert(after.edges.size == 52 && g.latest().manifest.labels.names.asScala == Seq("Person", "City"))
    assert(g.contents(g.at(1)) == seen)
  }

  test("the bill of a warm commit: a HEAD per candidate, the PUTs of a version and the receipt, at any length of history") {
    for (n <- Seq(1, 10, 1000)) {
      val log = new java.util.concurrent.ConcurrentLinkedQueue[Request]
      val g = on.fresh(new MeteredStore(new MemoryStore, r => log.add(r)))
      // A long history at little cost: versions without content.
      for (_ <- 1 to n) {
        val base = g.namespace.log.current()
        val next = com.namidb.format.manifest.ManifestEdit.of(base.manifest).build(java.util.UUID.randomUUID(), java.time.Instant.now(), "x")
        g.namespace.log.publish(base, next, com.namidb.format.log.CommitProbe.NONE)
      }
      g.commit(some(0, 3))
      val job = g.stage(g.unnamed(), some(3, 3), Map("KNOWS" -> edges(0, 5)), base = Some(g.latest()))
      log.clear()
      val files = { g.publisher().publish(job, g.target(job), PublishOrder.blind()).files.asScala.map(f => g.paths.`object`(f.sst.path)).toSeq }
      val v = g.latest().version
      val bill = log.asScala.toSeq.map(_.toString).takeWhile(!on.asks(g.paths, v)(_))
      val want = files.map("HEAD " + _) ++ on.puts(g.paths, v) :+ s"PUT ${job.receiptKey}"
      assert(files.size == 3 && bill.sorted == want.sorted)
    }
  }

  test("a named job costs two PUTs more, and a second run of it is settled without publishing again") {
    val log = new java.util.concurrent.ConcurrentLinkedQueue[Request]
    val g = on.fresh(new MeteredStore(new MemoryStore, r => log.add(r)))
    g.commit(some(0, 1))
    val job = g.stage(StagedJob.open(g.paths, g.store, "nightly", "nodes of Person", g.clock), some(1, 3), base = Some(g.latest()))
    job.seal()
    job.candidates()
    log.clear()
    val receipt = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    assert(log.asScala.groupBy(_.kind).map { case (k, v) => k -> v.size } == Map(RequestKind.HEAD -> 1, RequestKind.PUT -> (if (on.single) 5 else 6)))
    val again = StagedJob.open(g.paths, g.store, "nightly", "nodes of Person", g.clock)
    assert(again.version.getAsLong == receipt.version && again.attempts.size == 1)
    val verifier = new CommitVerifier(g.namespace.log, g.paths, g.store, g.clock)
    assert(verifier.verify(again) == new Verdict.CommittedAt(receipt.version))
    intercept[RuntimeException](g.publisher().publish(again, g.target(again), PublishOrder.blind()))
    assert(g.latest().version == receipt.version)
  }

  test("eight writers commit fifty times each: one line of versions, every row exactly once") {
    val g = on.fresh(new MemoryStore)
    g.commit(some(0, 1))
    val pool = Executors.newFixedThreadPool(8)
    val done = (0 until 8).map { t =>
      val work: Runnable = () => for (k <- 0 until 50) {
        val n = 1000 + t * 1000 + k
        g.commit(Seq(N(id(n), Seq(s"L${n % 11}"), Some(s"""{"i":$n}"""))), Map("KNOWS" -> Seq(E(id(n), id(0), Some("{}")))), seed = n)
      }
      pool.submit(work)
    }
    pool.shutdown()
    done.foreach(_.get(5, TimeUnit.MINUTES))
    val s = g.latest()
    assert(s.version == 401)
    val want = (for (t <- 0 until 8; k <- 0 until 50) yield 1000 + t * 1000 + k).toSet
    val seen = g.contents(s)
    assert(seen.nodes.size == 401 && seen.edges.size == 400)
    for (n <- want) assert(seen.nodes(id(n)) == (Seq(s"L${n % 11}") -> s"""{"i":$n}"""))
    var listed = Set.empty[java.util.UUID]
    for (v <- 1L to 401L) {
      val now = g.at(v).manifest.ssts.asScala.map(_.id).toSet
      assert(listed.subsetOf(now) && (now -- listed).size == (if (v == 1) 1 else 3))
      listed = now
    }
  }

  test("an LSN that was overtaken and label ids that grew differently are rewritten, and win") {
    val g = on.fresh(new MemoryStore)
    g.commit(some(0, 5))
    val base = g.latest()
    val slow = g.stage(g.unnamed(), Seq(N(id(1), Seq("Slow", "Person"), Some("""{"from":"slow"}"""))), Map("T" -> edges(0, 3)), seed = 3, base = Some(base))
    for (k <- 1 to 3) g.commit(Seq(N(id(1), Seq(s"Fast$k"), Some("""{"from":"fast"}"""))), Map("T" -> Seq(E(id(0), id(1), None))), seed = 4)
    val receipt = g.publisher().publish(slow, g.target(slow), PublishOrder.blind())
    val seen = g.contents(g.latest())
    assert(seen.nodes(id(1)) == (Seq("Person", "Slow") -> """{"from":"slow"}"""))
    assert(seen.edges(("T", id(0), id(1))) == """{"w":0}""" && seen.edges.size == 3)
    assert(receipt.files.asScala.forall(f => f.sst.lsns.min > g.at(receipt.base).manifest.lsnFloor))
    assert(g.latest().manifest.labels.names.asScala == Seq("Person", "Fast1", "Fast2", "Fast3", "Slow"))
    // Too large to be rewritten here.
    val late = g.stage(g.unnamed(), some(1, 1, "Other"), seed = 3, base = Some(base))
    val small = new CommitSettings(1, Duration.ZERO, 10, g.clock, new java.util.Random(1), _ => (), com.namidb.format.log.CommitProbe.NONE)
    val e = intercept[CommitConflictException](new Publisher(g.namespace, small).publish(late, g.target(late), PublishOrder.blind()))
    assert(e.getMessage.contains("rewrite => true"))
  }

  test("a lost race is tried again on the winner; out of retries says so") {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    val g = on.fresh(store)
    g.commit(some(0, 1))
    val other = Graph(inner)
    val job = g.stage(g.unnamed(), some(1, 1))
    store.on(on.take._1, on.take._2, Fault.Before(() => other.commit(some(50, 1), seed = 9)), times = 2)
    val receipt = g.publisher().publish(job, g.target(job), PublishOrder.blind())
    assert(receipt.attempts == 3 && receipt.version == 4 && g.contents(g.latest()).nodes.size == 3)
    store.on(on.take._1, on.take._2, Fault.Before(() => other.commit(some(60, 1), seed = 9)), times = 3)
    val named = g.stage(StagedJob.open(g.paths, store, "j", "b", g.clock), some(2, 1))
    intercept[CommitConflictException](g.publisher(retries = 2).publish(named, g.target(named), PublishOrder.blind()))
    assert(StagedJob.find(g.paths, store, "j", g.clock).get.phase.name == "SEALED")
    assert(!g.contents(g.latest()).nodes.contains(id(2)))
    g.publisher().publish(named, g.target(named), PublishOrder.blind())
    assert(g.contents(g.latest()).nodes.contains(id(2)))
  }

  test("an outcome that cannot be read back is unknown, says how to ask, and is then settled") {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    val g = on.fresh(store)
    g.commit(some(0, 1))
    val job = g.stage(StagedJob.open(g.paths, store, "job-7", "b", g.clock), some(1, 1))
    job.seal()
    job.candidates()
    store.on(on.commit._1, on.commit._2, Fault.LostReply)
    store.on(Op.Get, ".*", Fault.FailBefore, FaultyStore.Always)
    val e = intercept[CommitUnknownException](g.publisher().publish(job, g.target(job), PublishOrder.blind()))
    for (part <- Seq("'ns'", "version 2", if (on.single) g.paths.manifest else g.paths.body(2), "job-7", "verify_commit(namespace => 'ns', job_id => 'job-7')"))
      assert(e.getMessage.contains(part), e.getMessage)
    store.heal()
    val found = StagedJob.find(g.paths, store, "job-7", g.clock).get
    assert(found.phase.name == "PUBLISHING")
    assert(new CommitVerifier(Graph(inner).namespace.log, g.paths, inner, g.clock).verify(found) == new Verdict.CommittedAt(2))
  }

  test("a killed driver: dead before the decisive write is not committed, after it is; the verifier tells") {
    import com.namidb.format.log.CommitState.PUT_POINTER
    for ((stop, committed) <- on.steps) {
      val store = new MemoryStore
      val g = on.fresh(store)
      g.commit(some(0, 1))
      val job = g.stage(StagedJob.open(g.paths, store, "j", "b", g.clock), some(1, 1))
      intercept[IllegalArgumentException](g.publisher(0, s => if (s == stop) throw new IllegalArgumentException("killed"))
        .publish(job, g.target(job), PublishOrder.blind()))
      val h = Graph(store)
      val found = StagedJob.find(h.paths, store, "j", h.clock).get
      def verdict(later: Duration) = new CommitVerifier(h.namespace.log, h.paths, store, java.time.Clock.offset(h.clock, later)).verify(found)
      assert(h.contents(h.latest()).nodes.contains(id(1)) == committed, stop)
      if (committed) assert(verdict(Duration.ZERO) == new Verdict.CommittedAt(2))
      else {
        assert(verdict(Duration.ZERO).isInstanceOf[Verdict.Undecided], stop)
        val late = verdict(Duration.ofMinutes(11))
        if (stop == PUT_POINTER) assert(late.isInstanceOf[Verdict.Undecided]) else assert(late.isInstanceOf[Verdict.NotCommitted])
      }
    }
  }

  test("a staged file that is gone, changed or without partner is refused before anything is published") {
    def refused(part: String)(spoil: (Graph, StagedJob) => StagedJob): Unit = {
      val g = on.fresh(new MemoryStore)
      val job = spoil(g, g.stage(g.unnamed(), some(0, 3), Map("T" -> edges(0, 3))))
      val e = intercept[ValidationFailedException](g.publisher().publish(job, g.target(job), PublishOrder.blind()))
      assert(e.getMessage.contains(part), e.getMessage)
      assert(g.latest().version == 0)
    }
    def key(g: Graph, j: StagedJob, i: Int) = g.paths.`object`(j.candidates.get(i).sst.path)
    refused("is not there") { (g, j) => g.store.delete(key(g, j, 0)); j }
    refused("bytes instead of") { (g, j) => g.store.put(key(g, j, 1), Array[Byte](1)); j }
    refused("tag") { (g, j) =>
      val k = key(g, j, 2)
      val b = g.store.get(k).get.bytes.clone()
      b(9) = (b(9) ^ 1).toByte
      g.store.put(k, b)
      j
    }
    refused("other direction") { (g, j) =>
      val alone = g.unnamed()
      alone.plan(_ => j.plan.get)
      alone.addPart(j.candidates.subList(0, 2), Balance.EMPTY)
      alone
    }
    refused("counted twice") { (_, j) => j.addPart(java.util.List.of(), new Balance(5, 3, 1)); j }
    val g = on.fresh(new MemoryStore)
    val odd = g.stage(g.unnamed(), Nil, Map("x é" -> edges(0, 1)))
    intercept[ValidationFailedException](g.publisher().publish(odd, g.target(odd), PublishOrder.blind()))
  }

  test("serializable: any change that matters conflicts; snapshot: only other winners; claims never do") {
    val g = on.fresh(new MemoryStore)
    g.commit(some(0, 5), Map("A" -> edges(0, 2), "B" -> edges(0, 2)))
    def order(read: com.namidb.format.snapshot.Snapshot, iso: Isolation, nodes: Boolean, types: String*) =
      new PublishOrder(read, iso, new Footprint(nodes, Optional.of(JSet.copyOf(types.asJava))), java.util.List.of(),
        (_, _, files, _) => if (files.get(0).sst.keys.contains(id(3))) java.util.List.of("key 3") else java.util.List.of(), false)
    def attempt(meanwhile: => Unit, iso: Isolation, nodes: Boolean, types: String*): Either[String, Long] = {
      val read = g.latest()
      val job = g.stage(g.unnamed(), Seq(N(id(3), Seq("Person"), Some("{}"))), seed = 5, base = Some(read))
      meanwhile
      try Right(g.publisher().publish(job, g.target(job), order(read, iso, nodes, types: _*)).version)
      catch { case e: CommitConflictException => Left(e.getMessage) }
    }
    def claim(): Unit = {
      val base = g.namespace.log.current()
      val next = com.namidb.format.manifest.ManifestEdit.of(base.manifest).build(java.util.UUID.randomUUID(), java.time.Instant.now(), "x")
      g.namespace.log.publish(base, next, com.namidb.format.log.CommitProbe.NONE)
    }
    import Isolation._
    assert(attempt(claim(), SERIALIZABLE, nodes = true, "A").isRight)
    assert(attempt(g.commit(Nil, Map("B" -> edges(9, 1))), SERIALIZABLE, nodes = true, "A").isRight)
    assert(attempt(g.commit(Nil, Map("A" -> edges(9, 1))), SERIALIZABLE, nodes = true, "A").left.exists(_.contains("'A'")))
    assert(attempt(g.commit(some(80, 1)), SERIALIZABLE, nodes = true).left.exists(_.contains("nodes were written")))
    assert(attempt(g.commit(some(81, 1)), SERIALIZABLE, nodes = false, "A").isRight)
    assert(attempt(g.commit(some(82, 1)), SNAPSHOT, nodes = true).left.exists(_.contains("key 3")))
    assert(attempt(claim(), SNAPSHOT, nodes = true).isRight)
  }

  private def copied(name: String)(test: Graph => Unit): Unit = {
    val c = Golden(name).copied()
    try {
      if (on.single) Converted(LocalStore.open(c.store), new NamespacePaths("", c.ns))
      test(Graph(LocalStore.open(c.store), c.ns))
    } finally Golden.deleteTree(c.store)
  }

  test("folding the WAL keeps every row by the byte, original LSNs included, and empties the list") {
    for (name <- Seq("wal-only", "wal-and-sst", "wal-and-sst-2.1.4", "time-travel")) copied(name) { g =>
      val before = g.latest()
      val was = g.contents(before)
      val extra = N(id(77), Seq("Extra"), Some("""{"x":1}"""))
      val receipt = g.commit(Seq(extra))
      val after = g.latest()
      assert(after.manifest.walSegments.isEmpty && receipt.folded.isEmpty == before.manifest.walSegments.isEmpty, name)
      assert(g.contents(after) == was.copy(nodes = was.nodes + (extra.id -> (extra.labels -> extra.json.get))), name)
      val floor = before.manifest.lsnFloor
      assert(receipt.folded.asScala.forall(f => f.sst.lsns.max <= floor))
      val kinds = receipt.folded.asScala.groupBy(_.sst.kind).map { case (k, v) => k -> v.map(_.sst.counts.rows).sum }
      assert(kinds.get(SstKind.EDGES_FWD) == kinds.get(SstKind.EDGES_INV))
    }
  }

  test("nodes beside search indexes are refused unless the generations may be retired; edges never are") {
    for (name <- Seq("indexes", "indexes-2.1.4")) copied(name) { g =>
      assert(g.latest().manifest.hasSearchStates && g.latest().manifest.walSegments.isEmpty, name)
      val e = intercept[ValidationFailedException](g.commit(some(0, 1)))
      assert(e.getMessage.contains("search-indexes=retire"))
      val was = g.contents(g.latest())
      g.commit(Nil, Map("NEWTYPE" -> edges(0, 1)))
      assert(g.latest().manifest.hasSearchStates)
      g.commit(some(0, 1), order = PublishOrder.blind().retiringSearch())
      val m = g.latest().manifest
      assert(!m.hasSearchStates && !m.searchIndexes.isEmpty && m.ssts.asScala.forall(_.kind != SstKind.OTHER))
      assert(g.contents(g.latest()).nodes == was.nodes + (id(0) -> (Seq("Person") -> """{"i":0}""")))
      assert(new String(m.toBytes, "UTF-8").contains("\"search_lsm\":[]"))
    }
  }
}
