package com.namidb.spark.read

import java.io.{BufferedOutputStream, FileOutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.{Base64, UUID}

import scala.util.Random

import com.namidb.format.Golden
import com.namidb.format.id.NodeId
import com.namidb.format.node.{NodeRow, NodeSstSummary, NodeSstWriter}
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.StructType

/**
 * Not a test: scans nodes with three properties through the connector, and the same file by hand with `from_json`, in
 * turns. Arguments: nodes (2000000), measured rounds (5). Prints the medians and the median of the per-round ratios.
 */
object ReadBench {
  private val schema = StructType.fromDDL("name STRING, num BIGINT, score DOUBLE")
  private val sst = new UUID(7, 1)

  def main(args: Array[String]): Unit = {
    val nodes = args.lift(0).fold(2000000)(_.toInt)
    val rounds = args.lift(1).fold(5)(_.toInt)
    val dir = Files.createTempDirectory("read-bench-")
    try {
      val file = write(dir, nodes)
      println(s"$nodes nodes, ${Files.size(file)} bytes")
      val spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
      spark.sparkContext.setLogLevel("ERROR")
      compare(rounds,
        "by hand" -> (() => answer(spark.read.parquet(file.toString)
          .select(from_json(col("__overflow_json"), schema, java.util.Map.of[String, String]()).as("p")).select("p.*"))),
        "columnar" -> (() => answer(namidb(spark, dir, vectorized = true, schema))),
        "rows" -> (() => answer(namidb(spark, dir, vectorized = false, schema))))
      compare(rounds,
        "ids of the file" -> (() => spark.read.parquet(file.toString).agg(expr("bit_xor(xxhash64(node_id))")).head().toString),
        "ids, columnar" -> (() => namidb(spark, dir, vectorized = true, StructType.fromDDL("_id BINARY"),
          "id-format" -> "binary").agg(expr("bit_xor(xxhash64(_id))")).head().toString))
      spark.stop()
    } finally Golden.deleteTree(dir)
  }

  private def namidb(spark: SparkSession, dir: Path, vectorized: Boolean, columns: StructType,
      options: (String, String)*): DataFrame =
    spark.read.format("namidb").schema(columns).option("label", "*").option("pin", "off")
      .option("vectorized", vectorized.toString).options(options.toMap).load(s"file://$dir?ns=bench")

  private def answer(df: DataFrame): String =
    df.agg(sum(length(col("name"))), sum("num"), round(sum("score"), 2)).head().toString

  /** Runs all in turns, rotating who is first, and compares with the first one. */
  private def compare(rounds: Int, ways: (String, () => String)*): Unit = {
    val times = for (round <- 0 until rounds + 2) yield {
      val at = round % ways.size
      val order = ways.drop(at) ++ ways.take(at)
      val measured = order.map { case (name, run) =>
        System.gc()
        val start = System.nanoTime
        val result = run()
        name -> ((System.nanoTime - start) / 1e6, result)
      }
      assert(measured.map(_._2._2).distinct.size == 1, measured)
      measured.map { case (name, (ms, _)) => name -> ms }.toMap
    }
    val kept = times.drop(2)
    for ((name, _) <- ways) {
      val ratio = median(kept.map(t => t(name) / t(ways.head._1)))
      println(f"$name%-16s ${median(kept.map(_(name)))}%8.0f ms  $ratio%.3f")
    }
  }

  private def median(v: Seq[Double]): Double = v.sorted.apply(v.size / 2)

  private def write(dir: Path, nodes: Int): Path = {
    val ns = dir.resolve("bench")
    val path = s"sst/level0/$sst-nodes.parquet"
    val file = ns.resolve(path)
    Files.createDirectories(file.getParent)
    val r = new Random(5)
    val out = new BufferedOutputStream(new FileOutputStream(file.toFile), 1 << 20)
    val writer = NodeSstWriter.open((b, from, length) => out.write(b, from, length))
    val ids = Array.fill(nodes)(r.nextLong()).sortWith((a, b) => java.lang.Long.compareUnsigned(a, b) < 0)
    val row = new NodeRow
    for (i <- 0 until nodes) {
      val name = Seq.fill(12)(('a' + r.nextInt(26)).toChar).mkString
      val json = s"""{"name":"$name","num":${r.nextInt(1000000)},"score":${r.nextInt(1000000) / 1000.0}}""".getBytes(UTF_8)
      writer.add(row.upsert(ids(i), i, i + 1, 1).labels(Array(0), 1).properties(json, 0, json.length))
    }
    val summary = writer.finish()
    writer.close()
    out.close()
    commit(ns, path, summary)
    file
  }

  private def commit(ns: Path, path: String, s: NodeSstSummary): Unit = {
    def key(n: NodeId) = Base64.getEncoder.encodeToString(n.toBytes)
    val listed = s"""{"id":"$sst","kind":"Nodes","scope":"","level":0,"path":"$path","size_bytes":${s.sizeBytes},""" +
      s""""row_count":${s.rows},"created_at":"2026-01-02T03:04:05Z","min_key":"${key(s.keys.min)}",""" +
      s""""max_key":"${key(s.keys.max)}","min_lsn":${s.minLsn},"max_lsn":${s.maxLsn},"schema_version_min":1,""" +
      """"schema_version_max":1,"property_stats":[],"kind_specific":{"kind":"Nodes","tombstone_count":0},"bloom":null,"label_index":null}"""
    val body = s"""{"version":0,"epoch":0,"writer_id":"${new UUID(1, 1)}","created_at":"2026-01-02T03:04:06Z",""" +
      s""""schema":{"version":0,"labels":{},"edge_types":{},"constraints":[]},"ssts":[$listed],"wal_segments":[],"label_dict":["A"]}"""
    val name = "v0000000000000000.json"
    val pointer = s"""{"version":0,"epoch":0,"manifest_path":"bench/manifest/$name"}"""
    Files.createDirectories(ns.resolve("manifest/pointer"))
    Files.writeString(ns.resolve("manifest/" + name), body)
    Files.writeString(ns.resolve("manifest/pointer/p0000000000000000.json"), pointer)
    Files.writeString(ns.resolve("manifest/current.json"), pointer)
  }
}
