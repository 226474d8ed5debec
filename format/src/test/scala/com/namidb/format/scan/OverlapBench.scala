package com.namidb.format.scan

import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.util.{Optional, SplittableRandom}

import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.bench.MadeNamespace
import com.namidb.format.id.KeyRanges
import com.namidb.format.node.NodeRow
import com.namidb.format.record.Column
import com.namidb.format.snapshot.WalPolicy
import com.namidb.format.store.local.LocalStore

/**
 * Scans SSTs that all overlap, once each beside its shadows and once merged by key, in turns, and prints the CPU time of
 * both: where they meet is the limit of [[UnitPlanner]]. Arguments: rows per SST (50000), rounds (5).
 */
object OverlapBench {
  private val alone = new UnitPlanner.Limits(1 << 20, 1 << 20)
  private val merged = new UnitPlanner.Limits(0, 0)

  def main(args: Array[String]): Unit = {
    val rows = args.lift(0).fold(50000)(_.toInt)
    val rounds = args.lift(1).fold(5)(_.toInt)
    val dir = Files.createTempDirectory("overlap-bench-")
    val store = LocalStore.open(dir)
    try
      for (ssts <- Seq(2, 4, 6, 8, 12, 16, 24, 32, 64)) {
        write(new MadeNamespace(dir, s"n$ssts"), ssts, rows)
        for ((what, columns) <- Seq("ids" -> Seq(Column.KEY), "all" -> Seq(Column.KEY, Column.PAYLOAD, Column.LABELS))) {
          val times = for (_ <- 0 until rounds + 1) yield Seq(alone, merged).map(l => scan(dir, s"n$ssts", store, columns, l))
          assert(times.flatten.map(_._2).distinct.size == 1)
          val Seq(a, m) = Seq(0, 1).map(i => median(times.tail.map(_(i)._1)))
          println(f"$ssts%3d SSTs of $rows rows, $what: alone $a%7.0f ms, merged $m%7.0f ms CPU, ratio ${a / m}%.2f")
        }
      }
    finally {
      store.close()
      Golden.deleteTree(dir)
    }
  }

  private def median(v: Seq[Double]) = v.sorted.apply(v.size / 2)

  private def scan(
      dir: java.nio.file.Path,
      name: String,
      store: LocalStore,
      columns: Seq[Column],
      limits: UnitPlanner.Limits
  ): (Double, Long) = {
    val request = new ScanRequest(new ScanRequest.Nodes(Optional.empty()), KeyRanges.ALL, KeyRanges.ALL,
      java.util.EnumSet.copyOf(columns.asJava), WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, true))
    val snapshot = MadeNamespace.snapshot(dir, name)
    val start = ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime
    val plan = ScanPlanner.plan(snapshot, request, store, new StoredSsts(store, false), limits)
    var sum = 0L
    for (slice <- plan.slices.asScala) {
      val reader = SliceReader.open(slice, store)
      while (reader.next()) {
        val s = reader.selection
        val lo = reader.batch.keyLo
        var i = 0
        while (i < s.size) {
          sum += lo(s.row(i)) * 31 + 1
          i += 1
        }
      }
      reader.close()
    }
    ((ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime - start) / 1e6, sum)
  }

  /** Random ids; every tenth is an id of the SST before, with a newer record. */
  private def write(made: MadeNamespace, ssts: Int, rows: Int): Unit = {
    val random = new SplittableRandom(11)
    var before = Array.empty[Long]
    val row = new NodeRow
    for (l <- 0 until ssts) {
      val ids = Array.tabulate(rows)(i => if (i % 10 == 0 && l > 0) before(i) else random.nextLong())
      before = ids.clone()
      val sorted = ids.distinct.sortWith((a, b) => java.lang.Long.compareUnsigned(a, b) < 0)
      made.nodes { w =>
        for (id <- sorted) {
          val json = s"""{"name":"${java.lang.Long.toHexString(id * 7)}","num":${id & 0xFFFF},"layer":$l}""".getBytes
          w.add(row.upsert(id, id, l + 1, 1).labels(Array(0), 1).properties(json, 0, json.length))
        }
      }
    }
    made.commit()
  }
}
