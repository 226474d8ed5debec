package com.namidb.format.validate

import java.util.Optional

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.id.NodeId
import com.namidb.format.snapshot.{LocationParser, Namespace, Snapshot, SnapshotSelector}
import com.namidb.format.store.{ObjectStore, TempDirs}
import com.namidb.format.store.open.StoreOpener
import org.scalatest.funsuite.AnyFunSuite

/** The deep check in pieces of any size against a model of the graph. */
class DeepCheckSuite extends AnyFunSuite {
  private def opened[T](c: Crafted)(test: (Snapshot, ObjectStore) => T): T = {
    val location = LocationParser.parse(c.uri, Optional.empty(), Optional.empty(), java.util.Map.of())
    val store = StoreOpener.open(location.store)
    try test(Namespace.open(location, store).snapshot(new SnapshotSelector.Latest), store) finally store.close()
  }

  private def found(s: Snapshot, store: ObjectStore, limit: Double): Seq[Finding] = {
    val check = new DeepCheck(s, store)
    val pieces = check.pieces(java.util.Set.of("T", "U"), limit).asScala.toSeq
    check.conclude(pieces.map(_.run(store)).asJava).asScala.toSeq
  }

  /** Ids all over the space, some of them neighbours. */
  private def ids(rnd: Random): IndexedSeq[NodeId] =
    (0 until 60).map(i => if (i % 3 == 0) new NodeId(i.toLong, rnd.nextLong()) else new NodeId(rnd.nextLong(), rnd.nextLong())).distinct

  test("dangling edges are counted alike in pieces of every size, and as a model counts them") {
    val first = Random.nextInt(1000000)
    for (seed <- first until first + 15) TempDirs.withDir { dir =>
      val rnd = new Random(seed)
      val all = ids(rnd)
      val c = new Crafted(dir)
      var lsn = 0L
      var live = Set.empty[NodeId]
      var edges = Map("T" -> Set.empty[(NodeId, NodeId)], "U" -> Set.empty[(NodeId, NodeId)])
      for (_ <- 0 until 1 + rnd.nextInt(4)) {
        lsn += 1
        val nodes = rnd.shuffle(all).take(1 + rnd.nextInt(30)).map(i => N(i, lsn, dead = rnd.nextInt(4) == 0))
        c.nodes(nodes)
        live = live -- nodes.filter(_.dead).map(_.id) ++ nodes.filterNot(_.dead).map(_.id)
        for (t <- edges.keys if rnd.nextBoolean()) {
          val es = Seq.fill(1 + rnd.nextInt(40))((all(rnd.nextInt(all.size)), all(rnd.nextInt(all.size)))).distinct
            .map { case (a, b) => E(a, b, lsn, dead = rnd.nextInt(4) == 0) }
          c.edges(t, es)
          val (gone, here) = es.partition(_.dead)
          edges += t -> (edges(t) -- gone.map(e => (e.src, e.dst)) ++ here.map(e => (e.src, e.dst)))
        }
      }
      c.commit()
      val model = (for {
        (t, es) <- edges.toSeq
        (word, n) <- Seq("source" -> es.count(e => !live(e._1)), "destination" -> es.count(e => !live(e._2))) if n > 0
      } yield (t, word, n.toLong)).toSet
      opened(c) { (s, store) =>
        for (limit <- Seq(1.0, 3.0, 10.0, 1e9)) {
          val rows = found(s, store, limit)
          assert(rows.forall(_.check == "dangling edges"), s"seed $seed, limit $limit: $rows")
          assert(rows.map(f => (f.`object`, if (f.problem.contains("source")) "source" else "destination", f.count)).toSet == model, s"seed $seed, limit $limit")
        }
      }
    }
  }

  test("ranges cover every id once, and hold no more nodes than they should") {
    val rnd = new Random(7)
    TempDirs.withDir { dir =>
      val c = new Crafted(dir)
      for (_ <- 0 until 5) c.nodes(Seq.fill(200)(new NodeId(rnd.nextLong(), 0)).distinct.map(N(_, 1)))
      // As ids that begin with the time are: all within a narrow range.
      c.nodes((0L until 1000L).map(i => N(new NodeId(0x0198c0de00007000L + i * 65536, i), 2)))
      c.commit()
      opened(c) { (s, _) =>
        for (limit <- Seq(10.0, 100.0, 1e9)) {
          val ranges = IdRanges.of(s.manifest, limit).asScala.toSeq
          assert(ranges.size >= 2 && ranges.head.min == NodeId.MIN && ranges.last.max == NodeId.MAX)
          for (Seq(a, b) <- ranges.sliding(2)) assert(a.max.next == b.min)
          if (limit < 1000) assert(ranges.size >= 2000 / limit && ranges.size <= 6 * 2000 / limit, ranges.size)
        }
      }
    }
  }

  test("ids are found again whatever order they came in") {
    val seed = Random.nextInt()
    val rnd = new Random(seed)
    for (n <- Seq(0, 1, 2, 3, 1024, 5000)) {
      val in = Seq.fill(n)(new NodeId(rnd.nextLong(), rnd.nextInt(3).toLong))
      val runs = if (n % 2 == 0) in else in.sorted
      val ids = new SortedIds
      runs.foreach(i => ids.add(i.hi, i.lo))
      ids.sort()
      assert(in.forall(i => ids.contains(i.hi, i.lo)), s"seed $seed")
      val known = in.toSet
      assert((0 until 1000).map(_ => new NodeId(rnd.nextLong(), 0)).forall(i => known(i) || !ids.contains(i.hi, i.lo)))
    }
  }
}
