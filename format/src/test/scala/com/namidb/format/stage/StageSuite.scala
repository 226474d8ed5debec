package com.namidb.format.stage

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import java.nio.file.Files
import java.time.Clock
import java.util.EnumSet

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.edge.{EdgeSstFile, EdgeSstReader}
import com.namidb.format.error.{CommitConflictException, InvalidOptionException, JobPublishedException}
import com.namidb.format.id.{KeyRanges, NodeId}
import com.namidb.format.manifest.{GraphSchema, JsonTree, LabelDictionary, NamespacePaths, SstKind}
import com.namidb.format.record.Column
import com.namidb.format.store.{FaultyStore, TempDirs, Xxh3}
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.memory.MemoryStore

class StageSuite extends AnyFunSuite {
  private val paths = new NamespacePaths("", "ns")
  private val schema = new GraphSchema(java.util.Map.of(), java.util.Map.of())
  private val clock = Clock.systemUTC()
  private type Row = (NodeId, NodeId, Long, Option[String])
  private val ids: Ordering[NodeId] = Ordering.comparatorToOrdering(java.util.Comparator.naturalOrder[NodeId]())

  private def read(store: MemoryStore, f: CandidateFile): Seq[Row] = {
    val file = new EdgeSstFile(paths.`object`(f.sst.path), f.sst.sizeBytes, f.sst.counts.rows, f.sst.id, java.util.List.of())
    val in = EdgeSstReader.open(store, file).scan(EnumSet.allOf(classOf[Column]), KeyRanges.ALL)
    val out = Seq.newBuilder[Row]
    while (in.next()) for (i <- 0 until in.batch.size) {
      val b = in.batch
      val dead = b.anyTombstone && b.tombstone()(i)
      out += ((new NodeId(b.keyHi()(i), b.keyLo()(i)), new NodeId(b.partnerHi()(i), b.partnerLo()(i)), b.lsn()(i),
        if (dead) None else Some(if (b.payloadLength()(i) < 0) "{}" else new String(b.payload, b.payloadOffset()(i), b.payloadLength()(i), "UTF-8"))))
    }
    in.close()
    out.result()
  }

  private def write(store: MemoryStore, rows: Seq[Row], sortBytes: Int, temp: java.nio.file.Path): Seq[CandidateFile] = {
    val w = EdgeCandidateWriter.open(new StageTarget(store, paths, "job", temp), "KNOWS", schema, sortBytes)
    try {
      for ((src, dst, lsn, json) <- rows) json match {
        case None => w.addTombstone(src, dst, lsn)
        case Some(t) => val b = ("xx" + t).getBytes("UTF-8"); w.add(src, dst, lsn, b, 2, b.length - 2)
      }
      w.finish().asScala.toSeq
    } finally w.close()
  }

