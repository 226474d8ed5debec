package com.namidb.format.node

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.NodeId
import com.namidb.format.node.ForeignFiles.{field, Layout}
import com.namidb.format.record.Column
import org.apache.parquet.hadoop.metadata.CompressionCodecName
import org.apache.parquet.io.api.Binary
import org.apache.parquet.schema.MessageTypeParser
import org.scalatest.funsuite.AnyFunSuite

/** Every layout another Parquet writer may choose reads the same. */
class NodeForeignSuite extends AnyFunSuite {
  import NodeRows._

  private val codecs = Seq(
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.SNAPPY,
    CompressionCodecName.GZIP,
    CompressionCodecName.ZSTD,
    CompressionCodecName.LZ4_RAW
  )

  for {
    v2 <- Seq(false, true)
    dictionary <- Seq(false, true)
    (codec, i) <- codecs.zipWithIndex
  } test(s"v2=$v2 dictionary=$dictionary $codec") {
    val r = new Random(100 + i)
    val layout = Layout(v2, dictionary, codec, checksum = i % 2 == 0)
    for (repeat <- Seq(true, false)) {
      val rows = random(r, 2500, 12, repeat)
      val bytes = ForeignFiles.write(rows, layout)
      assert(read(bytes, rows) == rows)
      assert(read(bytes, rows, java.util.Set.of(Column.LABELS)).map(_.labels) == rows.map(_.labels))
    }
  }

  test("the encodings meant are the encodings met") {
    val rows = random(new Random(1), 2500, 12, repeat = true)
    val plain = ForeignFiles.encodings(ForeignFiles.write(rows, Layout()))
    assert(plain("node_id")("PLAIN") && plain("__overflow_json")("PLAIN"))
    val v2 = ForeignFiles.encodings(ForeignFiles.write(rows, Layout(v2 = true)))
    assert(v2("node_id")("DELTA_BYTE_ARRAY") && v2("__overflow_json")("DELTA_BYTE_ARRAY"))
    assert(v2("lsn")("DELTA_BINARY_PACKED") && v2("__labels")("DELTA_BINARY_PACKED"))
    assert(v2("tombstone")("RLE"))
    val dict = ForeignFiles.encodings(ForeignFiles.write(rows, Layout(v2 = true, dictionary = true)))
    assert(dict("__overflow_json")("RLE_DICTIONARY") && dict("__labels")("RLE_DICTIONARY"))
    val other = ForeignFiles.encodings(resource("split.parquet"))
    assert(other("node_id")("BYTE_STREAM_SPLIT") && other("lsn")("BYTE_STREAM_SPLIT"))
    assert(other("__overflow_json")("DELTA_LENGTH_BYTE_ARRAY"))
  }

  test("a file of split and delta-length encodings reads as its writer says") {
    val rows = expected("split.tsv")
    assert(rows.size == 500)
    assert(read(resource("split.parquet"), rows) == rows)
  }

  test("extremes: one label, no label, no properties, tombstones only") {
    val base = random(new Random(9), 1500, 3, repeat = false).map(_.copy(tombstone = false))
    val variants = Seq(
      base.map(_.copy(labels = Seq(7))),
      base.map(_.copy(labels = Nil)),
      base.map(_.copy(labels = Seq(1, 2))),
      base.map(_.copy(json = None)),
      base.map(_.copy(json = Some("{}"))),
      base.map(r => PlainRow(r.id, tombstone = true, r.lsn, Nil, None)),
      base.map(_.copy(lsn = 42)),
      base.zipWithIndex.map { case (r, i) => r.copy(labels = Seq(i / 700)) }
    )
    for (rows <- variants; layout <- Seq(Layout(), Layout(v2 = true, dictionary = true))) {
      assert(read(ForeignFiles.write(rows, layout), rows) == rows)
      assert(read(write(rows, 1000, 200)._1, rows) == rows)
    }
  }

  test("long property objects and long statistics in page headers") {
    val r = new Random(2)
    val rows = random(r, 40, 2, repeat = false).map { x =>
      x.copy(json = Some(s"""{"t":"${r.alphanumeric.take(30000).mkString}"}"""), tombstone = false)
    }
    for (v2 <- Seq(false, true); d <- Seq(false, true)) {
      val bytes = ForeignFiles.write(rows, Layout(v2, d, CompressionCodecName.ZSTD, 30, 7))
      assert(read(bytes, rows) == rows)
    }
  }

  test("without statistics nothing is pruned and row groups are found by reading") {
    val rows = random(new Random(4), 2500, 2, repeat = true)
    val bytes = ForeignFiles.write(rows, Layout(statistics = false))
    val reader = NodeSstReader.open(store(bytes), describe(bytes, rows))
    assert(scan(reader) == rows)
    val groups = reader.rowGroups().asScala
    assert(groups.map(_.keys.min) == Seq(0, 1000, 2000).map(rows(_).id))
    assert(groups.map(_.keys.max) == Seq(999, 1999, 2499).map(rows(_).id))
    val one = com.namidb.format.id.KeyRanges.ofIds(java.util.List.of(rows(1500).id))
    assert(scan(reader, All, one).contains(rows(1500)))
  }

