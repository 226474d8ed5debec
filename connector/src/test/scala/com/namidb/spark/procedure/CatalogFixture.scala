package com.namidb.spark.procedure

import com.namidb.spark.Place
import com.namidb.spark.job.JobFixture
import org.apache.spark.sql.{DataFrame, Row, SparkSession}

/** A small graph `g` with two versions, in a catalog of the suite's session. */
trait CatalogFixture extends JobFixture {
  def catalog(p: Place, s: SparkSession = spark): Unit = {
    s.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
    s.conf.set("spark.sql.catalog.nami.uri", p.root)
  }

  /** Spark keeps a catalog once it is loaded: each graph needs a session of its own. */
  def session(p: Place): SparkSession = {
    val s = configured(spark.newSession())
    catalog(p, s)
    SparkSession.setActiveSession(s)
    s
  }

  /** Version 1: people 1 to 3; version 2: 4 to 5 as well, and edges. */
  def withGraph[T](test: (Place, SparkSession) => T): T = withPlace { p =>
    val s = session(p)
    try {
      write(nodes(1 to 3), p, "label" -> "P")
      write(nodes(4 to 5), p, "label" -> "P")
      write(edges((1, 2), (4, 5)), p, "type" -> "T")
      test(p, s)
    } finally SparkSession.setActiveSession(spark)
  }

  def one(df: DataFrame): Row = {
    val rows = df.collect()
    assert(rows.length == 1, rows.mkString("\n"))
    rows.head
  }
}
