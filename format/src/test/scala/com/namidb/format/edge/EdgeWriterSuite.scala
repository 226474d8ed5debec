package com.namidb.format.edge

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Path
import java.util.Optional

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.edge.EdgeFiles._
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.Column
import com.namidb.format.store.{TempDirs, Xxh3}

class EdgeWriterSuite extends AnyFunSuite {
  import EdgeWriterSuite._

  private val person = Optional.of("Person")

  test("the writer makes files A, B and E of the spec, byte by byte") {
    val raw = new EdgeLayout(2, true, 65536, 1 << 20)
    val a = write(new EdgeSstSpec(forwardId, false, "KNOWS", person, person), forwardRows, raw)
    assert(hex(a._1) == hex(golden("A")))
    val inverse = forwardRows.map(r => r.copy(key = r.partner, partner = r.key)).sortBy(r => (r.key, r.partner))
    val b = write(new EdgeSstSpec(inverseId, true, "KNOWS", person, person), inverse, raw)
    assert(hex(b._1) == hex(golden("B")))
    val e = write(EdgeSstSpec.undeclared(forwardId, false, "KNOWS"), bareRows, new EdgeLayout(3, false, 65536, 1 << 20))
    assert(hex(e._1) == hex(golden("E")))
  }

  test("file C differs in nothing but its zstd frame") {
    val (c, _) = write(new EdgeSstSpec(forwardId, false, "KNOWS", person, person), forwardRows, EdgeLayout.ENGINE)
    assert(hex(c.take(251)) == hex(golden("C").take(251)))
    assert(read(open(c, 3)) == forwardRows)
  }

  test("the summary tells what the descriptor of file A says") {
    val (bytes, s) = write(EdgeSstSpec.undeclared(forwardId, false, "KNOWS"), forwardRows)
    assert(s.rows == 3 && s.tombstones == 1 && s.degrees.keys == 2 && s.degrees.max == 2 && s.degrees.sum == 3)
    assert(s.degrees.counts.toSeq == Seq(1L, 1L) ++ Seq.fill(62)(0L))
    assert(s.keys == new KeyRange(n1, n2) && s.minLsn == 7 && s.maxLsn == 9)
    assert(s.sizeBytes == bytes.length && s.xxh3 == Xxh3.hash(bytes))
  }

  test("LSNs compare unsigned") {
    val rows = Seq(Row(n1, n2, -1L, dead = false, None), Row(n1, n3, 5, dead = false, None))
    val (bytes, s) = write(EdgeSstSpec.undeclared(forwardId, false, "T"), rows)
    assert(s.minLsn == 5 && s.maxLsn == -1L)
    assert(read(open(bytes, 2)) == rows)
  }

  test("unsorted rows, duplicate pairs, an empty file and a second writing are refused") {
    def writer = EdgeSstWriter.open(EdgeSstSpec.undeclared(forwardId, false, "T"), tmp)
    for (second <- Seq((n2, n2), (n2, n1), (n1, n3))) {
      val w = writer
      w.add(n2, n2, 1, Optional.empty[Array[Byte]])
      intercept[IllegalStateException](w.add(second._1, second._2, 2, Optional.empty[Array[Byte]]))
      intercept[IllegalStateException](w.addTombstone(second._1, second._2, 2))
      w.close()
    }
    intercept[IllegalStateException](writer.writeTo(new HeldStore().upload("x")))
    val w = writer
    w.addTombstone(n1, n2, 1)
    w.writeTo(new HeldStore().upload("x"))
    intercept[IllegalStateException](w.writeTo(new HeldStore().upload("y")))
  }

  test("a key of more partners than the engine decodes is refused, with its name") {
    val w = EdgeSstWriter.open(EdgeSstSpec.undeclared(forwardId, false, "T"), tmp)
    for (i <- 0L until EdgeSstWriter.MAX_DEGREE) w.addTombstone(n1, new NodeId(7, i), 1)
    val e = intercept[com.namidb.format.error.InvalidValueException](w.addTombstone(n1, new NodeId(8, 0), 1))
    assert(e.getMessage.contains(n1.toString))
    w.close()
  }

