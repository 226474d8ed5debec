package com.namidb.format.value

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

/** Stored objects are changed where a patch says so, and nowhere else. */
class PropertyPatchSuite extends AnyFunSuite {
  private def patched(stored: String, dropNulls: Boolean, patch: (String, Value)*): String = {
    val p = new PropertyPatch(patch.map(_._1).asJava, dropNulls)
    apply(p, stored, PropertyWriter.write(patch.toMap.asJava))
  }

  /** Both texts in the middle of larger buffers. */
  private def apply(p: PropertyPatch, stored: String, json: Array[Byte]): String = {
    val around = "}xx".getBytes(UTF_8)
    val s = stored.getBytes(UTF_8)
    p.values(around ++ json ++ around, around.length, json.length)
    val n = p.apply(around ++ s ++ around, around.length, s.length)
    new String(p.buffer, 0, n, UTF_8)
  }

  private def int(n: Long): Value = new Value.Int64(n)
  private val nul: Value = new Value.Null()

  test("a named property is replaced in its place, a new one comes at the end") {
    assert(patched("""{"b":1,"a":[1,2.50],"c":{"$map":{"x":null}}}""", true, "a" -> int(7)) ==
      """{"b":1,"a":7,"c":{"$map":{"x":null}}}""")
    assert(patched("""{"b":1}""", true, "z" -> int(2), "a" -> int(3)) == """{"b":1,"z":2,"a":3}""")
    assert(patched("{}", true, "a" -> int(3)) == """{"a":3}""")
    assert(patched("", true, "a" -> int(3)) == """{"a":3}""")
    assert(patched("{ \"n\" : 1e400 , \"\\u0061\":0 }", true, "a" -> int(3)) == """{"n" : 1e400,"a":3}""")
  }

  test("nulls take properties away, or are stored") {
    assert(patched("""{"a":1,"b":2}""", true, "a" -> nul) == """{"b":2}""")
    assert(patched("""{"a":1}""", true, "a" -> nul, "x" -> nul) == "")
    assert(patched("""{"a":1}""", false, "a" -> nul, "x" -> int(1)) == """{"a":null,"x":1}""")
    assert(patched("", true, "a" -> nul) == "")
  }

  test("a name that comes twice is gone twice") {
    assert(patched("""{"a":1,"b":2,"a":3}""", true, "a" -> int(9)) == """{"a":9,"b":2}""")
    assert(patched("""{"a":1,"b":2,"a":3}""", true, "a" -> nul) == """{"b":2}""")
    assert(patched("""{"a":1,"b":2,"a":3}""", true, "b" -> nul) == """{"a":1,"a":3}""")
  }

  test("announced names without a value stay as they are, from one patch to the next") {
    val p = new PropertyPatch(Seq("a", "b", "c").asJava, true)
    def by(values: (String, Value)*) = apply(p, """{"b": 2,"x":[ ],"a":1.50}""", PropertyWriter.write(values.toMap.asJava))
    assert(by("a" -> int(9), "b" -> nul, "c" -> int(3)) == """{"x":[ ],"a":9,"c":3}""")
    assert(by("a" -> int(9)) == """{"b": 2,"x":[ ],"a":9}""")
    assert(by("c" -> nul) == """{"b": 2,"x":[ ],"a":1.50}""")
    assert(by() == """{"b": 2,"x":[ ],"a":1.50}""")
  }

  test("broken objects are refused") {
    for (bad <- Seq("[", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"b\":1}}", "{\"b\":\"x}", "{\"b\":[1}"))
      assertThrows[InvalidJsonException](patched(bad, true, "a" -> int(1)))
  }

  test("random objects: a reader sees the patch, and the text of everything else is the same") {
    val seed = new Random().nextInt(1 << 30)
    val r = new Random(seed)
    val json = new RandomJson(r)
    for (round <- 1 to 3000) {
      val clue = s"seed $seed round $round"
      // Members as text, so that the expectation needs no parser.
      val members = Seq.fill(r.nextInt(6)) {
        val name = json.Names(r.nextInt(json.Names.size))
        (name, json.string(name) + ":" + json.value(0).trim)
      }
      val names = r.shuffle(json.Names.filter(_.nonEmpty)).take(r.nextInt(4))
      val values = names.map(n => n -> (if (r.nextInt(3) == 0) nul else int(r.nextInt(100)))).toMap
      val drop = r.nextBoolean()
      val texts = values.map { case (n, v) => n -> new String(PropertyWriter.write(Map(n -> v).asJava), UTF_8).drop(1).dropRight(1) }
      val gone = values.collect { case (n, v) if drop && (v eq nul) => n }.toSet
      val out = mutable.Buffer.empty[String]
      val seen = mutable.Set.empty[String]
      for ((n, text) <- members)
        if (!values.contains(n)) out += text
        else if (seen.add(n) && !gone(n)) out += texts(n)
      val p = new PropertyPatch(names.asJava, drop)
      for (n <- names if seen.add(n) && !gone(n)) out += texts(n)
      // Half a surrogate pair has no bytes of its own.
      val want = new String((if (out.isEmpty) "" else out.mkString("{", ",", "}")).getBytes(UTF_8), UTF_8)
      val space = if (r.nextBoolean()) " " else ""
      val stored = members.map(_._2).mkString("{" + space, space + "," + space, space + "}" + space)
      assert(apply(p, stored, PropertyWriter.write(values.asJava)) == want, s"$clue: $stored")
    }
  }
}
