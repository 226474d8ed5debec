package com.namidb.spark.engine

import java.nio.file.Files

import com.namidb.format.Crafted._
import com.namidb.format.engine.Engines
import com.namidb.format.error.{InvalidValueException, NamiException}
import com.namidb.format.id.NodeId
import com.namidb.format.wal.WalBytes
import com.namidb.format.{Crafted, Golden}
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{array_contains, col, count, lit, sum}

/** Symptoms others met, and that they do not show here. */
class LessonsSuite extends SparkSuite {
  private def df(c: Crafted, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(c.uri)

  private def longs(d: DataFrame): Seq[Long] = d.collect().map(_.getLong(0)).toSeq.sorted

  if (Engines.enabled) test("an engine commits between planning and the tasks: all rows are of the version planned") {
    val g = Golden("wal-and-sst").copied()
    val nodes = g.recorded.head.nodes.size
    val table = load(g, "label" -> "*")
    val now = table.select("_snapshot_id").head().getLong(0)
    table.queryExecution.executedPlan
    val cached = load(g, "label" -> "*", "versionAsOf" -> now.toString).cache()
    try {
      assert(cached.count() == nodes)
      Engines.run("2.6.19", "commit.py", g.store.toString, g.ns, "CREATE (:Late {i: 1})", "MATCH (n:P) DETACH DELETE n")
      assert(table.select("_snapshot_id").collect().map(_.getLong(0)).toSeq == Seq.fill(nodes)(now))
      assert(cached.count() == nodes && cached.filter(array_contains(col("_labels"), "Late")).count() == 0)
      val self = table.as("a").join(table.as("b"), col("a._id") === col("b._id"))
      assert(self.select("a._snapshot_id", "b._snapshot_id").distinct().collect().map(_.toSeq).toSeq == Seq(Seq(now, now)))
      // Nothing that means "the newest" is remembered.
      assert(load(g, "label" -> "Late").count() == 1)
      assert(load(g, "label" -> "*").count() != nodes)
      val both = table.select(lit("old").as("w")).union(load(g, "label" -> "Late").select(lit("new"))).groupBy("w").count()
      assert(both.collect().map(r => r.getString(0) -> r.getLong(1)).toMap == Map("old" -> nodes.toLong, "new" -> 1L))
    } finally cached.unpersist()
  }

  test("a file is swept away during a scan without a lease: a typed error, never fewer rows") {
    val c = new Crafted
    val paths = (0 until 6).map(f => c.nodes((0L until 50L).map(i => N(id(1000L * f + i), i + 1, Seq(0), Some("""{"n":1}""")))))
    c.commit()
    val table = df(c, "label" -> "*", "pin" -> "off")
    assert(table.count() == 300)
    table.queryExecution.executedPlan
    for (p <- paths) {
      val bytes = Files.readAllBytes(c.path(p))
      Files.delete(c.path(p))
      for (d <- Seq(table, df(c, "label" -> "*", "pin" -> "off", "vectorized" -> "false"))) {
        val e = failure[NamiException](d.select("n").collect())
        for (w <- Seq("'ns'", "version 0", p)) assert(e.getMessage.contains(w), e.getMessage)
      }
      Files.write(c.path(p), bytes)
    }
    assert(table.count() == 300)
  }

  test("a manifest of 10 MiB is opened and planned within 256 MiB of heap") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), 1)))
    c.commit(edit = { body =>
      val start = body.indexOf("\"ssts\":[") + 8
      val one = body.substring(start, body.indexOf("],\"wal_segments\""))
      val all = new StringBuilder
      var i = 0
      while (all.length < (10 << 20)) {
        if (i > 0) all.append(',')
        // Two of three stand alone, every third overlaps the one before.
        val at = new NodeId((i - (if (i % 3 == 2) 1 else 0)).toLong << 32, 0)
        val key = java.util.Base64.getEncoder.encodeToString(at.toBytes)
        all.append(one.replaceFirst("\"id\":\"[^\"]+\"", "\"id\":\"" + new java.util.UUID(1, i.toLong) + "\"")
          .replaceAll("\"(min|max)_key\":\"[^\"]+\"", "\"$1_key\":\"" + key + "\""))
        i += 1
      }
      body.substring(0, start) + all + body.substring(start + one.length)
    })
    val out = ChildJvm.run("com.namidb.spark.engine.BigManifestPlan", Seq("-Xmx256m"), c.store.toString)
    info(out.linesIterator.toSeq.last)
    val Line = "(?s).*slices=(\\d+) open=(\\d+) plan=(\\d+) bytes=(\\d+).*".r
    out match {
      case Line(slices, open, plan, bytes) =>
        assert(slices.toInt > 10000 && bytes.toLong > (10 << 20) && open.toInt + plan.toInt < 10000)
    }
  }

  test("an old row matches the filter and the newer one does not, and the reverse") {
    val c = new Crafted
    c.nodes((1L to 20L).map(i => N(id(i), i, Seq(0), Some(s"""{"v":$i,"k":$i}"""))), level = 1)
    c.nodes(Seq(N(id(3), 100, Seq(0), Some("""{"v":300,"k":3}""")), N(id(4), 101, Seq(1), Some("""{"v":4,"k":4}""")),
      N(id(5), 102, Nil, dead = true), N(id(21), 103, Seq(0), Some("""{"v":6,"k":21}"""))))
    c.wal(WalBytes.node(id(6), 200, document("""{"v":-6,"k":6}""", 0)), WalBytes.node(id(7), 201, document("""{"k":7}""", 0)),
      WalBytes.node(id(8), 202, document("""{"v":3,"k":8}""", 0)))
    c.edges("T", (1L to 9L).map(i => E(id(i), id(i + 1), 10 + i, Some(s"""{"w":$i}"""))), level = 1)
    c.edges("T", Seq(E(id(2), id(3), 150, Some("""{"w":-2}""")), E(id(3), id(4), 151, dead = true)))
    c.commit()
    for (v <- Seq("true", "false"); split <- Seq("1", "128m")) {
      def t(o: (String, String)*) = df(c, o ++ Seq("vectorized" -> v, "split-size" -> split): _*)
      t("label" -> "A").createOrReplaceTempView("a")
      def ks(where: String) = longs(spark.sql(s"select k from a where $where"))
      assert(ks("v = 3") == Seq(8))
      assert(ks("v = 300") == Seq(3))
      assert(ks("v = 6") == Seq(21))
      assert(ks("v <= 7") == Seq(1, 2, 6, 8, 21))
      assert(ks("v is null") == Seq(7))
      assert(ks("v between 4 and 5") == Nil)
      assert(longs(t("label" -> "B").select("k")) == Seq(4))
      assert(longs(t("type" -> "T").filter("w = 2 or w = 3").select("w")) == Nil)
      assert(longs(t("type" -> "T").filter("w < 2").select("w")) == Seq(-2, 1))
      assert(t("label" -> "*").count() == 20)
      for (n <- Seq(1, 5, 19, 20, 21)) assert(t("label" -> "*").limit(n).collect().length == math.min(n, 20))
      // A limit on what tombstones and newer records hide.
      assert(t("label" -> "A").filter(s"_id >= '${id(3)}' and _id <= '${id(5)}'").limit(2).select("v").collect().map(_.getLong(0)).toSeq == Seq(300))
    }
  }

  test("row groups are pruned and files are split while newer files delete rows by key") {
    val c = new Crafted
    val n = 140000L
    c.nodes((0L until n).map(i => N(new NodeId(0, i), i + 1, Seq(0), Some(s"""{"n":$i}"""))), level = 1)
    c.nodes((0L until n by 1000L).map(i => N(new NodeId(0, i), n + i + 1, Nil, dead = true)))
    c.nodes((1L until n by 1000L).map(i => N(new NodeId(0, i), n + i + 1, Seq(0), Some(s"""{"n":${-i}}"""))))
    c.commit()
    def want(from: Long, to: Long) =
      (from until to).filter(_ % 1000 != 0).map(i => if (i % 1000 == 1) -i else i)
    for (split <- Seq("1", "128m"); v <- Seq("true", "false")) {
      def t = df(c, "label" -> "*", "split-size" -> split, "vectorized" -> v)
      val r = t.agg(count(lit(1)), sum("n")).head()
      assert((r.getLong(0), r.getLong(1)) == ((want(0, n).size.toLong, want(0, n).sum)), s"$split $v")
      for ((from, to) <- Seq((131000L, 131200L), (139000L, n), (0L, 3L), (5000L, 5001L))) {
        val got = longs(t.filter(s"_id >= '${new NodeId(0, from)}' and _id < '${new NodeId(0, to)}'").select("n"))
        assert(got == want(from, to).sorted, s"$split $v $from")
      }
    }
  }

  test("ids from 0x80 on sort behind the others; nothing is pruned that a range holds") {
    val all = Seq(0L, 1L, Long.MaxValue, Long.MinValue, -2L, -1L).map(h => new NodeId(h, h))
    for (bloom <- Seq(true, false)) {
      val c = new Crafted
      all.zipWithIndex.grouped(2).foreach { g =>
        c.nodes(g.map { case (k, i) => N(k, i + 1L, Seq(i % 2), Some(s"""{"n":$i}""")) }, bloom = bloom)
      }
      c.edges("T", all.zip(all.reverse).zipWithIndex.map { case ((a, b), i) => E(a, b, 50L + i) }, bloom = bloom)
      c.commit()
      for ((k, i) <- all.zipWithIndex) {
        assert(longs(df(c, "label" -> "*").filter(s"_id = '$k'").select("n")) == Seq(i))
        assert(longs(df(c, "label" -> "*").filter(s"_id > '$k'").select("n")) == (i + 1 until 6).map(_.toLong))
        assert(longs(df(c, "label" -> "*").filter(s"_id <= '$k'").select("n")) == (0 to i).map(_.toLong))
        val hex = k.toBytes.map("%02x".format(_)).mkString
        assert(longs(df(c, "label" -> "*", "id-format" -> "binary").filter(s"_id >= X'$hex'").select("n")) == (i until 6).map(_.toLong))
        assert(df(c, "type" -> "T").filter(s"_dst >= '$k'").count() == 6 - i)
        assert(df(c, "type" -> "T").filter(s"_src = '$k'").count() == 1)
      }
      // Files without label counts hold any label.
      assert(df(c, "label" -> "A").count() == 3 && df(c, "label" -> "B").count() == 3)
    }
  }

  test("LSNs above 2^63 win; only asking for them fails") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), Long.MaxValue, Seq(0), Some("""{"n":1}""")), N(id(2), 5, Seq(0), Some("""{"n":5}"""))))
    c.nodes(Seq(N(id(1), Long.MinValue + 1, Seq(0), Some("""{"n":2}"""))))
    c.wal(WalBytes.node(id(2), -1L, document("""{"n":3}""", 0)))
    c.commit()
    for (v <- Seq("true", "false")) {
      assert(longs(df(c, "label" -> "*", "vectorized" -> v).select("n")) == Seq(2, 3))
      val e = failure[InvalidValueException](df(c, "label" -> "*", "vectorized" -> v).select("_lsn").collect())
      assert(e.getMessage.contains("_lsn") && e.getMessage.contains("'ns'"), e.getMessage)
    }
  }

  test("null is neither equal nor unequal, pushed or not") {
    val c = new Crafted
    c.nodes(Seq("""{"v":1.5}""", """{"v":null}""", "{}", """{"v":2}""", """{"v":-0.0}""").zipWithIndex
      .map { case (j, i) => N(id(i + 1L), i + 1L, Seq(0), Some(j)) })
    c.commit()
    val filters = Seq("v > 1", "not v > 1", "v <> 1.5", "v not in (1.5, null)", "v in (2, null)", "v <=> null", "v is not null", "v = 0.0",
      "_id not in ('x', null)", s"_id in ('${id(2)}', null)", s"not (_id = '${id(2)}' and v = 2)", s"_id <> '${id(1)}' or v is null",
      s"(_id = '${id(4)}') is not true", "_id <=> null", s"not (_id in ('${id(1)}', null))", "v > double('NaN')", "v < double('NaN')")
    for (f <- filters) {
      def rows(p: String) = ids(df(c, "label" -> "*", "pushdown" -> p).filter(f))
      val plain = spark.createDataFrame(df(c, "label" -> "*").rdd, df(c, "label" -> "*").schema).filter(f)
      assert(rows("true") == rows("false") && rows("true") == ids(plain), f)
    }
  }

  test("what is in the WAL only is found: a label, a property, an edge type; what no manifest lists is not") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), 1, Seq(0), Some("""{"n":1}"""))))
    c.wal(WalBytes.node(id(2), 10, document("""{"fresh":true}""", 2)), WalBytes.edge("NEW", id(1), id(2), 11, edgeDocument("""{"w":1.5}""")))
    c.commit()
    assert(df(c, "label" -> "C").select("fresh").collect().map(_.getBoolean(0)).toSeq == Seq(true))
    assert(df(c, "label" -> "*").columns.toSeq == Seq("_id", "_labels", "fresh", "n"))
    assert(df(c, "type" -> "NEW").select("w").collect().map(_.getDouble(0)).toSeq == Seq(1.5))
    assert(df(c, "type" -> "*").collect().map(_.getString(2)).toSeq == Seq("NEW"))
    // Segments and SSTs beside the listed ones do not exist for the version.
    Files.write(c.path("wal/0000000000000009.wal"), WalBytes.segment(Seq(WalBytes.node(id(9), 900, document("{}", 0)))))
    Files.write(c.path("wal/0000000000000002.wal"), Array[Byte](1, 2, 3))
    Files.write(c.path("sst/level0/x-nodes.parquet"), Array[Byte](1, 2, 3))
    assert(df(c, "label" -> "*", "versionAsOf" -> "0").count() == 2)
    assert(df(c, "label" -> "*", "wal" -> "ignore").count() == 1)
  }

  test("a type whose edges are all deleted is an empty table, a label whose nodes are all deleted too") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), 1, Seq(0), Some("""{"n":1}"""))))
    c.edges("GONE", Seq(E(id(1), id(1), 2, Some("""{"w":1}"""))))
    c.edges("GONE", Seq(E(id(1), id(1), 3, dead = true)))
    c.edges("ONLYDEAD", Seq(E(id(1), id(1), 4, dead = true)))
    c.wal(WalBytes.noNode(id(1), 9))
    c.commit(labels = Seq("A"))
    for (t <- Seq("GONE", "ONLYDEAD"); v <- Seq("true", "false")) {
      val d = df(c, "type" -> t, "vectorized" -> v)
      assert(d.count() == 0 && d.columns.toSeq.take(2) == Seq("_src", "_dst"), t)
      assert(d.filter(s"_dst = '${id(1)}'").count() == 0)
    }
    assert(df(c, "label" -> "A").count() == 0 && df(c, "type" -> "*").count() == 0)
  }

  test("names with dots, backticks and quotes, and names that differ in case") {
    val labels = Seq("a.b`c", "Person", "person", "x y/%2F\"'")
    val c = new Crafted
    c.nodes(labels.indices.map(i => N(id(i + 1L), i + 1L, Seq(i), Some(s"""{"a.b`c":$i,"x y":$i}"""))))
    for ((t, i) <- Seq("T", "t", "a.b`c").zipWithIndex) c.edges(t, Seq(E(id(1), id(2), 20L + i, Some(s"""{"w.w":$i}"""))))
    c.commit(labels = labels)
    for ((l, i) <- labels.zipWithIndex) {
      val d = df(c, "label" -> l)
      assert(longs(d.select("`a.b``c`")) == Seq(i), l)
      d.createOrReplaceTempView("t")
      assert(longs(spark.sql("select `x y` from t where `a.b``c` >= 0")) == Seq(i), l)
    }
    for ((t, i) <- Seq("T", "t", "a.b`c").zipWithIndex) assert(longs(df(c, "type" -> t).select("`w.w`")) == Seq(i), t)
  }

  test("a session that serialises with Kryo reads everything") {
    val g = Golden("updates-and-deletes").copied()
    val a = g.recorded.head
    val out = ChildJvm.run("com.namidb.spark.engine.KryoRead", Seq("-Xmx1g"), g.uri)
    for (v <- Seq("true", "false"); (t, n) <- Seq("label" -> a.nodes.size, "type" -> a.edges.size); w <- Seq(s"rows=$n distinct=$n", s"kept=$n"))
      assert(out.contains(s"$t $v $w"), out.takeRight(2000))
    assert(out.contains("metadata="))
  }
}
