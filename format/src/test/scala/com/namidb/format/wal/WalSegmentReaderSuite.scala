package com.namidb.format.wal

import java.nio.charset.StandardCharsets.UTF_8
import java.util.HexFormat

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.{CorruptObjectException, UnsupportedFormatException}
import com.namidb.format.id.NodeId
import org.scalatest.funsuite.AnyFunSuite

class WalSegmentReaderSuite extends AnyFunSuite {
  import WalBytes._

  private val one = NodeId.parse("018f93b4-3333-7abc-8000-000000000001")
  private val two = NodeId.parse("018f93b4-3333-7abc-8000-000000000002")

  private def read(bytes: Array[Byte]): Seq[WalEntry] = WalSegmentReader.read("ns/wal/x.wal", bytes).asScala.toSeq

  private def corrupt(bytes: Array[Byte]): CorruptObjectException = {
    val e = intercept[CorruptObjectException](read(bytes))
    assert(e.getMessage.contains("ns/wal/x.wal"))
    e
  }

  test("the worked example decodes to its two records") {
    val records = read(WalVector.Bytes)
    assert(WalVector.Bytes.length == 333)
    assert(records == Seq(new WalEntry(null, one, null, 13, 76, 148), new WalEntry("KNOWS", one, two, 14, 0, -1)))
    assert(new String(WalVector.Bytes, 76, 148, UTF_8) == WalVector.Document)
    assert(segment(Seq(node(one, 13, WalVector.Document), noEdge("KNOWS", one, two, 14))) sameElements WalVector.Bytes)
  }

  test("the empty segment is valid") {
    assert(read(HexFormat.of.parseHex("5447574c01000000000000000000000000000000" + "5447454caca60680")).isEmpty)
  }

  test("every truncation and every flipped bit of the worked example is refused") {
    for (n <- 0 until 333) corrupt(WalVector.Bytes.take(n))
    for (i <- 0 until 333; bit <- 0 until 8) {
      val b = WalVector.Bytes.clone
      b(i) = (b(i) ^ (1 << bit)).toByte
      corrupt(b)
    }
    corrupt(WalVector.Bytes :+ 0.toByte)
  }

  test("every single-byte change below valid checksums is refused or harmless, and nothing else is thrown") {
    val payloads = Seq(node(one, 13, """{"labels":[0]}"""), edge("KNÖWS", one, two, 14, "{}")).map(r => r.lsn -> envelope(r))
    for ((p, n) <- payloads.zipWithIndex; i <- p._2.indices; v <- Seq(0, 1, 0x7f, 0x80, 0xff)) {
      val changed = p._2.clone
      changed(i) = v.toByte
      try read(framed(payloads.updated(n, p._1 -> changed)))
      catch { case _: CorruptObjectException => () }
    }
    for ((lsn, p) <- payloads; n <- p.indices) corrupt(framed(Seq(lsn -> p.take(n))))
  }

  test("versions 0 and 1 are read, others refused as unknown") {
    val p = Seq(13L -> envelope(noNode(one, 13)))
    assert(read(framed(p, version = 0)).size == 1)
    for (v <- Seq(2, 255, 0x8000, 0xffff))
      assert(intercept[UnsupportedFormatException](read(framed(p, version = v))).getMessage.contains(s"version $v"))
  }

  test("bytes after the document are tolerated, bytes after the last record are not") {
    val p = envelope(noNode(one, 13))
    assert(read(framed(Seq(13L -> (p ++ Array[Byte](1, 2, 3))))) == Seq(new WalEntry(null, one, null, 13, 0, -1)))
    corrupt(framed(Seq(13L -> p), tail = Array[Byte](0)))
    corrupt(framed(Seq(13L -> p), count = Some(2)))
    corrupt(framed(Seq(13L -> p), count = Some(0)))
    corrupt(framed(Seq(13L -> p), count = Some(0xffffffffL)))
  }

  test("an envelope with another LSN than its record is refused") {
    assert(corrupt(framed(Seq(14L -> envelope(noNode(one, 13))))).getMessage.contains("LSN 13"))
    val top = -1L
    assert(read(segment(Seq(noNode(one, top)))).head.lsn == top)
  }

  test("lengths beyond the payload never lead to a large allocation") {
    for (length <- Seq(1L, 1L << 31, 1L << 40, -1L, Long.MinValue)) {
      val bad = le(4, 1) ++ le(8, length)
      corrupt(framed(Seq(1L -> bad)))
      corrupt(framed(Seq(1L -> (le(4, 0) ++ le(8, 16) ++ one.toBytes ++ le(4, 0) ++ le(8, length) ++ le(8, 1).take(0)))))
    }
    corrupt(framed(Seq(1L -> (le(4, 1) ++ le(8, 2) ++ Array[Byte](-1, -2) ++ envelope(noEdge("", one, two, 1)).drop(12)))))
  }

  test("random segments come back as written") {
    val r = new Random(11)
    for (_ <- 0 until 100) {
      val records = Seq.fill(r.nextInt(20)) {
        val (a, b) = (new NodeId(r.nextLong(), r.nextLong()), new NodeId(r.nextLong(), r.nextLong()))
        val doc = if (r.nextInt(3) == 0) None else Some(s"""{"schema_version":${r.nextInt(100)}}""")
        val t = if (r.nextBoolean()) None else Some("T" * r.nextInt(4) + "ü")
        Rec(t, a, b, r.nextLong(), doc)
      }
      val bytes = segment(records)
      val found = read(bytes).map { e =>
        val doc = if (e.isTombstone) None else Some(new String(bytes, e.document, e.length, UTF_8))
        Rec(Option(e.edgeType), e.key, if (e.partner == null) e.key else e.partner, e.lsn, doc)
      }
      assert(found == records.map(x => if (x.edgeType.isEmpty) x.copy(partner = x.key) else x))
    }
  }
}
