package com.namidb.spark.write

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.security.MessageDigest

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.namidb.format.Golden
import com.sun.management.OperatingSystemMXBean
import org.apache.spark.sql.{DataFrame, SparkSession}

/**
 * Not a test: writes typed nodes and edges through the connector, and the same rows into Iceberg tables with the same
 * sort, in turns. Arguments: nodes (1000000), edges (2000000), measured rounds (5), what (nodes,edges). Without Iceberg
 * on the class path only the connector is measured. `-Dwrite.bench.dir` keeps the rows for other writers.
 */
object WriteBench {
  private val cores = 2

  def main(args: Array[String]): Unit = {
    val nodes = args.lift(0).fold(1000000)(_.toInt)
    val edges = args.lift(1).fold(2000000)(_.toInt)
    val rounds = args.lift(2).fold(5)(_.toInt)
    val what = args.lift(3).getOrElse("nodes,edges").split(",")
    val kept = sys.props.get("write.bench.dir").map(Path.of(_))
    val dir = kept.getOrElse(Files.createTempDirectory("write-bench-"))
    Files.createDirectories(dir)
    try {
      val spark = session(dir)
      rows(spark, dir, nodes, edges)
      if (what.contains("nodes"))
        compare(spark, dir, rounds, nodes, "nodes", Seq("label" -> "Person"),
          "_id STRING, name STRING, city STRING, score DOUBLE, n BIGINT, born DATE" -> "_id")
      if (what.contains("edges"))
        compare(spark, dir, rounds, edges, "edges", Seq("type" -> "KNOWS", "on-dangling" -> "allow"),
          "_src STRING, _dst STRING, since DATE, weight DOUBLE" -> "_src, _dst")
      spark.stop()
    } finally if (kept.isEmpty) Golden.deleteTree(dir)
  }

  private def iceberg: Boolean = Try(Class.forName("org.apache.iceberg.spark.SparkCatalog")).isSuccess

  private[write] def session(dir: Path): SparkSession = {
    val b = SparkSession.builder().master(s"local[$cores]").config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", cores.toString).config("spark.default.parallelism", cores.toString)
      .config("spark.sql.session.timeZone", "UTC")
    if (iceberg)
      b.config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
        .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.ice.type", "hadoop").config("spark.sql.catalog.ice.warehouse", s"$dir/ice")
    else println("Iceberg is not on the class path: only the connector is measured")
    val spark = b.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark
  }

  /** The id of node number n. */
  private[write] def uuid(n: Int): String = {
    val hex = MessageDigest.getInstance("MD5").digest(n.toString.getBytes("UTF-8")).map(b => f"$b%02x").mkString
    Seq(0 -> 8, 8 -> 12, 12 -> 16, 16 -> 20, 20 -> 32).map { case (a, b) => hex.substring(a, b) }.mkString("-")
  }

  /** The rows as plain typed Parquet in no order; the same for every run. */
  private[write] def rows(spark: SparkSession, dir: Path, nodes: Int, edges: Int): Unit = {
    def id(n: String) = {
      val hex = s"md5(cast($n as string))"
      s"concat_ws('-', substr($hex,1,8), substr($hex,9,4), substr($hex,13,4), substr($hex,17,4), substr($hex,21,12))"
    }
    if (!Files.exists(dir.resolve("nodes/_SUCCESS")))
      spark.range(0, nodes, 1, cores).selectExpr(
        s"${id("id")} as _id",
        "concat(initcap(translate(substr(md5(cast(id + 1 as string)), 1, 7), '0123456789', 'klmnopqrst')), ' ', " +
          "initcap(translate(substr(md5(cast(id % 5000 as string)), 1, 9), '0123456789', 'aeioustrnl'))) as name",
        "element_at(array('Berlin','Lisboa','Kyoto','Lagos','Quito','Oslo','Pune','Accra'), cast(pmod(xxhash64(id), 8) as int) + 1) as city",
        "pmod(xxhash64(id, 1), 1000000) / 1000.0D as score", "pmod(xxhash64(id, 2), 10000000) as n",
        "date_add(date'1950-01-01', cast(pmod(xxhash64(id, 3), 20000) as int)) as born")
        .write.parquet(s"$dir/nodes")
    if (!Files.exists(dir.resolve("edges/_SUCCESS")))
      spark.range(0, edges, 1, cores).selectExpr("id", s"id % $nodes as s", s"id div $nodes as k")
        .selectExpr(s"${id("s")} as _src", s"${id(s"(s * 7919 + k * 104729 + 13) % $nodes")} as _dst",
          "date_add(date'2000-01-01', cast(pmod(xxhash64(id), 9000) as int)) as since",
          "pmod(xxhash64(id, 1), 1000) / 1000.0D as weight")
        .write.parquet(s"$dir/edges")
  }