  test("no temporary file stays behind") {
    val folder = TempDirs.lasting("spool")
    val w = EdgeSstWriter.open(EdgeSstSpec.undeclared(forwardId, false, "T"), folder, new EdgeLayout(3, true, 65536, 1))
    for (i <- 0L until 3000L) w.add(n1, new NodeId(7, i), 1, Optional.of(s"""{"i":$i}""".getBytes(UTF_8)))
    w.close()
    assert(folder.toFile.list.isEmpty)
  }

  for ((name, shape) <- shapes) {
    test(s"$name: rows come back whole, in windows, by column, by range and by cut") {
      val rows = shape(new Random(11))
      // Tiny spools, so that columns really go through local files.
      val (bytes, s) = write(EdgeSstSpec.undeclared(forwardId, false, "T"), rows, new EdgeLayout(3, true, 65536, 1))
      assert(s.rows == rows.size && s.tombstones == rows.count(_.dead))
      assert(s.degrees.keys == rows.iterator.map(_.key).distinct.size)
      val store = new HeldStore
      for (sizes <- Seq(ReadSizes.DEFAULT, small)) {
        val reader = open(bytes, rows.size, sizes = sizes, store = store)
        assertSame(read(reader), rows)
        val idsOnly = Set(Column.KEY)
        assertSame(read(reader, columns = idsOnly), rows.map(r => Row(r.key, r.partner, 0, dead = false, None)))
        val zero = new NodeId(0, 0)
        assertSame(read(reader, columns = Set(Column.PAYLOAD)), rows.map(r => Row(zero, zero, 0, dead = false, r.json)))
      }
      val reader = open(bytes, rows.size, sizes = small, store = store)
      val keys = rows.map(_.key).distinct.toIndexedSeq
      val r = new Random(12)
      for (_ <- 0 until 12) {
        val a = keys(r.nextInt(keys.size))
        val b = keys(math.min(keys.size - 1, keys.indexOf(a) + r.nextInt(5)))
        val parts = r.nextInt(3) match {
          case 0 => Seq(new KeyRange(a, b))
          case 1 => Seq(new KeyRange(a.next, if (a.next.compareTo(b) > 0) a.next else b), new KeyRange(NodeId.MIN, keys.head))
          case _ => Seq.fill(3)(keys(r.nextInt(keys.size))).distinct.map(k => new KeyRange(k, k))
        }
        val ranges = KeyRanges.union(parts.asJava)
        def inside(rs: Seq[Row]) = rs.filter(x => ranges.contains(x.key.hi, x.key.lo))
        val got = read(reader, ranges)
        assertSame(inside(got), inside(rows))
        // What is emitted beyond the ranges must at least be rows of the file, in order.
        assert(got.size <= rows.size && got.toSet.subsetOf(rows.toSet))
      }
      for (n <- Seq(1, 2, 3, 7, 64)) {
        val pieces = reader.cut(KeyRange.ALL, n).asScala.toSeq
        assert(pieces.size <= n && pieces.head.min == NodeId.MIN && pieces.last.max == NodeId.MAX)
        for ((x, y) <- pieces.zip(pieces.drop(1))) assert(x.max.next == y.min)
        assertSame(pieces.flatMap(p => within(read(reader, KeyRanges.of(p)), p)), rows)
        val hub = s.degrees.max
        for (p <- pieces) assert(within(rows, p).size <= rows.size / n + hub + 1)
      }
    }
  }

  test("forward and inverse files of the same edges hold the same edges") {
    val rows = shapes.head._2(new Random(3))
    val inverse = rows.map(r => r.copy(key = r.partner, partner = r.key)).sortBy(r => (r.key, r.partner))
    val f = read(open(write(EdgeSstSpec.undeclared(forwardId, false, "T"), rows)._1, rows.size))
    val i = read(open(write(EdgeSstSpec.undeclared(inverseId, true, "T"), inverse)._1, rows.size, inverseId))
    assertSame(i.map(r => r.copy(key = r.partner, partner = r.key)).sortBy(r => (r.key, r.partner)), f)
  }

