package com.namidb.spark.read

import scala.util.{Random, Try}

import com.namidb.format.error.InvalidValueException
import com.namidb.format.id.NodeId
import com.namidb.format.value.PropertyReader
import com.namidb.spark.types.OnMismatch
import org.apache.spark.sql.types._
import org.scalatest.funsuite.AnyFunSuite

/** The readers over stored JSON, decoded by the real `PropertyReader`. */
class DecodedPropertiesSuite extends AnyFunSuite with ReadFixture {
  private val decoder: OpenSlice.Decoder = (names, asText) => {
    val reader = new PropertyReader(names, asText)
    (json, offset, length, sink) => reader.read(json, offset, length, sink)
  }
  private def id(n: Int) = new NodeId(0xffL << 56, n)

  private def open(schema: StructType, recs: Seq[Rec], onMismatch: OnMismatch = OnMismatch.FAIL, size: Int = 50) =
    reader(spec(schema, onMismatch), new FakeSlice(recs, size), decoder = Some(decoder))

  private def read(ddl: String, jsons: String*): Seq[Seq[Any]] = {
    val schema = StructType.fromDDL(ddl)
    val recs = jsons.zipWithIndex.map { case (j, n) => Rec(id(n), json = Some(j)) }
    val out = columnar(open(schema, recs), schema)
    assert(rows(open(schema, recs), schema) == out)
    out
  }

  private def one(ddl: String, json: String): Any = read("p " + ddl, s"""{"p":$json}""").head.head

  test("every stored type arrives as values 6.1 maps it") {
    for ((ddl, json, expected) <- Seq[(String, String, Any)](
        ("BOOLEAN", "true", true),
        ("BIGINT", "-9223372036854775808", Long.MinValue),
        ("BIGINT", "9007199254740993", 9007199254740993L),
        ("DOUBLE", "0.1", 0.1),
        ("DOUBLE", "7", 7.0),
        ("STRING", "\"\\u00e9\\n\\\"\u20ac\"", "é\n\"\u20ac"),
        ("BINARY", """{"$bytes":[0,255,16]}""", Seq[Byte](0, -1, 16)),
        ("DATE", """{"$date":-1}""", -1),
        ("TIMESTAMP", """{"$datetime":1779625845000001}""", 1779625845000001L),
        ("TIMESTAMP_NTZ", """{"$datetime":-1}""", -1L),
        ("ARRAY<FLOAT>", "[0.1,2,-3e1]", Seq(0.1f, 2f, -30f)),
        ("ARRAY<FLOAT>", """{"$i8vec":[0.5,[12,-128,0]]}""", Seq(6f, -64f, 0f)),
        ("ARRAY<DOUBLE>", "[0.5]", Seq(0.5)),
        ("ARRAY<STRING>", "[]", Nil),
        ("ARRAY<BIGINT>", """{"$list":[1,null,3]}""", Seq(1L, null, 3L)),
        ("ARRAY<DOUBLE>", """{"$list":[1,2.5]}""", Seq(1.0, 2.5)),
        ("ARRAY<STRING>", """{"$list":["a",1,{"$date":3},null]}""", Seq("a", "1", "{\"$date\":3}", null)),
        ("ARRAY<ARRAY<FLOAT>>", """{"$list":[[1.5],[]]}""", Seq(Seq(1.5f), Nil)),
        ("MAP<STRING, BIGINT>", """{"$map":{"$date":1,"b":null}}""", Seq("$date" -> 1L, "b" -> null)),
        ("STRUCT<a: BIGINT, z: STRING>", """{"$map":{"a":1,"x":2}}""", Seq(1L, null)),
        ("STRING", "12", "12"),
        ("STRING", """{"$list":[1,"x"]}""", """{"$list":[1,"x"]}"""),
        ("STRING", "null", null),
        ("BIGINT", "{}", null),
        ("INT", "-2147483648", Int.MinValue),
        ("SMALLINT", "32767", 32767.toShort),
        ("TINYINT", "-128", -128.toByte),
        ("FLOAT", "0.1", 0.1f)))
      assert(one(ddl, json) == expected, s"$ddl from $json")
  }

  test("absent, explicit null and no property object read as null; repeated names give the last") {
    val schema = StructType.fromDDL("a BIGINT, s STRING")
    val recs = Seq(Some("""{"a":1,"s":"x"}"""), Some("""{"b":1}"""), Some("""{"a":null,"s":null}"""), None, Some("{}"),
      Some("""{"a":"no","s":"y","a":2,"s":null}""")).zipWithIndex.map { case (j, n) => Rec(id(n), json = j) }
    val expected = Seq(Seq(1L, "x")) ++ Seq.fill(4)(Seq(null, null)) ++ Seq(Seq(2L, null))
    assert(columnar(open(schema, recs), schema) == expected)
    assert(rows(open(schema, recs), schema) == expected)
  }

  test("names with dots, quotes and other letters are found, also if escaped in the document") {
    assert(read("`a.b` BIGINT, `q\"` BIGINT, `é` BIGINT, `$date` BIGINT",
      " { \"a.b\" : 1 , \"q\\\"\":2,\"\\u00e9\":3,\"$date\":4,\"e\":5}") == Seq(Seq(1L, 2L, 3L, 4L)))
  }

  test("broken JSON fails naming id and property; on request the rest of the row becomes null") {
    val schema = StructType.fromDDL("a BIGINT, b BIGINT, s STRING")
    val recs = Seq("""{"a":1,"b":1e400,"s":"x"}""", """{"a":2,"b":3,"s":"ok"}""", "{\"a\":4,\"s\":\"\\ud800\"}", """{"a":5""")
      .zipWithIndex.map { case (j, n) => Rec(id(n), json = Some(j)) }
    val e = intercept[InvalidValueException](columnar(open(schema, recs), schema))
    assert(e.getMessage.contains("'b'") && e.getMessage.contains("node " + id(0)))
    val r = open(schema, recs, OnMismatch.NULL)
    assert(columnar(r, schema) == Seq(Seq(1L, null, null), Seq(2L, 3L, "ok"), Seq(4L, null, null), Seq(null, null, null)))
    assert(r.mismatches == 3)
  }

  test("random records give what the rules say") {
    val seed = 23
    val r = new Random(seed)
    for (round <- 0 until 200) withClue(s"seed $seed round $round: ") {
      val names = Seq("p", "q", "é", "x.y")
      val schema = StructType(names.take(1 + r.nextInt(4)).map(StructField(_, Expected.randomType(r, 2))))
      val recs = for (n <- 0 until r.nextInt(60)) yield Rec(id(n), Some(
        Seq.fill(r.nextInt(6))((names :+ "other")(r.nextInt(5)) -> {
          val t = schema.fields(r.nextInt(schema.size)).dataType
          Iterator.continually(Expected.random(r, 3)).take(30)
            .find(v => Try(Expected(t, v)).isSuccess).getOrElse(Expected.random(r, 3))
        })), live = r.nextInt(5) > 0)
      var misfits = 0
      val expected = recs.filter(_.live).map(rec => schema.fields.toSeq.map { f =>
        rec.props.get.filter(_._1 == f.name).lastOption.map { case (_, v) =>
          try Expected(f.dataType, v)
          catch { case Expected.Misfit => misfits += 1; null }
        }.orNull
      })
      val size = 1 + r.nextInt(20)
      val byBatch = open(schema, recs, OnMismatch.NULL, size)
      assert(columnar(byBatch, schema) == expected)
      assert(byBatch.mismatches == misfits)
      assert(rows(open(schema, recs, OnMismatch.NULL, size), schema) == expected)
    }
  }
}
