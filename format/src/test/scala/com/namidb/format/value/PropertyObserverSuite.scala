package com.namidb.format.value

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class PropertyObserverSuite extends AnyFunSuite {
  private def observe(o: PropertyObserver, json: String): Unit = {
    // Hostile bytes on both sides.
    val b = ("\"]}" + json + "\":1}").getBytes(UTF_8)
    o.observe(b, 3, b.length - 7)
  }

  private def summaries(docs: String*): Map[String, TypeSummary] = {
    val o = new PropertyObserver
    docs.foreach(observe(o, _))
    o.summaries.asScala.toMap
  }

  private def types(s: TypeSummary) = s.types.asScala.toSet

  /** The obvious way: note every value of a parsed tree. */
  private def note(v: Value, into: TypeSummary): Unit = v match {
    case l: Value.ListOf => l.items.asScala.foreach(note(_, into.listItems))
      into.listItems
    case m: Value.MapOf =>
      into.mapEntries
      m.entries.asScala.foreach { case (k, x) => into.addMapKey(k); note(x, into.mapEntries) }
    case _ => into.add(v.`type`)
  }

  test("every type is seen, absence leaves no trace, nulls do") {
    val s = summaries(
      """{"a":1,"b":"x","c":true,"d":null,"e":[1],"f":{"$bytes":[1]},"g":{"$i8vec":[1,[1]]},"h":{"$date":1}}""",
      """{"a":1.0,"i":{"$datetime":1},"j":{"$list":[1,{"$list":["x"]}]},"k":{"$map":{"x":1,"$date":null}},"l":{}}""",
      """{ "a" : 18446744073709551616 , "b" : -0 }""")
    import ValueType._
    assert(s.map { case (k, v) => k -> types(v) } == Map(
      "a" -> Set(INT64, FLOAT64), "b" -> Set(STRING, FLOAT64), "c" -> Set(BOOL), "d" -> Set(NULL), "e" -> Set(VECTOR),
      "f" -> Set(BYTES), "g" -> Set(INT8_VECTOR), "h" -> Set(DATE), "i" -> Set(DATETIME), "j" -> Set(LIST),
      "k" -> Set(MAP), "l" -> Set(NULL)))
    assert(types(s("j").items.get) == Set(INT64, LIST))
    assert(types(s("j").items.get.items.get) == Set(STRING))
    assert(types(s("k").mapValues.get) == Set(INT64, NULL))
    assert(s("k").mapKeys.asScala == Set("$date", "x"))
    assert(!s("a").items.isPresent && !s("a").mapValues.isPresent && s("a").mapKeys.isEmpty)
  }

  test("random documents give the types of their trees, in any grouping") {
    val r = new Random(77)
    val json = new RandomJson(r, duplicates = false)
    for (_ <- 0 until 300) {
      val docs = Iterator.continually(json.document).filter(d => ReferenceJson.properties(d.getBytes(UTF_8)).isDefined).take(12).toSeq
      val expected = scala.collection.mutable.Map.empty[String, TypeSummary]
      for (d <- docs; (k, v) <- ReferenceJson.properties(d.getBytes(UTF_8)).get) note(v, expected.getOrElseUpdate(k, new TypeSummary))
      val whole = summaries(docs: _*)
      assert(whole == expected.toMap)
      val merged = docs.grouped(1 + r.nextInt(5)).map(g => summaries(g: _*)).foldLeft(Map.empty[String, TypeSummary]) { (a, b) =>
        (a.keySet ++ b.keySet).map(k => k -> (new TypeSummary).merge(a.getOrElse(k, new TypeSummary)).merge(b.getOrElse(k, new TypeSummary))).toMap
      }
      assert(merged == whole)
    }
  }

  test("broken documents raise nothing but InvalidJsonException, and sound ones nothing") {
    val r = new Random(78)
    val json = new RandomJson(r)
    val o = new PropertyObserver
    for (_ <- 0 until 50000) {
      val b = json.mutate(json.document.getBytes(UTF_8))
      val refused = try { o.observe(b, 0, b.length); false } catch { case _: InvalidJsonException => true }
      ReferenceJson.parse(b) match {
        case Right(_)   => assert(!refused, new String(b, UTF_8))
        case Left(None) => assert(refused, new String(b, UTF_8))
        case _          =>
      }
    }
  }

  test("map keys stop at their limit and say so") {
    val o = new PropertyObserver
    for (k <- 0 until 1000) observe(o, s"""{"m":{"$$map":{"k$k":1}}}""")
    observe(o, """{"m":{"$map":{"k5":1}}}""")
    assert(o.summaries.get("m").mapKeys.size == 1000 && !o.summaries.get("m").hasMoreMapKeys)
    observe(o, """{"m":{"$map":{"more":"x"}}}""")
    assert(o.summaries.get("m").mapKeys.size == 1000 && o.summaries.get("m").hasMoreMapKeys)
    assert(types(o.summaries.get("m").mapValues.get) == Set(ValueType.INT64, ValueType.STRING))
  }

  test("merging does not tie the summaries together") {
    val a = summaries("""{"x":{"$list":[1]}}""")("x")
    val b = (new TypeSummary).merge(a)
    b.listItems.add(ValueType.STRING)
    assert(types(a.items.get) == Set(ValueType.INT64))
  }

  test("a summary survives Java serialisation") {
    val s = summaries("""{"x":{"$list":[1,{"$map":{"k":[1]}}]}}""")("x")
    val out = new ByteArrayOutputStream
    new ObjectOutputStream(out).writeObject(s)
    assert(new ObjectInputStream(new ByteArrayInputStream(out.toByteArray)).readObject() == s)
  }

  test("whole objects and single values read into trees") {
    val r = new Random(79)
    val json = new RandomJson(r)
    for (_ <- 0 until 20000) {
      val doc = if (r.nextBoolean()) json.document.getBytes(UTF_8) else json.mutate(json.document.getBytes(UTF_8))
      val got = try Some(ValueTree.parseProperties(doc, 0, doc.length).asScala.toMap) catch { case _: InvalidJsonException => None }
      assert(got == ReferenceJson.properties(doc).map(_.toMap), new String(doc, UTF_8))
      val value = if (r.nextBoolean()) json.value(0).getBytes(UTF_8) else json.mutate(json.value(0).getBytes(UTF_8))
      val one = try Some(ValueTree.parse(value, 0, value.length)) catch { case _: InvalidJsonException => None }
      val wrapped = "{\"v\":".getBytes(UTF_8) ++ value ++ "}".getBytes(UTF_8)
      val whole = ReferenceJson.properties(wrapped).filter(_.size == 1).map(_.head._2)
      assert(one == whole, new String(value, UTF_8))
    }
  }
}
