package com.namidb.format.bench

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Paths}
import java.util.Optional

import com.namidb.format.Golden
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.Column
import com.namidb.format.scan.{ScanPlanner, ScanRequest}
import com.namidb.format.snapshot.WalPolicy
import com.namidb.format.store.local.LocalStore

/**
 * Reads a manifest and plans a scan of it, in rounds, and prints the CPU time of both. The manifest lists SSTs that are disjoint, or
 * that all overlap. Arguments: SSTs (10000), rounds (5). Meant to run under `-Xmx256m`.
 */
object PlanBench {
  def main(args: Array[String]): Unit = {
    val ssts = args.lift(0).fold(10000)(_.toInt)
    val rounds = args.lift(1).fold(5)(_.toInt)
    val dir = Files.createTempDirectory("plan-bench-")
    val store = LocalStore.open(dir)
    try
      for (overlap <- Seq(false, true)) {
        val name = if (overlap) "overlapping" else "disjoint"
        val made = new MadeNamespace(dir, name)
        for (i <- 0 until ssts) made.list(i + 1, ranges(i, overlap))
        made.commit()
        val bytes = Files.size(Paths.get(dir.toString, name, "manifest", "v0000000000000000.json"))
        val request = new ScanRequest(new ScanRequest.Nodes(Optional.empty()), KeyRanges.ALL, KeyRanges.ALL,
          java.util.EnumSet.of(Column.PAYLOAD), WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, true, 200))
        for (round <- 0 until rounds) {
          val start = now()
          val snapshot = MadeNamespace.snapshot(dir, name)
          val read = now()
          val plan = ScanPlanner.plan(snapshot, request, store)
          val end = now()
          println(f"$ssts $name%-12s ${bytes / 1e6}%.1f MB  round $round: manifest ${(read - start) / 1000000} ms, plan " +
            s"${(end - read) / 1000000} ms, ${plan.slices.size} slices, heap limit ${Runtime.getRuntime.maxMemory >> 20} MiB")
        }
      }
    finally {
      store.close()
      Golden.deleteTree(dir)
    }
  }

  /** CPU time of this thread: other load on the machine does not count. */
  private def now(): Long = ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime

  private def ranges(i: Int, overlap: Boolean): KeyRange =
    if (overlap) new KeyRange(new NodeId(1, i), new NodeId(9, i)) else new KeyRange(new NodeId(i, 1), new NodeId(i, 9))
}
