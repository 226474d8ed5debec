package com.namidb.format.stage

import com.namidb.format.id.NodeId
import com.namidb.format.store.TempDirs
import org.scalatest.funsuite.AnyFunSuite

import java.nio.file.Files
import scala.collection.mutable.ArrayBuffer
import scala.util.Random

class RowSorterSuite extends AnyFunSuite {
  private def run(rows: Seq[(NodeId, NodeId, String)], limit: Int): (Seq[(NodeId, NodeId, String)], Int) = {
    val folder = TempDirs.lasting("sorter-")
    val sorter = new RowSorter(folder, limit)
    var most = 0
    val out = ArrayBuffer.empty[(NodeId, NodeId, String)]
    try {
      for ((a, b, s) <- rows) {
        val bytes = s.getBytes("UTF-8")
        val at = sorter.add(a, b, bytes.length)
        System.arraycopy(bytes, 0, sorter.buffer, at, bytes.length)
        most = math.max(most, folder.toFile.list.length)
      }
      sorter.drain((r, at, n) => out += ((NodeId.of(r, at), NodeId.of(r, at + 16), new String(r, at + RowSorter.HEAD, n, "UTF-8"))))
    } finally sorter.close()
    assert(folder.toFile.list.isEmpty, "temporary files stay behind")
    Files.delete(folder)
    (out.toSeq, most)
  }

  test("rows come in unsigned order of their ids, in memory and from runs alike") {
    val seed = Random.nextLong()
    val rnd = new Random(seed)
    def id = new NodeId(rnd.nextLong(), rnd.nextLong())
    val few = IndexedSeq.fill(20)(id) ++ Seq(NodeId.MIN, NodeId.MAX, new NodeId(Long.MinValue, 0), new NodeId(Long.MaxValue, -1))
    val rows = Seq.fill(6000)((if (rnd.nextBoolean()) few(rnd.nextInt(few.size)) else id, few(rnd.nextInt(few.size)),
      rnd.alphanumeric.take(rnd.nextInt(if (rnd.nextInt(9) == 0) 1000 else 80)).mkString))
    val want = rows.sortWith { (x, y) =>
      val c = x._1.compareTo(y._1)
      if (c != 0) c < 0 else x._2.compareTo(y._2) < 0
    }
    val (whole, none) = run(rows, 64 << 20)
    assert(none == 0)
    assert(whole == want, s"seed $seed")
    val (merged, runs) = run(rows, 1)
    assert(runs > 3)
    assert(merged.map(r => (r._1, r._2)) == want.map(r => (r._1, r._2)), s"seed $seed")
    assert(merged.sortBy(_.toString) == want.sortBy(_.toString), s"seed $seed")
  }

  test("a row larger than the limit, and none at all") {
    val big = "x" * 300000
    val rows = Seq((NodeId.MAX, NodeId.MIN, big), (NodeId.MIN, NodeId.MIN, ""), (new NodeId(1, 1), NodeId.MIN, big))
    assert(run(rows, 1)._1 == Seq(rows(1), rows(2), rows(0)))
    assert(run(Nil, 1)._1.isEmpty)
  }
}
