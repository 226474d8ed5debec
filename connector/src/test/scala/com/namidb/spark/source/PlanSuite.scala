package com.namidb.spark.source

import com.namidb.format.error.StoreException
import com.namidb.spark.{Places, SparkSuite}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{broadcast, col}
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

import scala.util.Random

class PlanSuite extends PlanTests(Places.Local)

/** What is pushed down, shown, counted and leased. */
class PlanTests(override val places: Places) extends SparkSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(50, Millis))

  private lazy val g = golden("many-ssts")
  private lazy val all = g.recorded.head

  private def explain(df: DataFrame): String = df.queryExecution.toString

  test("explain shows the version, the SSTs, the WAL and what is pushed; it takes no lease") {
    val h = golden("many-ssts")
    val some = h.recorded.head.nodes.take(2).map(n => s"'${n.id}'").mkString(",")
    val df = load(h, "label" -> "*").filter(s"_id in ($some)")
    val text = explain(df)
    df.queryExecution.explainString(org.apache.spark.sql.execution.ExplainMode.fromString("formatted"))
    df.queryExecution.explainString(org.apache.spark.sql.execution.ExplainMode.fromString("cost"))
    assert(h.leases.isEmpty)
    val version = load(h, "label" -> "*").select("_snapshot_id").head().getLong(0)
    for (w <- Seq(s"snapshot=$version", "ssts=", "pruned", "clean", "merged", "delete files", "wal rows=0 (replay)",
        "pushed=[_id in 2 ids]"))
      assert(text.contains(w), s"'$w' in $text")
    assert(!text.split("Physical Plan")(1).contains("Filter ("), text)
  }

  private def versions(df: DataFrame) =
    df.select("_id", "_lsn").collect().map(r => (r.getString(0), r.getLong(1))).toSeq.sorted

  test("pushed = unpushed on random id filters") {
    val seed = sys.props.getOrElse("pushdown.seed", "29").toLong
    val r = new Random(seed)
    val known = all.nodes.map(_.id)
    def lit() = {
      val id = known(r.nextInt(known.size))
      r.nextInt(5) match {
        case 0 => id.take(r.nextInt(37))
        case 1 => id.take(8) + "-8000-0000-0000-000000000000".take(r.nextInt(29))
        case _ => id
      }
    }
    def atom(): String = r.nextInt(7) match {
      case 0 => s"_id = '${lit()}'"
      case 1 => s"_id in ('${lit()}', '${lit()}', '${lit()}')"
      case 2 => s"_id not in ('${lit()}', '${lit()}')"
      case 3 => s"_id between '${lit()}' and '${lit()}'"
      case 4 => s"_id >= '${lit()}'"
      case 5 => s"_id like '${lit().take(3)}%'"
      case 6 => s"_id <> '${lit()}'"
    }
    def op() = if (r.nextBoolean()) "and" else "or"
    for (round <- 0 until 15) {
      val c = s"(${atom()} ${op()} not (${atom()} ${op()} ${atom()}))"
      def rows(pushdown: String) = versions(load(g, "label" -> "*", "pushdown" -> pushdown).filter(c))
      assert(rows("true") == rows("false"), s"seed $seed round $round: $c")
    }
  }

  test("edges by source and by destination") {
    val h = golden("edge-heavy")
    val es = h.recorded.head.edges
    for ((t, ofType) <- es.groupBy(_.tpe); e <- ofType.take(1)) {
      val df = load(h, "type" -> t)
      assert(df.filter(col("_src") === e.src).count() == ofType.count(_.src == e.src))
      assert(df.filter(col("_dst") === e.dst).count() == ofType.count(_.dst == e.dst))
      assert(df.filter(col("_src") === e.src && col("_dst") === e.dst).count() == 1)
      assert(df.filter(col("_src") === e.src || col("_dst") === e.dst).count() ==
        ofType.count(x => x.src == e.src || x.dst == e.dst))
    }
    val e = es.head
    val every = load(h, "type" -> "*").filter(col("_src") === e.src)
    assert(every.count() == es.count(_.src == e.src))
    assert(explain(every).contains(s"pushed=[_src = ${e.src}]"))
  }

  test("limits stop every partition early and give the right number") {
    for (n <- Seq(0, 1, 3, 1000); v <- Seq("true", "false"))
      assert(load(g, "label" -> "*", "vectorized" -> v).limit(n).collect().length == math.min(n, all.nodes.size))
    assert(explain(load(g, "label" -> "*").limit(3)).contains("limit=3"))
    val filtered = load(g, "label" -> "*").filter(col("_json").contains("zzzz")).limit(3)
    assert(!explain(filtered).contains("limit=3"))
    assert(filtered.count() == 0)
  }

  test("nothing is pushed with pushdown=false") {
    val df = load(g, "label" -> "*", "pushdown" -> "false").filter(col("_id") === all.nodes.head.id).limit(1)
    assert(explain(df).contains("pushed=[]") && !explain(df).contains("limit="))
    assert(df.count() == 1)
  }

  test("metrics: the driver's and the tasks'") {
    val df = load(g, "label" -> "*")
    df.collect()
    val m = scans(df).head.metrics.map { case (k, v) => k -> v.value }
    assert(m("snapshotId") == df.select("_snapshot_id").head().getLong(0))
    assert(m("slices") >= 1)
    assert(m("sstsClean") + m("sstsMerged") >= 1)
    assert(m("numOutputRows") == all.nodes.size)
    assert(m("storeRequests") > 0 && m("storeBytes") > 0)
    assert(m("rowsRead") - m("rowsHiddenByNewer") - m("rowsHiddenByTombstone") == all.nodes.size, m)
  }

  test("statistics are an upper bound and reach the optimizer") {
    val s = load(g, "label" -> "*").queryExecution.optimizedPlan.stats
    assert(s.rowCount.exists(_ >= all.nodes.size))
    assert(s.sizeInBytes > 0)
    val none = load(g, "label" -> "*").filter("_id < '0'").queryExecution.optimizedPlan.stats
    assert(none.rowCount.contains(BigInt(0)))
  }

  /** How many leases tasks see. */
  private def held(uri: String, df: DataFrame): Seq[Int] = {
    val session = spark
    import session.implicits._
    df.select("_id").as[String].mapPartitions { rows =>
      rows.foreach(_ => ())
      Iterator(com.namidb.spark.lease.ReadLeaseSuite.see(uri))
    }.collect().toSeq
  }

  test("a lease stands while an execution runs and is gone afterwards") {
    val h = golden("many-ssts")
    val seen = held(h.uri, load(h, "label" -> "*"))
    assert(seen.nonEmpty && seen.forall(_ == 1), seen)
    eventually(assert(h.leases.isEmpty))
  }

  test("two scans of one version share a lease, two versions have two") {
    val h = golden("time-travel")
    val uri = h.uri
    def both(a: DataFrame, b: DataFrame) = held(uri, a.select("_id").union(b.select("_id"))).max
    val now = load(h, "label" -> "*")
    assert(both(now, load(h, "label" -> "P")) == 1)
    eventually(assert(h.leases.isEmpty))
    assert(both(now, load(h, "label" -> "*", "versionAsOf" -> "8")) == 2)
    eventually(assert(h.leases.isEmpty))
  }

  test("a second action on one DataFrame has a lease of its own") {
    val h = golden("many-ssts")
    val uri = h.uri
    val session = spark
    import session.implicits._
    val df = load(h, "label" -> "*").select("_id").as[String].mapPartitions { rows =>
      rows.foreach(_ => ())
      Iterator(com.namidb.spark.lease.ReadLeaseSuite.see(uri))
    }
    for (_ <- 0 until 2) {
      assert(df.collect().forall(_ == 1))
      eventually(assert(h.leases.isEmpty))
    }
  }

  test("a failed execution gives its lease back too") {
    val h = golden("many-ssts")
    intercept[Exception](load(h, "label" -> "*").selectExpr("raise_error(_id)").collect())
    eventually(assert(h.leases.isEmpty))
  }

  test("pin=off writes nothing") {
    val h = golden("many-ssts")
    assert(load(h, "label" -> "*", "pin" -> "off").count() == h.recorded.head.nodes.size)
    assert(h.leases.isEmpty)
  }

  // A bucket takes any key; CredentialsSuite has keys that may only read.
  if (!places.bucket) test("where no lease can be written, the error tells of pin=off") {
    val h = golden("many-ssts")
    h.place.put(h.key("manifest/pins"), "x")
    val e = failure[StoreException](load(h, "label" -> "*").collect())
    assert(e.getMessage.contains("pin=off"), e.getMessage)
    assert(load(h, "label" -> "*", "pin" -> "off").count() == h.recorded.head.nodes.size)
  }

  test("run-time filters of a join give the same answer") {
    val h = golden("edge-heavy")
    val es = h.recorded.head.edges
    val t = es.groupBy(_.tpe).maxBy(_._2.size)._1
    val few = es.filter(_.tpe == t).map(_.dst).distinct.take(3)
    val nodes = load(h, "label" -> "*")
    val have = ids(nodes).toSet
    def joined(pushdown: String) = {
      val small = nodes.filter(col("_id").isin(few: _*)).select("_id", "_labels")
      load(h, "type" -> t, "pushdown" -> pushdown).join(broadcast(small), col("_dst") === small("_id"))
        .select("_src", "_dst").collect().map(r => (r.getString(0), r.getString(1))).toSeq.sorted
    }
    assert(joined("true") == joined("false"))
    assert(joined("true") == es.filter(e => e.tpe == t && few.contains(e.dst) && have(e.dst)).map(e => (e.src, e.dst)).sorted)
  }
}
