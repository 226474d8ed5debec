package com.namidb.spark.engine

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.Canon
import com.namidb.format.engine.Engines
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions._

/**
 * Random histories made by the real engine while the test runs: at each checkpoint Spark's answer is the engine's,
 * whatever is pushed down and however the work is cut.
 */
class HistorySuite extends GraphSuite {
  private val first: Int = sys.props.getOrElse("history.seed", "random") match {
    case "random" => 1 + new Random().nextInt(1000000)
    case s => s.toInt
  }
  private val count = sys.props.getOrElse("history.count", "240").toInt
  private val batch = 20

  private case class Checkpoint(version: Long, nodes: Seq[Canon.Node], edges: Seq[Canon.Edge])

  for (engine <- Engines.versions if Engines.enabled) {
    val share = if (engine == "2.6.19") count else count / 6
    for (from <- first until first + share by batch)
      test(s"engine $engine: histories $from to ${from + batch - 1} (-Dhistory.seed=$first)") {
        val out = com.namidb.format.store.TempDirs.lasting("histories-")
        Engines.run(engine, "history.py", out.toString, from.toString, batch.toString)
        for (seed <- from until from + batch) history(out, seed)
      }
  }

  private def history(out: Path, seed: Int): Unit = {
    // Compiling a query takes longer than running it here: a part of the histories is enough for that.
    tiny.foreach { case (k, v) => if (seed % 4 > 0) spark.conf.set(k, v) else spark.conf.unset(k) }
    val uri = s"file://$out?ns=h$seed"
    val marks = Files.readAllLines(out.resolve(s"h$seed.jsonl")).asScala.map { l =>
      val n = Canon.mapper.readTree(l)
      Checkpoint(n.get("version").longValue, n.get("nodes").asScala.map(Canon.node(_)).toSeq,
        n.get("edges").asScala.map(Canon.edge(_)).toSeq)
    }
    assert(marks.size == 2 || marks.size == 3, s"seed $seed")
    val rnd = new Random(seed)
    changes(uri, marks.toSeq, rnd, seed)
    for (m <- marks) {
      val clue = s"seed $seed version ${m.version}"
      // Each checkpoint takes other switches; over a run every combination is met with every kind of state.
      val some = Seq("vectorized" -> rnd.nextBoolean().toString, "combine-small" -> rnd.nextBoolean().toString)
      val Seq(split, other) = rnd.shuffle(Seq("1", "134217728"))
      def df(o: (String, String)*): DataFrame = read(uri, Some(m.version), (o ++ some :+ ("split-size" -> split)): _*)
      /** The same, cut otherwise and without push-down. */
      def plain(o: (String, String)*): DataFrame =
        read(uri, Some(m.version), (o ++ some ++ Seq("split-size" -> other, "pushdown" -> "false")): _*)
      Answers.nodes(df("label" -> "*"), m.nodes, clue)
      val known = (m.nodes.map(_.id) ++ m.edges.flatMap(e => Seq(e.src, e.dst))).distinct.toIndexedSeq
      for (l <- m.nodes.flatMap(_.labels).distinct if rnd.nextInt(2) == 0) {
        Answers.nodes(df("label" -> l), m.nodes.filter(_.labels.contains(l)), s"$clue label $l")
        Pushed.filters(df("label" -> l), plain("label" -> l), rnd, s"$clue label $l", rounds = 1)
        if (rnd.nextInt(4) == 0) Pushed.aggregates(df("label" -> l), plain("label" -> l), known, rnd, s"$clue label $l", most = 1)
      }
      val questions = Seq("label" -> "*", "type" -> "*") ++ m.edges.map(_.tpe).distinct.take(1).map("type" -> _)
      val asked = questions(rnd.nextInt(questions.size))
      Pushed.aggregates(df(asked), plain(asked), known, rnd, s"$clue $asked", most = 1)
      Pushed.ordered(df(asked), s"$clue $asked")
      val types = m.edges.groupBy(_.tpe)
      for ((t, es) <- types) Answers.edges(df("type" -> t), es, s"$clue type $t")
      pushed(df("label" -> "*"), plain("label" -> "*"), m, rnd, clue)
      for ((t, es) <- types.headOption) pushedEdges(df("type" -> t), plain("type" -> t), es, rnd, clue)
      val stored = Seq("_src", "_dst", "_json").map(col)
      val each = types.keys.map(t => df("type" -> t).select(lit(t) +: stored: _*)).reduceOption(_ union _)
      val all = plain("type" -> "*").select(col("_type") +: stored: _*)
      each match {
        case Some(union) => same(all, union, s"$clue all types")
        case None => assert(all.count() == 0, clue)
      }
    }
  }

