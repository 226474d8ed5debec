package com.namidb.spark.write.row

import com.namidb.format.stage.RowSorter
import com.namidb.format.error.{InvalidOptionException, InvalidValueException, Where}
import com.namidb.format.id.DerivedId
import com.namidb.format.manifest.LabelDictionary
import com.namidb.format.store.TempDirs
import com.namidb.spark.options.{ValueRules, WriteMode}
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.encoders.{ExpressionEncoder, RowEncoder => SparkRows}
import org.apache.spark.sql.types._
import org.scalatest.funsuite.AnyFunSuite

import java.time.{Instant, LocalDate, LocalDateTime}
import scala.jdk.CollectionConverters._

/** What is stored for each Spark value (values §6.1), and what is refused. */
class EncodedRowsSuite extends AnyFunSuite {
  private val Strict = new ValueRules(false, ValueRules.Decimals.FAIL, false, java.util.List.of)

  private def internal(schema: StructType, values: Any*): InternalRow =
    ExpressionEncoder(SparkRows.encoderFor(schema)).createSerializer()(Row(values: _*)).copy()

  private def columns(schema: StructType, vector: Boolean = false, dim: Int = 0, indexed: Boolean = false) =
    schema.zipWithIndex.map { case (f, i) => new PropertyColumn(f.name, i, f.dataType, vector, dim, indexed) }.asJava

  private def json(t: DataType, v: Any, rules: ValueRules = Strict, vector: Boolean = false, dim: Int = 0,
      indexed: Boolean = false): String = {
    val schema = new StructType().add("p", t)
    val e = new PropertyEncoder(columns(schema, vector, dim, indexed), rules)
    val n = e.encode(internal(schema, v))
    new String(e.buffer, 0, n, "UTF-8")
  }

  private def refused(t: DataType, v: Any, vector: Boolean = false, dim: Int = 0, indexed: Boolean = false): String =
    intercept[RefusedRowException](json(t, v, Strict, vector, dim, indexed)).getMessage

  test("every type of the write table") {
    def is(t: DataType, v: Any, text: String): Unit = assert(json(t, v) == s"""{"p":$text}""", t.sql)
    is(BooleanType, true, "true")
    is(ByteType, (-128).toByte, "-128")
    is(ShortType, 300.toShort, "300")
    is(IntegerType, Int.MinValue, "-2147483648")
    is(LongType, Long.MaxValue, "9223372036854775807")
    is(DoubleType, 1.0, "1.0")
    is(DoubleType, -0.0, "-0.0")
    is(FloatType, 0.1f, "0.10000000149011612")
    is(StringType, "a\"\u0000Ü", "\"a\\\"\\u0000Ü\"")
    is(BinaryType, Array[Byte](0, -1), """{"$bytes":[0,255]}""")
    is(DateType, java.sql.Date.valueOf(LocalDate.of(1969, 12, 31)), """{"$date":-1}""")
    is(TimestampType, java.sql.Timestamp.from(Instant.ofEpochSecond(1, 5000)), """{"$datetime":1000005}""")
    is(ArrayType(FloatType), Seq(0.1f, 2f), "[0.1,2.0]")
    is(ArrayType(DoubleType), Seq(0.1, null), """{"$list":[0.1,null]}""")
    is(ArrayType(ArrayType(LongType)), Seq(Seq(1L), Seq()), """{"$list":[{"$list":[1]},{"$list":[]}]}""")
    is(MapType(StringType, LongType), Map("b" -> 1L, "a" -> null), """{"$map":{"a":null,"b":1}}""")
    is(new StructType().add("y", LongType).add("x", StringType).add("z", LongType), Row(1L, "v", null), """{"$map":{"x":"v","y":1}}""")
  }

  test("options decide on what has no exact counterpart") {
    val text = new ValueRules(false, ValueRules.Decimals.STRING, true, java.util.List.of)
    val double = new ValueRules(true, ValueRules.Decimals.DOUBLE, true, java.util.List.of)
    val d = new java.math.BigDecimal("12345678901234567890.10")
    assert(json(DecimalType(38, 2), d, text) == """{"p":"12345678901234567890.10"}""")
    assert(json(DecimalType(38, 2), d, double) == """{"p":1.2345678901234567E19}""")
    assert(json(TimestampNTZType, LocalDateTime.of(1970, 1, 1, 0, 0, 1), text) == """{"p":{"$datetime":1000000}}""")
    assert(json(ArrayType(DoubleType), Seq(0.1, 1.0), text, vector = true) == """{"p":[0.1,1.0]}""")
    assert(json(LongType, null, double) == """{"p":null}""")
    assert(json(LongType, null, text) == "")
  }

  test("types that nothing stored is like are refused when the job is planned") {
    for (t <- Seq(DecimalType(10, 2), TimestampNTZType, MapType(LongType, LongType), CalendarIntervalType, DayTimeIntervalType(),
        ArrayType(DecimalType(3, 1)), new StructType().add("x", YearMonthIntervalType()))) {
      val e = intercept[InvalidOptionException](new PropertyEncoder(columns(new StructType().add("p", t)), Strict))
      assert(e.getMessage.contains("Column 'p"), e.getMessage)
    }
    intercept[InvalidOptionException](new PropertyEncoder(columns(new StructType().add("x" * 1025, LongType)), Strict))
  }

