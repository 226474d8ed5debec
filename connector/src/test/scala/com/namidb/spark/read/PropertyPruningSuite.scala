package com.namidb.spark.read

import scala.util.Random

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.store.TempDirs
import com.namidb.format.wal.WalBytes
import com.namidb.spark.SparkSuite
import com.namidb.spark.engine.Pushed
import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._

/** Filters on properties that leave out SSTs: each line of the table in docs/pushdown.md. */
class PropertyPruningSuite extends SparkSuite {
  private def fresh = new Crafted(TempDirs.lasting("pruning-"))
  private def read(c: Crafted, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(Map("label" -> "A") ++ options).load(c.uri)
  private def stats(min: String, max: String, nulls: Int = 0, property: String = "p", label: Int = 0) =
    s"""{"label_id":$label,"property":"$property","null_count":$nulls,"min":$min,"max":$max,"ndv_estimate":null}"""
  private def value(kind: String, v: Any) = s"""{"type":"$kind","value":$v}"""
  private def rows(from: Long, json: String*) = json.zipWithIndex.map { case (j, i) => N(id(from + i), from + i + 1, Seq(0), Some(j)) }
  private def left(df: DataFrame): Int =
    "without a row for the filters=(\\d+)".r.findFirstMatchIn(df.queryExecution.optimizedPlan.toString + df.queryExecution.executedPlan)
      .map(_.group(1).toInt).getOrElse(0)
  private def same(df: DataFrame, c: Crafted, p: Column, options: (String, String)*): Unit =
    assert(ids(df.where(p)) == ids(read(c, options :+ ("pushdown" -> "false"): _*).where(p)), p.toString)

  private def numbers(): Crafted = {
    val c = fresh
    for (f <- 0L until 4L)
      c.nodes(rows(10 * f, s"""{"p":${f * 10}}""", s"""{"p":${f * 10 + 5}}"""), counts = true,
        stats = stats(value("Int64", f * 10), value("Int64", f * 10 + 5)))
    c.commit()
  }

  test("comparisons leave out SSTs whose bounds exclude them; explain tells how many") {
    val c = numbers()
    val df = read(c)
    for ((p, n) <- Seq((col("p") === 15, 3), (col("p") > 25, 3), (col("p") >= 25, 2), (col("p") < 10, 3), (col("p") <= 10, 2),
        (col("p") === 7, 4), (col("p").isin(0, 30), 2), (col("p") =!= 5, 0), (!(col("p") > 9), 3), (col("p") <=> 5L, 3),
        (col("p").isNull, 4), (col("p").isNotNull, 0), (col("p") === lit(null).cast("long"), 4),
        (col("p") > 25 || col("p") < 6, 2), (col("p") > 25 && col("_id") =!= "x", 3))) {
      // Spark answers a filter that is never true by itself.
      if (p.toString.contains("NULL")) () else assert(left(df.where(p)) == n, s"$p\n${df.where(p).queryExecution.optimizedPlan}")
      same(df, c, p)
    }
    val one = df.where("p = 15")
    one.collect()
    assert(scans(one).head.metrics("sstsPruned").value == 3)
  }

  test("no statistics are trusted for a table whose types nobody has looked at, or that mixes labels") {
    val c = numbers()
    val own = new StructType().add("_id", StringType).add("p", LongType)
    val fresh = c.commit()
    val user = spark.read.format("namidb").schema(own).option("label", "A").load(fresh.uri)
    assert(left(user.where("p = 15")) == 0 && user.where("p = 15").count() == 1)
    assert(left(read(c, "infer" -> "sample").where("p = 15")) == 0)
    assert(left(read(c, "label" -> "*").where("p = 15")) == 0)
    assert(left(read(c, "pushdown" -> "false").where("p = 15")) == 0)
    assert(left(read(c).where("p = 15")) == 3)
    assert(left(user.where("p = 15")) == 3, "proven meanwhile in this session")
    val text = spark.read.format("namidb").schema(new StructType().add("_id", StringType).add("p", StringType)).option("label", "A").load(c.uri)
    assert(left(text.where("p = '15'")) == 0 && text.where("p = '15'").count() == 1, "a column of another type")
  }

  test("mixed types have bounds that are no bounds, as engines write them") {
    val c = fresh
    c.nodes(rows(0, """{"p":"a"}""", """{"p":5}""", """{"p":9}"""), counts = true, stats = stats(value("Int64", 5), value("Utf8", "\"a\"")))
    c.nodes(rows(10, """{"p":"z"}"""), counts = true, stats = stats(value("Utf8", "\"z\""), value("Utf8", "\"z\"")))
    c.commit()
    for (p <- Seq(col("p") === "9", col("p") === "a", col("p") < "5", col("p") === "zz")) {
      assert(left(read(c).where(p)) == 0)
      same(read(c), c, p)
    }
    val numbers = fresh
    numbers.nodes(rows(0, """{"p":5}""", """{"p":1.5}""", """{"p":9}"""), counts = true, stats = stats(value("Float64", 1.5), value("Float64", 1.5)))
    numbers.commit()
    assert(left(read(numbers).where("p = 9")) == 0 && read(numbers).where("p = 9").collect().length == 1)
  }

  test("an SST with newer versions elsewhere is not left out, and one that hides older versions goes on hiding") {
    val c = fresh
    c.nodes(rows(0, """{"p":1}""", """{"p":2}""", """{"p":3}"""), counts = true, stats = stats(value("Int64", 1), value("Int64", 3)))
    c.nodes(Seq(N(id(1), 50, Seq(0), Some("""{"p":100}"""))), counts = true, stats = stats(value("Int64", 100), value("Int64", 100)))
    c.commit()
    assert(ids(read(c).where("p = 2")).isEmpty, "the older version must not come back")
    assert(left(read(c).where("p = 2")) == 1 && left(read(c).where("p = 100")) == 0)
    assert(ids(read(c).where("p < 3")) == Seq(id(0).toString))
    c.wal(WalBytes.node(id(1), 90, document("""{"p":7}""", 0)))
    c.commit()
    assert(left(read(c).where("p = 2")) == 0, "a WAL record may hide a row of either")
    for (v <- Seq(2, 7, 100)) same(read(c), c, col("p") === v)
    assert(left(read(c, "wal" -> "ignore").where("p = 2")) == 1)
  }

  test("floats: zero and minus zero are equal, NaN and bounds a unit off leave out nothing they might match") {
    val c = fresh
    c.nodes(rows(0, """{"p":-0.0}""", """{"p":0.0}"""), counts = true, stats = stats(value("Float64", "0.0"), value("Float64", "-0.0")))
    c.nodes(rows(10, """{"p":0.30000000000000004}"""), counts = true, stats = stats(value("Float64", "0.3"), value("Float64", "0.3")))
    c.nodes(rows(20, """{"p":null}""", """{"q":1}"""), counts = true, stats = "")
    c.commit()
    val df = read(c)
    for ((p, n) <- Seq((col("p") === 0.0, 1), (col("p") === -0.0, 1), (col("p") === 0.30000000000000004, 1), (col("p") > 0.3, 1),
        (col("p") === 5.0, 2), (col("p") === Double.NaN, 0), (col("p") < Double.NaN, 0), (col("p") > Double.PositiveInfinity, 0), (col("p") < -1.0, 2))) {
      same(df, c, p)
      assert(left(df.where(p)) == n, p.toString)
    }
  }

  test("texts, byte strings, booleans, dates and times compare as Spark does; a long bound is open above") {
    val c = fresh
    val long = "x" * 300
    val (smile, last) = ("\ud83d\ude00", "\uffff")
    c.nodes(rows(0, s"""{"p":"$long","b":true,"d":{"$$date":5},"t":{"$$datetime":7}}""", s"""{"p":"${long}y","b":true,"d":{"$$date":9},"t":{"$$datetime":9}}"""), counts = true, stats = Seq(
      stats(value("Utf8", "\"" + long + "\""), value("Utf8", "\"" + long + "y\"")), stats(value("Bool", true), value("Bool", true), property = "b"),
      stats(value("Date32", 5), value("Date32", 9), property = "d"), stats(value("TimestampMicrosUtc", 7), value("TimestampMicrosUtc", 9), property = "t")).mkString(","))
    c.nodes(rows(10, s"""{"p":"$smile","b":false}""", s"""{"p":"$last","b":false}"""), counts = true,
      stats = Seq(stats(value("Utf8", "\"\uffff\""), value("Utf8", "\"\ud83d\ude00\"")), stats(value("Bool", false), value("Bool", false), property = "b")).mkString(","))
    c.commit()
    val df = read(c)
    for ((p, n) <- Seq((col("p") === long + "y", 1), (col("p") > long + "zzz", 0), (col("p") < "a", 2), (col("p") === "\ud83d\ude00", 0),
        (col("p") > "\ue000", 0), (col("p").startsWith("xx"), 1), (col("p").startsWith("a"), 2), (col("b") === true, 1),
        (col("d") === lit("1970-01-06").cast("date"), 0), (col("d") > lit("1970-01-11").cast("date"), 1),
        (col("t") > timestamp_micros(lit(9)), 1), (col("t") <= timestamp_micros(lit(7)), 0))) {
      same(df, c, p)
      assert(left(df.where(p)) == n, p.toString)
    }
  }

  test("nulls: IS NULL and IS NOT NULL by the listed number, if every row is accounted for") {
    val c = fresh
    c.nodes(rows(0, """{"p":null}""", "{}"), counts = true, stats = stats("null", "null", nulls = 2))
    c.nodes(rows(10, """{"p":1}""", "{}"), counts = true, stats = stats(value("Int64", 1), value("Int64", 1), nulls = 1))
    c.nodes(rows(20, """{"p":2}"""), counts = false, stats = stats(value("Int64", 2), value("Int64", 2)))
    c.commit()
    val df = read(c)
    for ((p, n) <- Seq((col("p").isNull, 1), (col("p").isNotNull, 1), (col("p") === 1, 2), (!(col("p") === 1), 2), (col("p") <=> 2L, 2),
        (!(col("p") <=> 2L), 0), (col("p").isin(3, 4), 3))) {
      same(df, c, p)
      assert(left(df.where(p)) == n, p.toString)
    }
  }

  test("scans of one table with other filters are not taken for each other") {
    val c = numbers()
    val df = read(c)
    val (a, b) = (df.where("p = 15").groupBy("p").count(), df.where("p >= 0").groupBy("p").count())
    assert(a.union(b).count() == 1 + 8)
    val cached = df.where("p = 5").cache()
    assert(cached.count() == 1 && df.collect().length == 8)
    cached.unpersist()
  }

  test("pushed = unpushed on random values and predicates") {
    val seed = sys.props.getOrElse("pruning.seed", "37").toLong
    val r = new Random(seed)
    var skipped = 0
    for (round <- 0 until 8) {
      val c = fresh
      var lsn = 0L
      for (_ <- 0 until 4) {
        val from = r.nextInt(4) * 6L
        val values = Seq.fill(1 + r.nextInt(4))((if (r.nextInt(3) == 0) None else Some(r.nextInt(40) - 20), if (r.nextInt(3) == 0) None else Some((r.nextInt(9) - 4) / 2.0)))
        def listed(kind: String, name: String, v: Seq[Double], text: Double => String) =
          if (v.isEmpty) None else Some(stats(value(kind, text(v.min)), value(kind, text(v.max)), values.size - v.size, name))
        val s = listed("Int64", "p", values.flatMap(_._1.map(_.toDouble)), _.toLong.toString) ++ listed("Float64", "f", values.flatMap(_._2), _.toString)
        c.nodes(values.zipWithIndex.map { case ((p, f), i) =>
          lsn += 1
          N(id(from + i), lsn, Seq(0), Some((p.map(x => s""""p":$x""") ++ f.map(x => s""""f":$x""")).mkString("{", ",", "}")))
        } ++ (if (r.nextInt(3) == 0) { lsn += 1; Seq(N(id(from + 5), lsn, Nil, dead = true)) } else Nil), counts = true, stats = s.mkString(","))
      }
      if (r.nextBoolean()) c.wal(WalBytes.node(id(r.nextInt(20)), lsn + 1, document("""{"p":3}""", 0)))
      c.commit()
      val (on, off) = (read(c), read(c, "pushdown" -> "false"))
      val some = new Pushed.Predicates(off, r)
      if (!some.isEmpty) for (_ <- 0 until 8) {
        val p = some()
        assert(ids(on.where(p)) == ids(off.where(p)), s"seed $seed round $round where $p")
        skipped += left(on.where(p))
      }
    }
    assert(skipped > 20, "the test is worth something")
  }
}
