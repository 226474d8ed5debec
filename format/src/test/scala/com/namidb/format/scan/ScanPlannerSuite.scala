package com.namidb.format.scan

import java.io.{ByteArrayOutputStream, ObjectOutputStream}
import java.util.{EnumSet, Optional}

import scala.jdk.CollectionConverters._

import com.namidb.format.error.{CorruptObjectException, InvalidOptionException}
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.merge.Version
import com.namidb.format.record.Column
import com.namidb.format.snapshot.WalPolicy
import com.namidb.format.wal.WalBytes
import org.scalatest.funsuite.AnyFunSuite

class ScanPlannerSuite extends AnyFunSuite {
  private val columns = EnumSet.of(Column.KEY)
  private val nodes = new ScanRequest.Nodes(Optional.empty())

  private def id(n: Long) = new NodeId(n, 0)

  private def node(n: Long, lsn: Long, labels: Int*) = Version(id(n), None, lsn, labels = labels)

  private def gone(n: Long, lsn: Long) = Version(id(n), None, lsn, dead = true)

  private def sst(number: Int, versions: Version*) = FakeSst(number, "Nodes", "", versions, labelCounts = true)

  private def request(
      target: ScanRequest.Target = nodes,
      keys: KeyRanges = KeyRanges.ALL,
      split: Long = 1 << 30,
      combine: Boolean = false,
      wal: WalPolicy = WalPolicy.REPLAY,
      partners: KeyRanges = KeyRanges.ALL
  ) = new ScanRequest(target, keys, partners, columns, wal, new ScanRequest.Sizing(split, combine))

  private var places = 0

  private def plan(
      ssts: Seq[FakeSst],
      request: ScanRequest,
      wal: Seq[Seq[WalBytes.Rec]] = Nil
  ): ScanPlan = {
    places += 1
    val (snapshot, store) = Snapshots(s"planner-suite-$places", ssts, wal)
    ScanPlanner.plan(snapshot, request, store, new FakeSsts(ssts, 100, 100))
  }

  private def parts(p: ScanPlan): Seq[SlicePart] = p.slices.asScala.flatMap(_.parts.asScala).toSeq

  private def label(name: String) = new ScanRequest.Nodes(Optional.of(name))

  test("only an overlapping SST that may be newer is a shadow; a tie goes to the earlier one") {
    val old = sst(1, node(1, 1), node(5, 2))
    val recent = sst(2, node(5, 9), node(9, 9))
    val far = sst(3, node(20, 5), node(30, 6))
    val p = plan(Seq(old, recent, far), request())
    assert(parts(p).map(x => x.base.map(_.rank).toSeq -> x.shadows.map(_.rank).toSeq) ==
      Seq(Seq(1) -> Seq(2), Seq(2) -> Nil, Seq(3) -> Nil))
    assert(p.summary == new ScanPlan.Summary(3, 0, 2, 1, 0, 0, 6, 600, 600))
    val tied = plan(Seq(sst(1, node(1, 4)), sst(2, node(1, 4))), request())
    assert(parts(tied).map(_.shadows.length) == Seq(0, 1))
  }

  test("delete files are shadows where they can hide something, and never bases") {
    val p = plan(Seq(sst(1, node(1, 1), node(5, 2)), sst(2, gone(1, 9)), sst(3, gone(50, 9))), request())
    assert(parts(p).map(_.shadows.map(_.rank).toSeq) == Seq(Seq(2)))
    assert(p.summary == new ScanPlan.Summary(3, 1, 0, 1, 1, 0, 2, 300, 200))
  }

  test("an SST without the label is no base, but stays a shadow of an older one that has it") {
    val a = sst(1, node(1, 1, 0), node(2, 1, 0))
    val b = sst(2, node(1, 5, 1))
    val c = sst(3, node(70, 5, 1))
    val p = plan(Seq(a, b, c), request(label("A")))
    assert(parts(p).map(x => x.base.map(_.rank).toSeq -> x.shadows.map(_.rank).toSeq) == Seq(Seq(1) -> Seq(2)))
    assert(p.summary.pruned == 1 && p.summary.rows == 2)
    assert(plan(Seq(a, b, c), request(label("unknown"))).slices.isEmpty)
    assert(plan(Nil, request()).slices.isEmpty)
    assert(plan(Seq(a), request(new ScanRequest.Edges("T"))).slices.isEmpty)
  }

