package com.namidb.spark.write

import java.nio.file.{Files, Path}

import org.apache.spark.sql.{DataFrame, SparkSession}

/**
 * Not a test: `bin/big-write`. `write` adds nodes and edges to a namespace the engine made and says in a file what is to
 * be found there; `agree` reads the namespace again and compares. Arguments: what, folder, nodes, edges.
 */
object BigWrite {
  private val looked = 1000

  def main(args: Array[String]): Unit = {
    val dir = Path.of(args(1))
    val nodes = args(2).toInt
    val edges = args(3).toInt
    val spark = WriteBench.session(dir)
    try args(0) match {
      case "write" =>
        WriteBench.rows(spark, dir, nodes, edges)
        val wrote = WriteBench.measure(dir.resolve("g")) {
          save(spark.read.parquet(s"$dir/nodes"), dir, "label" -> "Person")
        }
        val linked = WriteBench.measure(dir.resolve("g"))(save(spark.read.parquet(s"$dir/edges"), dir, "type" -> "KNOWS"))
        println(f"$nodes nodes in ${wrote.wall}%.1f s (${wrote.cpu}%.1f s of CPU), $edges edges, both ends looked up, in " +
          f"${linked.wall}%.1f s (${linked.cpu}%.1f s of CPU), ${linked.bytes / 1e6}%.0f MB")
        Files.writeString(dir.resolve("expected.json"),
          answers(spark.read.parquet(s"$dir/nodes"), spark.read.parquet(s"$dir/edges"), nodes))
      case "agree" =>
        val got = answers(read(spark, dir, "label" -> "Person"), read(spark, dir, "type" -> "KNOWS"), nodes)
        val expected = Files.readString(dir.resolve("expected.json"))
        if (got != expected) throw new AssertionError(s"Spark reads\n$got\nnot\n$expected")
        println("Spark reads what was written")
    } finally spark.stop()
  }

  private def save(df: DataFrame, dir: Path, target: (String, String)): Unit =
    df.write.format("namidb").option(target._1, target._2).mode("append").save(s"file://$dir?ns=g")

  private def read(spark: SparkSession, dir: Path, target: (String, String)): DataFrame =
    spark.read.format("namidb").option(target._1, target._2).load(s"file://$dir?ns=g")

  /** Counts and sums of all that was written, and some nodes with their partners, as JSON. */
  private def answers(people: DataFrame, knows: DataFrame, nodes: Int): String = {
    val spark = people.sparkSession
    people.createOrReplaceTempView("people")
    knows.createOrReplaceTempView("knows")
    val some = (0 until nodes by math.max(1, nodes / looked)).map(n => s"'${WriteBench.uuid(n)}'").mkString(",")
    spark.sql(
      s"""SELECT to_json(struct(
         |  (SELECT struct(count(*) AS count, sum(n) AS n, count(DISTINCT city) AS cities) FROM people WHERE n IS NOT NULL) AS nodes,
         |  (SELECT struct(count(*) AS count, count(DISTINCT weight) AS weights, max(weight) AS heaviest) FROM knows) AS edges,
         |  (SELECT sort_array(collect_list(struct(_id, name, city, score, n))) FROM people WHERE _id IN ($some)) AS people,
         |  (SELECT sort_array(collect_list(struct(_src, _dst, weight))) FROM knows WHERE _src IN ($some)) AS out,
         |  (SELECT sort_array(collect_list(struct(_dst, _src, weight))) FROM knows WHERE _dst IN ($some)) AS `in`))""".stripMargin)
      .head().getString(0)
  }
}