  private[write] case class Measured(wall: Double, cpu: Double, bytes: Long, files: Long)

  private def compare(spark: SparkSession, dir: Path, rounds: Int, rows: Int, what: String, target: Seq[(String, String)],
      table: (String, String)): Unit = {
    val input = spark.read.parquet(s"$dir/$what")
    val ways = Seq("namidb" -> ((i: Int) => namidb(input, dir, s"$what$i", target))) ++
      (if (iceberg) Seq("iceberg" -> ((_: Int) => iceberg(spark, input, dir, what, table))) else Nil)
    val all = for (round <- 0 to rounds) yield {
      val order = if (round % 2 == 0) ways else ways.reverse
      order.map { case (name, run) => name -> run(round) }.toMap
    }
    val kept = all.drop(1)
    for ((name, _) <- ways) {
      def ratio(f: Measured => Double) = median(kept.map(r => f(r(name)) / f(r(ways.last._1))))
      val wall = median(kept.map(_(name).wall))
      val cpu = median(kept.map(_(name).cpu))
      println(f"$what%-6s $name%-8s $rows%8d rows  wall $wall%6.2f s  cpu $cpu%6.2f s  ratio ${ratio(_.wall)}%.3f wall, " +
        f"${ratio(_.cpu)}%.3f cpu  ${rows / cpu / 1000}%6.0f k rows per CPU second  ${kept.last(name).bytes / 1e6}%.1f MB in ${kept.last(name).files} files")
    }
  }

  private def namidb(input: DataFrame, dir: Path, name: String, target: Seq[(String, String)]): Measured = {
    val ns = dir.resolve("out").resolve(name)
    try measure(ns)(input.write.format("namidb").options(target.toMap).mode("append").save(s"file://$dir/out?ns=$name"))
    finally Golden.deleteTree(ns)
  }

  private def iceberg(spark: SparkSession, input: DataFrame, dir: Path, what: String, table: (String, String)): Measured = {
    spark.sql(s"CREATE TABLE ice.db.$what (${table._1}) USING iceberg TBLPROPERTIES ('write.distribution-mode'='range', " +
      "'write.spark.advisory-partition-size-bytes'='16777216')")
    spark.sql(s"ALTER TABLE ice.db.$what WRITE ORDERED BY ${table._2}")
    try measure(dir.resolve(s"ice/db/$what/data"))(input.writeTo(s"ice.db.$what").append())
    finally spark.sql(s"DROP TABLE ice.db.$what PURGE")
  }

  private[write] def measure(folder: Path)(write: => Unit): Measured = {
    System.gc()
    val cpu = cpuTime
    val start = System.nanoTime
    write
    val wall = (System.nanoTime - start) / 1e9
    val spent = (cpuTime - cpu) / 1e9
    val all = Files.walk(folder)
    try {
      val files = all.iterator.asScala.filter(f => Files.isRegularFile(f) && !f.toString.contains("manifest")).map(Files.size).toSeq
      Measured(wall, spent, files.sum, files.size)
    } finally all.close()
  }

  private def cpuTime: Long = ManagementFactory.getOperatingSystemMXBean match {
    case os: OperatingSystemMXBean => os.getProcessCpuTime
    case other => throw new IllegalStateException(s"no CPU time from $other")
  }

  private def median(v: Seq[Double]): Double = v.sorted.apply(v.size / 2)
}
