package com.namidb.spark.catalog

import com.namidb.format.Golden
import com.namidb.spark.SparkSuite

class NamiCatalogSuite extends SparkSuite {
  private lazy val social = Golden("time-travel").copied()

  private def catalog(g: Golden.Case): Unit = {
    spark.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
    spark.conf.set("spark.sql.catalog.nami.uri", s"file://${g.store}")
  }

  test("tables of a graph are those of the path form") {
    catalog(social)
    val label = spark.sql(s"SELECT * FROM nami.${social.ns}.nodes.P")
    assert(label.schema === load(social, "label" -> "P").schema)
    assert(ids(label) === ids(load(social, "label" -> "P")))
    assert(spark.sql(s"SELECT * FROM nami.${social.ns}.nodes").count() === load(social, "label" -> "*").count())
    assert(spark.sql(s"SELECT * FROM nami.${social.ns}.edges").count() === load(social, "type" -> "*").count())
    assert(spark.sql(s"SELECT * FROM nami.${social.ns}.snapshots").count() > 0)
    val newest = spark.sql(s"SELECT max(version) FROM nami.${social.ns}.snapshots").head().getLong(0)
    assert(spark.sql(s"SELECT DISTINCT _snapshot_id FROM nami.${social.ns}.nodes VERSION AS OF ${newest - 1}")
      .head().getLong(0) === newest - 1)
  }

  test("INSERT INTO a label commits") {
    val g = Golden("time-travel").copied()
    catalog(g)
    val id = "00000000-0000-4000-8000-0000000000ff"
    spark.sql(s"INSERT INTO nami.${g.ns}.nodes.P (_id, _labels) VALUES ('$id', array('P'))")
    assert(ids(spark.sql(s"SELECT * FROM nami.${g.ns}.nodes.P WHERE _id = '$id'")) === Seq(id))
  }
}