  test("one key of a large file costs a few page reads, ids alone fetch no properties") {
    val r = new Random(5)
    val rows = graph(r, 80000, 3, json = true)
    val (bytes, _) = write(EdgeSstSpec.undeclared(forwardId, false, "T"), rows)
    val store = new HeldStore
    val reader = open(bytes, rows.size, store = store)
    assert(store.reads.size == 2)
    val k = rows(rows.size / 2).key
    val one = new KeyRange(k, k)
    store.reads = Vector.empty
    assert(within(read(reader, KeyRanges.of(one)), one) == within(rows, one))
    assert(store.bytesRead < bytes.length / 8 && store.reads.size <= 12, store.reads)
    store.reads = Vector.empty
    read(reader, columns = Set(Column.KEY))
    val needed = 16L * rows.map(_.key).distinct.size + 18L * rows.size
    assert(store.bytesRead < needed + needed / 10, s"${store.bytesRead} of $needed")
  }

  test("a file of a few MiB costs three requests to scan, one below a MiB") {
    for ((keys, requests) <- Seq((12000, 1), (40000, 3))) {
      val rows = graph(new Random(6), keys, 2, json = true)
      val (bytes, _) = write(EdgeSstSpec.undeclared(forwardId, false, "T"), rows)
      val store = new HeldStore
      assertSame(read(open(bytes, rows.size, store = store)), rows)
      assert(store.reads.size == requests, s"${bytes.length} bytes: ${store.reads}")
    }
  }

  test("offsets take four bytes from 16 MiB of partners on, and lead to the right rows") {
    val n = 1100000
    // The low bytes vary, so that no block is shorter split than dense.
    def partner(i: Int) = new NodeId(i.toLong << 40 | (i * 0x9E3779B1L & 0xFFFFFFFFFFL), 1)
    val w = EdgeSstWriter.open(EdgeSstSpec.undeclared(forwardId, false, "T"), tmp)
    for (i <- 0 until n) w.add(new NodeId(i / 100L, 0), partner(i), 1L + i, Optional.empty[Array[Byte]])
    val store = new HeldStore
    val up = store.upload("x.csr")
    val s = w.writeTo(up)
    up.finish()
    w.close()
    val file = new EdgeSstFile("x.csr", s.sizeBytes, n, forwardId, List.empty[String].asJava)
    assert(EdgeFile.open(store, file, ReadSizes.DEFAULT).footer.offsetWidth == 4)
    val last = new KeyRange(new NodeId(10998, 0), new NodeId(10999, 0))
    val got = within(read(EdgeSstReader.open(store, file), KeyRanges.of(last)), last)
    assertSame(got, for (i <- n - 200 until n) yield Row(new NodeId(i / 100L, 0), partner(i), 1L + i, dead = false, None))
  }

  test("flips anywhere in a file of many pages never give other rows, whole or by range") {
    val rows = graph(new Random(8), 3000, 8, json = true)
    val (bytes, _) = write(EdgeSstSpec.undeclared(forwardId, false, "T"), rows)
    val range = new KeyRange(rows(2000).key, rows(4000).key)
    val r = new Random(9)
    var noticed = 0
    for (_ <- 0 until 150) {
      val bad = bytes.clone
      val at = r.nextInt(bad.length)
      bad(at) = (bad(at) ^ (1 << r.nextInt(8))).toByte
      intercept[com.namidb.format.error.CorruptObjectException](read(open(bad, rows.size)))
      try {
        val reader = open(bad, rows.size, sizes = small)
        assertSame(within(read(reader, KeyRanges.of(range)), range), within(rows, range))
        assertSame(read(reader), rows)
      } catch { case _: com.namidb.format.error.CorruptObjectException => noticed += 1 }
    }
    assert(noticed > 100)
  }
}

