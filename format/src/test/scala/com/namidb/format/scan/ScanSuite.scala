package com.namidb.format.scan

import java.util.{EnumSet, Optional}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.merge.{Records, ReferenceGraph, Version}
import com.namidb.format.record.{Column, LabelSets, RecordBatch}
import com.namidb.format.snapshot.{Snapshot, WalPolicy}
import com.namidb.format.wal.{HeldObjects, WalBytes}
import org.scalatest.funsuite.AnyFunSuite

/** Random histories, planned, shipped and read, against the slow reference. */
class ScanSuite extends AnyFunSuite {
  private val names = Seq("A", "B", "C")

  /** What a scan returned: rows in slice order with their origins, and the plan. */
  private case class Answer(rows: Seq[(Seen, SliceReader.Origin)], plan: ScanPlan)

  private class History(val seed: Int) {
    val r = new Random(seed)
    val edges: Boolean = r.nextInt(3) == 0
    private val spread = Seq(3, 20, 200)(r.nextInt(3))
    private val ids =
      Seq.fill(spread)(new NodeId(Seq(0L, 1L, 2L, Long.MinValue, -1L)(r.nextInt(5)), r.nextLong() & ~0xffL)).distinct
    private val count = Seq(0, 1, 3, 8, 40)(r.nextInt(5))
    private val legacyAllowed = r.nextInt(4) == 0
    private def id = ids(r.nextInt(ids.size))
    private def lsn = if (r.nextInt(8) == 0) -1L - r.nextInt(3) else (r.nextInt(40) + 1).toLong

    private def versions(n: Int): Seq[Version] = {
      val near = id
      val narrow = r.nextInt(3) == 0
      Seq.fill(n) {
        val dead = r.nextInt(4) == 0
        val labels = if (edges || dead) Nil else (0 until 5).filter(_ => r.nextInt(3) == 0)
        val key = id
        Version(if (narrow && key.hi != near.hi) near else key, Option.when(edges)(id), lsn, dead, labels,
          Option.when(!dead && r.nextInt(4) > 0)(s"""{"p":${r.nextInt()}}"""))
      }.groupBy(v => (v.key, v.partner)).values.map(_.head).toSeq.sorted
    }

    private val forward: Seq[FakeSst] = (0 until count).map { i =>
      val allDead = r.nextInt(5) == 0
      val v = versions(1 + r.nextInt(30)).map(x => if (allDead) x.copy(dead = true, labels = Nil, payload = None) else x)
      val scope = if (edges) "T" else if (legacyAllowed && r.nextInt(3) == 0) Seq("A", "Old")(r.nextInt(2)) else ""
      // A legacy SST holds nodes of its label only: their own ids name it, or nothing that is known.
      val own = if (scope == "A") v.map(x => if (x.dead || r.nextBoolean()) x.copy(labels = Nil) else x.copy(labels = Seq(0)))
        else if (scope == "Old") v.map(_.copy(labels = Seq(3).filter(_ => r.nextBoolean()))) else v
      FakeSst(i, if (edges) "EdgesFwd" else "Nodes", scope, own, labelCounts = r.nextBoolean() && scope.isEmpty, level = r.nextInt(3))
    }

    val ssts: Seq[FakeSst] =
      if (!edges) forward
      else r.shuffle(forward ++ forward.map { f =>
        f.copy(number = f.number + 1000, kind = "EdgesInv",
          versions = f.versions.map(v => v.copy(key = v.partner.get, partner = Some(v.key))).sorted)
      })

    private val walRows = if (r.nextBoolean()) versions(1 + r.nextInt(20)) else Nil
    private val wal: Seq[Seq[WalBytes.Rec]] = if (walRows.isEmpty) Nil
      else r.shuffle(walRows).grouped(7).toSeq.map(_.map { v =>
        val doc = Option.unless(v.dead)(
          s"""{"properties":${v.payload.getOrElse("{}")},"labels":[${v.labels.mkString(",")}]}""")
        WalBytes.Rec(Option.when(edges)("T"), v.key, v.partner.getOrElse(v.key), v.lsn, doc)
      })

