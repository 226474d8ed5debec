package com.namidb.spark.catalog

import java.util.concurrent.atomic.AtomicInteger

import com.namidb.spark.{Graph, Place, SparkSuite}
import org.apache.spark.sql.{DataFrame, Row}

/** Catalogs over golden namespaces. Spark keeps a catalog as it first saw it, so each has a name of its own. */
trait CatalogFixture extends SparkSuite {
  def sql(text: String): DataFrame = spark.sql(text)

  def rows(text: String): Seq[Row] = sql(text).collect().toSeq

  def first(text: String): Seq[String] = rows(text).map(_.getString(0))

  def catalog(place: Place, options: (String, String)*): String = {
    val name = s"nami${CatalogFixture.count.incrementAndGet()}"
    spark.conf.set(s"spark.sql.catalog.$name", "com.namidb.spark.NamiCatalog")
    spark.conf.set(s"spark.sql.catalog.$name.uri", place.root)
    options.foreach { case (k, v) => spark.conf.set(s"spark.sql.catalog.$name.$k", v) }
    name
  }

  def catalog(g: Graph): String = catalog(g.place)

  def version(g: Graph): Long =
    load(g, "metadata" -> "snapshots").selectExpr("max(version)").head().getLong(0)

  /** What a statement fails with, in whole. */
  def refusal(text: String): String = {
    val thrown = intercept[Throwable](sql(text).collect())
    Iterator.iterate(thrown)(_.getCause).takeWhile(_ != null).map(_.toString).mkString("\n")
  }
}

object CatalogFixture {
  private val count = new AtomicInteger
}
