package com.namidb.format.node

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Set => JSet}

import scala.util.Random

import com.namidb.format.id.KeyRanges
import com.namidb.format.record.{Column, LabelSets}

/** Nanoseconds per row of a million rows in memory. Run by hand; proves nothing by itself. */
object NodeBench {
  private val Rows = 1000000

  def main(args: Array[String]): Unit = {
    val r = new Random(1)
    val his = Array.fill(Rows)(r.nextLong()).sortWith(java.lang.Long.compareUnsigned(_, _) < 0)
    val json = Array.tabulate(Rows)(i =>
      s"""{"name":"${r.alphanumeric.take(12).mkString}","num":$i,"score":${r.nextInt(1000)}.5}"""
        .getBytes(UTF_8)
    )
    var file = Array.emptyByteArray
    var summary: NodeSstSummary = null
    for (_ <- 0 until 5) {
      val out = new ByteArrayOutputStream(60 << 20)
      val t = System.nanoTime()
      val w = NodeSstWriter.open((b, o, n) => out.write(b, o, n))
      val row = new NodeRow
      val one = Array(0)
      for (i <- 0 until Rows) {
        row.upsert(his(i), i, 7 + i, 1).labels(one, 1).properties(json(i), 0, json(i).length)
        w.add(row)
      }
      summary = w.finish()
      w.close()
      file = out.toByteArray
      report("write", t)
    }
    println(s"${file.length} bytes")
    val store = NodeRows.store(file)
    val f = new NodeSstFile(
      NodeRows.Key,
      file.length,
      Rows,
      true,
      summary.keys,
      summary.minLsn,
      summary.maxLsn,
      null
    )
    val cases = Seq[(String, JSet[Column])](
      "keys" -> JSet.of(Column.KEY),
      "keys+lsn" -> JSet.of(Column.KEY, Column.LSN),
      "labels" -> JSet.of(Column.LABELS),
      "payload" -> JSet.of(Column.PAYLOAD),
      "all" -> NodeRows.All
    )
    for ((name, columns) <- cases; _ <- 0 until 5) {
      val t = System.nanoTime()
      val reader = NodeSstReader.open(store, f)
      val c = reader.scan(columns, KeyRanges.ALL, new LabelSets)
      var n = 0
      while (c.next()) n += c.batch().size
      c.close()
      require(n == Rows)
      report(name, t)
    }
  }

  private def report(what: String, start: Long): Unit =
    println(f"$what%-10s ${(System.nanoTime() - start).toDouble / Rows}%.1f ns/row")
}