    val (snapshot: Snapshot, store: HeldObjects) = Snapshots(s"scan-suite-$seed", ssts, wal, names)

    /** Effective labels by name: what manifest §5.6 says. */
    def labelNames(v: Version, scope: String): Set[String] = {
      val known = v.labels.filter(_ < names.size).map(names).toSet
      if (known.isEmpty && scope.nonEmpty && !v.dead) Set(scope) else known
    }

    /** Live records with the rank of their source, from the files in the order the scan uses. */
    def winners(withWal: Boolean, inverse: Boolean): Seq[(Version, Int)] = {
      val base = ssts.filter(f => (f.kind == "EdgesInv") == inverse)
      val sources = base.map { f =>
        val v = if (inverse) f.versions.map(x => x.copy(key = x.partner.get, partner = Some(x.key))) else f.versions
        (ssts.indexOf(f) + 1) -> v
      }
      ReferenceGraph.winners(if (withWal) (0 -> walRows) +: sources else sources).filterNot(_._1.dead)
    }

    def origin(rank: Int): SliceReader.Origin =
      if (rank == 0) new SliceReader.Origin(null, -1)
      else new SliceReader.Origin(ssts(rank - 1).id.toString, ssts(rank - 1).level)

    def scopeOf(rank: Int): String = if (rank == 0 || edges) "" else ssts(rank - 1).scope

    def randomKeys(): KeyRanges = r.nextInt(4) match {
      case 0 => KeyRanges.ofIds(Seq.fill(1 + r.nextInt(3))(id).asJava)
      case 1 =>
        val (a, b) = (id, id)
        KeyRanges.of(if (a.compareTo(b) <= 0) new KeyRange(a, b) else new KeyRange(b, a))
      case _ => KeyRanges.ALL
    }

    def request(): ScanRequest = {
      val target: ScanRequest.Target =
        if (edges) new ScanRequest.Edges("T")
        else new ScanRequest.Nodes(if (r.nextBoolean()) Optional.empty() else Optional.of(Seq("A", "B", "C", "Old", "No")(r.nextInt(5))))
      val columns = EnumSet.noneOf(classOf[Column])
      Column.values.foreach(c => if (r.nextInt(3) > 0) columns.add(c))
      new ScanRequest(target, randomKeys(), if (edges) randomKeys() else KeyRanges.ALL, columns,
        if (r.nextInt(4) == 0) WalPolicy.IGNORE else WalPolicy.REPLAY,
        new ScanRequest.Sizing(Seq(400L, 1500L, 5000L, 20000L, 1L << 30)(r.nextInt(5)), r.nextBoolean()))
    }

    def run(request: ScanRequest): Answer = {
      val files = new FakeSsts(ssts, 1 + r.nextInt(9), 1 + r.nextInt(9))
      val plan = ScanPlanner.plan(snapshot, request, store, files)
      val out = mutable.Buffer.empty[(Seen, SliceReader.Origin)]
      for (slice <- plan.slices.asScala) {
        val reader = SliceReader.open(Snapshots.shipped(slice), store, files)
        while (reader.next()) {
          assert(reader.selection.size > 0)
          for (i <- 0 until reader.selection.size) {
            val row = reader.selection.row(i)
            out += asked(reader.batch, reader.labels, row, request.columns) -> reader.origin(row)
          }
        }
        reader.close()
      }
      Answer(out.toSeq, plan)
    }

    /** The asked columns of a row, and its label names. */
    private def asked(b: RecordBatch, sets: LabelSets, row: Int, columns: java.util.Set[Column]): Seen = {
      val known = ScanPlanner.labels(snapshot.manifest)
      assert(!(b.anyTombstone && b.tombstone()(row)))
      Seen(
        Option.when(columns.contains(Column.KEY)) {
          val key = new NodeId(b.keyHi()(row), b.keyLo()(row))
          key -> Option.when(edges)(new NodeId(b.partnerHi()(row), b.partnerLo()(row)))
        },
        Option.when(columns.contains(Column.LSN))(b.lsn()(row)),
        Option.when(columns.contains(Column.LABELS) && !edges) {
          sets.ids(b.labelSet()(row)).toSet.filter(known.knows(_)).map(known.name(_)).toSeq.sorted
        },
        Option.when(columns.contains(Column.PAYLOAD))(Records.payload(b, row)))
    }