  test("disorder and duplicates are refused") {
    val rows = random(new Random(4), 2500, 2, repeat = true)
    val swapped = rows.updated(1200, rows(1201)).updated(1201, rows(1200))
    val doubled = rows.updated(1200, rows(1201))
    val across = rows.updated(1000, rows(999).copy(lsn = 1))
    for (bad <- Seq(swapped, doubled, across); stats <- Seq(true, false)) {
      val e = intercept[CorruptObjectException] {
        read(ForeignFiles.write(bad, Layout(statistics = stats)), bad)
      }
      assert(e.getMessage.contains("id") && e.`object`().get == Key)
    }
  }

  test("labels out of order, doubled or null are refused") {
    val base = random(new Random(4), 10, 1, repeat = true).map(_.copy(tombstone = false))
    for (bad <- Seq(Seq(2, 1), Seq(2, 2), Seq(0, 0))) {
      val rows = base.updated(5, base(5).copy(labels = bad))
      intercept[CorruptObjectException](read(ForeignFiles.write(rows, Layout()), rows))
    }
    for (ids <- Seq(Seq(None), Seq(Some(1), None), Seq(None, Some(1)))) {
      val bytes = ForeignFiles.write(Layout(), NodeSchema.message(), base) { (c, r) =>
        field(c, "node_id", 0)(c.addBinary(Binary.fromConstantByteArray(r.id.toBytes)))
        field(c, "tombstone", 1)(c.addBoolean(false))
        field(c, "lsn", 2)(c.addLong(r.lsn))
        ForeignFiles.labels(c, ids, 3)
        field(c, "__schema_version", 5)(c.addLong(1))
      }
      intercept[CorruptObjectException](read(bytes, base))
    }
  }

  test("the schemas the engine refuses are refused, those it takes are taken") {
    val rows = random(new Random(4), 10, 2, repeat = true)
    val message = NodeSchema.message().toString
    def emit(leaf: String) = (c: org.apache.parquet.io.api.RecordConsumer, r: PlainRow) => {
      field(c, "node_id", 0)(c.addBinary(Binary.fromConstantByteArray(r.id.toBytes)))
      field(c, "tombstone", 1)(c.addBoolean(r.tombstone))
      field(c, "lsn", 2)(c.addLong(r.lsn))
      ForeignFiles.labels(c, r.labels.map(Option(_)), 3, leaf)
      r.json.foreach(j => field(c, "__overflow_json", 4)(c.addBinary(Binary.fromString(j))))
      field(c, "__schema_version", 5)(c.addLong(1))
    }
    def file(change: String => String, leaf: String = "item") =
      ForeignFiles.write(Layout(), MessageTypeParser.parseMessageType(change(message)), rows)(emit(leaf))
    val refused = Seq[(String, Array[Byte])](
      "element" -> file(_.replace("int32 item", "int32 element"), "element"),
      "field id" -> file(_.replace("(INTEGER(32,false));", "(INTEGER(32,false)) = 3;")),
      "signed leaf" -> file(_.replace("(INTEGER(32,false))", "")),
      "required leaf" -> file(_.replace("optional int32", "required int32")),
      "signed lsn" -> file(_.replace("lsn (INTEGER(64,false))", "lsn")),
      "raw json" -> file(_.replace("__overflow_json (STRING)", "__overflow_json"))
    )
    for ((what, bytes) <- refused) {
      val e = intercept[CorruptObjectException](read(bytes, rows))
      assert(e.getMessage.contains("is damaged: column "), what)
    }
    val taken = Seq(
      file(_.replace("node_id;", "node_id (UUID);")),
      file(_.replace("__overflow_json (STRING)", "__overflow_json (JSON)")),
      file(_.replace("required boolean", "optional boolean").replace("required int64", "optional int64")),
      file(_.replace("required fixed", "optional fixed").replace("required group __labels", "optional group __labels")),
      file(_.replace("arrow_schema", "other"))
    )
    taken.foreach(bytes => assert(read(bytes, rows) == rows))
  }

  test("a null where none may be is refused") {
    val rows = random(new Random(4), 10, 2, repeat = true)
    val schema = MessageTypeParser.parseMessageType(
      NodeSchema.message().toString.replace("required int64", "optional int64")
    )
    val bytes = ForeignFiles.write(Layout(), schema, rows) { (c, r) =>
      field(c, "node_id", 0)(c.addBinary(Binary.fromConstantByteArray(r.id.toBytes)))
      field(c, "tombstone", 1)(c.addBoolean(r.tombstone))
      if (r.id != rows(4).id) field(c, "lsn", 2)(c.addLong(r.lsn))
      ForeignFiles.labels(c, Nil, 3)
    }
    val e = intercept[CorruptObjectException](read(bytes, rows))
    assert(e.getMessage.contains("column lsn holds a null"))
  }

  test("ids of a page may be anything, also all zero and all one") {
    val rows = Seq(NodeId.MIN, new NodeId(0, Long.MinValue), new NodeId(Long.MinValue, 0), NodeId.MAX)
      .map(PlainRow(_, tombstone = false, 1, Seq(3), None))
    for (v2 <- Seq(true, false)) assert(read(ForeignFiles.write(rows, Layout(v2)), rows) == rows)
  }
}
