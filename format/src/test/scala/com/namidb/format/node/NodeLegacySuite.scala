package com.namidb.format.node

import scala.util.Random

import com.namidb.format.error.{CorruptObjectException, NamiException}
import com.namidb.format.id.{KeyRange, NodeId}
import com.namidb.format.node.ForeignFiles.{field, Layout}
import com.namidb.format.node.NodeSstFile.TypedColumn
import org.apache.parquet.io.api.{Binary, RecordConsumer}
import org.apache.parquet.schema.MessageTypeParser
import org.scalatest.funsuite.AnyFunSuite

/** The label-scoped generations: typed columns under the JSON object, labels possibly missing. */
class NodeLegacySuite extends AnyFunSuite {
  import NodeRows._

  private val typed = java.util.List.of(
    new TypedColumn("b", "Bool"),
    new TypedColumn("i", "Int32"),
    new TypedColumn("l", "Int64"),
    new TypedColumn("f", "Float32"),
    new TypedColumn("d", "Float64"),
    new TypedColumn("s", "Utf8"),
    new TypedColumn("j", "Json"),
    new TypedColumn("y", "Binary"),
    new TypedColumn("t", "Date32"),
    new TypedColumn("m", "TimestampMicrosUtc"),
    new TypedColumn("v", "FloatVector"),
    new TypedColumn("q", "Int8Vector")
  )

  private val columns = """
    optional boolean prop_b; optional int32 prop_i; optional int64 prop_l; optional float prop_f;
    optional double prop_d; optional binary prop_s (STRING); optional binary prop_j (STRING);
    optional binary prop_y; optional int32 prop_t (DATE);
    optional int64 prop_m (TIMESTAMP(MICROS,true));
    optional group prop_v (LIST) { repeated group list { required float item; } }
    optional fixed_len_byte_array(6) prop_q;"""

  private val labels = """required group __labels (LIST) {
    repeated group list { optional int32 item (INTEGER(32,false)); } }"""

  private def schema(labels: String, columns: String = columns) =
    MessageTypeParser.parseMessageType(s"""message m {
      required fixed_len_byte_array(16) node_id; required boolean tombstone;
      required int64 lsn (INTEGER(64,false)); $labels $columns
      optional binary __overflow_json (STRING);
      required int64 __schema_version (INTEGER(64,false)); }""")

  private def head(c: RecordConsumer, i: Int): Unit = {
    field(c, "node_id", 0)(c.addBinary(Binary.fromConstantByteArray(new NodeId(0, i).toBytes)))
    field(c, "tombstone", 1)(c.addBoolean(false))
    field(c, "lsn", 2)(c.addLong(5))
  }

  private def everything(c: RecordConsumer, at: Int): Unit = {
    def bytes(b: Int*) = Binary.fromConstantByteArray(b.map(_.toByte).toArray)
    field(c, "prop_b", at)(c.addBoolean(true))
    field(c, "prop_i", at + 1)(c.addInteger(-7))
    field(c, "prop_l", at + 2)(c.addLong(Long.MinValue))
    field(c, "prop_f", at + 3)(c.addFloat(0.5f))
    field(c, "prop_d", at + 4)(c.addDouble(1e16))
    field(c, "prop_s", at + 5)(c.addBinary(Binary.fromString("a\"\\\n\u00e9")))
    field(c, "prop_j", at + 6)(c.addBinary(Binary.fromString("{\"$list\":[1,\"x\"]}")))
    field(c, "prop_y", at + 7)(c.addBinary(bytes(0, 255)))
    field(c, "prop_t", at + 8)(c.addInteger(-1))
    field(c, "prop_m", at + 9)(c.addLong(1234567))
    field(c, "prop_v", at + 10) {
      c.startGroup()
      field(c, "list", 0) {
        Seq(0.1f, 2f).foreach { v =>
          c.startGroup()
          field(c, "item", 0)(c.addFloat(v))
          c.endGroup()
        }
      }
      c.endGroup()
    }
    field(c, "prop_q", at + 11)(c.addBinary(bytes(0, 0, 0, 63, 127, 129)))
  }

  private val all = "\"b\":true,\"i\":-7,\"l\":-9223372036854775808,\"f\":0.5,\"d\":1.0E16," +
    "\"s\":\"a\\\"\\\\\\u000a\u00e9\",\"j\":{\"$list\":[1,\"x\"]},\"y\":{\"$bytes\":[0,255]}," +
    "\"t\":{\"$date\":-1},\"m\":{\"$datetime\":1234567},\"v\":[0.1,2.0]," +
    "\"q\":{\"$i8vec\":[0.5,[127,-127]]}"

  private def parse(bytes: Array[Byte], n: Int, typed: java.util.List[TypedColumn]) = {
    val keys = new KeyRange(new NodeId(0, 1), new NodeId(0, n))
    val f = new NodeSstFile(Key, bytes.length, n, false, keys, 5, 5, typed)
    scan(NodeSstReader.open(store(bytes), f))
  }

  test("typed values come first, the JSON object's members after them") {
    val json = Seq(None, Some(" { } "), Some("{\"b\":false,\"z\":1}"), None)
    for (v2 <- Seq(false, true); dictionary <- Seq(false, true)) {
      val bytes = ForeignFiles.write(Layout(v2, dictionary, pageRows = 2), schema(labels), 1 to 4) {
        (c, i) =>
          head(c, i)
          ForeignFiles.labels(c, Seq(Some(i)), 3)
          if (i < 4) everything(c, 4)
          json(i - 1).foreach(j =>
            field(c, "__overflow_json", 16)(c.addBinary(Binary.fromString(j)))
          )
          field(c, "__schema_version", 17)(c.addLong(1))
      }
      val found = parse(bytes, 4, typed)
      assert(found.map(_.labels) == Seq(Seq(1), Seq(2), Seq(3), Seq(4)))
      assert(found.map(_.json) == Seq(
        Some(s"{$all}"),
        Some(s"{$all } "),
        Some(s"{$all,\"b\":false,\"z\":1}"),
        None
      ))
    }
  }

  test("without a label column every label set is empty") {
    val bytes = ForeignFiles.write(Layout(), schema("", "optional int32 prop_i;"), 1 to 3) { (c, i) =>
      head(c, i)
      if (i != 2) field(c, "prop_i", 3)(c.addInteger(i))
      field(c, "__schema_version", 5)(c.addLong(1))
    }
    val found = parse(bytes, 3, java.util.List.of(new TypedColumn("i", "Int32")))
    assert(found.map(_.labels) == Seq(Nil, Nil, Nil))
    assert(found.map(_.json) == Seq(Some("{\"i\":1}"), None, Some("{\"i\":3}")))
    val wrong = java.util.List.of(new TypedColumn("i", "Int64"))
    intercept[CorruptObjectException](parse(bytes, 3, wrong))
    intercept[CorruptObjectException](parse(bytes, 3, null))
  }

  test("damage in typed columns is a typed error or rows") {
    val bytes = ForeignFiles.write(Layout(pageRows = 2), schema(labels), 1 to 4) { (c, i) =>
      head(c, i)
      ForeignFiles.labels(c, Nil, 3)
      everything(c, 4)
      field(c, "__schema_version", 17)(c.addLong(1))
    }
    val r = new Random(3)
    var errors = 0
    for (_ <- 0 until 1000) {
      val bad = bytes.clone()
      val at = r.nextInt(bad.length)
      bad(at) = (bad(at) ^ (1 << r.nextInt(8))).toByte
      try parse(bad, 4, typed)
      catch { case _: NamiException => errors += 1 }
    }
    assert(errors > 200)
  }
}
