package com.namidb.spark.catalog

import com.namidb.format.error.InvalidOptionException

class NodeIdSuite extends CatalogFixture {
  private lazy val c = catalog(places.fresh())

  private val keys = Seq(
    "s" -> "name", "s2" -> "concat('ñ', name, '\\u0000')", "tiny" -> "CAST(n AS TINYINT)", "small" -> "CAST(-n AS SMALLINT)", "i" -> "CAST(n AS INT)",
    "l" -> "CAST(n AS BIGINT) * 1000000007", "b" -> "n % 2 = 0", "d" -> "date_add(DATE'0001-01-01', CAST(n * 3000 AS INT))",
    "t" -> "timestamp_micros(n * 1234567 - 5000000)", "x" -> "CAST(name AS BINARY)", "m" -> "CAST(n AS DECIMAL(12, 3)) / 7", "big" -> "CAST(n AS DECIMAL(38, 0))")

  private lazy val data = sql("SELECT id AS n, concat('k', id) AS name FROM range(20)")
    .selectExpr(keys.map { case (k, e) => s"$e AS $k" } :+ "n": _*)

  test("ids are those of a write with the same keys") {
    sql(s"CREATE NAMESPACE $c.ids")
    data.createOrReplaceTempView("keyed")
    for (combination <- keys.map { case (k, _) => Seq(k) } ++ Seq(Seq("s", "i"), Seq("x", "d", "t", "b"), Seq("m", "s2"), Seq("i", "s", "l"))) {
      val label = "L'" + combination.mkString("-")
      val q = combination.mkString(", ")
      data.dropDuplicates(combination).write.format("namidb").option("uri", s"${uri}?ns=ids").option("label", label).option("key", combination.mkString(","))
        .option("decimals", "string").mode("append").save()
      val written = rows(s"SELECT _id FROM $c.ids.nodes.`$label`").map(_.getString(0)).sorted
      val text = label.replace("'", "\\'")
      for (codegen <- Seq("CODEGEN_ONLY", "NO_CODEGEN")) {
        spark.conf.set("spark.sql.codegen.factoryMode", codegen)
        try {
          val derived = rows(s"SELECT DISTINCT $c.system.node_id('$text', $q) FROM keyed").map(_.getString(0)).sorted
          assert(derived === written, s"$label $codegen")
        } finally spark.conf.unset("spark.sql.codegen.factoryMode")
      }
    }
  }

  private def uri = spark.conf.get(s"spark.sql.catalog.$c.uri")

  test("a null has no id, whatever its type and place") {
    for (a <- Seq("'P', CAST(NULL AS STRING)", "'P', NULL", "NULL, 'a'", "'P', CAST(NULL AS INT)", "CAST(NULL AS STRING), 1", "'P', 1, CAST(NULL AS DATE)"))
      assert(rows(s"SELECT $c.system.node_id($a)").head.isNullAt(0), a)
    val mixed = rows(s"SELECT $c.system.node_id('P', k) FROM VALUES (1), (NULL), (2) AS t(k)").map(_.isNullAt(0))
    assert(mixed === Seq(false, true, false))
  }

  test("what has no exact text is refused") {
    for (k <- Seq("1.5D", "CAST(1 AS FLOAT)", "array(1)", "TIMESTAMP_NTZ'2020-01-01 00:00:00'", "named_struct('a', 1)"))
      assert(failure[InvalidOptionException](sql(s"SELECT $c.system.node_id('P', $k)")).getMessage.contains("Argument 2"), k)
    failure[InvalidOptionException](sql(s"SELECT $c.system.node_id('P')"))
    failure[InvalidOptionException](sql(s"SELECT $c.system.node_id(1, 2)"))
    assert(refusal(s"SELECT $c.system.nope('P')").contains("UNRESOLVED_ROUTINE"))
  }

  test("the function is listed") {
    assert(first(s"SHOW USER FUNCTIONS IN $c.system").exists(_.contains("node_id")))
    assert(spark.catalog.functionExists(s"$c.system.node_id"))
    assert(!spark.catalog.functionExists(s"$c.system.other"))
  }

  test("the derivation is frozen") {
    val g = golden("empty")
    val other = catalog(g)
    assert(rows(s"SELECT $other.system.node_id('City', 'Oslo'), $other.system.NODE_ID('P', 1)").head.toSeq ===
      Seq("f0046e0f-fdb5-5c37-8fc0-dd6ddbdf528a", "32ae87ba-a134-5cc7-acee-a3d7edd3de80"))
  }
}
