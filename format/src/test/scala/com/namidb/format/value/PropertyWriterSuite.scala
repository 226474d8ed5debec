package com.namidb.format.value

import java.nio.charset.StandardCharsets.UTF_8
import java.util.HexFormat

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.value.RefusedValueException.Reason

class PropertyWriterSuite extends AnyFunSuite {
  private def i(v: Long): Value = new Value.Int64(v)
  private def s(v: String): Value = new Value.Str(v)
  private def list(v: Value*): Value = new Value.ListOf(v.asJava)
  private def map(v: (String, Value)*): Value = new Value.MapOf(v.toMap.asJava)
  private def vec(v: Float*): Value = new Value.Vector(v.map(Float.box).asJava)

  private def text(properties: (String, Value)*): String =
    new String(PropertyWriter.write(properties.toMap.asJava), UTF_8)

  private def refused(reason: Reason)(body: => Any): Unit = {
    val e = intercept[RefusedValueException](body)
    assert(e.reason == reason && e.getStackTrace.isEmpty)
  }

  private def writer(names: String*) = new PropertyWriter(names.asJava, java.util.Set.of[Integer]())

  test("each type has the text the engine writes") {
    assert(text(
      "a" -> new Value.Null, "b" -> new Value.Bool(true), "c" -> i(-7), "d" -> new Value.Float64(1.0), "e" -> s("x"),
      "f" -> new Value.Bytes("00ff10"), "g" -> vec(0.1f, 0.25f, 1.0f),
      "h" -> new Value.Int8Vector(0.5f, List[java.lang.Byte](2.toByte, (-2).toByte).asJava), "i" -> new Value.Date(20597),
      "j" -> new Value.DateTime(1779625845000000L), "k" -> list(i(1), s("two"), new Value.Bool(false), new Value.Null, list(), vec()),
      "l" -> map("b" -> i(1), "a" -> map())) ==
      """{"a":null,"b":true,"c":-7,"d":1.0,"e":"x","f":{"$bytes":[0,255,16]},"g":[0.1,0.25,1.0],"h":{"$i8vec":[0.5,[2,-2]]},""" +
      """"i":{"$date":20597},"j":{"$datetime":1779625845000000},"k":{"$list":[1,"two",false,null,{"$list":[]},[]]},""" +
      """"l":{"$map":{"a":{"$map":{}},"b":1}}}""")
    assert(text() == "{}")
  }

  test("the example payload of the WAL format comes out byte by byte") {
    assert(text("age" -> i(30), "b" -> new Value.Bytes("00ff"), "born" -> new Value.Date(5), "name" -> s("Ada"), "ok" -> new Value.Bool(true),
      "score" -> new Value.Float64(1.5), "v" -> vec(0.5f, 1.0f)) ==
      """{"age":30,"b":{"$bytes":[0,255]},"born":{"$date":5},"name":"Ada","ok":true,"score":1.5,"v":[0.5,1.0]}""")
  }

  test("names and map keys ascend by UTF-8 bytes, not by UTF-16 units") {
    val names = Seq("é", "z", "a", "\uFFFD", "😀", "ab", "A", "$date", "\"")
    val sorted = names.sortBy(n => HexFormat.of().formatHex(n.getBytes(UTF_8)))
    assert(sorted.indexOf("😀") > sorted.indexOf("\uFFFD"))
    val properties = ValueTree.parseProperties(text(names.map(_ -> i(1)): _*))
    assert(properties.keySet.asScala.toSeq == sorted)
    val entries = ValueTree.parseProperties(text("m" -> map(names.map(n => n -> list(i(1), s(n))): _*))).get("m").asInstanceOf[Value.MapOf].entries
    assert(entries.keySet.asScala.toSeq == sorted)
    assert(entries.asScala.forall { case (k, v) => v == list(i(1), s(k)) })
  }

  test("quotes, backslashes and control characters are escaped, nothing else") {
    assert(text("a" -> s("\"\\/\b\f\n\r\t\u0000\u001f\u007fé😀\u2028")) ==
      "{\"a\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u" + "0000\\u" + "001f\u007fé😀\u2028\"}")
    assert(text("a\"\n" -> i(1)) == "{\"a\\\"\\n\":1}")
  }