  test("an SST whose descriptor does not count labels is never dropped for a label") {
    val p = plan(Seq(sst(1, node(1, 1, 1)).copy(labelCounts = false)), request(label("A")))
    assert(parts(p).size == 1)
  }

  test("a legacy SST is read for every label, because its nodes may carry others than its scope") {
    val legacy = FakeSst(1, "Nodes", "Old", Seq(node(1, 1, 0), node(2, 1)))
    assert(parts(plan(Seq(legacy), request(label("A")))).map(_.base.head.rank) == Seq(1))
    assert(parts(plan(Seq(legacy), request(label("Old")))).map(_.base.head.rank) == Seq(1))
  }

  test("a unit is never cut into more pieces than it has rows") {
    val ssts = (1 to 12).map(i => sst(i, node(1, i.toLong), node(1L << 40, i.toLong), node(1L << 62, i.toLong)))
    assert(plan(ssts, request(split = 1)).slices.size <= 36)
  }

  test("keys prune by range, and a restricted destination reads the files ordered by it") {
    val two = Seq(sst(1, node(1, 1), node(5, 1)), sst(2, node(8, 1), node(9, 1)))
    val p = plan(two, request(keys = KeyRanges.ofIds(java.util.List.of(id(8)))))
    assert(parts(p).map(_.base.head.rank) == Seq(2) && p.summary.pruned == 1 && p.summary.rows == 1)
    def edges(number: Int, kind: String) =
      FakeSst(number, kind, "T", Seq(Version(id(1), Some(id(2)), 1), Version(id(3), Some(id(4)), 1)))
    val both = Seq(edges(1, "EdgesFwd"), edges(2, "EdgesInv"))
    val t = new ScanRequest.Edges("T")
    val some = KeyRanges.ofIds(java.util.List.of(id(3)))
    assert(parts(plan(both, request(t))).map(_.base.head.rank) == Seq(1))
    assert(parts(plan(both, request(t, partners = some))).map(_.base.head.rank) == Seq(2))
    assert(parts(plan(both, request(t, keys = some, partners = some))).map(_.base.head.rank) == Seq(1))
    assert(parts(plan(both.take(1), request(t, partners = some))).map(_.base.head.rank) == Seq(1))
  }

  test("the WAL shadows what it overlaps, is shadowed by what is newer, or is left out") {
    val wal = Seq(Seq(WalBytes.node(id(5), 4, "{}")))
    val ssts = Seq(sst(1, node(1, 1), node(9, 2)), sst(2, node(5, 8)), sst(3, node(30, 1)))
    val p = plan(ssts, request(), wal)
    assert(parts(p).map(x => (x.base.map(_.rank).toSeq, x.shadows.map(_.rank).toSeq, x.walShadow)) ==
      Seq((Seq(1), Seq(2), true), (Seq(2), Nil, false), (Seq(3), Nil, false), (Nil, Seq(2), false)))
    assert(p.summary.walRows == 1)
    val ignored = plan(ssts, request(wal = WalPolicy.IGNORE), wal)
    assert(parts(ignored).forall(x => !x.walShadow && !x.isWal) && ignored.summary.walRows == 0)
    val e = intercept[InvalidOptionException](plan(ssts, request(wal = WalPolicy.REQUIRE_EMPTY), wal))
    assert(e.namespace.get == "ns" && e.version.getAsLong == 7)
    assert(parts(plan(ssts, request(wal = WalPolicy.REQUIRE_EMPTY))).size == 3)
  }

  test("errors of tasks name namespace, version and object") {
    val ssts = Seq(sst(1, node(1, 1), node(9, 2)))
    val (snapshot, _) = Snapshots("planner-suite-errors", ssts, Seq(Seq(WalBytes.noNode(id(5), 4))))
    val nothing = new com.namidb.format.wal.HeldObjects(Map.empty)
    val e = intercept[CorruptObjectException](ScanPlanner.plan(snapshot, request(), nothing, new FakeSsts(ssts, 1, 1)))
    assert(e.namespace.get == "ns" && e.version.getAsLong == 7 && e.`object`.get == "ns/wal/0000000000000001.wal")
  }

  test("large SSTs are cut at groups; small ones share a slice") {
    val big = sst(1, (0 until 1000).map(i => node(i.toLong, 1)): _*)
    val p = plan(Seq(big), request(split = 20000))
    assert(parts(p).size == 5)
    val ranges = parts(p).map(_.range)
    assert(ranges.head.min == NodeId.MIN && ranges.last.max == NodeId.MAX)
    assert(ranges.zip(ranges.tail).forall { case (a, b) => a.max.next == b.min })
    val small = (0 until 50).map(i => sst(i, node(10L * i, 1), node(10L * i + 5, 1)))
    assert(plan(small, request(split = 20000, combine = false)).slices.size == 50)
    assert(plan(small, request(split = 20000, combine = true)).slices.size < 10)
  }

