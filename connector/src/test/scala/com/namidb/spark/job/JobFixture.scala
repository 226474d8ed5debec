package com.namidb.spark.job

import scala.jdk.CollectionConverters._

import com.namidb.spark.{Place, SparkSuite}
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}

/** Small graphs, written by name. */
trait JobFixture extends SparkSuite {
  def uri(p: Place): String = p.uri()
  def jobs(p: Place): Jobs = Jobs.at(java.util.Map.of("uri", uri(p)))

  def write(df: DataFrame, p: Place, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode("append").save(uri(p))

  def read(p: Place, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(uri(p))

  def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"

  def nodes(ns: Range, extra: String = "v"): DataFrame =
    spark.createDataFrame(ns.map(n => Row(id(n), s"$extra$n")).asJava,
      new StructType().add("_id", StringType).add("name", StringType))

  def edges(es: (Int, Int)*): DataFrame =
    spark.createDataFrame(es.map { case (a, b) => Row(id(a), id(b), (a * 100 + b).toLong) }.asJava,
      new StructType().add("_src", StringType).add("_dst", StringType).add("w", LongType))

  def version(p: Place): Long = newest(uri(p))

  def names(p: Place, label: String): Seq[String] =
    read(p, "label" -> label).select("name").collect().map(_.getString(0)).toSeq.sorted

  def pairs(p: Place, tpe: String): Set[(String, String)] =
    read(p, "type" -> tpe).select("_src", "_dst").collect().map(r => (r.getString(0), r.getString(1))).toSet

  /** Every object with its content. Leases of reads that ended go a little later. */
  def objects(p: Place): Map[String, Seq[Byte]] =
    p.keys().filterNot(_.contains("/pins/")).map(k => k -> p.bytes(k).toSeq).toMap
}