    /** Every live record in order, of the given keys. */
    def ordered(request: ScanRequest): Seq[Seen] = {
      val files = new FakeSsts(ssts, 1 + r.nextInt(9), 1 + r.nextInt(9))
      val columns = EnumSet.copyOf(request.columns)
      columns.add(Column.KEY)
      val slices = Snapshots.shipped(OrderedRows.plan(snapshot, request.target, request.columns, store, files))
      val rows = OrderedRows.open(slices, request.keys, s => SliceReader.open(s, store, files))
      val out = mutable.Buffer.empty[Seen]
      while (rows.next()) out += asked(rows.batch, rows.labels, rows.row, columns)
      rows.close()
      out.toSeq
    }

    def expected(request: ScanRequest): Seq[(Seen, SliceReader.Origin)] = {
      val c = request.columns
      val inverse = edges && request.keys.isAll && !request.partners.isAll
      winners(request.wal == WalPolicy.REPLAY, inverse).filter { case (v, rank) =>
        val label = request.target match {
          case n: ScanRequest.Nodes => !n.label.isPresent || labelNames(v, scopeOf(rank)).contains(n.label.get)
          case _ => true
        }
        label && request.keys.contains(v.key.hi, v.key.lo) &&
        v.partner.forall(p => request.partners.contains(p.hi, p.lo))
      }.map { case (v, rank) =>
        Seen(
          Option.when(c.contains(Column.KEY))(v.key -> v.partner),
          Option.when(c.contains(Column.LSN))(v.lsn),
          Option.when(c.contains(Column.LABELS) && !edges)(labelNames(v, scopeOf(rank)).toSeq.sorted),
          Option.when(c.contains(Column.PAYLOAD))(v.payload)) -> origin(rank)
      }
    }
  }

  /** What a row shows of the asked columns. */
  private case class Seen(
      key: Option[(NodeId, Option[NodeId])],
      lsn: Option[Long],
      labels: Option[Seq[String]],
      payload: Option[Option[String]]
  )

  private def bag[T](rows: Seq[T]): Seq[String] = rows.map(_.toString).sorted

  test("ordered rows: the live records of the asked keys, ascending, whatever overlaps") {
    for (seed <- 121 to 220) {
      val h = new History(seed)
      for (n <- 1 to 3) {
        val q = h.request()
        val columns = EnumSet.copyOf(q.columns)
        columns.add(Column.KEY)
        val request = new ScanRequest(q.target, q.keys, KeyRanges.ALL, columns, WalPolicy.REPLAY, q.sizing)
        val want = h.expected(request).map(_._1).sortWith { (a, b) =>
          val (x, y) = (a.key.get, b.key.get)
          val c = x._1.compareTo(y._1)
          c < 0 || (c == 0 && x._2.zip(y._2).exists { case (p, q) => p.compareTo(q) < 0 })
        }
        assert(h.ordered(request) == want, s"seed $seed request $n: $request")
      }
    }
  }

  test("every request on every history gives each live record exactly once, with its origin") {
    var merged, clean, deletes, slices = 0
    for (seed <- 1 to 120) {
      val h = new History(seed)
      for (n <- 1 to 4) {
        val request = h.request()
        val answer = h.run(request)
        val (found, wanted) = (bag(answer.rows), bag(h.expected(request)))
        assert((found.diff(wanted), wanted.diff(found)) == ((Nil, Nil)), s"seed $seed request $n: $request")
        val s = answer.plan.summary
        assert(s.rows >= answer.rows.size, s"seed $seed")
        assert(s.pruned + s.clean + s.merged + s.deleteFiles <= s.ssts)
        merged += s.merged
        clean += s.clean
        deletes += s.deleteFiles
        slices += answer.plan.slices.asScala.count(_.parts.asScala.exists(_.isMerged))
      }
    }
    info(s"merged $merged, clean $clean, delete files $deletes, slices with a merge by key $slices")
    assert(merged > 500 && clean > 20 && deletes > 50 && slices > 50)
  }
}
