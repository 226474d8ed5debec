package com.namidb.spark.write

import com.namidb.format.Golden
import com.namidb.format.error._
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.functions._
import org.apache.spark.sql.{DataFrame, SaveMode}

/** Writes into an engine-made namespace with search indexes and uniqueness constraints. */
class IndexedWriteSuite extends SparkSuite {
  private lazy val g = Golden("indexes").copied()

  private def write(df: DataFrame, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode(SaveMode.Append).save(g.uri)

  private val Id = "00000000-0000-0000-0000-0000000000aa"

  private def node: DataFrame = spark.range(1).select(lit(Id).as("_id"), lit("x").as("name"))

  private def version: Long = load(g, "metadata" -> "snapshots").agg(max("version")).head().getLong(0)

  test("nodes beside search indexes only when these may be retired") {
    val before = version
    val e = failure[ValidationFailedException](write(node, "label" -> "Other"))
    assert(e.getMessage.contains("search-indexes=retire"), e.getMessage)
    assert(version == before)
    val ids = load(g, "label" -> "*").select("_id").collect().map(_.getString(0)).toSet
    write(node, "label" -> "Other", "search-indexes" -> "retire")
    assert(version == before + 1)
    assert(load(g, "label" -> "*").select("_id").collect().map(_.getString(0)).toSet == ids + Id)
    assert(load(g, "label" -> "Other").select("name").head().getString(0) == "x")
  }

  test("what a vector index covers must be vectors of its length") {
    val o = Seq("label" -> "*", "search-indexes" -> "retire", "write-mode" -> "upsert")
    val base = node.withColumn("_labels", array(lit("Other")))
    val short = base.withColumn("emb", array(lit(1.0), lit(2.0)))
    assert(failure[InvalidValueException](write(short, o: _*)).getMessage.contains("its index wants 4"))
    val texts = base.withColumn("emb", array(lit("a")))
    assert(failure[InvalidOptionException](write(texts, o: _*)).getMessage.contains("vector index"))
    val before = version
    write(short, o :+ ("on-invalid" -> "quarantine"): _*)
    assert(version == before)
    write(base.withColumn("emb", array(lit(1.0), lit(2.0), lit(3.0), lit(4.0))), o: _*)
    val json = load(g, "label" -> "*").where(col("_id") === Id).select("_json").head().getString(0)
    assert(json.contains("\"emb\":[1.0,2.0,3.0,4.0]"), json)
  }
}
