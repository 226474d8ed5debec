package com.namidb.spark.source

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.store.TempDirs
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec
import org.apache.spark.sql.functions.{col, length}

import java.nio.file.Files
import scala.util.Random

/** Values, rows and SSTs of unusual size. */
class SizesSuite extends SparkSuite {
  private def read(c: Crafted, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap + ("label" -> "*")).load(c.uri)

  test("a value above 20,000,000 characters is read, also where the manifest repeats it") {
    val n = 21000000
    val c = new Crafted(TempDirs.lasting("sizes-"))
    c.nodes(Seq(N(id(1), 1, Seq(0), Some("{\"t\":\"" + "x" * n + "\"}"))))
    val value = "{\"type\":\"Utf8\",\"value\":\"" + "x" * n + "\"}"
    c.commit(edit = _.replace("\"property_stats\":[]", "\"property_stats\":[],\"per_label_property_stats\":[{\"label_id\":0," +
      s"\"property\":\"t\",\"null_count\":0,\"min\":$value,\"max\":$value,\"ndv_estimate\":null}]"))
    assert(read(c).select(length(col("t"))).head().getInt(0) == n)
  }

  test("combine-small puts small SSTs together at the default split size") {
    val c = new Crafted(TempDirs.lasting("sizes-"))
    for (f <- 0L until 40L)
      c.nodes((0L until 20L).map(i => N(id(1000 * f + i), i + 1, Seq(0), Some(s"""{"n":${f * 20 + i}}"""))))
    c.commit()
    val (apart, together) = (read(c), read(c, "combine-small" -> "true"))
    assert(apart.rdd.getNumPartitions == 40)
    val few = together.rdd.getNumPartitions
    assert(few >= 2 && few <= 4, few)
    def rows(df: DataFrame) = df.select("_id", "n").collect().map(_.toString).sorted.toSeq
    assert(rows(together) == rows(apart) && rows(apart).size == 800)
  }

  test("few rows of long text are not taken for small, and not broadcast") {
    val r = new Random(5)
    val c = new Crafted(TempDirs.lasting("sizes-"))
    val path = c.nodes((0L until 64L).map { i =>
      N(id(i), i + 1, Seq(0), Some(s"""{"n":$i,"t":"${r.alphanumeric.take(270000).mkString}"}"""))
    })
    c.commit()
    val bytes = Files.size(c.path(path))
    assert(bytes > (12L << 20), bytes)
    def size(df: DataFrame) = df.queryExecution.optimizedPlan.stats.sizeInBytes
    assert(size(read(c).select("_id", "t")) >= bytes)
    assert(size(read(c).select("_id", "_labels", "_lsn")) < 100000)
    assert(size(read(c).filter(s"_id = '${read(c).select("_id").head().getString(0)}'").select("_id", "t")) < bytes / 32)
    def plan(df: DataFrame) = df.queryExecution.executedPlan match {
      case a: AdaptiveSparkPlanExec => a.initialPlan.toString
      case p => p.toString
    }
    def joined(column: String) = {
      val df = read(c).select("_id", column)
      df.as("a").join(df.as("b"), col("a._id") === col("b._id"))
    }
    assert(plan(joined("t")).contains("SortMergeJoin") && !plan(joined("t")).contains("Broadcast"), plan(joined("t")))
    assert(plan(joined("_lsn")).contains("BroadcastHashJoin"))
    assert(joined("t").count() == 64)
  }
}
