package com.namidb.spark.engine

import java.nio.file.Files

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.Canon
import com.namidb.format.Canon._
import com.namidb.format.engine.Engines
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.{DataFrame, Row, SaveMode}
import org.apache.spark.sql.types._

class WriteModesSuite extends WriteModesTests(Places.Local)

/**
 * Histories of the real engine, then patches, overwrites and deletions by Spark, then the engine again: it answers what a
 * simple model says, before and after it compacted and reopened everything.
 */
class WriteModesTests(override val places: Places) extends GraphSuite {
  private val first: Int = sys.props.getOrElse("history.seed", "random") match {
    case "random" => 1 + new Random().nextInt(1000000)
    case s => s.toInt
  }
  private val Types = "KNOWS,LIKES,with space,per%20cent"
  private val Written = Seq("KNOWS", "LIKES")
  private val Ends = new StructType().add("_src", StringType).add("_dst", StringType)
  private val Id = new StructType().add("_id", StringType)

  private type Props = Map[String, Canon]

  private class Model(json: com.fasterxml.jackson.databind.JsonNode) {
    var nodes: Map[String, (Seq[String], Props)] =
      json.get("nodes").asScala.map(Canon.node(_)).map(n => n.id -> ((n.labels, n.properties))).toMap
    var edges: Map[(String, String, String), Props] =
      json.get("edges").asScala.map(Canon.edge(_)).map(e => (e.tpe, e.src, e.dst) -> e.properties).toMap

    def drop(gone: Set[String], detach: Boolean): Unit = {
      nodes --= gone
      if (detach) edges = edges.filterNot { case ((_, a, b), _) => gone(a) || gone(b) }
    }
  }

  // The engine makes its histories in a folder: those for a bucket are copied there, and settled where Spark wrote them.
  for ((version, count) <- Seq("2.6.19" -> (if (places.bucket) 4 else 12), "2.1.4" -> 3) if Engines.enabled)
    test(s"engine $version: histories $first to ${first + count - 1} (-Dhistory.seed=$first)") {
      val out = com.namidb.format.store.TempDirs.lasting("modes-")
      val home = Place.of(out)
      val there = if (places.bucket) places.fresh() else home
      Engines.run(version, "history.py", out.toString, first.toString, count.toString)
      val models = (first until first + count).map { seed =>
        val last = Files.readAllLines(out.resolve(s"h$seed.jsonl")).asScala.last
        val model = new Model(Canon.mapper.readTree(last))
        val r = new Random(seed)
        val ns = s"h$seed"
        if (places.bucket) home.copyTo(there, ns)
        for (step <- 1 to 4) change(model, there.uri(ns), r, step)
        ns -> model
      }.toMap
      val place = if (places.bucket) there.root else out.toString
      val answers = Engines.runWith(there.environment, version, "written.py", "settle", place, models.keys.mkString(","), Types).linesIterator.toSeq
      assert(answers.size == count)
      for (line <- answers) {
        val json = Canon.mapper.readTree(line)
        val ns = json.get("ns").textValue
        val want = models(ns)
        val got = new Model(json)
        assert(got.nodes.keySet == want.nodes.keySet, ns)
        for ((id, n) <- want.nodes) assert(got.nodes(id) == n, s"$ns node $id")
        assert(got.edges.keySet == want.edges.keySet, ns)
        for ((k, e) <- want.edges) assert(got.edges(k) == e, s"$ns edge $k")
        for (t <- Written) {
          val whole = want.edges.keys.count { case (x, a, b) => x == t && want.nodes.contains(a) && want.nodes.contains(b) }
          val found = json.get("traversed").get(t)
          assert((found.get(0).intValue, found.get(1).intValue) == ((whole, whole)), s"$ns traversals of $t")
        }
        // And Spark agrees, over what the engine compacted.
        val uri = there.uri(ns)
        val settled = read(uri, None, "label" -> "Settled")
        assert(settled.count() == 1, ns)
        Answers.nodes(read(uri, None, "label" -> "*").where("_id <> '00000000-0000-0000-0000-000005e771ed'").drop("settled"),
          want.nodes.map { case (id, (l, p)) => Node(id, l, p, None) }.toSeq, ns)
      }
    }

