package com.namidb.spark.engine

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.scalatest.funsuite.AnyFunSuite

/** A session for suites that read whole graphs, and the ways a graph is asked for. */
trait GraphSuite extends AnyFunSuite {
  lazy val spark: SparkSession = {
    val s = SparkSession.builder()
      .master("local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.default.parallelism", "2")
      .getOrCreate()
    s.conf.set("spark.sql.datetime.java8API.enabled", "true")
    s.conf.set("spark.sql.session.timeZone", "UTC")
    s.conf.set("spark.sql.caseSensitive", "true")
    s
  }

  def read(uri: String, version: Option[Long], options: (String, String)*): DataFrame = {
    val r = spark.read.format("namidb").options(options.toMap)
    version.fold(r)(v => r.option("versionAsOf", v)).load(uri)
  }
}
