package com.namidb.spark.source

import com.namidb.format.error.InvalidOptionException
import com.namidb.spark.{Place, Places, SparkSuite}
import org.apache.spark.sql.{AnalysisException, DataFrame}

class EntryPointsSuite extends EntryPointsTests(Places.Local)

/** Ways to write that Spark offers and NamiDB does not have: what a user is told. */
class EntryPointsTests(override val places: Places) extends SparkSuite {
  private def people: DataFrame = spark.range(3).selectExpr("uuid() as _id", "id as n")

  private def place(test: (Place, Map[String, String]) => Unit): Unit =
    withPlace(p => test(p, Map("uri" -> p.uri("social"), "label" -> "Person")))

  private def nothing(p: Place): Unit = {
    assert(p.keys().isEmpty)
    assert(spark.catalog.listTables().filter("not isTemporary").count() == 0)
  }

  private def sql(options: Map[String, String]): String = options.map { case (k, v) => s"$k '$v'" }.mkString("OPTIONS (", ", ", ")")

  private def noCatalog(what: String)(body: => Any): Unit = withClue(what) {
    val said = failure[InvalidOptionException](body).getMessage
    for (w <- Seq("catalog cannot hold", "need no declaration", "mode(\"append\")", "CREATE TEMPORARY VIEW"))
      assert(said.contains(w), said)
    assert(!said.contains("owner"), said)
  }

  test("CREATE TABLE and saveAsTable explain that tables are named by options") {
    place { (dir, options) =>
      val o = sql(options)
      for (s <- Seq("USING namidb", s"USING namidb $o", "(n INT) USING namidb", s"(n INT) USING namidb $o",
          s"USING namidb OPTIONS (label 'Person') LOCATION '${options("uri")}'", s"USING namidb $o AS SELECT uuid() AS _id"))
        noCatalog(s)(spark.sql(s"CREATE TABLE people $s"))
      for (mode <- Seq("error", "append", "overwrite", "ignore"); given <- Seq(Map.empty[String, String], options))
        noCatalog(s"$mode $given")(people.write.format("namidb").options(given).mode(mode).saveAsTable("people"))
      noCatalog("create")(people.writeTo("people").using("namidb").options(options).create())
      nothing(dir)
    }
  }

  test("what the error offers instead works: a temporary view") {
    place { (_, options) =>
      people.write.format("namidb").options(options).mode("append").save()
      spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW people USING namidb ${sql(options)}")
      assert(spark.sql("SELECT n FROM people").collect().map(_.getLong(0)).toSeq.sorted == Seq(0, 1, 2))
      spark.catalog.dropTempView("people")
    }
  }

  test("INSERT INTO a view matches columns by position or by name, as SQL does") {
    place { (_, options) =>
      people.write.format("namidb").options(options).mode("append").save()
      spark.sql(s"CREATE OR REPLACE TEMPORARY VIEW people USING namidb ${sql(options)}")
      val (a, b) = ("00000000-0000-0000-0000-00000000000a", "f0000000-0000-0000-0000-00000000000b")
      spark.sql(s"INSERT INTO people SELECT '$a' AS n, array('Person') AS x, 9 AS _id")
      spark.sql(s"INSERT INTO people BY NAME SELECT 10 AS n, array('Person', 'Boss') AS _labels, '$b' AS _id")
      val now = spark.read.format("namidb").options(options).load().where(s"_id in ('$a', '$b')").orderBy("n")
      assert(now.select("_id", "_labels", "n").collect().map(r => (r.getString(0), r.getSeq[String](1), r.getLong(2))).toSeq ==
        Seq((a, Seq("Person"), 9L), (b, Seq("Boss", "Person"), 10L)))
      val said = intercept[AnalysisException](spark.sql(s"INSERT INTO people SELECT '$a', 9")).getMessage
      assert(said.contains("INSERT_COLUMN_ARITY_MISMATCH"), said)
      spark.catalog.dropTempView("people")
    }
  }

  test("an option named owner is just an unknown one") {
    place { (_, options) =>
      val said = failure[InvalidOptionException](spark.read.format("namidb").options(options).option("owner", "x").load()).getMessage
      assert(said.contains("Unknown read option 'owner'"), said)
    }
  }

  test("an option that a write does not know is one of a write, wherever Spark asks first") {
    place { (_, options) =>
      for (there <- Seq(false, true)) {
        for ((name, words) <- Seq("writemode" -> "'write-mode'", "on-danglng" -> "'on-dangling'", "owner" -> "Options of a write are: uri", "lable" -> "'label'")) {
          val said = failure[InvalidOptionException](people.write.format("namidb").options(options).option(name, "x").mode("append").save()).getMessage
          assert(said.contains(s"Unknown write option '$name'") && said.contains(words), said)
        }
        if (!there) people.write.format("namidb").options(options).mode("append").save()
      }
      // A schema of the user leaves it open too.
      val read = spark.read.format("namidb").schema("_id STRING").options(options)
      for ((name, words) <- Seq("verisonAsOf" -> "'versionAsOf'", "owner" -> "Options of a read are: uri")) {
        val said = failure[InvalidOptionException](read.option(name, "1").load().collect()).getMessage
        assert(said.contains(s"Unknown read option '$name'") && said.contains(words), said)
      }
    }
  }

  // Spark decides this before a source can say anything: docs/writing.md quotes it.
  test("without a save mode, and with ignore, Spark itself says to use append") {
    place { (dir, options) =>
      for ((mode, name) <- Seq("" -> "ErrorIfExists", "error" -> "ErrorIfExists", "ignore" -> "Ignore");
          given <- Seq(options, options - "label" + ("type" -> "KNOWS"))) {
        val w = people.write.format("namidb").options(given)
        val e = intercept[AnalysisException]((if (mode.isEmpty) w else w.mode(mode)).save())
        assert(e.getCondition == "UNSUPPORTED_DATA_SOURCE_SAVE_MODE" && e.getMessage.contains(s"\"$name\"") && e.getMessage.contains("\"Append\""), e)
      }
      nothing(dir)
    }
  }

  test("metadata tables are never written, and say so") {
    place { (_, options) =>
      people.write.format("namidb").options(options).mode("append").save()
      val metadata = options - "label" + ("metadata" -> "snapshots")
      for (mode <- Seq("append", "overwrite")) {
        val said = failure[InvalidOptionException](people.write.format("namidb").options(metadata).mode(mode).save()).getMessage
        assert(said.contains("metadata table 'social snapshots' cannot be written") && said.contains("label"), said)
      }
      val e = intercept[AnalysisException](people.write.format("namidb").options(metadata).save())
      assert(e.getCondition == "UNSUPPORTED_DATA_SOURCE_SAVE_MODE")
      spark.read.format("namidb").options(metadata).load().createOrReplaceTempView("snapshots")
      assert(spark.table("snapshots").count() == 2)
      failure[InvalidOptionException](spark.sql("INSERT INTO snapshots SELECT * FROM snapshots"))
      spark.catalog.dropTempView("snapshots")
    }
  }
}
