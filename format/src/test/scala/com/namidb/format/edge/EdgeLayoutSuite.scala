package com.namidb.format.edge

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.edge.EdgeFiles._
import com.namidb.format.edge.EdgeWriterSuite.{assertSame, graph}
import com.namidb.format.edge.RawEdgeFile._
import com.namidb.format.edge.SectionKind._
import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.Column

/** Everything legal that the engine never writes, and everything illegal under right checksums. */
class EdgeLayoutSuite extends AnyFunSuite {
  private val rows = graph(new Random(1), 900, 9, json = false)

  private def reads(f: RawEdgeFile, expected: Seq[Row] = rows): Unit =
    for (sizes <- Seq(ReadSizes.DEFAULT, tiny, new ReadSizes(0, 1 << 20, 200, 4096))) {
      val reader = open(f.bytes, f.rows.size, sizes = sizes)
      assertSame(read(reader), expected)
      val some = new KeyRange(expected(expected.size / 3).key, expected(expected.size / 2).key)
      assertSame(within(read(reader, KeyRanges.of(some)), some), within(expected, some))
    }

  private def refused(f: RawEdgeFile): Unit =
    for (sizes <- Seq(ReadSizes.DEFAULT, tiny))
      intercept[CorruptObjectException](read(open(f.bytes, f.rows.size, sizes = sizes)))

  private def change(kind: Int)(edit: Array[Byte] => Array[Byte]): Seq[Raw] => Seq[Raw] =
    _.map(s => if (s.kind == kind) s.copy(bytes = edit(s.bytes)) else s)

  for (minor <- 0 to 2; split <- Seq(false, true); width <- 3 to 6)
    test(s"minor $minor, split $split, offsets of $width bytes") {
      reads(RawEdgeFile(rows, minor, split, width))
      reads(RawEdgeFile(rows, minor, split, width, binding = Some(forwardId)))
    }

  for (pageSize <- Seq(4096, 16384, 1 << 20))
    test(s"pages of $pageSize bytes")(reads(RawEdgeFile(rows, pageSize = pageSize)))

  for (pageSize <- Seq(2048, 5000, 1 << 21))
    test(s"pages of $pageSize bytes are refused")(refused(RawEdgeFile(rows, pageSize = pageSize)))

  test("sections in another order and of unknown kinds") {
    reads(RawEdgeFile(rows, alter = s => Raw(0x77, Array[Byte](1, 2, 3)) +: s.reverse :+ Raw(0x200, Array.emptyByteArray)))
  }

  test("split deltas wrap: ids that descend in little-endian order") {
    def id(hi: Long, lo: Long) = new NodeId(hi, lo)
    for (pair <- Seq(
        Seq(id(0x0100000000000000L, 1), id(0x0200000000000000L, 0)),
        Seq(id(0x00000000000000ffL, 5), id(0x0100000000000000L, 0)),
        Seq(id(0, 0), id(0, 1), id(-1, -1)))) {
      val rs = pair.map(p => Row(n1, p, 4, dead = false, None))
      reads(RawEdgeFile(rs, split = true), rs)
      reads(RawEdgeFile(rs), rs)
    }
  }

  test("a missing mandatory section is damage") {
    for (kind <- Seq(KEY_IDS, OFFSETS, PARTNERS, LSN, EDGE_ORDINALS, TOMBSTONES))
      withClue(kind)(refused(RawEdgeFile(rows, alter = _.filter(_.kind != kind))))
  }

  test("a section twice, too short or too long is damage") {
    for (kind <- Seq(KEY_IDS, OFFSETS, PARTNERS, LSN, EDGE_ORDINALS, TOMBSTONES)) withClue(kind) {
      refused(RawEdgeFile(rows, alter = s => s ++ s.filter(_.kind == kind)))
      refused(RawEdgeFile(rows, alter = change(kind)(_.dropRight(1))))
      refused(RawEdgeFile(rows, alter = change(kind)(_ :+ 0.toByte)))
    }
  }

  test("keys and partners out of order or repeated are damage") {
    val ids = rows.map(_.key).distinct
    refused(RawEdgeFile(rows, alter = change(KEY_IDS)(b => b.take(32) ++ b.slice(16, 32) ++ b.drop(48))))
    refused(RawEdgeFile(rows, alter = change(KEY_IDS)(_ => join(ids.reverse.map(_.toBytes)))))
    val two = Seq(n1, n1).map(p => Row(n2, p, 1, dead = false, None))
    val back = Seq(n3, n1).map(p => Row(n2, p, 1, dead = false, None))
    for (split <- Seq(false, true)) {
      refused(RawEdgeFile(two, split = split))
      refused(RawEdgeFile(back, split = split))
    }
  }

