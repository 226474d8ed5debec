package com.namidb.format.scan

import java.util.{EnumSet, Optional}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.id.KeyRanges
import com.namidb.format.record.Column
import com.namidb.format.snapshot.{LocationParser, Namespace, SnapshotSelector, WalPolicy}
import com.namidb.format.store.{MeteredStore, Request}
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.wal.WalBytes
import org.scalatest.funsuite.AnyFunSuite

/** Every request of a difference, on real files. */
class DiffLedgerSuite extends AnyFunSuite {
  test("a small change in a big namespace: the new files, and SSTs that hold one of their keys; nothing else") {
    val c = new Crafted
    val nodes = (0L until 50L).map(f => c.nodes((0L until 100L).map(i => N(id(1000 * f + i), i + 1, Seq(0), Some(s"""{"n":$i}""")))))
    val edges = (0L until 50L).map(f => c.edges("T", (0L until 100L).map(i => E(id(1000 * f + i), id(i), 500 + i, Some("""{"w":1}"""))))).map(_.head)
    c.wal(WalBytes.node(id(20050), 900, document("""{"n":-1}""", 0)))
    c.commit()
    val node = c.nodes(Seq(N(id(3007), 1000, Seq(0), Some("""{"n":-1}""")), N(id(3500), 1001), N(id(48001), 1002, Nil, dead = true)))
    val edge = c.edges("T", Seq(E(id(7), id(7), 1100, dead = true), E(id(49500), id(1), 1101))).head
    val wal = c.wal(WalBytes.node(id(30001), 1200, document("""{"n":5}""", 0)))
    c.commit()
    val location = LocationParser.parse(c.uri, Optional.empty, Optional.empty, java.util.Map.of())
    val sent = new ConcurrentLinkedQueue[Request]
    val store = new MeteredStore(StoreOpener.open(location.store), (r: Request) => sent.add(r))
    val namespace = Namespace.open(location, store)
    def at(v: Long) = namespace.snapshot(new SnapshotSelector.AtVersion(v))
    val (from, to) = (at(0), at(1))
    def bill(action: => Any): Map[String, Int] = {
      sent.clear()
      action
      sent.asScala.toSeq.map(r => s"${r.kind} ${r.key.stripPrefix("ns/")}").groupBy(identity).map { case (k, v) => k -> v.size }
    }
    def request(t: ScanRequest.Target) = new ScanRequest(t, KeyRanges.ALL, KeyRanges.ALL, EnumSet.noneOf(classOf[Column]),
      WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, false))
    val all = new ScanRequest.Nodes(Optional.empty())
    var plan: DiffPlan = null
    // Each version's WAL, which lists the first segment too.
    assert(bill { plan = SnapshotDiff.plan(from, to, request(all), store) } == Map("GET wal/0000000000000001.wal" -> 2, s"GET $wal" -> 1))
    assert(plan.slices.size == 1 && plan.summary.ssts == 51 && plan.summary.differing == 1)
    var counts = DiffCounts.NONE
    def read() = plan.slices.asScala.foreach(s => counts = counts.plus(DiffReader.open(s, store).count()))
    val read1 = bill(read())
    assert(counts == new DiffCounts(1, 2, 1))
    assert(read1.keySet == Set(node, nodes(3), nodes(30), nodes(48)).map("GET " + _), read1)
    assert(bill { plan = SnapshotDiff.plan(from, to, request(new ScanRequest.Edges("T")), store) }.isEmpty)
    counts = DiffCounts.NONE
    val read2 = bill(read())
    assert(counts == new DiffCounts(1, 0, 1))
    // Ranges of keys: SST 0 has 7 as a source, SST 49 ends before the new one.
    assert(read2.keySet == Set(edge, edges.head).map("GET " + _), read2)
    val total = (read1 ++ read2).values.sum
    info(s"$total GETs: $read1 $read2")
    assert(SnapshotDiff.count(from, to, all, WalPolicy.REPLAY, store) == new DiffCounts(1, 2, 1))
    assert(bill(assert(SnapshotDiff.count(to, to, all, WalPolicy.REPLAY, store) == DiffCounts.NONE)).isEmpty)
    store.close()
  }
}