  test("small SSTs share a slice at default sizes, whatever number of tasks is wanted") {
    val small = (0 until 40).map(i => sst(i, (0 until 20).map(k => node(1000L * i + k, 1)): _*))
    def slices(tasks: Int, combine: Boolean = true) = {
      val r = request(split = 128L << 20, combine = combine)
      plan(small, new ScanRequest(r.target, r.keys, r.partners, r.columns, r.wal, r.sizing.forTasks(tasks))).slices.size
    }
    assert(slices(1) <= 3 && slices(2) <= 4 && slices(2) >= 2, s"${slices(1)} ${slices(2)}")
    assert(slices(8) >= 8 && slices(8) <= 10, slices(8))
    assert(slices(2, combine = false) == 40)
  }

  test("the share of the rows in the bytes: of a label, of few ids, nothing of shadows") {
    val mixed = sst(1, (0 until 100).map(i => node(i.toLong, 1, if (i < 25) 0 else 1)): _*)
    assert(plan(Seq(mixed), request()).summary.rowBytes == 10000)
    assert(plan(Seq(mixed), request(label("A"))).summary.rowBytes == 2500)
    assert(plan(Seq(mixed), request(keys = KeyRanges.ofIds(java.util.List.of(id(7))))).summary.rowBytes == 100)
    val deletes = sst(2, (0 until 100).map(i => gone(i.toLong, 9)): _*)
    assert(plan(Seq(mixed, deletes), request()).summary.rowBytes == 10000)
  }

  test("a scan of fewer SSTs than tasks is cut finer, but not into small pieces or below a row group") {
    def large(rows: Int) = sst(1, (0 until rows).map(i => node(i.toLong, 1)): _*)
    def cuts(rows: Int, tasks: Int, combine: Boolean = false) = {
      val file = large(rows)
      val (snapshot, store) = Snapshots(s"planner-suite-tasks", Seq(file))
      val sizing = new ScanRequest.Sizing(128L << 20, combine, tasks)
      val r = new ScanRequest(new ScanRequest.Nodes(Optional.empty()), KeyRanges.ALL, KeyRanges.ALL,
        java.util.Set.of(Column.PAYLOAD), WalPolicy.REPLAY, sizing)
      ScanPlanner.plan(snapshot, r, store, new FakeSsts(Seq(file), 10000, 1000)).slices.size
    }
    // 100 bytes per row: 20 MB.
    assert(cuts(200000, 1) == 1)
    assert(cuts(200000, 2) == 2 && cuts(200000, 3) == 3)
    assert(cuts(200000, 2, combine = true) == 2, "pieces are not put together again")
    assert(cuts(200000, 100) == 5, "4 MiB at least")
    assert(cuts(100000, 2) == 1, "one row group")
  }

  test("many SSTs that overlap are merged by key range, a few are not") {
    def layers(n: Int) = (1 to n).map(i => sst(i, (0 until 50).map(k => node(1000L * k + i, i.toLong)): _*))
    assert(parts(plan(layers(5), request())).map(_.base.length) == Seq.fill(5)(1))
    val hot = plan(layers(60), request(split = 30000))
    assert(parts(hot).forall(_.isMerged) && hot.summary.merged == 60)
    assert(parts(hot).size == 10, "300 kB in pieces of 30 kB")
    val sizes = parts(hot).map(x => layers(60).flatMap(_.versions).count(v => x.range.contains(v.key)))
    assert(sizes.sum == 3000 && sizes.max < 400 && sizes.min > 200, s"balanced: $sizes")
    val withBig = sst(100, (0 until 3000).map(k => node(20L * k, 0)): _*)
    val mixed = parts(plan(layers(60) :+ withBig, request(split = 100000)))
    assert(mixed.filter(!_.isMerged).forall(_.base.head.`object`.contains(withBig.path)))
    assert(mixed.filter(_.isMerged).forall(_.shadows.isEmpty), "the old big one cannot beat the layers")
  }