  /** Between two versions of which one may be any: flushes, compactions and writes lie in between. */
  private def changes(uri: String, marks: Seq[Checkpoint], rnd: Random, seed: Int): Unit = {
    val to = marks.map(_.version).max
    val from = Seq(marks.head.version, 1 + rnd.nextInt(to.toInt).toLong)(rnd.nextInt(2)).min(to)
    val labels = marks.flatMap(_.nodes).flatMap(_.labels).distinct
    val o = if (rnd.nextInt(3) == 0) "type" -> "*" else "label" -> (if (labels.isEmpty || rnd.nextBoolean()) "*" else labels(rnd.nextInt(labels.size)))
    val keys = if (o._1 == "type") Seq("_src", "_dst", "_type") else Seq("_id")
    val shown = (keys ++ Seq("_labels").filter(_ => o._1 == "label") :+ "_json").map(col)
    // A label may be unknown to the older version: then it has no rows there.
    def rows(v: Long) = scala.util.Try(read(uri, Some(v), o)).toOption.toSeq.flatMap(_.select(shown: _*).collect())
      .map(r => show(Row(r.toSeq.take(keys.size): _*)) -> (show(Row(r.toSeq.drop(keys.size): _*)))).toMap
    val (a, b) = (rows(from), rows(to))
    val wanted = (a.keySet ++ b.keySet).toSeq.flatMap { k =>
      if (a.get(k) == b.get(k)) Nil
      else (if (b.contains(k)) "update_before" else "delete", if (a.contains(k)) "update_after" else "insert") match {
        case (before, after) => a.get(k).map(x => s"$before|$from|$k|$x").toSeq ++ b.get(k).map(x => s"$after|$to|$k|$x")
      }
    }.sorted
    val df = read(uri, None, o, "changes-from" -> s"$from", "changes-to" -> s"$to", "split-size" -> Seq("1", "134217728")(rnd.nextInt(2)))
    val found = df.select(Seq("_change", "_snapshot_id").map(col) ++ shown: _*).collect().map(show).sorted.toSeq
    assert(found == wanted, s"seed $seed changes of $o $from..$to")
  }

  private def pushed(on: DataFrame, off: DataFrame, m: Checkpoint, rnd: Random, clue: String): Unit = {
    val ids = (m.nodes.map(_.id) ++ Seq("00000000-0000-0000-0000-000000000000", "7fffffff-ffff-ffff-ffff-ffffffffffff",
      "80000000-0000-0000-0000-000000000000")).toIndexedSeq
    def id = ids(rnd.nextInt(ids.size))
    val names = on.columns.filterNot(_.startsWith("_"))
    val filters = Seq(col("_id") === id, col("_id").isin(id, id, id), col("_id") > id && col("_id") <= id,
      col("_id") >= id || col("_id") === id, array_contains(col("_labels"), "Person") && col("_id") =!= id) ++
      names.take(3).map(n => col(s"`$n`").isNotNull && col("_id") < id)
    val f = filters(rnd.nextInt(filters.size))
    same(on.where(f), off.where(f), s"$clue where $f")
    val n = rnd.nextInt(5)
    assert(on.limit(n).collect().length == math.min(n, m.nodes.size), s"$clue limit $n")
    assert(on.count() == m.nodes.size, clue)
  }

  private def pushedEdges(on: DataFrame, off: DataFrame, es: Seq[Canon.Edge], rnd: Random, clue: String): Unit = {
    def e = es(rnd.nextInt(es.size))
    val filters = Seq(col("_src") === e.src, col("_dst") === e.dst, col("_src") === e.src && col("_dst") === e.dst,
      col("_dst").isin(e.dst, e.src), col("_src") > e.src, col("_dst") <= e.dst && col("_src") =!= e.src)
    val f = filters(rnd.nextInt(filters.size))
    same(on.where(f), off.where(f), s"$clue where $f")
    assert(on.count() == es.size, clue)
  }

  private def same(a: DataFrame, b: DataFrame, clue: String): Unit = {
    def rows(d: DataFrame) = d.collect().map(show).sorted.toSeq
    assert(rows(a) == rows(b), clue)
  }

  private def show(v: Any): String = v match {
    case r: Row => r.toSeq.map(show).mkString("|")
    case b: Array[Byte] => b.mkString(",")
    case s: scala.collection.Seq[_] => s.map(show).mkString("[", ",", "]")
    case m: scala.collection.Map[_, _] => m.map { case (k, x) => s"$k=${show(x)}" }.toSeq.sorted.mkString("{", ",", "}")
    case x => String.valueOf(x)
  }
}
