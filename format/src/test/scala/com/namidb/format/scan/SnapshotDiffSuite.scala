package com.namidb.format.scan

import java.util.{EnumSet, Optional}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.InvalidOptionException
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.merge.{Records, ReferenceGraph, Version}
import com.namidb.format.record.Column
import com.namidb.format.snapshot.{Snapshot, WalPolicy}
import com.namidb.format.wal.{HeldObjects, WalBytes}
import org.scalatest.funsuite.AnyFunSuite

/** Random histories of two versions, compared slice by slice, against the difference of two slow answers. */
class SnapshotDiffSuite extends AnyFunSuite {
  /** A row as users see it; the LSN tells which record it is. */
  private case class Seen(change: String, key: NodeId, partner: Option[NodeId], lsn: Long, labels: Seq[String],
      payload: Option[String], sst: String)

  private case class State(ssts: Seq[FakeSst], wal: Seq[Seq[Version]], names: Seq[String])

  /** Texts and what they mean: other order, blanks and a missing object are no change; a null is one. */
  private val payloads = Seq(None -> "", Some("{}") -> "", Some("""{"p":1,"q":2}""") -> "p1q2",
    Some("""{ "q":2, "p":1}""") -> "p1q2", Some("""{"p":1.0,"q":2}""") -> "p1.0q2", Some("""{"p":null}""") -> "null",
    Some("""{"p":"x"}""") -> "x", Some("broken") -> "broken")
  private val meaning = payloads.toMap

  private class History(val seed: Int) {
    val r = new Random(seed)
    val edges: Boolean = r.nextInt(3) == 0
    private val ids = {
      val spread = Seq(3, 20, 200)(r.nextInt(3))
      Seq.fill(spread)(new NodeId(Seq(0L, 1L, Long.MaxValue, Long.MinValue, -1L)(r.nextInt(5)), r.nextLong() & ~0xffL)).distinct
    }
    private val legacy = r.nextInt(4) == 0
    private var number = 0
    private var lsn = 0L
    val made = mutable.Buffer.empty[FakeSst]
    def id: NodeId = ids(r.nextInt(ids.size))

    private def versions(n: Int, names: Seq[String]): Seq[Version] = {
      val near = id
      val narrow = r.nextInt(2) == 0
      Seq.fill(n) {
        val dead = r.nextInt(4) == 0
        lsn += 1
        val key = id
        Version(if (narrow && key.hi != near.hi) near else key, Option.when(edges)(id), lsn, dead,
          if (edges || dead) Nil else names.indices.filter(_ => r.nextInt(3) == 0),
          if (dead) None else payloads(r.nextInt(payloads.size))._1)
      }.groupBy(v => (v.key, v.partner)).values.map(_.head).toSeq.sorted
    }

    private def sst(v: Seq[Version], scope: String = ""): FakeSst = {
      number += 1
      val f = FakeSst(number, if (edges) "EdgesFwd" else "Nodes", if (edges) "T" else scope, v, labelCounts = r.nextBoolean() && scope.isEmpty)
      made += f
      f
    }

    private def merged(files: Seq[FakeSst], wal: Seq[Version], dropDead: Boolean): Seq[FakeSst] = {
      val v = ReferenceGraph.winners((0 -> wal) +: files.zipWithIndex.map { case (f, i) => (i + 1) -> f.versions }).map(_._1)
      val kept = v.filterNot(dropDead && _.dead)
      if (kept.isEmpty) Nil else kept.grouped(1 + r.nextInt(kept.size)).map(sst(_)).toSeq
    }

    private def step(s: State): State = r.nextInt(12) match {
      case 0 | 1 | 2 => s.copy(wal = s.wal :+ versions(1 + r.nextInt(8), s.names))
      case 3 | 4 => s.copy(ssts = sst(versions(1 + r.nextInt(30), s.names)) +: s.ssts)
      case 5 | 6 => s.copy(ssts = merged(Nil, newest(s.wal), dropDead = false) ++ s.ssts, wal = Nil)
      case 7 =>
        // What a part of the SSTs say goes into new ones, all of it or its winners only.
        val (some, others) = s.ssts.partition(f => (edges || f.scope.isEmpty) && r.nextBoolean())
        s.copy(ssts = others ++ merged(some, Nil, dropDead = others.isEmpty))
      case 8 if legacy && !edges =>
        val scope = Seq("A", "Old")(r.nextInt(2))
        s.copy(ssts = s.ssts :+ sst(versions(1 + r.nextInt(9), s.names).map(_.copy(labels = Nil)), scope))
      case 8 => s.copy(ssts = r.shuffle(s.ssts))
      case 9 => s.copy(ssts = s.ssts.filterNot(_ => r.nextInt(5) == 0))
      case 10 => s.copy(names = if (r.nextInt(3) == 0) r.shuffle(s.names) else s.names :+ s"N${s.names.size}")
      case 11 =>
        // The same LSNs with other content: who is listed first decides.
        val v = versions(1 + r.nextInt(9), s.names)
        val again = v.map(x => x.copy(payload = if (x.dead) None else payloads(r.nextInt(payloads.size))._1))
        s.copy(ssts = s.ssts ++ Seq(sst(v), sst(again)))
    }

