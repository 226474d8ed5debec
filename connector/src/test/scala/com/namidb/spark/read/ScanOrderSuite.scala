package com.namidb.spark.read

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.store.TempDirs
import com.namidb.format.wal.WalBytes
import com.namidb.spark.SparkSuite
import com.namidb.spark.engine.Pushed
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.plans.logical.ColumnStat
import org.apache.spark.sql.execution.{SortExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation
import org.apache.spark.sql.execution.joins.SortMergeJoinExec
import org.apache.spark.sql.functions._

/** The order and the statistics that scans report: each line of the tables in docs/pushdown.md. */
class ScanOrderSuite extends SparkSuite {
  private def read(c: Crafted, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(c.uri)

  private lazy val c: Crafted = {
    val c = new Crafted(TempDirs.lasting("order-"))
    def json(i: Long) = Some(s"""{"p":$i}""")
    c.nodes((-20L until 20L by 2).map(i => N(id(i), 100 + i, Seq(0), json(i))), counts = true,
      stats = """{"label_id":0,"property":"p","null_count":0,"min":{"type":"Int64","value":-20},"max":{"type":"Int64","value":18},"ndv_estimate":[""" +
        ("72,76,76,43,1,10,0,0," + Seq.tabulate(1024)(i => if (i < 20) 1 else 0).mkString(",")) + "]}")
    c.nodes((-19L until 30L by 7).map(i => N(id(i), 200 + i, Seq(0), json(i))), counts = true)
    c.nodes((0L until 5L).map(i => N(id(i), 300 + i, Seq(1), json(i))), counts = true)
    c.nodes(Seq(N(id(-8), 400, Nil, dead = true)))
    for (f <- 0L until 3L) {
      c.edges("T", (0L until 30L).map(i => E(id(i * 7 % 30 - 10), id((i * 11 + f) % 30 - 15), 500 + 100 * f + i, json(i))))
      c.edges("U", Seq(E(id(-f), id(f), 500 + f)))
    }
    c.wal(WalBytes.node(id(7), 900, document("{}", 0)), WalBytes.node(id(-7), 901, document("{}", 0)),
      WalBytes.edge("T", id(3), id(-3), 902, edgeDocument("{}")), WalBytes.edge("T", id(-3), id(3), 903, edgeDocument("{}")))
    c.commit()
  }

  private def all[T](p: SparkPlan)(f: PartialFunction[SparkPlan, T]): Seq[T] = {
    val inner = p match {
      case a: AdaptiveSparkPlanExec => all(a.executedPlan)(f)
      case q: QueryStageExec => all(q.plan)(f)
      case _ => p.children.flatMap(all(_)(f))
    }
    f.lift(p).toSeq ++ inner
  }
  private def sorts(df: DataFrame): Int = all(df.queryExecution.executedPlan) { case s: SortExec => s }.size

  private val cuts = Seq(Seq(), Seq("combine-small" -> "true"), Seq("split-size" -> "1"), Seq("id-format" -> "binary"),
    Seq("pushdown" -> "false"), Seq("vectorized" -> "false"))

  test("nodes ascend by id in every partition, merged, shadowed, or from the WAL") {
    for (o <- cuts) {
      val df = read(c, o :+ ("label" -> "*"): _*)
      // Overlapping SSTs that share a partition have no common order.
      val reported = Pushed.ordered(df.select("_id"), o.toString)
      assert(reported == 1 || o.exists(_._1 == "combine-small"), o)
      val sorted = df.sortWithinPartitions("_id")
      assert(sorts(sorted.select("_id")) == 1 - reported)
      if (o.isEmpty) for (part <- sorted.select("_id").rdd.glom().collect(); ids = part.map(_.getString(0)).toSeq) assert(ids == ids.sorted)
    }
    assert(sorts(read(c, "label" -> "*").sortWithinPartitions(desc("_id"))) == 1)
    assert(sorts(read(c, "label" -> "*").select("_labels").sortWithinPartitions("_labels")) == 1)
  }

  test("small SSTs that do not overlap keep the order when they share a partition") {
    val d = new Crafted(TempDirs.lasting("order-"))
    for (f <- 0L until 12L) d.nodes((0L until 5L).map(i => N(id((f * 5 % 12) * 10 + i), f * 10 + i + 1)))
    d.commit()
    val df = read(d, "label" -> "*", "combine-small" -> "true").select("_id")
    assert(df.rdd.getNumPartitions < 12 && Pushed.ordered(df, "combined") == 1)
    d.nodes((0L until 5L).map(i => N(id(i * 20 + 7), 1000 + i)))
    d.commit()
    val overlapping = read(d, "label" -> "*", "combine-small" -> "true").select("_id")
    assert(Pushed.ordered(overlapping, "overlapping") == 0 && sorts(overlapping.sortWithinPartitions("_id")) == 1)
    for (part <- overlapping.sortWithinPartitions("_id").rdd.glom().collect(); ids = part.map(_.getString(0)).toSeq) assert(ids == ids.sorted)
    val few = df.join(broadcast(spark.range(1).select(lit(id(21).toString).as("want"))), col("_id") === col("want"))
    assert(few.collect().length == 1)
  }

  test("edges ascend by source, then destination, where no run-time filter may turn the scan over") {
    for (t <- Seq("T", "*"); o <- cuts if !o.exists(_._1 == "combine-small")) {
      val df = read(c, o :+ ("type" -> t): _*)
      assert(Pushed.ordered(df.select("_src"), s"$t $o") == 1)
      val off = o.contains("pushdown" -> "false")
      assert(Pushed.ordered(df.select("_src", "_dst"), s"$t $o") == (if (off) 2 else 0))
      val some = if (o.contains("id-format" -> "binary")) lit(id(3).toBytes) else lit(id(3).toString)
      assert(Pushed.ordered(df.where(col("_src") >= some).select("_src", "_dst"), s"$t $o") == 2)
      assert(Pushed.ordered(df.where(col("_dst") >= some).select("_dst"), s"$t $o") == (if (off) 0 else 1))
      assert(sorts(df.select("_src").sortWithinPartitions("_src")) == 0)
    }
  }

  test("joins and global sorts shuffle as ever, and their answers stay, with AQE and without") {
    val d = new Crafted(TempDirs.lasting("order-"))
    d.nodes((-50L until 50L).map(i => N(id(i), 100 + i)))
    d.edges("T", (-40L until 40L).map(i => E(id(i), id(i * i), 200 + i)))
    d.commit()
    for (aqe <- Seq("true", "false")) {
      spark.conf.set("spark.sql.adaptive.enabled", aqe)
      spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
      try {
        def joined(pushdown: String) = read(d, "label" -> "*", "pushdown" -> pushdown).select("_id")
          .join(read(d, "type" -> "T", "pushdown" -> pushdown).select("_src"), col("_id") === col("_src")).select("_id")
        val j = joined("true")
        assert(j.collect().length == 80)
        assert(all(j.queryExecution.executedPlan) { case s: SortMergeJoinExec => s }.size == 1)
        assert(j.collect().toSet == joined("false").collect().toSet)
        val many = read(c, "label" -> "*").select("_id").join(read(c, "type" -> "T").select("_src"), col("_id") === col("_src"))
        val by = many.groupBy("_id").count().orderBy("_id").collect().map(_.toString).toSeq
        val plain = read(c, "label" -> "*", "pushdown" -> "false").select("_id")
          .join(read(c, "type" -> "T", "pushdown" -> "false").select("_src").coalesce(1), col("_id") === col("_src"))
        assert(by == plain.groupBy("_id").count().orderBy("_id").collect().map(_.toString).toSeq)
        assert(read(c, "label" -> "*").select("_id").orderBy("_id").collect().map(_.getString(0)).toSeq == ids(read(c, "label" -> "*")))
      } finally {
        spark.conf.unset("spark.sql.adaptive.enabled")
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
      }
    }
  }

  private def figures(df: DataFrame): Map[String, ColumnStat] = {
    val r = df.queryExecution.optimizedPlan.collectFirst { case r: DataSourceV2ScanRelation => r }.get
    r.computeStats().attributeStats.map { case (a, s) => a.name -> s }.toMap
  }

  test("statistics of columns: ids, and properties where every SST lists them") {
    val df = read(c, "label" -> "*").select("_id", "_labels")
    val rows = df.queryExecution.optimizedPlan.stats.rowCount.get
    val s = figures(df)
    assert(s("_id").distinctCount.contains(rows) && s("_id").nullCount.contains(BigInt(0)) && !s.contains("_labels"))
    val edges = figures(read(c, "type" -> "U").select("_src", "_dst"))
    assert(edges("_src").distinctCount.contains(BigInt(3)))
    assert(!figures(read(c, "label" -> "A").select("p")).contains("p"), "one SST lists nothing")
    val d = new Crafted(TempDirs.lasting("order-"))
    val regs = Seq.tabulate(1024)(i => if (i < 20) 1 else 0).mkString(",")
    for (f <- 0L until 2L) d.nodes((0L until 20L).map(i => N(id(f * 100 + i), f * 100 + i + 1, Seq(0), Some(s"""{"p":${f * 20 + i}}"""))),
      counts = true, stats = s"""{"label_id":0,"property":"p","null_count":0,"min":{"type":"Int64","value":${f * 20}},""" +
        s""""max":{"type":"Int64","value":${f * 20 + 19}},"ndv_estimate":[72,76,76,43,1,10,0,0,$regs]}""")
    d.commit()
    val p = figures(read(d, "label" -> "A").select("_id", "p"))("p")
    assert(p.min.contains(0L) && p.max.contains(39L) && p.nullCount.contains(BigInt(0)) && p.distinctCount.exists(n => n > 35 && n <= 40), p)
    spark.conf.set("spark.sql.cbo.enabled", "true")
    SparkSession.setActiveSession(spark)
    try {
      val some = read(d, "label" -> "A").where("p < 10").queryExecution.optimizedPlan.stats.rowCount
      assert(some.exists(n => n >= 5 && n <= 20), some)
      assert(read(d, "label" -> "A").where("p < 10").count() == 10)
    } finally spark.conf.unset("spark.sql.cbo.enabled")
  }
}
