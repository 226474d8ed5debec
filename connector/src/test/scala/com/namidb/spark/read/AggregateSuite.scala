package com.namidb.spark.read

import java.nio.file.Files

import scala.util.Random

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.NodeId
import com.namidb.format.store.TempDirs
import com.namidb.format.wal.WalBytes
import com.namidb.spark.SparkSuite
import com.namidb.spark.engine.Pushed
import org.apache.spark.sql.{Column, DataFrame, Row}
import org.apache.spark.sql.connector.read.Scan
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.{StringType, StructType}

/** Aggregates from metadata: each line of the table in docs/pushdown.md. */
class AggregateSuite extends SparkSuite {
  private def fresh = new Crafted(TempDirs.lasting("aggregates-"))
  private def read(c: Crafted, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(c.uri)
  private def scanOf(df: DataFrame): Scan =
    df.queryExecution.optimizedPlan.collectFirst { case r: DataSourceV2ScanRelation => r.scan }.get
  private def plain(c: Crafted, options: (String, String)*) = read(c, options :+ ("pushdown" -> "false"): _*)
  /** How Spark gets the answer: wholly from metadata, in part, or by reading. */
  private def way(df: DataFrame): String = scanOf(df) match {
    case _: AggregateScan => "metadata"
    case _: CountingScan => "part"
    case _ => "read"
  }
  private val n = count(lit(1)).as("n")
  private def check(c: Crafted, want: String, table: (String, String), aggregates: Column*): Seq[Row] = {
    val asked = read(c, table).agg(aggregates.head, aggregates.tail: _*)
    val rows = asked.collect().toSeq
    assert(rows.map(_.toString) == plain(c, table).agg(aggregates.head, aggregates.tail: _*).collect().toSeq.map(_.toString))
    assert(way(asked) == want, asked.queryExecution.optimizedPlan)
    rows
  }
  private def many(from: Long, until: Long, lsn: Long = 1, labels: Seq[Int] = Seq(0)) =
    (from until until).map(i => N(id(i), lsn + i - from, labels))
  private def gone(i: Long, lsn: Long) = N(id(i), lsn, Nil, dead = true)

  test("COUNT(*) of clean SSTs needs none of them, tombstones and the upper half of the ids included") {
    val c = fresh
    val paths = Seq(c.nodes(many(-10, 0)), c.nodes(many(0, 10) :+ gone(20, 90)), c.nodes(Seq(gone(30, 91), gone(31, 92))))
    val edges = c.edges("T", (0L until 5L).map(i => E(id(i), id(i + 1), 100 + i)) :+ E(id(7), id(7), 200, dead = true))
    c.commit()
    // Inferring the schema reads, so it comes first.
    val Seq(all, ofType) = Seq("label" -> "*", "type" -> "T").map(t => spark.read.format("namidb").option(t._1, t._2).load(c.uri))
    (paths ++ edges).foreach(p => Files.delete(c.path(p)))
    assert(all.count() == 20 && ofType.count() == 5)
    assert(all.where(s"_id >= '${id(-10)}'").count() == 10, "ids are unsigned")
    assert(all.agg(countDistinct("_id")).head().getLong(0) == 20)
    assert(leasesOf(c).isEmpty)
  }

  private def leasesOf(c: Crafted) = Option(c.path("manifest/pins").toFile.list()).toSeq.flatten

  test("COUNT(*) where SSTs overlap: the certain ones are described, the rest is read") {
    val c = fresh
    c.nodes(many(0, 100))
    c.nodes(many(1000, 1100))
    c.nodes(Seq(N(id(5), 500), gone(6, 501)))
    c.commit()
    assert(check(c, "part", "label" -> "*", n) == Seq(Row(199)))
    assert(check(c, "part", "label" -> "*", n, min("_id")) == Seq(Row(199, id(0).toString)))
    assert(check(c, "read", "label" -> "*", n, countDistinct("_id")) == Seq(Row(199, 199)), "Spark cannot add these up")
    assert(way(read(c, "label" -> "*").where(s"_id >= '${id(1000)}'").agg(n)) == "metadata")
    assert(way(read(c, "label" -> "*").where(s"_id >= '${id(1001)}'").agg(n)) == "read", "nothing is known of a part of an SST")
    val whole = fresh
    whole.nodes(many(0, 100))
    whole.nodes(Seq(N(id(0), 500), gone(99, 501)))
    whole.commit()
    assert(check(whole, "part", "label" -> "*", n) == Seq(Row(99)))
  }

  test("COUNT(*) with WAL records: counted in memory, and what they may hide is read") {
    val c = fresh
    c.nodes(many(0, 100))
    c.nodes(many(200, 300))
    c.wal(WalBytes.node(id(1000), 900, document("{}", 0)), WalBytes.noNode(id(1001), 901))
    c.commit()
    assert(check(c, "metadata", "label" -> "*", n) == Seq(Row(201)))
    c.wal(WalBytes.noNode(id(7), 902), WalBytes.node(id(8), 903, document("{}", 0)))
    c.commit()
    assert(check(c, "part", "label" -> "*", n) == Seq(Row(200)))
    assert(read(c, "label" -> "*", "wal" -> "ignore").agg(n).head().getLong(0) == 200)
  }

  test("COUNT(*) of a label: only if the manifest counts it") {
    val c = fresh
    c.nodes(many(0, 10) ++ many(10, 14, 50, Seq(0, 1)), counts = true)
    c.nodes(many(20, 25, 100, Seq(1)), counts = true)
    c.commit()
    assert(check(c, "metadata", "label" -> "A", n) == Seq(Row(14)))
    assert(check(c, "metadata", "label" -> "B", n) == Seq(Row(9)))
    c.nodes(many(30, 32, 200, Seq(1)))
    c.commit()
    assert(check(c, "part", "label" -> "B", n) == Seq(Row(11)))
    c.commit(Seq("A", "B", "B"))
    assert(check(c, "read", "label" -> "B", n) == Seq(Row(11)), "a name of two ids may stand in a node twice")
  }

  test("MIN and MAX of ids: the outermost bound, if a live row is there") {
    val c = fresh
    c.nodes(many(-5, 0))
    c.nodes(many(1, 6))
    c.nodes(Seq(N(id(1), 70), N(id(3), 71)))
    c.commit()
    assert(check(c, "metadata", "label" -> "*", min("_id"), max("_id")) == Seq(Row(id(1).toString, id(-1).toString)))
    val binary = read(c, "label" -> "*", "id-format" -> "binary").agg(min("_id"), max("_id"))
    assert(way(binary) == "metadata")
    assert(binary.head().toSeq.map(_.asInstanceOf[Array[Byte]].toSeq) == Seq(id(1), id(-1)).map(_.toBytes.toSeq))
    c.nodes(Seq(gone(1, 80)))
    c.commit()
    assert(check(c, "read", "label" -> "*", min("_id")) == Seq(Row(id(2).toString)))
    assert(check(c, "metadata", "label" -> "*", max("_id")) == Seq(Row(id(-1).toString)))
    c.wal(WalBytes.node(id(0), 900, document("{}", 1)))
    c.commit()
    assert(check(c, "metadata", "label" -> "*", min("_id")) == Seq(Row(id(0).toString)))
    assert(check(c, "read", "label" -> "A", min("_id")) == Seq(Row(id(2).toString)), "the outermost node has another label")
    val none = fresh.commit()
    assert(check(none, "metadata", "label" -> "*", n, min("_id")) == Seq(Row(0, null)))
  }

  test("MAX where a descriptor's bound is wider than its rows is the same error as in every read") {
    val c = fresh
    c.nodes(many(1, 6))
    def key(x: NodeId) = java.util.Base64.getEncoder.encodeToString(x.toBytes)
    c.commit(edit = b => { assert(b.contains(key(id(5)))); b.replace(key(id(5)), key(id(50))) })
    val own = new StructType().add("_id", StringType)
    for (pushdown <- Seq("true", "false"))
      failure[CorruptObjectException](spark.read.format("namidb").schema(own).option("label", "*").option("pushdown", pushdown)
        .load(c.uri).agg(max("_id")).collect())
  }

  test("edges: sources by the forward files, destinations by the inverse ones, also per type") {
    val c = fresh
    c.edges("T", Seq(E(id(1), id(9), 1), E(id(1), id(3), 2), E(id(4), id(2), 3)))
    c.edges("U", Seq(E(id(0), id(5), 4), E(id(8), id(-1), 5, dead = true)))
    c.edges("gone", Seq(E(id(-7), id(-7), 6, dead = true)))
    c.commit()
    val both = Seq(n, min("_src"), max("_src"), min("_dst"))
    assert(check(c, "metadata", "type" -> "T", both :+ max("_dst"): _*) == Seq(Row(3, id(1).toString, id(4).toString, id(2).toString, id(9).toString)))
    assert(check(c, "read", "type" -> "*", both: _*) == Seq(Row(4, id(0).toString, id(4).toString, id(2).toString)), "the outermost is deleted")
    assert(check(c, "metadata", "type" -> "*", n, count("_dst"), min("_src"), min("_dst")).head.getLong(1) == 4)
    val groups = read(c, "type" -> "*").groupBy("_type").agg(n, min("_src"))
    assert(way(groups) == "metadata")
    assert(groups.collect().toSet == Set(Row("T", 3, id(1).toString), Row("U", 1, id(0).toString)))
    assert(read(c, "type" -> "*").select("_type").distinct().collect().toSet == Set(Row("T"), Row("U")))
    c.edges("T", Seq(E(id(2), id(2), 9)))
    c.commit()
    val part = read(c, "type" -> "*").groupBy("_type").agg(n)
    assert(way(part) == "part" && part.collect().toSet == Set(Row("T", 4), Row("U", 1)))
    assert(part.orderBy("_type").limit(1).collect().toSeq == Seq(Row("T", 4)))
  }

  test("what metadata does not know stays with Spark: other columns, property filters, limits, pushdown=false") {
    val c = fresh
    c.nodes((0L until 10L).map(i => N(id(i), i + 1, Seq(0), Some(s"""{"p":$i}"""))), counts = true)
    c.commit()
    val t = read(c, "label" -> "A")
    assert(t.agg(n, sum("p"), max("p")).head() == Row(10, 45, 9) && way(t.agg(n, sum("p"))) == "read")
    assert(t.where("p > 3").count() == 6 && t.limit(3).count() == 3 && t.where("p is null").agg(n, min("_id")).head() == Row(0, null))
    assert(way(plain(c, "label" -> "A").agg(n)) == "read")
    assert(t.groupBy("_labels").count().head().getLong(1) == 10)
    assert(t.agg(count("_labels"), count(when(col("p") > 5, 1))).head() == Row(10, 4))
    assert(t.agg(n).crossJoin(t.select("p")).count() == 10)
    assert(t.where(s"_id = (select max(_id) from values ('${id(3)}') as v(_id))").count() == 1)
  }

  test("pushed = unpushed on random histories") {
    val seed = sys.props.getOrElse("aggregates.seed", "31").toLong
    val r = new Random(seed)
    for (round <- 0 until 12) {
      val c = fresh
      val space = Seq(-4L, 0L, 12L)(r.nextInt(3)) + 6L
      def some = r.nextInt(16) - space
      var lsn = 0L
      def next() = { lsn += 1; lsn }
      for (_ <- 0 until 1 + r.nextInt(4)) {
        val base = r.nextInt(3) * 40L
        c.nodes(Seq.fill(1 + r.nextInt(8))(base + some).distinct.map(i =>
          N(id(i), next(), Seq.fill(r.nextInt(3))(r.nextInt(2)).distinct, dead = r.nextInt(5) == 0)), counts = r.nextBoolean())
        c.edges("T" + r.nextInt(2), Seq.fill(1 + r.nextInt(8))((base + some, some)).distinct.map { case (a, b) =>
          E(id(a), id(b), next(), dead = r.nextInt(5) == 0) })
      }
      if (r.nextBoolean())
        c.wal(WalBytes.noNode(id(some), next()), WalBytes.node(id(some), next(), document("{}", 0)),
          WalBytes.edge("T0", id(some), id(some), next(), edgeDocument("{}")), WalBytes.noEdge("T1", id(some), id(some), next()))
      c.commit()
      val known = (-20L until 60L by 3).map(i => id(i).toString)
      for (t <- Seq("label" -> "*", "label" -> "A", "type" -> "T0", "type" -> "*"))
        if (t._2 != "T0" || read(c, "metadata" -> "edge_types").collect().exists(_.getString(0) == "T0"))
          Pushed.aggregates(read(c, t), plain(c, t), known, r, s"seed $seed round $round $t")
    }
  }
}