object EdgeWriterSuite {
  /** Windows of one or two pages. */
  val small = new ReadSizes(0, 0, 4096, 100000)

  val tmp: Path = TempDirs.lasting("edge-writer")

  def hex(b: Array[Byte]): String = java.util.HexFormat.of().formatHex(b)

  def write(spec: EdgeSstSpec, rows: Seq[Row], layout: EdgeLayout = EdgeLayout.ENGINE): (Array[Byte], EdgeSstSummary) = {
    val store = new HeldStore
    val w = EdgeSstWriter.open(spec, tmp, layout)
    try {
      for (r <- rows)
        if (r.dead) w.addTombstone(r.key, r.partner, r.lsn)
        else w.add(r.key, r.partner, r.lsn, r.json.fold(Optional.empty[Array[Byte]])(j => Optional.of(j.getBytes(UTF_8))))
      val up = store.upload("x")
      val s = w.writeTo(up)
      up.finish()
      (store.objects("x"), s)
    } finally w.close()
  }

  /** Like ==, but names the first difference instead of printing both. */
  def assertSame(got: Seq[Row], expected: Seq[Row]): Unit = {
    for (((g, e), i) <- got.zip(expected).zipWithIndex)
      if (g != e) throw new AssertionError(s"row $i: ${g.toString.take(300)}, expected ${e.toString.take(300)}")
    if (got.size != expected.size) throw new AssertionError(s"${got.size} rows, expected ${expected.size}")
  }

  private def distinctIds(r: Random, n: Int, high: Random => Long): Seq[NodeId] =
    Iterator.continually(new NodeId(high(r), r.nextLong())).distinct.take(n).toSeq.sorted

  def graph(r: Random, keys: Int, degree: Int, json: Boolean, high: Random => Long = _.nextLong()): Seq[Row] = {
    val ids = distinctIds(r, keys, high)
    for {
      k <- ids
      p <- distinctIds(r, 1 + r.nextInt(degree), high)
    } yield {
      val dead = r.nextInt(9) == 0
      Row(k, p, 1 + r.nextInt(1000), dead,
        if (dead || !json || r.nextInt(4) == 0) None else Some(s"""{"w":${r.nextInt(100)},"t":"${"é" * r.nextInt(9)}"}"""))
    }
  }

  val shapes: Seq[(String, Random => Seq[Row])] = Seq(
    "a small graph of any ids" -> (r => graph(r, 300, 12, json = true)),
    "ids with few different upper halves, so split blocks" ->
      (r => graph(r, 200, 60, json = true, x => if (x.nextBoolean()) 0x0190a00000007000L else 0xFF00000000000000L)),
    "one hub among small keys" -> { r =>
      val small = graph(r, 50, 3, json = true)
      val hub = new NodeId(0x8000000000000000L, 1)
      val spokes = graph(r, 9000, 1, json = true).map(x => x.copy(key = hub, partner = x.key))
      (small ++ spokes).sortBy(x => (x.key, x.partner))
    },
    "degrees 1, 1024 and 1025" -> (r => for {
      (k, d) <- Seq((n1, 1), (n2, 1024), (n3, 1025))
      p <- distinctIds(r, d, _ => 7L)
    } yield Row(k, p, 3, dead = false, Some("{\"a\":null}"))),
    "more than 65536 keys, so a fence" -> (r => graph(r, 66000, 2, json = false)),
    "tombstones only" -> (r => graph(r, 1500, 3, json = false).map(_.copy(dead = true))),
    "values larger than a page" -> { r =>
      graph(r, 1200, 3, json = true).zipWithIndex.map { case (x, i) =>
        if (i % 400 == 7 && !x.dead) x.copy(json = Some("{\"big\":\"" + Seq.fill(1100000)(('a' + r.nextInt(26)).toChar).mkString + "\"}")) else x
      }
    })
}