  private def frame(schema: StructType, rows: Seq[Row]): DataFrame =
    spark.createDataFrame(rows.asJava, schema).repartition(2)

  private def change(m: Model, uri: String, r: Random, step: Int): Unit = {
    def save(df: DataFrame, mode: SaveMode, o: (String, String)*): Unit =
      df.write.format("namidb").options((o :+ ("file-size" -> Seq("300", "256m")(r.nextInt(2)))).toMap).mode(mode)
        .save(uri)
    def some[T](all: Iterable[T]): Seq[T] = {
      val s = r.shuffle(all.toSeq.sortBy(_.toString))
      s.take(if (s.isEmpty) 0 else 1 + r.nextInt(s.size))
    }
    val column = Seq("i", "neu", "any", "größe $x")(r.nextInt(4))
    def values(n: Int) = Seq.fill(n)(if (r.nextInt(3) == 0) None else Some(r.nextInt(1000).toLong))
    def row(keys: Seq[String], v: Option[Long]) = Row.fromSeq(keys :+ v.map(Long.box).orNull)
    def changed(p: Props, v: Option[Long]) = v.fold(p - column)(x => p.updated(column, CInt(x)))
    def only(v: Option[Long]): Props = changed(Map.empty, v)
    r.nextInt(5) match {
      case 0 =>
        val ns = some(m.nodes.keys)
        val vs = values(ns.size)
        save(frame(Id.add(column, LongType), ns.zip(vs).map { case (n, v) => row(Seq(n), v) }), SaveMode.Append,
          "label" -> "*", "write-mode" -> "patch")
        for ((n, v) <- ns.zip(vs)) m.nodes = m.nodes.updated(n, (m.nodes(n)._1, changed(m.nodes(n)._2, v)))
      case 1 =>
        val t = Written(r.nextInt(Written.size))
        val es = some(m.edges.keys.filter(_._1 == t))
        val vs = values(es.size)
        save(frame(Ends.add(column, LongType), es.zip(vs).map { case ((_, a, b), v) => row(Seq(a, b), v) }), SaveMode.Append,
          "type" -> t, "write-mode" -> "patch")
        for ((e, v) <- es.zip(vs)) m.edges = m.edges.updated(e, changed(m.edges(e), v))
      case 2 =>
        val t = Written(r.nextInt(Written.size))
        val live = m.nodes.keys.toSeq.sorted
        val more = if (live.isEmpty) Nil else Seq.fill(5)((t, live(r.nextInt(live.size)), live(r.nextInt(live.size))))
        val es = (some(m.edges.keys.filter(_._1 == t)) ++ more).distinct.drop(r.nextInt(3))
        val vs = values(es.size)
        save(frame(Ends.add(column, LongType), es.zip(vs).map { case ((_, a, b), v) => row(Seq(a, b), v) }), SaveMode.Overwrite,
          "type" -> t, "on-dangling" -> "allow")
        m.edges = m.edges.filterNot(_._1._1 == t) ++ es.zip(vs.map(only))
      case 3 =>
        val gone = some(m.nodes.keys).take(4).toSet
        save(frame(Id, gone.toSeq.map(Row(_))), SaveMode.Append, "label" -> "*", "write-mode" -> "delete",
          "on-incident-edges" -> "detach")
        m.drop(gone, detach = true)
      case 4 =>
        val label = m.nodes.values.flatMap(_._1).toSeq.distinct.sorted.lift(r.nextInt(3)).getOrElse("Person")
        val table = m.nodes.collect { case (id, (ls, _)) if ls.contains(label) => id }.toSet
        val keep = some(table) ++ Seq(f"c0000000-0000-0000-0000-00000000${r.nextInt(1 << 16)}%04x")
        val vs = values(keep.size)
        val detach = r.nextBoolean()
        save(frame(Id.add(column, LongType), keep.zip(vs).map { case (n, v) => row(Seq(n), v) }), SaveMode.Overwrite,
          "label" -> label, "overwrite-multi-label" -> "delete", "on-incident-edges" -> (if (detach) "detach" else "leave"))
        m.drop(table -- keep, detach)
        m.nodes ++= keep.zip(vs).map { case (n, v) => n -> ((Seq(label), only(v))) }
    }
    assert(step > 0)
  }
}