  test("values the engine could not flush or read are refused") {
    for (v <- Seq(Double.NaN, Double.PositiveInfinity)) assert(refused(DoubleType, v).contains("cannot be stored"))
    assert(refused(FloatType, Float.NaN).contains("'p'"))
    assert(refused(ArrayType(FloatType), Seq(1f, Float.NaN)).contains("NaN"))
    assert(refused(ArrayType(FloatType), Seq(1f, null)).contains("null component"))
    assert(refused(ArrayType(DoubleType), Seq(1e39), vector = true).contains("Infinity"))
    assert(refused(ArrayType(FloatType), Seq(1f, 2f), vector = true, dim = 3).contains("its index wants 3"))
    assert(refused(MapType(StringType, LongType), Map("k" * 1025 -> 1L)).contains("key"))
    assert(refused(StringType, "x" * 65536, indexed = true).contains("65535"))
    assert(json(StringType, "x" * 65535, indexed = true).nonEmpty)
  }

  test("after a refused row the next one is whole") {
    val schema = new StructType().add("b", DoubleType).add("a", StringType)
    val e = new PropertyEncoder(columns(schema), Strict)
    intercept[RefusedRowException](e.encode(internal(schema, Double.NaN, "x")))
    val n = e.encode(internal(schema, 1.5, "x"))
    assert(new String(e.buffer, 0, n, "UTF-8") == """{"a":"x","b":1.5}""")
  }

  private def shape(first: IdSource, second: IdSource = null, labels: Int = -1, required: Seq[RequiredProperties.Rule] = Nil) =
    new RowShape(WriteMode.UPSERT, "P", first, second, labels, java.util.List.of, Strict, required.asJava)

  private def encoded(s: RowShape, schema: StructType, values: Any*): (String, String, Seq[Int], LabelDictionary) = {
    val dir = TempDirs.lasting("enc-")
    val sorter = new RowSorter(dir, 1 << 20)
    val e = new RowEncoder(s, LabelDictionary.of(java.util.List.of("A", "P")), Where.UNKNOWN)
    e.encode(internal(schema, values: _*), sorter)
    var out: (String, String, Seq[Int], LabelDictionary) = null
    sorter.drain { (r, at, _) =>
      val n = RowSorter.intAt(r, at + RowSorter.HEAD)
      out = (com.namidb.format.id.NodeId.of(r, at).toString, com.namidb.format.id.NodeId.of(r, at + 16).toString,
        (0 until n).map(i => RowSorter.intAt(r, at + RowSorter.HEAD + 4 + 4 * i)), e.dictionary)
    }
    sorter.close()
    out
  }

  private val Id = "0193f5b0-0000-7000-8000-00000000000a"

  test("ids as text in any spelling, and as bytes") {
    val text = new StructType().add("_id", StringType)
    for (s <- Seq(Id, Id.toUpperCase, s"{$Id}", Id.replace("-", "")))
      assert(encoded(shape(new IdSource.Given(0, "_id", false)), text, s)._1 == Id)
    val bytes = com.namidb.format.id.NodeId.parse(Id).toBytes
    assert(encoded(shape(new IdSource.Given(0, "_id", true)), new StructType().add("_id", BinaryType), bytes)._1 == Id)
    def bad(t: DataType, v: Any) = intercept[InvalidValueException](
      encoded(shape(new IdSource.Given(0, "_id", t == BinaryType)), new StructType().add("_id", t), v)).getMessage
    assert(bad(StringType, null).contains("'_id' is null"))
    assert(bad(StringType, "x").contains("no UUID"))
    assert(bad(BinaryType, Array[Byte](1)).contains("instead of 16"))
  }

  test("derived ids are those of the frozen rule") {
    val schema = new StructType().add("s", StringType).add("i", IntegerType).add("d", DateType).add("n", DecimalType(5, 2))
    val keys = schema.zipWithIndex.map { case (f, i) => new IdSource.Key(i, f.name, f.dataType) }.asJava
    val derived = new IdSource.Derived("Person", keys)
    val date = java.sql.Date.valueOf("2026-11-29")
    val got = encoded(shape(derived), schema, "Grüße", 7, date, new java.math.BigDecimal("1.50"))._1
    val want = new DerivedId().begin("Person").string("Grüße".getBytes("UTF-8")).integer(7)
      .date(LocalDate.parse("2026-11-29").toEpochDay.toInt).decimal(new java.math.BigDecimal("1.50")).id
    assert(got == want.toString)
    val e = intercept[InvalidValueException](encoded(shape(derived), schema, "x", null, date, new java.math.BigDecimal("1.50")))
    assert(e.getMessage.contains("'i' is null"))
  }

  test("fresh ids are UUIDs of version 7, no two alike") {
    val one = encoded(shape(new IdSource.Fresh), new StructType().add("x", LongType), 1L)._1
    val two = encoded(shape(new IdSource.Fresh), new StructType().add("x", LongType), 1L)._1
    for (id <- Seq(one, two)) {
      val u = java.util.UUID.fromString(id)
      assert(u.version == 7 && u.variant == 2)
      assert(math.abs((u.getMostSignificantBits >>> 16) - System.currentTimeMillis) < 60000)
    }
    assert(one != two)
  }

  test("labels: the table's, or the column's, which must hold the table's") {
    val schema = new StructType().add("_id", StringType).add("_labels", ArrayType(StringType))
    val s = shape(new IdSource.Given(0, "_id", false), labels = 1,
      required = Seq(new RequiredProperties.Rule("U", "must", -1)))
    assert(encoded(s, schema, Id, null)._3 == Seq(1))
    assert(encoded(s, schema, Id, Seq("P", "A", "P"))._3 == Seq(0, 1))
    val (_, _, ids, names) = encoded(s, schema, Id, Seq("New", "P"))
    assert(ids == Seq(1, 2) && names.names.asScala == Seq("A", "P", "New"))
    for ((labels, word) <- Seq(Seq("A") -> "lacks", Seq("P", null) -> "null", Seq("P", "") -> "empty", Seq("P", "U") -> "needs it"))
      assert(intercept[InvalidValueException](encoded(s, schema, Id, labels)).getMessage.contains(word))
  }
}
