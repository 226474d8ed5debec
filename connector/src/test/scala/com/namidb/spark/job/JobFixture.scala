package com.namidb.spark.job

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import com.namidb.format.store.TempDirs
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}

/** Small graphs on a local store, written by name. */
trait JobFixture extends SparkSuite {
  def uri(p: Path) = s"file://$p?ns=g"
  def jobs(p: Path): Jobs = Jobs.at(java.util.Map.of("uri", uri(p)))

  def write(df: DataFrame, p: Path, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode("append").save(uri(p))

  def read(p: Path, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(uri(p))

  def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"

  def nodes(ns: Range, extra: String = "v"): DataFrame =
    spark.createDataFrame(ns.map(n => Row(id(n), s"$extra$n")).asJava,
      new StructType().add("_id", StringType).add("name", StringType))

  def edges(es: (Int, Int)*): DataFrame =
    spark.createDataFrame(es.map { case (a, b) => Row(id(a), id(b), (a * 100 + b).toLong) }.asJava,
      new StructType().add("_src", StringType).add("_dst", StringType).add("w", LongType))

  def version(p: Path): Long = newest(uri(p))

  def names(p: Path, label: String): Seq[String] =
    read(p, "label" -> label).select("name").collect().map(_.getString(0)).toSeq.sorted

  def pairs(p: Path, tpe: String): Set[(String, String)] =
    read(p, "type" -> tpe).select("_src", "_dst").collect().map(r => (r.getString(0), r.getString(1))).toSet

  /** Every object with its content, as far as a store can tell them apart. */
  def objects(p: Path): Map[String, Seq[Byte]] = {
    val s = Files.walk(p)
    // Leases of reads that ended go a little later.
    try s.iterator.asScala.filter(f => Files.isRegularFile(f) && !f.getParent.endsWith("pins"))
      .map(f => p.relativize(f).toString -> Files.readAllBytes(f).toSeq).toMap
    finally s.close()
  }

  def withPlace[T](test: Path => T): T = TempDirs.withDir(test)
}