    private def newest(wal: Seq[Seq[Version]]): Seq[Version] =
      ReferenceGraph.winners(wal.zipWithIndex.map { case (v, i) => i -> v }).map(_._1)

    private val start = (1 to r.nextInt(15)).foldLeft(State(Nil, Nil, Seq("A", "B", "C")))((s, _) => step(s))
    val before: State = start
    val after: State = (1 to (if (r.nextInt(3) == 0) 1 else r.nextInt(10))).foldLeft(start)((s, _) => step(s))

    private def snapshot(s: State, version: Long): (Snapshot, HeldObjects) =
      Snapshots(s"diff-suite-$seed", s.ssts, s.wal.map(_.map { v =>
        WalBytes.Rec(Option.when(edges)("T"), v.key, v.partner.getOrElse(v.key), v.lsn, Option.unless(v.dead)(
          s"""{"properties":${v.payload.filter(_ != "broken").getOrElse("{}")},"labels":[${v.labels.mkString(",")}]}"""))
      }), s.names, version, version * 100)

    private val (from, objects) = snapshot(before, 7)
    private val (to, more) = snapshot(after, 9)
    private val store = new HeldObjects(objects.objects ++ more.objects)

    /** Live rows of a version that a request shows, with what they mean. */
    private def rows(s: State, q: ScanRequest): Map[(NodeId, Option[NodeId]), (Seen, (Seq[String], String))] = {
      val wal = if (q.wal == WalPolicy.REPLAY) newest(s.wal).map { v =>
        v.copy(payload = if (v.dead) None else Some(v.payload.filter(_ != "broken").getOrElse("{}")))
      } else Nil
      val sources = (0 -> wal) +: s.ssts.zipWithIndex.map { case (f, i) => (i + 1) -> f.versions }
      ReferenceGraph.winners(sources).filterNot(_._1.dead).flatMap { case (v, rank) =>
        val known = v.labels.filter(_ < s.names.size).map(s.names).distinct.sorted
        val scope = if (rank == 0 || edges) "" else s.ssts(rank - 1).scope
        val labels = if (known.isEmpty && scope.nonEmpty) Seq(scope) else known
        val shown = (q.target match {
          case n: ScanRequest.Nodes => !n.label.isPresent || labels.contains(n.label.get)
          case _ => true
        }) && q.keys.contains(v.key.hi, v.key.lo) && v.partner.forall(p => q.partners.contains(p.hi, p.lo))
        Option.when(shown)((v.key, v.partner) -> (Seen("", v.key, v.partner, v.lsn, labels, v.payload.filter(_ != "{}"),
          if (rank == 0) null else s.ssts(rank - 1).id.toString), (labels, meaning(v.payload))))
      }.toMap
    }

    def expected(q: ScanRequest): Seq[Seen] = {
      val (a, b) = (rows(before, q), rows(after, q))
      (a.keySet ++ b.keySet).toSeq.sorted(ReferenceGraph.keyOrder).flatMap { k =>
        (a.get(k), b.get(k)) match {
          case (Some((x, m)), Some((y, n))) =>
            if (m == n) Nil else Seq(x.copy(change = "update_before"), y.copy(change = "update_after"))
          case (Some((x, _)), None) => Seq(x.copy(change = "delete"))
          case (None, Some((y, _))) => Seq(y.copy(change = "insert"))
          case _ => Nil
        }
      }
    }

    private def randomKeys(): KeyRanges = r.nextInt(5) match {
      case 0 => KeyRanges.ofIds(Seq.fill(1 + r.nextInt(3))(id).asJava)
      case 1 =>
        val Seq(a, b) = Seq(id, id).sorted((x: NodeId, y: NodeId) => x.compareTo(y))
        KeyRanges.of(new KeyRange(a, b))
      case _ => KeyRanges.ALL
    }

