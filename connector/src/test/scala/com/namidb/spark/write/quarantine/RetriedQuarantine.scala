package com.namidb.spark.write.quarantine

import org.apache.spark.TaskContext
import org.apache.spark.sql.functions._
import org.apache.spark.sql.{Row, SparkSession}
import org.apache.spark.sql.types._

import scala.jdk.CollectionConverters._

/** Writes with tasks that fail at their last row the first time, with Kryo; prints what is there. */
object RetriedQuarantine {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().master("local[2,4]")
      .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
      .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    val uri = args(0)
    def id(n: Int) = f"00000000-0000-0000-0000-$n%012x"
    def write(df: org.apache.spark.sql.DataFrame, o: (String, String)*): Unit =
      df.write.format("namidb").options(o.toMap).mode("append").save(uri)
    // After the shuffle, so that a task writes rows before it fails.
    val failOnce = udf((n: Int) => {
      if (n % 50 == 49 && TaskContext.get().attemptNumber() == 0) throw new IllegalStateException("the task is lost")
      n
    }).asNondeterministic()
    try {
      val nodes = spark.createDataFrame((0 until 200).map(n => Row(if (n % 10 == 3) null else id(n), n)).asJava,
        new StructType().add("_id", StringType).add("n", IntegerType)).repartition(4, col("n")).withColumn("n", failOnce(col("n")))
      write(nodes, "label" -> "P", "on-invalid" -> "quarantine")
      val edges = spark.createDataFrame((0 until 200).map(n => Row(id(n), id(n / 2), n)).asJava,
        new StructType().add("_src", StringType).add("_dst", StringType).add("n", IntegerType))
        .repartition(4, col("n")).withColumn("n", failOnce(col("n")))
      write(edges, "type" -> "T", "on-dangling" -> "quarantine", "file-size" -> "200")
      println("nodes=" + spark.read.format("namidb").option("label", "P").load(uri).count())
      println("edges=" + spark.read.format("namidb").option("type", "T").load(uri).count())
    } finally spark.stop()
  }
}
