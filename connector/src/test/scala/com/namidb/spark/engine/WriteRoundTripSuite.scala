package com.namidb.spark.engine

import java.nio.file.Path
import java.sql.{Date, Timestamp}
import java.time.Instant

import scala.jdk.CollectionConverters._

import com.namidb.format.Canon
import com.namidb.format.Canon._
import com.namidb.format.engine.Engines
import com.namidb.format.error.NamiException
import com.namidb.format.store.TempDirs
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.types._

/** What Spark writes, the engine reads, changes, compacts and reopens; and Spark agrees with it all the time. */
class WriteRoundTripSuite extends GraphSuite {
  private val Types = "KNOWS,LIKES"

  private def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"

  private def uri(dir: Path, ns: String) = s"file://$dir?ns=$ns"

  private def write(df: DataFrame, dir: Path, ns: String, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode("append").save(uri(dir, ns))

  private def engine(version: String, what: String, dir: Path, ns: String, more: String*): String =
    Engines.run(version, "written.py", Seq(what, dir.toString, ns) ++ more: _*)

  private def graph(json: String): (Seq[Node], Seq[Edge]) = {
    val n = Canon.mapper.readTree(json)
    (n.get("nodes").elements.asScala.map(Canon.node(_)).toSeq, n.get("edges").elements.asScala.map(Canon.edge(_)).toSeq)
  }

  /** Spark shows exactly what the engine answered. */
  private def agree(dir: Path, ns: String, json: String, clue: String): (Seq[Node], Seq[Edge]) = {
    val (nodes, edges) = graph(json)
    Answers.nodes(read(uri(dir, ns), None, "label" -> "*"), nodes, clue)
    for (l <- nodes.flatMap(_.labels).distinct)
      Answers.nodes(read(uri(dir, ns), None, "label" -> l), nodes.filter(_.labels.contains(l)), s"$clue label $l")
    for ((t, es) <- edges.groupBy(_.tpe)) Answers.edges(read(uri(dir, ns), None, "type" -> t), es, s"$clue type $t")
    (nodes, edges)
  }

  private def frame(schema: StructType, rows: Row*): DataFrame = spark.createDataFrame(rows.asJava, schema)

  private val Valued = new StructType().add("_id", StringType).add("name", StringType).add("i", LongType).add("f", DoubleType)
    .add("f32", FloatType).add("b", BooleanType).add("bytes", BinaryType).add("day", DateType).add("at", TimestampType)
    .add("vec", ArrayType(FloatType, false)).add("list", ArrayType(StringType)).add("map", MapType(StringType, LongType))
    .add("rec", new StructType().add("x", LongType).add("y", ArrayType(DoubleType)))

  private def valued(n: Int, name: String): Row = Row(id(n), name, Long.MaxValue - n, n / 4.0, 0.5f, n % 2 == 0,
    Array[Byte](0, -1, n.toByte), Date.valueOf("1969-12-31"), Timestamp.from(Instant.parse("2026-11-29T10:00:00.000001Z")),
    Seq(0.5f, -2f), Seq("a", null, "Grüße 😀"), Map("k" -> n.toLong), Row(1L, Seq(1.5, 2.0)))

  private def expected(n: Int, name: String): Map[String, Canon] = Map("name" -> CStr(name), "i" -> CInt(Long.MaxValue - n),
    "f" -> CFloat(n / 4.0), "f32" -> CFloat(0.5), "b" -> CBool(n % 2 == 0), "bytes" -> CBytes(Seq(0, -1, n.toByte)),
    "day" -> CDate(-1), "at" -> CDateTime(Canon.micros(Instant.parse("2026-11-29T10:00:00.000001Z"))),
    "vec" -> CSeq(Seq(CFloat(0.5), CFloat(-2))), "list" -> CSeq(Seq(CStr("a"), CNull, CStr("Grüße 😀"))),
    "map" -> CMap(Map("k" -> CInt(n))), "rec" -> CMap(Map("x" -> CInt(1), "y" -> CSeq(Seq(CFloat(1.5), CFloat(2))))))

  private val Ends = new StructType().add("_src", StringType).add("_dst", StringType)

  for (v <- Engines.versions if Engines.enabled) {
    val name = v.replace(".", "x")

    test(s"engine $v: Spark writes into the engine's graph, all value types, and both go on") {
      val dir = TempDirs.lasting("written-")
      val ns = s"old$name"
      engine(v, "start", dir, ns)

      // Inserts and replacements; some of these ids have rows in SSTs, some in the WAL that the commit folds.
      write(frame(Valued, (20 to 25).map(n => valued(n, s"s$n")): _*), dir, ns, "label" -> "Person")
      write(frame(Valued, valued(3, "s3"), valued(9, "s9")), dir, ns, "label" -> "Person", "write-mode" -> "upsert")
      intercept[NamiException](write(frame(Valued, valued(8, "x")), dir, ns, "label" -> "Person"))
      val schema = Ends.add("since", LongType).add("why", MapType(StringType, StringType))
      write(frame(schema, Row(id(20), id(22), 1L, Map("a" -> "b")), Row(id(2), id(3), 99L, null), Row(id(25), id(25), null, null)),
        dir, ns, "type" -> "KNOWS", "write-mode" -> "upsert")
      write(frame(Ends, Row(id(20), id(2))), dir, ns, "type" -> "LIKES")
      write(frame(new StructType().add("_id", StringType), Row(id(12))), dir, ns, "label" -> "Person", "write-mode" -> "delete")
      write(frame(Ends, Row(id(4), id(5)), Row(id(8), id(9))), dir, ns, "type" -> "KNOWS", "write-mode" -> "delete")

      val (nodes, edges) = agree(dir, ns, engine(v, "answers", dir, ns, Types), s"$v after Spark")
      val byId = nodes.map(n => n.id -> n).toMap
      for (n <- 20 to 25) assert(byId(id(n)).properties == expected(n, s"s$n") && byId(id(n)).labels == Seq("Person"))
      assert(byId(id(3)).properties == expected(3, "s3") && byId(id(9)).properties == expected(9, "s9"))
      assert(byId(id(8)).properties == Map("name" -> CStr("w8"), "n" -> CInt(8)))
      assert(byId.keySet == (Seq(2, 3, 4, 5, 6, 7, 8, 9, 10, 11) ++ (20 to 25)).map(id).toSet)
      val knows = edges.filter(_.tpe == "KNOWS").map(e => (e.src, e.dst) -> e.properties).toMap
      assert(knows((id(20), id(22))) == Map("since" -> CInt(1), "why" -> CMap(Map("a" -> CStr("b")))))
      assert(knows((id(2), id(3))) == Map("since" -> CInt(99)) && knows((id(25), id(25))).isEmpty)
      assert(knows((id(2), id(8))) == Map("since" -> CInt(28)))
      for (gone <- Seq(4 -> 5, 8 -> 9, 9 -> 10)) assert(!knows.contains((id(gone._1), id(gone._2))))
      // Both directions, as traversals see them.
      def ask(q: String) = engine(v, "ask", dir, ns, q).linesIterator.toSet
      assert(ask("MATCH (a:Person {name:'s20'})-[:KNOWS]->(b) RETURN b.name") == Set("[\"s22\"]"))
      assert(ask("MATCH (a)-[r:KNOWS]->(b:Person {name:'s3'}) RETURN a.name, r.since") == Set("[\"e2\",99]"))
      assert(ask("MATCH (a)<-[:LIKES]-(b) RETURN a.name, b.name") == Set("[\"e2\",\"s20\"]"))
      assert(ask("MATCH (n:Person) WHERE n.i >= 0 RETURN count(n)") == Set("[8]"))

      val (now, after) = agree(dir, ns, engine(v, "change", dir, ns, Types), s"$v after the engine's changes")
      val changed = now.map(n => n.id -> n.properties).toMap
      assert(changed(id(3)) == expected(3, "engine3") + ("extra" -> CInt(1)))
      assert(changed(id(20)) == expected(20, "s20") && !changed.contains(id(21)))
      assert(after.exists(e => e.src == id(20) && e.dst == id(30)) && !after.exists(e => e.src == id(20) && e.dst == id(22)))

      // And once more on compacted files.
      write(frame(Valued, valued(21, "back"), valued(30, "s30")), dir, ns, "label" -> "Person", "write-mode" -> "upsert")
      val (end, _) = agree(dir, ns, engine(v, "answers", dir, ns, Types), s"$v at the end")
      assert(end.find(_.id == id(30)).exists(_.properties == expected(30, "s30")))
      assert(end.exists(_.id == id(21)))
    }

    test(s"engine $v: a graph that Spark made") {
      val dir = TempDirs.lasting("made-")
      val ns = s"new$name"
      val labelled = Valued.add("_labels", ArrayType(StringType))
      write(frame(labelled, (1 to 40).map(n => Row.fromSeq(valued(n, s"s$n").toSeq :+ (if (n % 2 == 0) Seq("Person", s"L${n % 5}") else Seq("Person")))): _*)
        .repartition(4), dir, ns, "label" -> "Person", "file-size" -> "2k")
      val people = spark.range(100).selectExpr("concat('p', id) as email", "id as n")
      write(people, dir, ns, "label" -> "User", "key" -> "email")
      write(people.selectExpr("email as a", "'p0' as b", "n as w"), dir, ns, "type" -> "KNOWS", "src-key" -> "a",
        "src-label" -> "User", "dst-key" -> "b", "dst-label" -> "User", "file-size" -> "1k")
      write(spark.range(3).selectExpr("id as n"), dir, ns, "label" -> "Fresh")

      val (nodes, edges) = agree(dir, ns, engine(v, "answers", dir, ns, Types), s"$v new")
      assert(nodes.size == 143 && edges.size == 100)
      assert(nodes.count(_.labels == Seq("L2", "Person")) == 4)
      def ask(q: String) = engine(v, "ask", dir, ns, q).linesIterator.toSet
      assert(ask("MATCH (a:User)-[r:KNOWS]->(b:User) RETURN count(r), count(DISTINCT b)") == Set("[100,1]"))
      assert(ask("MATCH (a:User)-[r:KNOWS]->(b:User {email:'p0'}) WHERE a.email = 'p7' RETURN r.w") == Set("[7]"))
      val (now, _) = agree(dir, ns, engine(v, "change", dir, ns, Types), s"$v new, changed")
      assert(now.size == 142)
      assert(now.find(_.id == id(3)).exists(_.properties == expected(3, "engine3") + ("extra" -> CInt(1))))
    }
  }
}
