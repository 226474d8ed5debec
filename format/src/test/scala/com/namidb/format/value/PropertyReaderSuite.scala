package com.namidb.format.value

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class PropertyReaderSuite extends AnyFunSuite {
  private def reader(names: String*): PropertyReader =
    new PropertyReader(names.asJava, java.util.Set.of[Integer]())

  private def read(r: PropertyReader, bytes: Array[Byte], offset: Int, length: Int): Option[Recorded] = {
    val sink = new Recorded
    try {
      r.read(bytes, offset, length, sink)
      Some(sink)
    } catch { case _: InvalidJsonException => None }
  }

  private def one(json: String, name: String = "a"): Option[Any] = {
    val b = json.getBytes(UTF_8)
    read(reader(name), b, 0, b.length).flatMap(_.last.get(0))
  }

  private def i(v: Long): Value = new Value.Int64(v)
  private def f(v: Double): Value = new Value.Float64(v)
  private def s(v: String): Value = new Value.Str(v)
  private def vec(v: Float*): Value = new Value.Vector(v.map(Float.box).asJava)
  private def list(v: Value*): Value = new Value.ListOf(v.asJava)
  private def map(v: (String, Value)*): Value = new Value.MapOf(v.toMap.asJava)
  private val nul = new Value.Null

  /** Scala takes a backslash and a u for itself, so the texts below say ~u. */
  private def escaped(text: String): String = text.replace("~u", "\\u")

  private val accepted: Seq[(String, Value)] = Seq(
    """{"a":1,"b":1.0,"c":-0}""" -> i(1),
    """{"c":1,"a":1.0}""" -> f(1.0),
    """{"a":-0}""" -> f(-0.0),
    """{"a":0}""" -> i(0),
    """{"a":-0.0}""" -> f(-0.0),
    """{"a":9223372036854775807}""" -> i(Long.MaxValue),
    """{"a":-9223372036854775808}""" -> i(Long.MinValue),
    """{"a":9007199254740993}""" -> i(9007199254740993L),
    """{"a":9223372036854775808}""" -> i(Long.MinValue),
    """{"a":18446744073709551615}""" -> i(-1),
    """{"a":18446744073709551616}""" -> f(1.8446744073709552e19),
    """{"a":-9223372036854775809}""" -> f(-9.223372036854775809e18),
    """{"a":9007199254740993.0}""" -> f(9007199254740992.0),
    """{"a":1e5}""" -> f(1e5),
    """{"a":1E+5}""" -> f(1e5),
    """{"a":1e-400}""" -> f(0.0),
    """{"a":5e-324}""" -> f(java.lang.Double.MIN_VALUE),
    """{"a":1.7976931348623157e308}""" -> f(Double.MaxValue),
    """{"a":[1,2.5]}""" -> vec(1.0f, 2.5f),
    """{"a":[1e39,-0,18446744073709551615]}""" -> vec(Float.PositiveInfinity, -0.0f, 1.8446744e19f),
    """{"a":[]}""" -> vec(),
    """{"a":{"$list":[]}}""" -> list(),
    """{"a":{"$map":{}}}""" -> map(),
    """{"a":{}}""" -> nul,
    """{"a":null}""" -> nul,
    """{"a":{"$list":[1,"two",true,null,{"$list":[3]},[0.5]]}}""" ->
      list(i(1), s("two"), new Value.Bool(true), nul, list(i(3)), vec(0.5f)),
    """{"a":{"$map":{"$date":1,"x":{"$date":1}}}}""" -> map("$date" -> i(1), "x" -> new Value.Date(1)),
    """{"a":{"$map":{"k":1,"k":2}}}""" -> map("k" -> i(2)),
    """{"a":{"$date":-1}}""" -> new Value.Date(-1),
    """{"a":{"~u0024date":-1}}""" -> new Value.Date(-1),
    """{"a":{"$datetime":-1}}""" -> new Value.DateTime(-1),
    """{"a":{"$bytes":[0,255]}}""" -> new Value.Bytes("00ff"),
    """{"a":{"$i8vec":[0.5,[2,-2]]}}""" -> new Value.Int8Vector(0.5f, List[java.lang.Byte](2.toByte, (-2).toByte).asJava),
    "{\"a\":\"\\u0000é😀\"}" -> s("\u0000é😀"),
    """{"a":"~ud83d~uDE00\/\b\f\n\r\t\"\\"}""" -> s("😀/\b\f\n\r\t\"\\"),
    """{"a":1,"a":2}""" -> i(2),
    "{\"\\u0061\":1}" -> i(1),
    " \t\r\n{ \n\"a\" : [ 1 , 2 ] , \"b\":\t0 }\r\n" -> vec(1, 2),
    """{"x":"}","y":"\"","z":{"$list":["]","}"]},"a":1}""" -> i(1))

  private val refused: Seq[String] = Seq(
    """{"a":[1,null]}""", """{"a":[1,"x"]}""", """{"a":[[1]]}""", """{"a":{"k":1}}""", """{"a":{"$date":1,"x":2}}""",
    """{"a":{"$date":1.0}}""", """{"a":{"$bytes":"AAE="}}""", """{"a":{"$date":null}}""", """{"a":1e400}""",
    """{"a":[1e400]}""", """{"a":{"$date":2147483648}}""", """{"a":{"$datetime":9223372036854775808}}""",
    """{"a":{"$bytes":[256]}}""", """{"a":{"$bytes":[-1]}}""", """{"a":{"$bytes":[-0]}}""",
    """{"a":{"$i8vec":[1.0,[128]]}}""", """{"a":{"$i8vec":[1.0]}}""", """{"a":{"$i8vec":[1.0,[1],2]}}""",
    """{"a":{"$list":null}}""", """{"a":{"$map":[]}}""", """{"a":{"$date":1}""", """{"a":{}""", """{"a":"~ud800"}""",
    """{"a":"~udc00~ud800"}""", """{"a":"~ud800~u0041"}""", """{"a":"\x"}""", """{"a":"~u12g4"}""", "{\"a\":\"\u0001\"}",
    "{\"a\":\"long enough for a word \u0001\"}", "{\"a\":\"\\n\u0001\"}", """{"a":01}""", """{"a":1.}""", """{"a":.5}""",
    """{"a":-}""", """{"a":+1}""", """{"a":1e}""", """{"a":nul}""", """{"a":nulll}""", """{"a":True}""", """{"a":1,}""",
    """{"a":[1,]}""", """{"a":}""", """{"a"}""", """{a:1}""", "", "   ", "null", "[]", "{", "}", """{"a":1}}""",
    """{"a":1} x""", """{"a":1}{"a":1}""", """{"a":1;"b":2}""", """{"a":1"b":2}""", """{"b":1"c":2,"a":3}""",
    """{"b":[1},"a":3]}""", """{"b":"x,"a":3}""", """{"b":{"$list":[1}],"a":3}""", """{"b":,"a":3}""", "{\"b\u0001\":1}",
    """{"~ud800":1}""", "{\"a\":1\u00a0}", "1" + "0" * 400, """{"a":1""" + "0" * 400 + "}")

  for ((text, value) <- accepted; json = escaped(text)) test(s"accepts $json") { assert(one(json) == Some(value)) }

  for ((text, k) <- refused.zipWithIndex; json = escaped(text)) test(s"refuses $k: ${json.take(60)}") {
    val b = json.getBytes(UTF_8)
    assert(read(reader("a"), b, 0, b.length).isEmpty)
    assert(ReferenceJson.properties(b).isEmpty, "the reference must agree")
  }

  test("a property called like a tag is a plain name") {
    assert(one("""{"$date":5}""", "$date").contains(i(5)))
    assert(one("""{"$list":{"$date":5}}""", "$list").contains(new Value.Date(5)))
  }

  test("invalid UTF-8 is refused in asked strings and in any name") {
    for (bad <- Seq(Seq(0x80), Seq(0xC0, 0x80), Seq(0xC3), Seq(0xE0, 0x80, 0x80), Seq(0xED, 0xA0, 0x80), Seq(0xF0, 0x80, 0x80, 0x80),
        Seq(0xF4, 0x90, 0x80, 0x80), Seq(0xF5, 0x80, 0x80, 0x80), Seq(0xFF), Seq(0xE2, 0x82))) {
      val raw = bad.map(_.toByte).toArray
      val value = "{\"a\":\"x".getBytes(UTF_8) ++ raw ++ "y\"}".getBytes(UTF_8)
      val unescaped = "{\"a\":\"\\n".getBytes(UTF_8) ++ raw ++ "\\n\"}".getBytes(UTF_8)
      val name = "{\"b".getBytes(UTF_8) ++ raw ++ "\":1,\"a\":1}".getBytes(UTF_8)
      for (b <- Seq(value, unescaped, name)) assert(read(reader("a"), b, 0, b.length).isEmpty, bad)
    }
  }

  test("127 nested brackets are read and 128 are not, asked or skipped") {
    def nested(n: Int): Array[Byte] = {
      val inner = if (n % 2 == 0) "[]" else "1"
      val lists = (n - 1) / 2
      ("{\"a\":" + "{\"$list\":[" * lists + inner + "]}" * lists + "}").getBytes(UTF_8)
    }
    for (n <- 120 to 127; name <- Seq("a", "z")) assert(read(reader(name), nested(n), 0, nested(n).length).isDefined, n)
    for (n <- 128 to 140; name <- Seq("a", "z")) assert(read(reader(name), nested(n), 0, nested(n).length).isEmpty, n)
  }

  test("a string without escapes is a slice of the given buffer") {
    val b = """{"a":"plain é","b":"esc\n"}""".getBytes(UTF_8)
    var same = Seq.empty[Boolean]
    val sink = new ForwardingSink(new Recorded) {
      override def string(p: Int, buffer: Array[Byte], o: Int, n: Int): Unit = same :+= buffer eq b
    }
    reader("a", "b").read(b, 0, b.length, sink)
    assert(same == Seq(true, false))
  }

  test("duplicates are delivered twice, in order") {
    val b = """{"a":1,"b":0,"a":"x"}""".getBytes(UTF_8)
    assert(read(reader("a"), b, 0, b.length).get.all == Seq(0 -> i(1), 0 -> s("x")))
  }

  test("properties asked for as text come as strings, nulls or checked JSON") {
    val r = new PropertyReader(Seq("a").asJava, java.util.Set.of[Integer](0))
    def text(json: String) = {
      val b = json.getBytes(UTF_8)
      read(r, b, 0, b.length).map(_.last(0))
    }
    assert(text("""{"a":"x\n"}""").contains(s("x\n")))
    assert(text("""{"a":null}""").contains(nul))
    assert(text("""{"a": { } }""").contains(nul))
    assert(text("""{"a": 1.50 ,"b":1}""").contains("1.50"))
    assert(text("""{"a": {"$list":[ 1,"x"]} }""").contains("""{"$list":[ 1,"x"]}"""))
    for (json <- refused.map(escaped) if json.startsWith("{\"a\"")) assert(text(json).isEmpty, json)
  }

  test("the error names the property and the byte") {
    val b = """   {"b":1,"a":[1,null]}""".getBytes(UTF_8)
    val e = intercept[InvalidJsonException](reader("a").read(b, 2, b.length - 2, new Recorded))
    assert(e.property == "a" && e.getMessage.contains("at byte 15"))
    val outer = intercept[InvalidJsonException](reader("a").read(b, 2, 5, new Recorded))
    assert(outer.property == null)
  }

  /** Same decision and same values as the reference, with hostile bytes around the slice and without. */
  private def agree(readers: Seq[(Seq[String], PropertyReader)], doc: Array[Byte], r: Random): Unit = {
    val expected = ReferenceJson.parse(doc)
    val tail = Seq("", "\"", "}", "\":1}", "0123456789", "\\\"}}]]", "   }")(r.nextInt(7)).getBytes(UTF_8)
    val head = new Array[Byte](r.nextInt(9))
    r.nextBytes(head)
    val buffer = head ++ doc ++ tail
    for ((names, reader) <- readers) {
      val got = read(reader, buffer, head.length, doc.length)
      def text = new String(doc, UTF_8)
      expected match {
        case Right(members) =>
          val wanted = members.filter(m => names.contains(m._1)).map { case (n, v) => (names.indexOf(n), v) }
          assert(got.map(_.all) == Some(wanted), text)
        // Only a fault inside a skipped value may go unseen.
        case Left(inside) => if (inside.forall(names.contains)) assert(got.isEmpty, text)
      }
    }
  }

  test("random documents, whole and broken, read like the reference") {
    val r = new Random(20251)
    val json = new RandomJson(r)
    def fresh(names: Seq[String]) = names -> reader(names: _*)
    var readers = Seq.empty[(Seq[String], PropertyReader)]
    var ok = 0
    for (k <- 0 until 60000) {
      if (k % 500 == 0) readers = Seq(fresh(json.Names), fresh(r.shuffle(json.Names).take(3)), fresh(Nil))
      val doc = json.document.getBytes(UTF_8)
      if (ReferenceJson.properties(doc).isDefined) ok += 1
      agree(readers, doc, r)
      var broken = json.mutate(doc)
      agree(readers, broken, r)
      broken = json.mutate(broken)
      agree(readers, broken, r)
    }
    assert(ok > 30000 && ok < 58000, ok)
  }

  test("arbitrary bytes never raise anything else") {
    val r = new Random(3)
    val all = reader("a", "b")
    val alphabet = "{}[]\",:\\ab01.eE+-$ntu \n".getBytes(UTF_8)
    for (_ <- 0 until 200000) {
      val b = new Array[Byte](r.nextInt(40))
      r.nextBytes(b)
      if (r.nextInt(4) > 0) for (k <- b.indices) b(k) = alphabet((b(k) & 0xff) % alphabet.length)
      if (r.nextBoolean()) { if (b.nonEmpty) b(0) = '{'; if (b.length > 1) b(b.length - 1) = '}' }
      val got = read(all, b, 0, b.length)
      if (ReferenceJson.properties(b).isDefined) assert(got.isDefined, new String(b, UTF_8))
    }
  }

  test("a million doubles are rounded like the JDK does") {
    val r = new Random(11)
    val rd = reader("a")
    var got = 0.0
    val sink = new ForwardingSink(new Recorded) {
      override def float64(p: Int, v: Double): Unit = got = v
    }
    def digits(n: Int) = (1 + r.nextInt(9)).toString + Seq.fill(n - 1)(r.nextInt(10)).mkString
    for (k <- 0 until 1000000) {
      val text = k % 8 match {
        case 0 | 1 | 2 => finite(java.lang.Double.longBitsToDouble(r.nextLong())).toString
        case 3 => r.nextDouble().toString
        case 4 => r.nextInt(100000).toString + "." + r.nextInt(1000)
        case 5 => digits(1 + r.nextInt(19)) + "e" + (r.nextInt(680) - 345)
        case 6 => digits(1 + r.nextInt(25)) + "." + digits(1 + r.nextInt(25))
        case 7 =>
          // Halfway between two doubles, and a hair beside it.
          val d = finite(java.lang.Double.longBitsToDouble(r.nextLong(0x7fe0000000000000L)))
          val up = java.lang.Math.nextUp(d)
          val mid = new java.math.BigDecimal(d).add(new java.math.BigDecimal(up)).divide(new java.math.BigDecimal(2))
          val s = mid.round(new java.math.MathContext(if (r.nextBoolean()) 19 else 40)).toString
          if (s.exists(".E".indexOf(_) >= 0)) s else s + ".0"
      }
      val expected = text.toDouble
      if (!expected.isInfinite) {
        val b = s"""{"a":$text}""".getBytes(UTF_8)
        rd.read(b, 0, b.length, sink)
        assert(java.lang.Double.doubleToRawLongBits(got) == java.lang.Double.doubleToRawLongBits(expected), text)
      }
    }
  }

  private def finite(d: Double): Double = if (d.isNaN || d.isInfinite) 0.5 else d
}
