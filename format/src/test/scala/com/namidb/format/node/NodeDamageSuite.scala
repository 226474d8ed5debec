package com.namidb.format.node

import scala.util.Random

import com.namidb.format.error.NamiException
import org.scalatest.funsuite.AnyFunSuite

/** Damaged files: the original rows or a typed error, and never rows out of order. */
class NodeDamageSuite extends AnyFunSuite {
  import NodeRows._

  private val golden = Seq("compacted", "many", "types", "updates")

  test("every truncation is a typed error, whatever size is promised") {
    for (name <- golden) {
      val rows = expected(s"$name.tsv")
      val bytes = resource(s"$name.parquet")
      val promised = describe(bytes, rows)
      for (n <- 0 until bytes.length) {
        val cut = bytes.take(n)
        intercept[NamiException](scan(NodeSstReader.open(store(cut), promised)))
        intercept[NamiException](scan(NodeSstReader.open(store(cut), describe(cut, rows))))
      }
    }
  }

  /** Reads a damaged file: 0 typed error, 1 the original rows, 2 other rows of right structure. */
  private def outcome(bad: Array[Byte], rows: Seq[PlainRow]): Int =
    try {
      val found = read(bad, rows)
      assert(found.size == rows.size)
      assert(found.head.id == rows.head.id && found.last.id == rows.last.id)
      assert(found.zip(found.tail).forall { case (a, b) => a.id.compareTo(b.id) < 0 })
      assert(found.forall(r => r.labels.zip(r.labels.drop(1)).forall { case (a, b) => a < b }))
      if (found == rows) 1 else 2
    } catch { case _: NamiException => 0 }

  private def flips(seed: Int, bytes: Array[Byte], rows: Seq[PlainRow], count: Int): Array[Int] = {
    val r = new Random(seed)
    val out = new Array[Int](3)
    for (_ <- 0 until count) {
      val bad = bytes.clone()
      val at = r.nextInt(bad.length)
      bad(at) = (bad(at) ^ (1 << r.nextInt(8))).toByte
      out(outcome(bad, rows)) += 1
    }
    out
  }

  for ((name, i) <- golden.zipWithIndex)
    test(s"golden $name: 1500 flipped bits") {
      val rows = expected(s"$name.tsv")
      val out = flips(i, resource(s"$name.parquet"), rows, 1500)
      info(out.mkString("error/same/different "," / ",""))
      assert(out(0) > 200)
    }

  test("files of many layouts: 3000 flipped bits") {
    val rows = random(new Random(21), 300, 6, repeat = true)
    for {
      (v2, seed) <- Seq(false, true).zipWithIndex
      d <- Seq(false, true)
    } {
      val bytes = ForeignFiles.write(rows, ForeignFiles.Layout(v2, d, groupRows = 150, pageRows = 40))
      flips(seed, bytes, rows, 750)
    }
  }

  test("garbage and overwritten stretches") {
    val rows = expected("compacted.tsv")
    val bytes = resource("compacted.parquet")
    val r = new Random(5)
    for (_ <- 0 until 1500) {
      val bad = bytes.clone()
      val at = r.nextInt(bad.length)
      for (i <- at until math.min(bad.length, at + 1 + r.nextInt(8))) bad(i) = r.nextInt().toByte
      outcome(bad, rows)
    }
    for (_ <- 0 until 300) {
      val noise = new Array[Byte](r.nextInt(400) + 1)
      r.nextBytes(noise)
      intercept[NamiException](read(noise, rows))
      val ending = noise ++ Array[Byte](noise.length.toByte, 0, 0, 0) ++ "PAR1".getBytes
      intercept[NamiException](read(ending, rows))
    }
  }
}