  test("integers and floats keep apart, floats are shortest and exact") {
    for ((v, t) <- Seq(0L -> "0", -1L -> "-1", 9L -> "9", 10L -> "10", 99L -> "99", 100L -> "100", Long.MaxValue -> "9223372036854775807",
        Long.MinValue -> "-9223372036854775808", 1000000000000000000L -> "1000000000000000000"))
      assert(text("a" -> i(v)) == s"""{"a":$t}""")
    for ((v, t) <- Seq(0.0 -> "0.0", -0.0 -> "-0.0", 1e16 -> "1.0E16", 2e-3 -> "0.002", 2.2250738585072014e-308 -> "2.2250738585072014E-308",
        4.9e-324 -> "4.9E-324", 2e23 -> "2.0E23", 1.0e23 -> "1.0E23"))
      assert(text("a" -> new Value.Float64(v)) == s"""{"a":$t}""")
    assert(text("a" -> vec(1.0e10f, 3.3f, Float.MaxValue)) == """{"a":[1.0E10,3.3,3.4028235E38]}""")
    val r = new Random(5)
    val reader = new PropertyReader(Seq("a").asJava, java.util.Set.of[Integer]())
    for (_ <- 0 until 100000) {
      val sink = new Recorded
      val d = java.lang.Double.longBitsToDouble(r.nextLong())
      val f = java.lang.Float.intBitsToFloat(r.nextInt())
      val v: Value = if (r.nextBoolean() && !f.isNaN && !f.isInfinite) vec(f) else new Value.Float64(if (d.isNaN || d.isInfinite) -0.0 else d)
      val b = PropertyWriter.write(java.util.Map.of("a", v))
      reader.read(b, 0, b.length, sink)
      assert(sink.last(0) == v)
    }
  }

  /** Random value within the limits. */
  private def random(r: Random, depth: Int): Value = r.nextInt(if (depth > 4) 10 else 12) match {
    case 0 => new Value.Null
    case 1 => new Value.Bool(r.nextBoolean())
    case 2 => i(r.nextLong() >> r.nextInt(64))
    case 3 => new Value.Float64(r.nextGaussian() * math.pow(10, r.nextInt(40) - 20))
    case 4 => s(Seq.fill(r.nextInt(20))(Seq("a", "é", "😀", "\n", "\"", "\\", "\u0000", "}", "$list")(r.nextInt(9))).mkString)
    case 5 => new Value.Bytes(HexFormat.of().formatHex(r.nextBytes(r.nextInt(9))))
    case 6 => vec(Seq.fill(r.nextInt(6))(r.nextGaussian().toFloat): _*)
    case 7 => new Value.Int8Vector(r.nextFloat(), r.nextBytes(r.nextInt(6)).map(Byte.box).toSeq.asJava)
    case 8 => new Value.Date(r.nextInt(5000000) % 2932896 - 700000)
    case 9 => new Value.DateTime(r.nextLong() % 62135596800000000L)
    case 10 => list(Seq.fill(r.nextInt(5))(random(r, depth + 1)): _*)
    case 11 => map(Seq.fill(r.nextInt(12))(s"${r.nextInt(30)}\"é" -> random(r, depth + 1)): _*)
  }

  test("what is written reads back, many records in one buffer") {
    val r = new Random(6)
    val names = Seq("b", "a", "é", "long name of a property", "$map")
    val w = writer(names: _*)
    val reader = new PropertyReader(names.asJava, java.util.Set.of[Integer]())
    for (_ <- 0 until 3000) {
      w.clear()
      val records = Seq.fill(1 + r.nextInt(4))(names.indices.filter(_ => r.nextInt(4) > 0).map(_ -> random(r, 0)).toMap)
      val lengths = records.map { record =>
        w.begin()
        if (r.nextInt(5) == 0) {
          w.property(w.order.head).string("to be taken back")
          w.abandon()
          w.begin()
        }
        w.order.filter(record.contains).foreach(p => w.property(p).value(record(p)))
        w.end()
      }
      var at = 0
      for ((record, n) <- records.zip(lengths)) {
        val sink = new Recorded
        reader.read(w.buffer, at, n, sink)
        assert(sink.last == record)
        assert(sink.all.map(_._1) == w.order.filter(record.contains).toSeq)
        assert(ReferenceJson.properties(w.buffer.slice(at, at + n)).isDefined)
        at += n
      }
      assert(at == w.size)
    }
  }

  test("values that cannot be stored are refused with their reason") {
    for (d <- Seq(Double.NaN, Double.PositiveInfinity, Double.NegativeInfinity)) {
      refused(Reason.NOT_FINITE)(text("a" -> new Value.Float64(d)))
      refused(Reason.NOT_FINITE)(text("a" -> list(new Value.Float64(d))))
      refused(Reason.NOT_FINITE)(text("a" -> vec(1f, d.toFloat)))
      refused(Reason.NOT_FINITE)(text("a" -> new Value.Int8Vector(d.toFloat, java.util.List.of[java.lang.Byte]())))
    }
    for (bad <- Seq("\ud800", "x\udc00", "\udc00\ud800", "\ud83dx")) {
      refused(Reason.BAD_UNICODE)(text("a" -> s(bad)))
      refused(Reason.BAD_UNICODE)(text("a" -> map(bad -> i(1))))
      refused(Reason.BAD_UNICODE)(writer(bad))
    }
    for (bad <- Seq(Seq(0xff), Seq(0xc3), Seq(0xed, 0xa0, 0x80)).map(_.map(_.toByte).toArray)) {
      val w = writer("a")
      w.begin()
      refused(Reason.BAD_UNICODE)(w.property(0).string(bad, 0, bad.length))
    }
    for (d <- Seq(-719163, 2932897, Int.MaxValue, Int.MinValue)) refused(Reason.DATE_RANGE)(text("a" -> new Value.Date(d)))
    for (d <- Seq(-62135596800000001L, 253402300800000000L, Long.MaxValue)) refused(Reason.DATE_RANGE)(text("a" -> new Value.DateTime(d)))
    text("a" -> new Value.Date(-719162), "b" -> new Value.Date(2932896), "c" -> new Value.DateTime(-62135596800000000L),
      "d" -> new Value.DateTime(253402300799999999L))
    val e = intercept[RefusedValueException](text("speed" -> new Value.Float64(Double.NaN)))
    assert(e.property == "speed" && e.getMessage.contains("'speed'") && e.getMessage.contains("NaN"))
  }