  test("blocks that lie are damage: degree, tag, endless varint, huge degree") {
    val three = Seq(n1, n2, n3).map(p => Row(n2, p, 1, dead = false, None))
    def block(edit: Array[Byte] => Array[Byte]) =
      RawEdgeFile(three, alter = s => change(OFFSETS)(_ => le(0, 3) ++ le(
        edit(s.find(_.kind == PARTNERS).get.bytes).length.toLong, 3))(change(PARTNERS)(edit)(s)))
    refused(block(b => 2.toByte +: b.drop(1)))
    refused(block(b => 4.toByte +: b.drop(1)))
    refused(block(b => 0.toByte +: b.drop(1)))
    refused(block(b => b.updated(1, 0x11.toByte)))
    refused(block(b => b.updated(1, 1.toByte)))
    refused(block(b => Array.fill[Byte](12)(0x80.toByte) ++ b))
    refused(block(b => varint(Long.MaxValue) ++ b.drop(1)))
    refused(block(b => varint(-1L) ++ b.drop(1)))
    refused(block(b => b ++ b))
    // A varint longer than needed is tolerated.
    val longer = block(b => Array[Byte](0x83.toByte, 0) ++ b.drop(1))
    assertSame(read(open(longer.bytes, 3)), three)
  }

  test("index sections that lie cost a range its rows, never give others") {
    val probe = new KeyRange(rows(100).key, rows(200).key)
    for (kind <- Seq(OFFSETS, EDGE_ORDINALS); delta <- Seq(1, 255)) {
      val width = if (kind == OFFSETS) 3 else 8
      val f = RawEdgeFile(rows, alter = change(kind)(b => join(b.grouped(width).toSeq.map { e =>
        e.updated(0, (e(0) + delta).toByte)
      })))
      for (sizes <- Seq(ReadSizes.DEFAULT, tiny))
        intercept[CorruptObjectException](read(open(f.bytes, rows.size, sizes = sizes), KeyRanges.of(probe)))
    }
  }

  test("the fence is used, and checked in full") {
    def fence(stride: Int, edit: Array[Byte] => Array[Byte] = identity)(s: Seq[Raw]): Seq[Raw] = {
      val keys = s.find(_.kind == KEY_IDS).get.bytes.grouped(16).toSeq
      val entries = keys.indices.by(stride).map(i => keys(i) ++ le(16L * i, 8))
      s :+ Raw(FENCE_INDEX, edit(le(stride.toLong, 4) ++ le(entries.size.toLong, 4) ++ join(entries)))
    }
    for (stride <- Seq(1, 2, 7, 256, 5000)) reads(RawEdgeFile(rows, alter = fence(stride)))
    val probe = KeyRanges.of(new KeyRange(rows(100).key, rows(200).key))
    for (edit <- Seq[Array[Byte] => Array[Byte]](
        _.updated(0, 0.toByte), _.updated(4, 3.toByte), _.updated(8, 0x55.toByte), _.updated(24, 1.toByte),
        b => b.patch(32, b.slice(8, 24), 16), _.dropRight(1), _.take(4), b => b ++ b.takeRight(24)))
      intercept[CorruptObjectException](read(open(RawEdgeFile(rows, alter = fence(7, edit)).bytes, rows.size), probe))
  }

  test("a hub reads with buffers of a few windows, whatever its degree") {
    val spokes = 300000
    val (bytes, _) = {
      val w = EdgeSstWriter.open(EdgeSstSpec.undeclared(forwardId, false, "T"), EdgeWriterSuite.tmp)
      for (i <- 0 until spokes) w.addTombstone(n1, new NodeId(1, i.toLong), 5)
      val store = new HeldStore
      val up = store.upload("x")
      val s = w.writeTo(up)
      w.close()
      up.finish()
      (store.objects("x"), s)
    }
    val store = new HeldStore
    val reader = open(bytes, spokes, sizes = new ReadSizes(0, 0, 65536, 65536), store = store)
    val cursor = reader.scan(java.util.Set.of(Column.KEY), KeyRanges.ALL)
    var n = 0L
    while (cursor.next()) n += cursor.batch.size
    cursor.close()
    assert(n == spokes && store.reads.forall(_._2 <= 65536))
  }

  test("a footer longer than the first guess is fetched in full") {
    val many = (0 until 40).map(i => Raw(0x300 + i, Array[Byte](i.toByte)))
    reads(RawEdgeFile(rows, alter = _ ++ many))
  }

  test("files without ordinals are not cut; no piece is asked for nothing") {
    val reader = open(RawEdgeFile(rows, 0).bytes, rows.size)
    assert(reader.cut(KeyRange.ALL, 5).size == 1)
    intercept[IllegalArgumentException](reader.cut(KeyRange.ALL, 0))
    assert(open(RawEdgeFile(rows, 1).bytes, rows.size).cut(KeyRange.ALL, 5).size == 5)
  }
}
