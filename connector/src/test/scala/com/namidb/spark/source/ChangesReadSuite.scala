package com.namidb.spark.source

import com.namidb.format.{Crafted, Golden}
import com.namidb.format.Crafted._
import com.namidb.format.error.{InvalidOptionException, SnapshotGoneException}
import com.namidb.format.store.TempDirs
import com.namidb.spark.{Graph, Places, SparkSuite}
import com.namidb.spark.lease.ReadLeaseSuite
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.{StringType, StructField}
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

class ChangesReadSuite extends ChangesReadTests(Places.Local)

class SingleObjectChangesReadSuite extends ChangesReadTests(Places.SingleObject)

class BucketChangesReadSuite extends ChangesReadTests(Places.Bucket)

/** Changes between two versions, as a DataFrame. */
class ChangesReadTests(override val places: Places) extends SparkSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(20, Millis))

  override def conf: Map[String, String] = Map("spark.sql.caseSensitive" -> "true")

  private def changes(g: Graph, from: Long, to: Long, options: (String, String)*): DataFrame =
    load(g, options ++ Seq("changes-from" -> from.toString, "changes-to" -> to.toString): _*)

  /** Change, version, key and content of each row. */
  private def rows(df: DataFrame, keys: Seq[String]): Seq[String] = {
    val labels = if (keys.contains("_id")) Seq("_labels") else Nil
    df.select((Seq("_change", "_snapshot_id") ++ keys ++ labels :+ "_json").map(col): _*).collect().map(_.toString).toSeq.sorted
  }

  test("every pair of versions the engine made: what two plain reads differ in") {
    var found = 0
    for (name <- Seq("time-travel", "time-travel-2.1.4")) {
      val g = golden(name)
      val versions = g.recorded.flatMap(_.version).sorted :+ 10L
      val all = Seq("label" -> "*", "label" -> "P", "type" -> "E", "type" -> "*")
      def plain(o: (String, String), v: Long) = load(g, o, "versionAsOf" -> v.toString)
      for (from <- versions; to <- versions if from <= to) {
        val o = all(((from * 7 + to) % all.size).toInt)
        val nodes = o._1 == "label"
        val keys = if (nodes) Seq("_id") else if (o._2 == "*") Seq("_src", "_dst", "_type") else Seq("_src", "_dst")
        // In the goldens the same properties are always stored as the same text.
        def content(v: Long): Map[Seq[Any], String] = scala.util.Try(plain(o, v)).toOption.toSeq.flatMap { df =>
          df.select((keys ++ (if (nodes) Seq("_labels") else Nil) :+ "_json").map(col): _*).collect()
            .map(r => r.toSeq.take(keys.size) -> r.toSeq.drop(keys.size).mkString(","))
        }.toMap
        val (a, b) = (content(from), content(to))
        val wanted = (a.keySet ++ b.keySet).toSeq.flatMap { k =>
          def row(kind: String, v: Long, m: Map[Seq[Any], String]) = s"[$kind,$v,${k.mkString(",")},${m(k)}]"
          if (!a.contains(k)) Seq(row("insert", to, b))
          else if (!b.contains(k)) Seq(row("delete", from, a))
          else if (a(k) != b(k)) Seq(row("update_before", from, a), row("update_after", to, b)) else Nil
        }.sorted
        for (v <- Seq("true", "false")) {
          val df = changes(g, from, to, o, "vectorized" -> v, "split-size" -> (if (v == "true") "1" else "134217728"))
          assert(rows(df, keys) == wanted, s"$name $o $from..$to")
        }
        found += wanted.size
      }
    }
    info(s"$found changes")
    assert(found > 30)
  }

  /** Three versions: ids 1 to 4; then 2 changes, 3 goes, 4 loses B and gains a property, 5 comes; then all in one SST. */
  private def made(): Graph = {
    val c = new Crafted(TempDirs.lasting("changes-"))
    def p(n: Int) = Some(s"""{"n":$n}""")
    c.nodes(Seq(N(id(1), 1, Seq(0), p(1)), N(id(2), 2, Seq(0), p(2)), N(id(3), 3, Seq(1), p(3)), N(id(4), 4, Seq(0, 1), p(4))))
    c.commit()
    c.nodes(Seq(N(id(1), 10, Seq(0), p(1)), N(id(2), 11, Seq(0), p(22)), N(id(3), 12, Nil, dead = true),
      N(id(4), 13, Seq(0), Some("""{"n":4,"s":"new"}""")), N(id(5), 14, Seq(1), p(5))))
    c.commit()
    c.forget()
    c.nodes(Seq(N(id(1), 10, Seq(0), p(1)), N(id(2), 11, Seq(0), p(22)),
      N(id(4), 13, Seq(0), Some("""{ "s":"new","n":4}""")), N(id(5), 14, Seq(1), p(5))), level = 1)
    c.commit()
    places.copied(Golden.Case("made", c.store, c.store, c.ns, base64 = false))
  }

  test("columns: _change first, then the table's with the properties of both versions; hidden ones of each row's version") {
    val g = made()
    val df = changes(g, 0, 1, "label" -> "*")
    assert(df.columns.toSeq == Seq("_change", "_id", "_labels", "n", "s"))
    assert(df.schema.head == StructField("_change", StringType, nullable = false))
    val shown = df.selectExpr("_change", "_id", "n", "s", "_snapshot_id", "_lsn", "_level").collect().map(_.toSeq.mkString(" ")).toSet
    def i(n: Long) = id(n).toString
    assert(shown == Set(s"update_before ${i(2)} 2 null 0 2 0", s"update_after ${i(2)} 22 null 1 11 0", s"delete ${i(3)} 3 null 0 3 0",
      s"update_before ${i(4)} 4 null 0 4 0", s"update_after ${i(4)} 4 new 1 13 0", s"insert ${i(5)} 5 null 1 14 0"))
    assert(df.groupBy("_change").count().collect().map(r => r.getString(0) -> r.getLong(1)).toMap ==
      Map("insert" -> 1, "update_before" -> 2, "update_after" -> 2, "delete" -> 1))
    assert(df.count() == 6)
    val b = changes(g, 0, 1, "label" -> "B").select("_change", "_id").collect().map(_.toSeq.mkString(" ")).toSet
    assert(b == Set(s"delete ${i(3)}", s"delete ${i(4)}", s"insert ${i(5)}"), "a label lost is a delete in its table")
    assert(changes(g, 1, 2, "label" -> "*").count() == 0, "a compaction changes nothing")
    assert(changes(g, 1, 1, "label" -> "*").count() == 0)
    assert(load(g, "label" -> "*", "changes-from" -> "0").count() == 6, "up to the newest version")
    val own = spark.read.format("namidb").schema("n INT, _change STRING").options(Map("label" -> "*", "changes-from" -> "0")).load(g.uri)
    assert(own.columns.toSeq == Seq("n", "_change") && own.where("_change = 'insert'").collect().map(_.getInt(0)).toSeq == Seq(5))
  }

  test("filters on ids are pushed, others are tested on the result; limits give the right number") {
    val g = made()
    def df = changes(g, 0, 1, "label" -> "*")
    val one = df.where(col("_id") === id(4).toString)
    assert(one.collect().map(_.getString(0)).toSeq == Seq("update_before", "update_after"))
    assert(explain(one).contains(s"pushed=[_id = ${id(4)}]"))
    val after = df.where("_change = 'update_after' and n > 10")
    assert(after.count() == 1 && explain(after).contains("pushed=[]"))
    for (n <- Seq(0, 1, 4, 100)) assert(df.limit(n).collect().length == math.min(n, 6))
  }

  test("explain names both versions and what was left out; metrics tell it") {
    val g = made()
    val text = explain(changes(g, 0, 1, "label" -> "*"))
    for (w <- Seq("changes=0..1", "ssts=2 (pruned 0, differing 1, shared 1)", "differing wal records=0 (replay)", "slices=1", "pin=auto"))
      assert(text.contains(w), text)
    assert(explain(changes(g, 1, 1, "label" -> "*")).contains("ssts=2 (pruned 2, differing 0, shared 0)"))
    val df = changes(g, 0, 1, "label" -> "*")
    df.collect()
    val m = scans(df).head.metrics.map { case (k, v) => k -> v.value }
    assert(m("snapshotId") == 1 && m("slices") == 1 && m("numOutputRows") == 6 && m("storeRequests") > 0)
  }

  test("both versions are leased while they are read, and not afterwards") {
    val g = made()
    val session = spark
    import session.implicits._
    val uri = g.uri
    val held = changes(g, 0, 1, "label" -> "*").select("_id").as[String].mapPartitions { rows =>
      rows.foreach(_ => ())
      ReadLeaseSuite.leased(uri).iterator
    }.collect()
    assert(held.toSet == Set(0L, 1L), held.toSeq)
    val h = made()
    changes(h, 0, 1, "label" -> "*").collect()
    eventually(assert(h.leases.isEmpty))
    changes(h, 0, 1, "label" -> "*", "pin" -> "off").collect()
    assert(!explain(changes(h, 0, 1, "label" -> "*", "pin" -> "off")).contains("pin=auto"))
  }

  test("contradictory options, versions that are gone, and writes are refused") {
    val g = made()
    def no(options: (String, String)*): String = failure[InvalidOptionException](load(g, options: _*)).getMessage
    val backwards = no("label" -> "*", "changes-from" -> "2", "changes-to" -> "1")
    assert(backwards.contains("from version 2 to version 1") && backwards.contains("Exchange"), backwards)
    assert(no("label" -> "*", "changes-to" -> "1").contains("without 'changes-from'"))
    for (o <- Seq("versionAsOf" -> "1", "snapshot-id" -> "1", "timestampAsOf" -> "2026-01-01"))
      assert(no("label" -> "*", "changes-from" -> "0", o).contains(s"'changes-from' and '${o._1}'"))
    assert(no("metadata" -> "snapshots", "changes-from" -> "0").contains("metadata table"))
    assert(no("label" -> "*", "changes-from" -> "x").contains("'changes-from' has the value 'x'"))
    assert(no("label" -> "Nope", "changes-from" -> "0").contains("no label 'Nope'"))
    assert(failure[SnapshotGoneException](load(g, "label" -> "*", "changes-from" -> "0", "changes-to" -> "9")).version.getAsLong == 9)
    val df = load(g, "label" -> "A")
    val e = failure[InvalidOptionException](df.write.format("namidb").option("label", "A").option("changes-from", "0").mode("append").save(g.uri))
    assert(e.getMessage.contains("changes-from"), e.getMessage)
    assert(load(g, "metadata" -> "snapshots").count() == 3)
  }

  private def explain(df: DataFrame): String = df.queryExecution.explainString(org.apache.spark.sql.execution.ExplainMode.fromString("formatted")) +
    scans(df).map(_.scan.description()).mkString
}