  test("both directions hold the same rows, whether the sort stays in memory or spills; temporary files go") {
    for (seed <- 1 to 6; sortBytes <- Seq(1 << 16, 32 << 20)) TempDirs.withDir { temp =>
      val r = new Random(seed)
      val nodes = Seq.fill(1 + r.nextInt(300))(new NodeId(r.nextLong(), r.nextLong())) :+ NodeId.MIN :+ NodeId.MAX
      val rows: Seq[Row] = Seq.fill(3000)((nodes(r.nextInt(nodes.size)), nodes(r.nextInt(nodes.size)))).distinct.map { case (s, d) =>
        val json = r.nextInt(5) match {
          case 0 => None
          case 1 => Some("{}")
          case 2 => Some("{\"t\":\"" + "x" * r.nextInt(2000) + "\"}")
          case _ => Some(s"""{"i":${r.nextInt()}}""")
        }
        (s, d, 1L + r.nextInt(1000), json)
      }.sortBy(x => (x._1, x._2))(Ordering.Tuple2(ids, ids))
      val store = new MemoryStore
      val Seq(fwd, inv) = write(store, rows, sortBytes, temp)
      assert(read(store, fwd) == rows, seed)
      assert(read(store, inv) == rows.map { case (s, d, l, j) => (d, s, l, j) }.sortBy(x => (x._1, x._2))(Ordering.Tuple2(ids, ids)), seed)
      assert(fwd.sst.kind == SstKind.EDGES_FWD && inv.sst.kind == SstKind.EDGES_INV)
      assert(fwd.digest == inv.digest && fwd.digest.count == rows.size && fwd.partner == inv.sst.id && inv.partner == fwd.sst.id)
      assert(fwd.sst.lsns == inv.sst.lsns && fwd.sst.counts.tombstones == rows.count(_._4.isEmpty))
      assert(inv.sst.counts.keys == rows.map(_._2).distinct.size)
      for (f <- Seq(fwd, inv)) {
        val o = store.get(paths.`object`(f.sst.path)).get
        assert(Xxh3.hash(o.bytes) == f.xxh3 && o.bytes.length == f.sst.sizeBytes && o.meta.etag == f.etag)
        assert(f.sst.path.startsWith("bulk/job/" + f.sst.id.toString.replace("-", "") + "-edges-"))
        assert(CandidateFile.of(JsonTree.parse("", "", JsonTree.write(f.toTree))) == f)
      }
      val left = Files.list(temp)
      try assert(left.count == 0) finally left.close()
    }
  }

  test("a candidate crosses to the driver by Java serialisation") {
    TempDirs.withDir { temp =>
      val f = write(new MemoryStore, Seq((NodeId.MIN, NodeId.MAX, 5L, None)), 1, temp).head
      val bytes = new ByteArrayOutputStream
      val out = new ObjectOutputStream(bytes)
      out.writeObject(f)
      out.close()
      assert(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject() == f)
    }
  }

  test("an upload whose answer is lost is settled by what is there") {
    TempDirs.withDir { temp =>
      for (fault <- Seq(Fault.LostReply, Fault.FailAfter)) {
        val inner = new MemoryStore
        val store = new FaultyStore(inner)
        store.on(Op.Upload, ".*", fault)
        val w = NodeCandidateWriter.open(new StageTarget(store, paths, "job", temp), LabelDictionary.of(java.util.List.of("A")))
        w.add(new com.namidb.format.node.NodeRow().upsert(1, 2, 3, 1).labels(Array(0), 1))
        val f = if (fault == Fault.LostReply) Some(w.finish()) else { intercept[RuntimeException](w.finish()); None }
        f.foreach(x => assert(inner.head(paths.`object`(x.sst.path)).get.etag == x.etag && x.labels.get(0) == "A"))
      }
    }
  }

  test("the digest notices rows written twice while as many were lost, whatever their order") {
    def of(keys: Seq[Long]) = keys.foldLeft(new KeyDigest.Builder)((b, k) => b.add(k, -k)).build()
    val all = (1L to 100L)
    assert(of(all) == of(all.reverse) && of(all) == of(all.take(40)).plus(of(all.drop(40))))
    val swapped = all.filter(_ != 7) :+ 8L
    assert(of(swapped).count == of(all).count && of(swapped) != of(all))
    assert(new KeyDigest.Builder().add(1, 2, 3, 4).build() != new KeyDigest.Builder().add(3, 4, 1, 2).build())
    assert(new Balance(3, 2, 1).holds && !new Balance(3, 3, 1).holds)
  }

  private def job(store: com.namidb.format.store.ObjectStore, id: String = "nightly", binding: String = "b") =
    StagedJob.open(paths, store, id, binding, clock)