    def request(): ScanRequest = {
      val target: ScanRequest.Target =
        if (edges) new ScanRequest.Edges("T")
        else new ScanRequest.Nodes(if (r.nextBoolean()) Optional.empty() else Optional.of(Seq("A", "B", "N3", "Old", "No")(r.nextInt(5))))
      new ScanRequest(target, randomKeys(), if (edges) randomKeys() else KeyRanges.ALL, EnumSet.noneOf(classOf[Column]),
        if (r.nextInt(5) == 0) WalPolicy.IGNORE else WalPolicy.REPLAY,
        new ScanRequest.Sizing(Seq(150L, 700L, 5000L, 1L << 30)(r.nextInt(4)), false, Seq(1, 1, 4)(r.nextInt(3))))
    }

    def plan(q: ScanRequest): (DiffPlan, FakeSsts) = {
      val files = new FakeSsts(made.toSeq, 1 + r.nextInt(9), 1 + r.nextInt(9))
      (SnapshotDiff.plan(from, to, q, store, files), files)
    }

    /** All slices in order of the plan, through serialisation. */
    def run(q: ScanRequest): (Seq[Seen], DiffPlan) = {
      val (plan, files) = this.plan(q)
      val out = mutable.Buffer.empty[Seen]
      for (slice <- plan.slices.asScala) {
        val most = Seq(0, 3, DiffKeys.MAX_KEYS)(r.nextInt(3))
        val reader = DiffReader.open(Snapshots.shipped(slice), store, files, most)
        while (reader.next()) {
          val b = reader.batch
          assert(reader.selection.size == b.size && b.size > 0)
          for (i <- 0 until b.size) {
            val labels = if (edges) Nil else reader.labels.ids(b.labelSet()(i)).toSeq.map(plan.labels.name(_)).sorted
            val v = Records.version(b, i, null)
            out += Seen(reader.change(i).text, v.key, v.partner, v.lsn, labels, v.payload.filter(_ != "{}"), reader.origin(i).sst)
          }
        }
        reader.close()
        val again = DiffReader.open(slice, store, files, most)
        again.close()
        assert(!again.next())
      }
      (out.toSeq, plan)
    }

    def counts(q: ScanRequest): DiffCounts = {
      val (plan, files) = this.plan(q)
      plan.slices.asScala.map(s => DiffReader.open(s, store, files, DiffKeys.MAX_KEYS).count()).foldLeft(DiffCounts.NONE)(_ plus _)
    }

    def backwards(q: ScanRequest): DiffPlan = SnapshotDiff.plan(to, from, q, store, new FakeSsts(made.toSeq, 9, 9))
    def same(q: ScanRequest): DiffPlan = SnapshotDiff.plan(to, to, q, store, new FakeSsts(made.toSeq, 9, 9))
  }

  test("every request on every pair of versions gives each changed key exactly once, in order, with both records") {
    var slices, differing, shared, pruned = 0
    val seen = mutable.Map.empty[String, Int].withDefaultValue(0)
    for (seed <- 1 to 400) {
      val h = new History(seed)
      for (n <- 1 to 4) {
        val q = h.request()
        val (found, plan) = h.run(q)
        val wanted = h.expected(q)
        assert(found == wanted, s"seed $seed request $n: $q")
        val s = plan.summary
        assert(s.rows >= found.size && s.differing + s.shared + s.pruned == s.ssts && s.pruned >= 0, s"seed $seed: $s")
        def count(c: String) = found.count(_.change == c).toLong
        assert(h.counts(q) == new DiffCounts(count("insert"), count("update_after"), count("delete")), s"seed $seed")
        found.foreach(x => seen(x.change) += 1)
        slices += plan.slices.size
        differing += s.differing
        shared += s.shared
        pruned += s.pruned
      }
    }
    info(s"$slices slices, SSTs differing $differing, shared $shared, pruned $pruned; $seen")
    assert(slices > 2000 && shared > 500 && pruned > 1000 && seen.values.forall(_ > 300) && seen.size == 4)
  }

  test("the same version twice has no changes, and no source; from later to earlier is refused") {
    for (seed <- 1 to 20) {
      val h = new History(seed)
      val q = h.request()
      assert(h.same(q).slices.isEmpty, s"seed $seed")
      val e = intercept[InvalidOptionException](h.backwards(q))
      for (w <- Seq("9", "7", "changes-from")) assert(e.getMessage.contains(w), e.getMessage)
    }
  }

