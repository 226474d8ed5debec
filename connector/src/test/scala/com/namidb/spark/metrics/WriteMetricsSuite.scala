package com.namidb.spark.metrics

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.CommitReceipt
import com.namidb.format.store.TempDirs
import com.namidb.spark.SparkSuite
import org.apache.spark.Buses
import org.apache.spark.sql.functions._
import org.apache.spark.sql.DataFrame

/** The numbers of a write as the SQL tab shows them, against the receipt that lies beside the files. */
class WriteMetricsSuite extends SparkSuite {
  private def nodes(n: Int): DataFrame =
    spark.range(n).select(format_string("%08x-0000-0000-0000-000000000000", col("id")).as("_id"), col("id").as("n"))

  private val Ours = Set("snapshot id", "rows committed", "files committed", "bytes committed")

  /** Our numbers of the one statement that `body` runs. */
  private def shown(body: => Unit): Map[String, String] = {
    val store = spark.sharedState.statusStore
    Buses.drain(spark.sparkContext)
    val known = store.executionsList().map(_.executionId).toSet
    body
    Buses.drain(spark.sparkContext)
    val fresh = store.executionsList().filterNot(e => known(e.executionId))
      .filter(_.metrics.exists(m => m.name == "rows committed"))
    assert(fresh.size == 1)
    val values = store.executionMetrics(fresh.head.executionId)
    fresh.head.metrics.filter(m => Ours(m.name)).flatMap(m => values.get(m.accumulatorId).map(m.name -> _)).toMap
  }

  private def receipts(dir: Path): Seq[CommitReceipt] = {
    val s = Files.walk(dir.resolve("g/bulk"))
    try s.iterator.asScala.filter(_.endsWith("receipt.json")).map(p => CommitReceipt.parse("", Files.readAllBytes(p))).toSeq finally s.close()
  }

  test("version, rows, files and bytes are those of the receipt and of the store") {
    TempDirs.withDir { dir =>
      def save(df: DataFrame, o: (String, String)*): Unit =
        df.write.format("namidb").options(o.toMap).mode("append").save(s"file://$dir?ns=g")
      val first = shown(save(nodes(300).repartition(3), "label" -> "P", "file-size" -> "2k"))
      val second = shown(save(nodes(40).select(col("_id").as("_src"), col("_id").as("_dst")), "type" -> "T"))
      val third = shown(save(nodes(7), "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "leave"))
      for ((m, v, rows) <- Seq((first, 1L, 300), (second, 2L, 40), (third, 3L, 7))) {
        val r = receipts(dir).find(_.version == v).get
        val files = r.files.asScala.map(f => dir.resolve("g").resolve(f.sst.path))
        assert(m == Map("snapshot id" -> v.toString, "rows committed" -> rows.toString, "files committed" -> files.size.toString,
          "bytes committed" -> files.map(Files.size(_)).sum.toString))
        assert(r.balance.accepted == rows)
      }
      assert(first("files committed").toInt > 2 && second("files committed").toInt % 2 == 0)
    }
  }

  test("a write that commits nothing shows no version") {
    TempDirs.withDir { dir =>
      def save(df: DataFrame): Unit = df.write.format("namidb").option("label", "P").mode("append").save(s"file://$dir?ns=g")
      save(nodes(3))
      val none = shown(save(nodes(3).where("n > 5")))
      assert(none.values.forall(v => v == "0" || v.isEmpty), none)
    }
  }
}