  test("a job passes its states by compare-and-set; what is not allowed is refused with its state") {
    val store = new MemoryStore
    val a = job(store)
    val b = job(store)
    val plan = new JobPlan(3, 99, LabelDictionary.of(java.util.List.of("A")))
    a.plan(_ => plan)
    // Planned on what was seen last, and again on what the other writer planned meanwhile.
    val second = b.plan { p =>
      if (p == null) new JobPlan(1, 1, LabelDictionary.of(java.util.List.of("B")))
      else new JobPlan(p.baseVersion, p.lsn, p.labels.extended(java.util.List.of("B")))
    }
    assert(second == new JobPlan(3, 99, LabelDictionary.of(java.util.List.of("A", "B"))))
    a.addPart(java.util.List.of(), new Balance(2, 2, 0))
    b.addPart(java.util.List.of(), new Balance(5, 4, 1))
    b.seal()
    assert(b.phase == JobPhase.SEALED && b.balance == new Balance(7, 6, 1) && job(store).plan.get.labels.size == 2)
    for (late <- Seq[StagedJob => Unit](_.addPart(java.util.List.of(), Balance.EMPTY), _.plan(identity[JobPlan](_)))) {
      val e = intercept[InvalidOptionException](late(job(store)))
      assert(e.getMessage.contains("SEALED"))
    }
    // Whoever is about to begin a job has just seen that it is not: another driver was faster.
    assert(intercept[CommitConflictException](job(store).restart()).getMessage.contains("Another driver"))
    val attempt = new Attempt(3, new java.util.UUID(1, 2), java.util.List.of(new java.util.UUID(3, 4)), 17)
    b.publishing(attempt)
    assert(job(store).attempts.asScala == Seq(attempt) && job(store).phase == JobPhase.PUBLISHING)
    intercept[InvalidOptionException](job(store).discard())
    b.lost()
    b.publishing(attempt)
    b.published(4)
    assert(job(store).version.getAsLong == 4 && job(store).attempts.size == 2)
    assert(intercept[InvalidOptionException](job(store).discard()).getMessage.contains("published as version 4 and stays"))
    val other = intercept[InvalidOptionException](job(store, binding = "other"))
    assert(other.getMessage.contains("other"))
  }

  test("starting afresh forgets the parts of before; discarding is final until then") {
    val store = new MemoryStore
    val a = job(store)
    a.addPart(java.util.List.of(), new Balance(2, 2, 0))
    a.restart()
    a.addPart(java.util.List.of(), new Balance(1, 1, 0))
    a.discard()
    intercept[InvalidOptionException](a.addPart(java.util.List.of(), Balance.EMPTY))
    val b = job(store)
    b.restart()
    b.addPart(java.util.List.of(), new Balance(3, 3, 0))
    b.seal()
    assert(b.balance == new Balance(3, 3, 0))
  }

  test("a lost answer to a change of state is our own change; a foreign one is seen") {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    store.on(Op.PutIfAbsent, ".*state.json", Fault.LostReply)
    val a = job(store)
    store.on(Op.PutIfMatch, ".*state.json", Fault.LostReply)
    a.seal()
    assert(a.phase == JobPhase.SEALED && job(inner).phase == JobPhase.SEALED)
    store.on(Op.PutIfMatch, ".*state.json", Fault.Before(() => job(inner).discard()))
    intercept[InvalidOptionException](a.publishing(new Attempt(0, new java.util.UUID(1, 2), java.util.List.of(), 0)))
    assert(a.phase == JobPhase.DISCARDED)
  }

  test("names that no store or folder can hold are refused") {
    for (id <- Seq("", ".", "..", "a/b", "a b", "é", "x" * 129, "floor.json")) intercept[InvalidOptionException](job(new MemoryStore, id))
    assert(job(new MemoryStore, "x" * 128).phase == JobPhase.OPEN)
  }

  test("a job that took effect says so by a type of its own, whatever it is asked for") {
    val store = new MemoryStore
    val a = job(store)
    a.seal()
    a.publishing(new Attempt(3, new java.util.UUID(1, 2), java.util.List.of(), 17))
    a.published(4)
    for (step <- Seq[StagedJob => Unit](_.restart(), _.seal(), _.addPart(java.util.List.of(), Balance.EMPTY), _.lost()))
      assert(intercept[JobPublishedException](step(job(store))).getMessage.contains("took effect as version 4"))
  }
}