  private val everything = new ScanRequest(new ScanRequest.Nodes(Optional.empty()), KeyRanges.ALL, KeyRanges.ALL,
    EnumSet.noneOf(classOf[Column]), WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, false))

  private def id(n: Long) = new NodeId(n, 0)

  private def node(n: Long, lsn: Long, text: String = "{}") = Version(id(n), None, lsn, payload = Some(text))

  private def sst(number: Int, versions: Version*) = FakeSst(number, "Nodes", "", versions)

  private var places = 0

  private def both(before: Seq[FakeSst], after: Seq[FakeSst], q: ScanRequest = everything): (DiffPlan, FakeSsts, HeldObjects) = {
    places += 1
    val (from, store) = Snapshots(s"diff-suite-both-$places", before, version = 7)
    val (to, _) = Snapshots(s"diff-suite-both-$places", after, version = 9)
    val files = new FakeSsts((before ++ after).distinct, 100, 100)
    (SnapshotDiff.plan(from, to, q, store, files), files, store)
  }

  private def read(p: (DiffPlan, FakeSsts, HeldObjects)): DiffCounts =
    p._1.slices.asScala.map(s => DiffReader.open(s, p._3, p._2, DiffKeys.MAX_KEYS).count()).foldLeft(DiffCounts.NONE)(_ plus _)

  test("a small change in a big namespace: only SSTs that hold a key of it are opened") {
    val big = (0 until 1000).map(i => sst(i, (0 until 100).map(k => node(1000L * i + k, 1)): _*))
    val change = sst(5000, node(5, 9, """{"p":1}"""), node(500, 9), node(400010, 9, """{"p":1}"""), node(999001, 9))
    val p = both(big, change +: big)
    assert(p._1.slices.size == 1 && p._1.summary.differing == 1 && p._1.summary.ssts == 1001)
    assert(read(p) == new DiffCounts(1, 2, 0), "a record written again as it was is no change")
    // The change for its keys and for itself; in both versions the SSTs of ids 5, 400010 and 999001.
    assert(p._2.opened == 2 + 2 * 3)
  }

  test("SSTs outside the range of the change are not even in a slice") {
    val big = (0 until 1000).map(i => sst(i, (0 until 100).map(k => node(1000L * i + k, 1)): _*))
    val p = both(big, sst(5000, node(5050, 9), node(5060, 9)) +: big)
    assert(p._1.summary.pruned == 999 && p._1.summary.shared == 1)
    val slice = p._1.slices.get(0)
    assert(slice.before.files.length == 1 && slice.after.files.length == 2)
    val two = both(big, sst(5000, node(5, 9)) +: sst(5001, node(999050, 9)) +: big)
    assert(two._1.summary.pruned == 998)
  }

  test("a compaction of everything is compared in pieces of about equal size, and nothing is found") {
    val layers = (1 to 8).map(i => sst(i, (0 until 2000).map(k => node(1000L * k + i, i.toLong)): _*))
    val all = layers.flatMap(_.versions).sorted
    val compacted = all.grouped(4000).zipWithIndex.map { case (v, i) => sst(100 + i, v: _*) }.toSeq
    val q = new ScanRequest(everything.target, KeyRanges.ALL, KeyRanges.ALL, everything.columns, WalPolicy.REPLAY,
      new ScanRequest.Sizing(200000, false))
    val p = both(layers, compacted, q)
    assert(p._1.slices.size == 16, "3.2 MB in pieces of 200 kB")
    val sizes = p._1.slices.asScala.map(s => all.count(v => s.range.contains(v.key)))
    assert(sizes.sum == all.size && sizes.max < 1500 && sizes.min > 500, s"balanced: $sizes")
    val ranges = p._1.slices.asScala.map(_.range)
    assert(ranges.head.min == NodeId.MIN && ranges.last.max == NodeId.MAX)
    assert(ranges.zip(ranges.tail).forall { case (a, b) => a.max.next == b.min })
    assert(read(p) == DiffCounts.NONE)
  }

  test("many scattered keys in a large SST make several slices, few make one") {
    val big = sst(1, (0 until 400000).map(k => node(k.toLong, 1)): _*)
    def slices(n: Int) = {
      val change = sst(2, (0 until n).map(k => node(400000L / n * k, 9)): _*)
      val q = new ScanRequest(everything.target, KeyRanges.ALL, KeyRanges.ALL, everything.columns, WalPolicy.REPLAY,
        new ScanRequest.Sizing(10L << 20, false))
      val p = both(Seq(big), Seq(change, big), q)
      assert(read(p) == DiffCounts.NONE)
      p._1.slices.size
    }
    // 40 MB, read for both versions.
    assert(slices(1000) == 8 && slices(1) == 1)
  }
}
