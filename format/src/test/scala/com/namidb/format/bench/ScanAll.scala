package com.namidb.format.bench

import java.nio.file.Paths
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.id.KeyRanges
import com.namidb.format.record.Column
import com.namidb.format.scan.{ScanPlanner, ScanRequest, SliceReader}
import com.namidb.format.snapshot.WalPolicy
import com.namidb.format.store.local.LocalStore

/**
 * Reads all nodes, or all edges of a type, and prints rows, bytes of properties and a sum over the ids. Run as a process of
 * its own under a small heap. Arguments: folder, namespace, edge type or nothing.
 */
object ScanAll {
  def main(args: Array[String]): Unit = {
    val dir = Paths.get(args(0))
    val store = LocalStore.open(dir)
    val start = System.nanoTime()
    val target: ScanRequest.Target =
      if (args.length > 2) new ScanRequest.Edges(args(2)) else new ScanRequest.Nodes(Optional.empty())
    val request = new ScanRequest(target, KeyRanges.ALL, KeyRanges.ALL, java.util.EnumSet.allOf(classOf[Column]),
      WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, true))
    val plan = ScanPlanner.plan(MadeNamespace.snapshot(dir, args(1)), request, store)
    var rows = 0L
    var bytes = 0L
    var sum = 0L
    for (slice <- plan.slices.asScala) {
      val reader = SliceReader.open(slice, store)
      while (reader.next()) {
        val b = reader.batch
        val s = reader.selection
        for (i <- 0 until s.size) {
          val row = s.row(i)
          rows += 1
          bytes += math.max(0, b.payloadLength()(row))
          sum += b.keyLo()(row) + (if (b.edges) b.partnerLo()(row) else 0)
        }
      }
      reader.close()
    }
    store.close()
    println(s"$rows $bytes $sum")
    val heap = Runtime.getRuntime.maxMemory >> 20
    System.err.println(s"${plan.slices.size} slices, ${(System.nanoTime() - start) / 1000000} ms, heap at most $heap MiB")
  }
}
