package com.namidb.spark.engine

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.Canon
import com.namidb.format.error.NamiException
import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.types.StructType
import org.scalatest.Assertions

/** One namespace that an engine and Spark work on in turn. The engine keeps its client as long as it can. */
class InterleavedGraph(spark: SparkSession, session: EngineSession, store: Path, ns: String) extends Assertions {
  private val uri = s"file://$store?ns=$ns"
  private var behind = false
  /** How often the engine lost a commit to Spark and did it again. */
  var overtaken = 0

  session.ask("do" -> "open", "ns" -> ns)

  def version: Long = {
    val s = Files.list(store.resolve(ns).resolve("manifest/pointer"))
    try s.iterator.asScala.map(p => java.lang.Long.parseUnsignedLong(p.getFileName.toString.slice(1, 17), 16)).max finally s.close()
  }

  def reopen(): Unit = {
    session.ask("do" -> "open", "ns" -> ns)
    behind = false
  }

  /** @param fresh whether it must see what Spark wrote */
  def engine(fresh: Boolean, work: (String, Any)*): JsonNode = {
    if (fresh && behind) reopen()
    val out = session.ask(("do" -> "work") +: work: _*)
    if (out.get("lost").size > 0) {
      assert(behind, s"the engine failed without a reason: $out")
      behind = false
      overtaken += 1
    }
    out
  }

  /** @param mode Spark's save mode */
  def spark(schema: StructType, rows: Seq[Row], partitions: Int, refused: Boolean, mode: String, options: Seq[(String, String)]): Unit = {
    val df = spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), schema)
    val before = version
    def save(): Unit = df.write.format("namidb").options(options.toMap).mode(mode).save(uri)
    if (refused) {
      val e = intercept[Exception](save())
      assert(Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).exists(_.isInstanceOf[NamiException]), e)
      assert(version == before, "a refused write committed something")
    } else {
      save()
      assert(version == before + 1, "one write, one version")
      if (options.exists(_._1 == "job-id")) {
        save()
        assert(version == before + 1, "a job took effect twice")
      }
      behind = true
    }
  }

  /** The engine's answers: whole graph, each label, and walks along both directions. */
  def engineShows(m: GraphModel, clue: String): Unit = {
    if (behind) reopen()
    val labels = m.nodes.values.flatMap(_.labels).toSeq.distinct.sorted
    val types = Operations.Types
    val out = session.ask("do" -> "look", "types" -> types, "labels" -> labels)
    val nodes = out.get("nodes").asScala.map(Canon.node(_)).toSeq
    same(nodes.map(n => n.id -> (n.labels, n.properties)), m.nodeList.map(n => n.id -> (n.labels, n.properties)), s"$clue: engine's nodes")
    val edges = out.get("edges").asScala.map(Canon.edge(_)).toSeq
    same(edges.map(e => (e.tpe, e.src, e.dst) -> e.properties), m.edges.toSeq.map { case (k, p) => (k.tpe, k.src, k.dst) -> p }, s"$clue: engine's edges")
    for (l <- labels)
      assert(out.get("labels").get(l).asScala.map(_.textValue).toSeq == m.nodes.filter(_._2.labels(l)).keys.toSeq.sorted, s"$clue: engine's label $l")
    for ((t, i) <- types.zipWithIndex; d <- 0 to 1) {
      val want = m.edges.keys.filter(k => k.tpe == t && m.nodes.contains(k.src) && m.nodes.contains(k.dst)).map(k => (k.src, k.dst)).toSeq.sorted
      val got = out.get("walks").get(2 * i + d).asScala.map(p => (p.get(0).textValue, p.get(1).textValue)).toSeq.sorted
      assert(got == want, s"$clue: engine's walk $d along $t")
    }
  }

  private def same[K, V](got: Seq[(K, V)], want: Seq[(K, V)], clue: String): Unit = {
    assert(got.size == got.map(_._1).distinct.size, s"$clue: a key twice")
    val (g, w) = (got.toMap, want.toMap)
    val off = (g.keySet ++ w.keySet).filter(k => g.get(k) != w.get(k))
    assert(off.isEmpty, s"$clue: ${off.take(3).map(k => s"$k is ${g.get(k)}, expected ${w.get(k)}").mkString("; ")}")
  }

  /** @param at a version, or the newest */
  def sparkShows(m: GraphModel, at: Option[Long], clue: String): Unit = {
    def df(o: (String, String)*): DataFrame = {
      val r = spark.read.format("namidb").options(o.toMap)
      at.fold(r)(v => r.option("versionAsOf", v)).load(uri)
    }
    Answers.nodes(df("label" -> "*"), m.nodeList, s"$clue: Spark's nodes")
    for (t <- m.edges.keys.map(_.tpe).toSeq.distinct) Answers.edges(df("type" -> t), m.edgeList(t), s"$clue: Spark's edges of $t")
  }
}