  test("limits hold at their exact boundaries") {
    text("n" * 1024 -> i(1))
    text("é" * 512 -> i(1))
    for (bad <- Seq("", "n" * 1025, "é" * 513)) refused(Reason.NAME_LENGTH)(text(bad -> i(1)))
    text("m" -> map("k" * 1024 -> i(1), "" -> i(2)))
    refused(Reason.KEY_LENGTH)(text("m" -> map("k" * 1025 -> i(1))))

    def nested(lists: Int, inner: Value) = (0 until lists).foldLeft(inner)((v, _) => list(v))
    text("a" -> nested(32, i(1)))
    text("a" -> nested(32, list()))
    text("a" -> nested(32, map()))
    refused(Reason.NESTING)(text("a" -> nested(33, i(1))))
    refused(Reason.NESTING)(text("a" -> nested(33, list())))
    refused(Reason.NESTING)(text("a" -> (0 until 33).foldLeft(i(1))((v, _) => map("k" -> v))))

    val w = writer("a")
    def items(n: Int): Unit = {
      w.clear()
      w.begin()
      val a = w.property(0)
      a.beginList()
      for (_ <- 0 until n) a.int64(1)
      a.endList()
      w.end()
    }
    items(999999)
    refused(Reason.ELEMENTS)(items(1000000))
    def components(n: Int): Unit = { w.clear(); w.begin(); w.property(0).vector(new Array[Float](n), n); w.end() }
    components(999999)
    refused(Reason.ELEMENTS)(components(1000000))
    w.clear()
    val big = Array.fill((64 << 20) - 9)('x'.toByte)
    w.begin()
    w.property(0).string(big, 0, big.length)
    w.end()
    w.clear()
    w.begin()
    val more = big :+ 'x'.toByte
    refused(Reason.SIZE)(w.property(0).string(more, 0, more.length))

    val indexed = new PropertyWriter(java.util.List.of("p", "q"), java.util.Set.of[Integer](0))
    val long = "x" * 65536
    indexed.begin()
    indexed.property(0).string(long.drop(1))
    indexed.property(1).string(long)
    indexed.end()
    indexed.begin()
    refused(Reason.INDEXED_LENGTH)(indexed.property(0).string(long))
    indexed.abandon()
    indexed.begin()
    indexed.property(0).value(list(s(long)))
    indexed.end()
  }

  test("a map given with a key twice is refused") {
    val w = writer("a")
    w.begin()
    val a = w.property(0)
    a.beginMap()
    for (k <- Seq("x", "y", "x")) { a.key(k); a.int64(1) }
    refused(Reason.DUPLICATE_KEY)(a.endMap())
  }

  test("stored text goes through as it is, broken text does not") {
    val w = writer("a")
    def put(json: String): String = {
      w.clear()
      w.begin()
      val b = ("x" + json + "}").getBytes(UTF_8)
      w.property(0).json(b, 1, b.length - 2)
      w.end()
      new String(w.buffer, 0, w.size, UTF_8)
    }
    for (json <- Seq("1.50", """{"$list":[ 1, {}]}""", "\"\\u" + "0041\"", "[1e39]")) assert(put(json) == s"""{"a":$json}""")
    for (json <- Seq("", "1,", "1,\"b\":2", "{", "}", "[null]", "nul", "1}", "\"x")) refused(Reason.BAD_JSON)(put(json))
  }

  test("calls out of turn are bugs") {
    def bug(body: PropertyWriter => Any): Unit = assertThrows[IllegalStateException](body(writer("b", "a")))
    bug(_.property(0))
    bug(_.end())
    bug { w => w.begin(); w.begin() }
    bug { w => w.begin(); w.property(0).int64(1); w.property(1) }
    bug { w => w.begin(); w.property(0).int64(1); w.property(0) }
    bug { w => w.begin(); w.property(1); w.end() }
    bug { w => w.begin(); val a = w.property(1); a.int64(1); a.int64(2) }
    bug { w => w.begin(); w.property(1).beginList(); w.end() }
    bug { w => w.begin(); val a = w.property(1); a.beginMap(); a.int64(1) }
    bug { w => w.begin(); val a = w.property(1); a.beginMap(); a.key("k"); a.endMap() }
    bug { w => w.begin(); val a = w.property(1); a.beginMap(); a.endList() }
    bug { w => w.begin(); val a = w.property(1); a.beginList(); a.endMap() }
    assertThrows[IllegalStateException](writer("a", "a"))
  }
}
