package com.namidb.format.edge

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.edge.EdgeFiles._
import com.namidb.format.error.{CorruptObjectException, NamiException, UnsupportedFormatException}
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.Column

/** The five files of the spec, edge §7. */
class EdgeGoldenSuite extends AnyFunSuite {
  private val inverseRows = Seq(
    Row(n2, n1, 7, dead = false, Some("{\"since\":2020}")),
    Row(n3, n1, 9, dead = true, None),
    Row(n3, n2, 8, dead = false, None))

  private val files = Seq(
    ("A", forwardId, forwardRows), ("B", inverseId, inverseRows), ("C", forwardId, forwardRows),
    ("D", forwardId, bareRows), ("E", forwardId, bareRows))

  for ((name, id, rows) <- files) {
    test(s"file $name decodes to its rows, held whole and window by window") {
      assert(read(open(golden(name), 3, id)) == rows)
      assert(read(open(golden(name), 3, id, sizes = tiny)) == rows)
    }

    test(s"every subset of columns of file $name gives the same values") {
      for (subset <- everything.subsets(); sizes <- Seq(ReadSizes.DEFAULT, tiny)) {
        val got = read(open(golden(name), 3, id, sizes = sizes), columns = subset)
        val zero = new NodeId(0, 0)
        val expected = rows.map(r => Row(
          if (subset(Column.KEY)) r.key else zero,
          if (subset(Column.KEY)) r.partner else zero,
          if (subset(Column.LSN)) r.lsn else 0,
          subset(Column.TOMBSTONE) && r.dead,
          if (subset(Column.PAYLOAD)) r.json else None))
        assert(got == expected, subset)
      }
    }

    test(s"key ranges of file $name") {
      val keys = rows.map(_.key).distinct
      for (sizes <- Seq(ReadSizes.DEFAULT, tiny); k <- keys) {
        val one = new KeyRange(k, k)
        assert(within(read(open(golden(name), 3, id, sizes = sizes), KeyRanges.of(one)), one) == within(rows, one))
      }
      assert(read(open(golden(name), 3, id), KeyRanges.NONE).isEmpty)
      assert(read(open(golden(name), 3, id), KeyRanges.of(new KeyRange(NodeId.MIN, n1.previous))).isEmpty)
      assert(read(open(golden(name), 3, id), KeyRanges.of(new KeyRange(n3.next, NodeId.MAX))).isEmpty)
    }

    test(s"every truncation of file $name is refused, and so is a longer one") {
      val whole = golden(name)
      for (n <- whole.indices; sizes <- Seq(ReadSizes.DEFAULT, tiny)) {
        intercept[CorruptObjectException](read(open(whole.take(n), 3, id, sizes = sizes)))
        val declaredLonger = new HeldStore
        declaredLonger.objects += "x.csr" -> whole.take(n)
        intercept[CorruptObjectException](EdgeSstReader.open(
          declaredLonger, new EdgeSstFile("x.csr", whole.length, 3, id, List.empty[String].asJava), sizes))
      }
      intercept[CorruptObjectException](open(whole :+ 0.toByte, 3, id))
    }
  }

  for (name <- Seq("A", "B", "C"); id = if (name == "B") inverseId else forwardId) {
    test(s"every single-bit flip of file $name is refused when opened") {
      val whole = golden(name)
      for (i <- whole.indices; bit <- 0 until 8) {
        val bad = whole.clone
        bad(i) = (bad(i) ^ (1 << bit)).toByte
        intercept[NamiException](open(bad, 3, id)) match {
          case _: CorruptObjectException | _: UnsupportedFormatException =>
          case e => fail(s"byte $i bit $bit", e)
        }
      }
    }

    test(s"no single-bit flip of file $name gives other rows when read window by window") {
      val whole = golden(name)
      val rows = if (name == "B") inverseRows else forwardRows
      for (i <- whole.indices; bit <- 0 until 8) {
        val bad = whole.clone
        bad(i) = (bad(i) ^ (1 << bit)).toByte
        try assert(read(open(bad, 3, id, sizes = tiny)) == rows, s"byte $i bit $bit")
        catch { case _: CorruptObjectException | _: UnsupportedFormatException => }
      }
    }
  }

  for (name <- Seq("D", "E"); sizes <- Seq(ReadSizes.DEFAULT, tiny)) {
    // Without a binding nothing covers the header: its ids, and flags nobody uses, go unnoticed.
    test(s"no single-bit flip of file $name gives other rows, $sizes") {
      val whole = golden(name)
      for (i <- whole.indices; bit <- 0 until 8) {
        val bad = whole.clone
        bad(i) = (bad(i) ^ (1 << bit)).toByte
        try {
          assert(read(open(bad, 3, sizes = sizes)) == bareRows, s"byte $i bit $bit")
          if (sizes == ReadSizes.DEFAULT) assert(i >= 9 && i < 64, s"byte $i bit $bit went unnoticed")
        } catch { case _: CorruptObjectException | _: UnsupportedFormatException => }
      }
    }
  }

  test("the rows the manifest promises and the bound id are compared") {
    intercept[CorruptObjectException](open(golden("A"), 4))
    intercept[CorruptObjectException](open(golden("A"), 3, inverseId))
    intercept[CorruptObjectException](open(golden("C"), 2))
  }

  test("a missing object is told as missing") {
    for (sizes <- Seq(ReadSizes.DEFAULT, tiny)) {
      val e = intercept[CorruptObjectException](EdgeSstReader.open(
        new HeldStore, new EdgeSstFile("gone.csr", 961, 3, forwardId, List.empty[String].asJava), sizes))
      assert(e.getMessage.contains("not in the store") && e.getMessage.contains("gone.csr"))
    }
  }

  test("a small object costs one request") {
    val store = new HeldStore
    read(open(golden("A"), 3, store = store))
    assert(store.reads == Vector((0L, 961L)))
  }
}
