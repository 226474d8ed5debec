package com.namidb.format.merge

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.{Column, LabelSets, SelectedCursor}
import org.scalatest.funsuite.AnyFunSuite

class MergeSuite extends AnyFunSuite {
  private val all = java.util.EnumSet.allOf(classOf[Column])

  /** A random history: sources of versions, ids on both sides of 0x80, LSNs up to 2^64−1, many ties. */
  private class History(seed: Int) {
    val r = new Random(seed)
    val edges: Boolean = r.nextBoolean()
    val labels = new LabelSets
    private val ids = Seq.fill(2 + r.nextInt(30))(new NodeId(Seq(0L, 1L, Long.MinValue, -1L)(r.nextInt(4)), r.nextLong() & ~7L)).distinct
    private val lsns = Seq(0L, 1L, 2L, 3L, Long.MaxValue, Long.MinValue, -2L, -1L)

    val sources: Seq[(Int, Seq[Version])] = Seq.tabulate(1 + r.nextInt(6)) { rank =>
      val chosen = Seq.fill(r.nextInt(60)) {
        val v = Version(ids(r.nextInt(ids.size)), Option.when(edges)(ids(r.nextInt(ids.size))), lsns(r.nextInt(lsns.size)))
        val dead = r.nextInt(3) == 0
        v.copy(dead = dead, labels = if (dead || edges) Nil else Seq.tabulate(3)(identity).filter(_ => r.nextBoolean()),
          payload = Option.when(!dead && r.nextInt(4) > 0)("p" * r.nextInt(9) + rank))
      }
      (if (r.nextInt(4) == 0) rank else rank + 1) -> chosen.groupBy(v => (v.key, v.partner)).values.map(_.head).toSeq.sorted
    }.groupBy(_._1).values.map(_.head).toSeq

    def cursor(versions: Seq[Version]) = new ArrayCursor(versions, edges, labels, Iterator.continually(1 + r.nextInt(7)))

    def source(s: (Int, Seq[Version])): Source = new Source(cursor(s._2), s._1)

    def shadowed(base: (Int, Seq[Version])): ShadowedCursor =
      ShadowedCursor.of(source(base), sources.filter(_ != base).map(source).asJava)

    def merged(of: Seq[(Int, Seq[Version])]): MergedCursor = new MergedCursor(of.map(source).asJava, all, edges)
  }

  private def sorted(rows: Seq[Version]) = rows.sorted

  test("each source beside its shadows emits exactly the winners it holds") {
    for (seed <- 1 to 400) {
      val h = new History(seed)
      val expected = ReferenceGraph.winners(h.sources)
      for (base <- h.sources) {
        val cursor = h.shadowed(base)
        val found = Records.selected(cursor, h.labels).map(_._1)
        assert(found == expected.filter(_._2 == base._1).map(_._1), s"seed $seed rank ${base._1}")
        assert(cursor.rowsRead == base._2.size && cursor.hiddenByNewer == base._2.size - found.size)
      }
    }
  }

  test("the k-way merge emits every winner once, in order, with its rank") {
    for (seed <- 1 to 400) {
      val h = new History(seed)
      val cursor = h.merged(h.sources)
      assert(Records.selected(cursor, h.labels) == ReferenceGraph.winners(h.sources), s"seed $seed")
      assert(cursor.rowsRead == h.sources.map(_._2.size).sum)
      assert(cursor.hiddenByNewer == cursor.rowsRead - ReferenceGraph.winners(h.sources).size)
    }
  }

  test("a merge of some sources can be shadowed by the others") {
    for (seed <- 1 to 200) {
      val h = new History(seed)
      val (some, others) = h.sources.partition(_ => h.r.nextBoolean())
      val cursor = ShadowedCursor.of(h.merged(some), others.map(h.source).asJava)
      val ranks = some.map(_._1).toSet
      val expected = ReferenceGraph.winners(h.sources).filter(w => ranks(w._2))
      assert(Records.selected(cursor, h.labels) == expected, s"seed $seed")
      assert(cursor.hiddenByNewer == some.map(_._2.size).sum - expected.size)
    }
  }

  test("a merge larger than a batch and than its payload buffer loses nothing") {
    val labels = new LabelSets
    val text = "x" * 3000
    def versions(step: Int, lsn: Long) =
      (0 until 20000 by step).map(i => Version(new NodeId(0, i.toLong), None, lsn, payload = Some(s"$text$lsn-$i")))
    val sources = Seq(1 -> versions(1, 5), 2 -> versions(3, 9), 3 -> versions(7, 1))
    val cursor = new MergedCursor(sources.map { case (rank, v) =>
      new Source(new ArrayCursor(v, edges = false, labels, Iterator.continually(1000)), rank) }.asJava, all, false)
    assert(Records.selected(cursor, labels) == ReferenceGraph.winners(sources))
  }

  test("only what is live and matches is left, and an older matching version never comes back") {
    for (seed <- 1 to 300) {
      val h = new History(seed)
      val wanted = h.r.nextInt(3)
      val keys = KeyRanges.union(Seq.fill(1 + h.r.nextInt(3)) {
        val (a, b) = (new NodeId(h.r.nextLong(), h.r.nextLong()), new NodeId(h.r.nextLong(), h.r.nextLong()))
        if (a.compareTo(b) <= 0) new KeyRange(a, b) else new KeyRange(b, a)
      }.asJava)
      val partners = if (h.edges && h.r.nextBoolean()) keys else KeyRanges.ALL
      val byLabel = !h.edges && h.r.nextBoolean()
      def matches(v: Version) = keys.contains(v.key.hi, v.key.lo) &&
        v.partner.forall(p => partners.contains(p.hi, p.lo)) && (!byLabel || v.labels.contains(wanted))
      def conditions = new LiveRows.Conditions(keys, partners, h.labels,
        if (byLabel) (ids: Array[Int]) => ids.contains(wanted) else null)
      def rows(c: SelectedCursor) = Records.selected(new LiveRows(c, conditions), h.labels).map(_._1)
      val expected = ReferenceGraph.live(h.sources).filter(matches)
      assert(rows(h.merged(h.sources)) == expected, s"seed $seed")
      assert(sorted(h.sources.flatMap(s => rows(h.shadowed(s)))) == expected, s"seed $seed")
    }
  }

  test("winners that delete are counted once, inside the asked keys only") {
    val labels = new LabelSets
    def id(i: Int) = new NodeId(0, i.toLong)
    val versions = (0 until 10).map(i => Version(id(i), None, 1, dead = i % 2 == 0))
    val base = new Source(new ArrayCursor(versions, edges = false, labels, Iterator.continually(3)), 1)
    val keys = KeyRanges.of(new KeyRange(id(2), id(6)))
    val live = new LiveRows(ShadowedCursor.of(base, java.util.List.of()), new LiveRows.Conditions(keys, KeyRanges.ALL, labels, null))
    assert(Records.selected(live, labels).map(_._1.key) == Seq(id(3), id(5)))
    assert(live.hiddenByTombstone == 3)
  }

  test("equal LSNs: the WAL wins, then the earlier SST of the manifest") {
    assert(Precedence.beats(5, 0, 5, 1) && !Precedence.beats(5, 1, 5, 0))
    assert(Precedence.beats(5, Precedence.rank(0), 5, Precedence.rank(1)))
    assert(Precedence.beats(-1, 9, 1, 0) && Precedence.beats(Long.MinValue, 9, Long.MaxValue, 0))
    assert(!Precedence.beats(5, 1, 5, 1))
  }
}
