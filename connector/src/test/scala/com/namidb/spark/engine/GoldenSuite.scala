package com.namidb.spark.engine

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.{Canon, Golden}
import com.namidb.spark.{Graph, Places}
import org.apache.spark.sql.Row

import scala.jdk.CollectionConverters._

class GoldenSuite extends GoldenTests(Places.Local)

/** Every golden namespace, on each recorded version, gives exactly what the engine answered. */
class GoldenTests(override val places: Places) extends GraphSuite {
  for (c <- Golden.cases; vectorized <- Seq("true", "false"))
    test(s"${c.name}: nodes and edges, vectorized=$vectorized") {
      val g = places.copied(c)
      for (at <- g.recorded) {
        val clue = s"${c.name}@${at.version.getOrElse("current")}"
        def df(o: (String, String)*) = read(g.uri, at.version, o :+ ("vectorized" -> vectorized): _*)
        Answers.nodes(df("label" -> "*"), at.nodes, clue)
        for (l <- at.nodes.flatMap(_.labels).distinct)
          Answers.nodes(df("label" -> l), at.nodes.filter(_.labels.contains(l)), s"$clue label $l")
        for ((t, es) <- at.edges.groupBy(_.tpe)) Answers.edges(df("type" -> t), es, s"$clue type $t")
        val all = df("type" -> "*").select("_type", "_src", "_dst").collect()
          .map(r => (r.getString(0), r.getString(1), r.getString(2)))
        assert(all.length == at.edges.size, clue)
        assert(all.toSet == at.edges.map(e => (e.tpe, e.src, e.dst)).toSet, clue)
        val lsns = df("label" -> "*").select("_id", "_lsn").collect().map(r => r.getString(0) -> r.getLong(1)).toMap
        for (n <- at.nodes; lsn <- n.lsn) assert(lsns(n.id) == lsn, s"$clue LSN of ${n.id}")
        for ((t, es) <- at.edges.groupBy(_.tpe)) {
          val lsn = df("type" -> t).select("_src", "_dst", "_lsn").collect()
            .map(r => (r.getString(0), r.getString(1)) -> r.getLong(2)).toMap
          for (e <- es; l <- e.lsn) assert(lsn((e.src, e.dst)) == l, s"$clue LSN of $e")
        }
      }
    }

  for (c <- Golden.cases if c.base64)
    test(s"${c.name}: the recorded questions by SQL") {
      val g = places.copied(c)
      val doc = Canon.mapper.readTree(c.home.resolve("queries.json").toFile)
      var asked = 0
      for (q <- doc.get("queries").asScala; a <- q.get("answers").asScala) {
        val version = a.get("version").longValue
        val sql = views(g, version, q.get("sql").textValue)
        check(s"${c.name}@$version ${q.get("id").textValue}", q, a.get("rows"), spark.sql(sql).collect().toSeq)
        asked += 1
      }
      info(s"$asked answers equal")
      assert(asked > 10)
    }

  private val Name = "(nodes|edges)\\.([\\p{L}_]+)".r

  /** Registers a temp view per table the statement names, and names them in it. */
  private def views(g: Graph, version: Long, sql: String): String =
    Name.replaceAllIn(sql, { m =>
      val view = s"${m.group(1)}_${m.group(2)}"
      val key = if (m.group(1) == "nodes") "label" else "type"
      read(g.uri, Some(version), key -> m.group(2)).createOrReplaceTempView(view)
      view
    })

  private def check(clue: String, q: JsonNode, want: JsonNode, got: Seq[Row]): Unit = {
    val unordered = Option(q.get("unordered_lists")).toSeq.flatMap(_.asScala.map(_.textValue)).toSet
    val columns = q.get("columns").asScala.map(_.textValue).toSeq
    def cells(r: JsonNode) = columns.indices.map(i => sorted(unordered(columns(i)), Canon.value(r.get(i), base64 = true)))
    val wanted = want.asScala.map(cells(_)).toSeq
    val shown = got.map(r => columns.indices.map(i => sorted(unordered(columns(i)), canon(r.get(i)))))
    def key(r: Seq[Canon]) = r.map {
      case Canon.CInt(v) => "%.6e".format(v.toDouble)
      case Canon.CFloat(v) => "%.6e".format(v)
      case x => x.toString
    }.mkString("|")
    val ordered = Option(q.get("ordered")).exists(_.booleanValue)
    def arrange(rows: Seq[Seq[Canon]]) = if (ordered) rows else rows.sortBy(key)
    assert(shown.size == wanted.size, clue)
    for ((s, w) <- arrange(shown).zip(arrange(wanted)); (x, y) <- s.zip(w)) assert(close(x, y), s"$clue: $s, expected $w")
  }

  private def sorted(yes: Boolean, v: Canon): Canon = v match {
    case Canon.CSeq(xs) if yes => Canon.CSeq(xs.sortBy(_.toString))
    case x => x
  }

  private def close(a: Canon, b: Canon): Boolean = (number(a), number(b)) match {
    case (Some(x), Some(y)) => x == y || math.abs(x - y) <= 1e-9 * math.max(math.abs(x), math.abs(y))
    case _ => a == b
  }

  private def number(v: Canon): Option[Double] = v match {
    case Canon.CInt(x) => Some(x.toDouble)
    case Canon.CFloat(x) => Some(x)
    case _ => None
  }

  private def canon(v: Any): Canon = v match {
    case null => Canon.CNull
    case b: Boolean => Canon.CBool(b)
    case s: String => Canon.CStr(s)
    case n: Long => Canon.CInt(n)
    case n: Int => Canon.CInt(n.toLong)
    case d: Double => Canon.CFloat(d)
    case f: Float => Canon.CFloat(f.toDouble)
    case d: java.math.BigDecimal => Canon.CFloat(d.doubleValue)
    case d: java.time.LocalDate => Canon.CDate(d.toEpochDay.toInt)
    case i: java.time.Instant => Canon.CDateTime(Canon.micros(i))
    case s: scala.collection.Seq[_] => Canon.CSeq(s.map(canon).toSeq)
  }
}
