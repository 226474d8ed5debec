package com.namidb.format.node

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.{KeyRange, NodeId}
import com.namidb.format.store.Xxh3
import org.apache.parquet.hadoop.ParquetFileReader
import org.scalatest.funsuite.AnyFunSuite

class NodeSstWriterSuite extends AnyFunSuite {
  import NodeRows._

  for (seed <- 1 to 12) {
    test(s"random rows come back, seed $seed") {
      val r = new Random(seed)
      val n = Seq(1, 2, 7, 100, 999, 5000)(r.nextInt(6))
      val rows = random(r, n, 1 + r.nextInt(20), r.nextBoolean())
      val (bytes, summary) = write(rows, 1 + r.nextInt(n + 1), 1 + r.nextInt(n + 1))
      assert(read(bytes, rows) == rows)
      assert(summary.rows == n)
      assert(summary.tombstones == rows.count(_.tombstone))
      assert(summary.keys == new KeyRange(rows.head.id, rows.last.id))
      assert(summary.minLsn == describe(bytes, rows).minLsn)
      assert(summary.maxLsn == describe(bytes, rows).maxLsn)
      assert(summary.sizeBytes == bytes.length)
      assert(summary.xxh3 == Xxh3.hash(bytes))
    }
  }

  test("pages of full size: mixed labels, long properties, more than one row group") {
    val r = new Random(31)
    val text = r.alphanumeric.take(400).mkString
    val rows = (0 until 140000).map { i =>
      val labels = Seq(Nil, Seq(0), Seq(1, 2), Seq(0, 3, 200))(i * 7 % 4)
      val json = Option.when(i % 5 != 0)(s"""{"n":$i,"t":"${text.take(i % 400)}"}""")
      PlainRow(new NodeId(i * 3L, i), tombstone = false, 100 + i % 7, labels, json)
    }
    val out = new java.io.ByteArrayOutputStream
    val writer = NodeSstWriter.open((b, o, n) => out.write(b, o, n))
    val row = new NodeRow
    rows.foreach(x => writer.add(fill(row, x)))
    val summary = writer.finish()
    writer.close()
    val bytes = out.toByteArray
    assert(summary.sizeBytes == bytes.length)
    val reader = NodeSstReader.open(store(bytes), describe(bytes, rows))
    assert(reader.rowGroups().asScala.map(_.rows) == Seq(131072L, 140000L - 131072))
    assert(scan(reader) == rows)
    assert(ForeignFiles.read(bytes) == rows)
  }

  test("LSNs and ids above the signed range keep their order") {
    val rows = Seq(
      PlainRow(new NodeId(0, 1), tombstone = false, -1L, Seq(1), None),
      PlainRow(new NodeId(0, -1), tombstone = false, 5, Nil, Some("{}")),
      PlainRow(new NodeId(-1, 0), tombstone = true, Long.MinValue, Nil, None)
    )
    val (bytes, summary) = write(rows, 10, 10)
    assert(read(bytes, rows) == rows)
    assert((summary.minLsn, summary.maxLsn) == ((5L, -1L)))
    assert((summary.minSchemaVersion, summary.maxSchemaVersion) == ((0L, 1L)))
  }

  test("the footer is what the engine expects of a foreign file") {
    val rows = random(new Random(3), 3000, 4, repeat = false)
    val (bytes, _) = write(rows, 1000, 250)
    val reader = ParquetFileReader.open(new ForeignFiles.BytesInputFile(bytes))
    try {
      val footer = reader.getFooter
      assert(footer.getFileMetaData.getSchema.toString == """message arrow_schema {
        |  required fixed_len_byte_array(16) node_id;
        |  required boolean tombstone;
        |  required int64 lsn (INTEGER(64,false));
        |  required group __labels (LIST) {
        |    repeated group list {
        |      optional int32 item (INTEGER(32,false));
        |    }
        |  }
        |  optional binary __overflow_json (STRING);
        |  required int64 __schema_version (INTEGER(64,false));
        |}
        |""".stripMargin)
      assert(footer.getFileMetaData.getKeyValueMetaData.isEmpty)
      for (block <- footer.getBlocks.asScala; c <- block.getColumns.asScala) {
        val index = reader.readOffsetIndex(c)
        assert(index != null && index.getPageCount >= 1)
        assert((0 until index.getPageCount).forall(i => index.getFirstRowIndex(i) % 250 == 0))
      }
    } finally reader.close()
    assert(ForeignFiles.read(bytes) == rows)
    val s = store(bytes)
    val groups = NodeSstReader.open(s, describe(bytes, rows)).rowGroups().asScala
    assert(groups.map(_.keys) == Seq(0, 1000, 2000).map(i => new KeyRange(rows(i).id, rows(i + 999).id)))
    assert(s.reads.size == 1)
  }

  test("every changed byte of a page is noticed") {
    val rows = random(new Random(4), 200, 4, repeat = false)
    val (bytes, _) = write(rows, 100, 50)
    val footer = java.nio.ByteBuffer
      .wrap(bytes, bytes.length - 8, 4)
      .order(java.nio.ByteOrder.LITTLE_ENDIAN)
      .getInt
    val r = new Random(77)
    var noticed = 0
    var harmless = 0
    for (i <- 4 until bytes.length - 8 - footer - 1200) {
      val bad = bytes.clone()
      bad(i) = (bad(i) ^ (1 << r.nextInt(8))).toByte
      try {
        assert(read(bad, rows) == rows, s"byte $i")
        harmless += 1
      } catch { case _: CorruptObjectException => noticed += 1 }
    }
    // Statistics inside page headers and the column that is never read may change unseen.
    assert(noticed > harmless)
  }

  test("wrong use is refused") {
    def writer() = NodeSstWriter.open((_, _, _) => ())
    val one = "{}".getBytes(UTF_8)
    def up(lo: Long) = new NodeRow().upsert(0, lo, 1, 1)
    def refuses(body: NodeSstWriter => Any): Unit = {
      val w = writer()
      try intercept[IllegalStateException](body(w))
      finally w.close()
    }
    refuses(_.finish())
    refuses { w => w.add(up(2)); w.add(up(2)) }
    refuses { w => w.add(up(-1)); w.add(up(1)) }
    refuses(_.add(up(1).labels(Array(2, 2), 2)))
    refuses(_.add(up(1).labels(Array(2, 1), 2)))
    refuses(_.add(new NodeRow().tombstone(0, 1, 1).properties(one, 0, 2)))
    refuses(_.add(new NodeRow().tombstone(0, 1, 1).labels(Array(1), 1)))
    refuses { w => w.add(up(1)); w.finish(); w.add(up(2)) }
  }
}