  test("10,000 SSTs are planned in linear effort, disjoint or all overlapping") {
    val disjoint = (0 until 10000).map(i => sst(i, node(10L * i, i + 1L), node(10L * i + 5, i + 1L)))
    val layered = (0 until 10000).map(i => sst(i, node(i.toLong, i + 1L), node(1000000L + i, i + 1L)))
    for ((name, ssts) <- Seq("disjoint" -> disjoint, "overlapping" -> layered)) {
      val (snapshot, store) = Snapshots(s"planner-suite-10000-$name", ssts)
      val start = System.nanoTime()
      val p = ScanPlanner.plan(snapshot, request(split = 100000, combine = true), store, new FakeSsts(ssts, 1, 1))
      info(s"$name: ${(System.nanoTime() - start) / 1000000} ms, ${p.slices.size} slices")
      assert(p.summary.ssts == 10000 && p.summary.clean + p.summary.merged == 10000)
      val bytes = new ByteArrayOutputStream
      val out = new ObjectOutputStream(bytes)
      out.writeObject(p.slices)
      out.close()
      val references = parts(p).map(x => x.base.length + x.shadows.length).sum
      info(s"$name: $references references, ${bytes.size} bytes serialised")
      assert(references <= 20 * 10000L + 10000 && bytes.size < (16 << 20))
    }
  }

  test("counts are exact from metadata only where every key has one version") {
    def counted(ssts: Seq[FakeSst], target: ScanRequest.Target, wal: Seq[Seq[WalBytes.Rec]], keys: KeyRanges) = {
      places += 1
      val (snapshot, store) = Snapshots(s"planner-suite-$places", ssts, wal)
      ExactCounts.of(snapshot, request(target, keys), store)
    }
    /** The exact number, or what metadata tells and how many SSTs it is of. */
    def count(ssts: Seq[FakeSst], target: ScanRequest.Target = nodes, wal: Seq[Seq[WalBytes.Rec]] = Nil, keys: KeyRanges = KeyRanges.ALL) = {
      val c = counted(ssts, target, wal, keys)
      if (c.isExact) Right(c.rows) else Left((c.rows, c.settled))
    }
    val a = sst(1, node(1, 1, 0), gone(2, 2), node(5, 1, 0, 1))
    val b = sst(2, node(8, 1, 1), node(9, 1))
    assert(count(Seq(a, b)) == Right(4) && count(Seq(a, b), label("A")) == Right(2) && count(Seq(a, b), label("B")) == Right(2))
    assert(count(Nil) == Right(0) && count(Seq(a), label("unknown")) == Right(0))
    assert(count(Seq(a, b, sst(3, node(5, 9)))) == Left((3, 2)), "ranges that touch overlap, but the newer one is certain")
    assert(count(Seq(a, b, sst(3, node(5, 9))), keys = KeyRanges.of(new KeyRange(id(8), id(9)))) == Right(2), "nothing overlaps where it is asked")
    assert(count(Seq(a, b), keys = KeyRanges.of(new KeyRange(id(5), id(9)))) == Left((2, 1)), "an SST that is asked for in part")
    assert(count(Seq(a, b), wal = Seq(Seq(WalBytes.noNode(id(5), 9)))) == Left((2, 1)), "a WAL record in the range of one")
    assert(count(Seq(a, b), wal = Seq(Seq(WalBytes.noNode(id(50), 9)))) == Right(4), "a WAL record in no range")
    assert(count(Seq(a, b), wal = Seq(Seq(WalBytes.noEdge("T", id(1), id(2), 9)))) == Right(4))
    assert(count(Seq(a.copy(labelCounts = false)), label("A")) == Left((0, 0)))
    assert(count(Seq(a.copy(labelCounts = false))) == Right(2))
    val t = FakeSst(7, "EdgesFwd", "T", Seq(Version(id(1), Some(id(2)), 1), Version(id(1), Some(id(3)), 1, dead = true)))
    assert(count(Seq(t, t.copy(number = 8, kind = "EdgesInv")), new ScanRequest.Edges("T")) == Right(1))
  }

  test("key densities cut evenly and inside the range") {
    val all = new KeyRange(id(Long.MinValue), id(Long.MinValue + 1000000))
    val d = new KeyDensity(all)
    d.add(all, 1000)
    val cuts = d.cuts(4).asScala.map(_.hi - Long.MinValue)
    assert(cuts.size == 3 && cuts.zip(Seq(250000L, 500000L, 750000L)).forall { case (c, e) => (c - e).abs < 10 })
    val point = new KeyDensity(new KeyRange(id(3), id(3)))
    point.add(new KeyRange(id(3), id(3)), 1000)
    assert(point.cuts(4).isEmpty)
  }
}
