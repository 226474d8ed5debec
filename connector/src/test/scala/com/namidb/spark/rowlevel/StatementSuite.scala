package com.namidb.spark.rowlevel

import com.namidb.format.error._
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

class StatementSuite extends StatementTests(Places.Local)

class SingleObjectBucketStatementSuite extends StatementTests(Places.SingleObjectBucket)

class StatementTests(override val places: Places) extends Statements {
  private def people(): Place = {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    write(frame(Id.add("_labels", ArrayType(StringType)).add("n", LongType), Row(id(7), Seq("P", "Q"), 7L)), p, "label" -> "*")
    write(edges(1 -> 2, 2 -> 3, 5 -> 6), p, "type" -> "E")
    p
  }

  private def of(p: Place, label: String = "P") =
    read(p, "label" -> label).selectExpr("_id", "n").collect().map(r => r.getString(0) -> r.get(1)).toMap

  test("UPDATE changes what it sets") {
    val p = people()
    val before = version(p)
    sql(p, "UPDATE {t}.nodes.P SET n = n + 100 WHERE name IN ('v1', 'v2')")
    assert(of(p) === Map(id(1) -> 101L, id(2) -> 102L, id(3) -> 3L, id(4) -> 4L, id(5) -> 5L, id(6) -> 6L, id(7) -> 7L))
    assert(version(p) === before + 1)
    sql(p, "UPDATE {t}.nodes SET n = NULL WHERE array_contains(_labels, 'Q')")
    assert(json(read(p, "label" -> "Q")) === Map(id(7) -> "{}"))
    sql(p, s"UPDATE {t}.edges.E SET w = 5 WHERE _src = '${id(2)}'")
    assert(rows(read(p, "type" -> "E")) === Set(Seq(id(1), id(2), 102L), Seq(id(2), id(3), 5L), Seq(id(5), id(6), 506L)))
  }

  test("DELETE by a query, by ids, by everything") {
    val p = people()
    sql(p, "DELETE FROM {t}.nodes.P WHERE n = 4")
    assert(numbers(p, "P") === Set(1, 2, 3, 5, 6, 7))
    sql(p, s"DELETE FROM {t}.edges.E WHERE _src = '${id(5)}' AND _dst = '${id(6)}'")
    assert(pairs(p, "E") === Set(1 -> 2, 2 -> 3))
    sql(p, s"DELETE FROM {t}.edges.E WHERE _src <= '${id(2)}' AND _dst = '${id(1)}'")
    assert(pairs(p, "E") === Set(1 -> 2, 2 -> 3), "both ids must fit")
    sql(p, s"DELETE FROM {t}.nodes.P WHERE _id IN ('${id(5)}', '${id(99)}')")
    assert(numbers(p, "P") === Set(1, 2, 3, 6, 7))
    unchanged(p) {
      assert(failure[ValidationFailedException](sql(p, "DELETE FROM {t}.nodes.P WHERE n = 2")).getMessage.contains("edge"))
      assert(failure[ValidationFailedException](sql(p, "DELETE FROM {t}.nodes.P")).getMessage.contains("edge"))
      sql(p, s"DELETE FROM {t}.nodes.Q WHERE _id = '${id(1)}'")
      sql(p, s"DELETE FROM {t}.nodes.P WHERE n = 1000")
      sql(p, s"UPDATE {t}.nodes.P SET n = 1 WHERE n = 1000")
    }
    set("spark.namidb.on-incident-edges" -> "detach")(sql(p, "DELETE FROM {t}.nodes.P"))
    assert(read(p, "label" -> "*").count() === 0)
    assert(pairs(p, "E") === Set())
    unchanged(p)(sql(p, "DELETE FROM {t}.nodes.P"))
  }

  test("MERGE updates, deletes and inserts in one commit") {
    val p = people()
    val before = version(p)
    frame(Node, Row(id(1), "new1", 10L), Row(id(4), "gone", -1L), Row(id(11), "in", 11L)).createOrReplaceTempView("s")
    sql(p, """MERGE INTO {t}.nodes.P t USING s ON t._id = s._id
      WHEN MATCHED AND s.n < 0 THEN DELETE
      WHEN MATCHED THEN UPDATE SET name = s.name, n = s.n
      WHEN NOT MATCHED THEN INSERT (_id, _labels, name, n) VALUES (s._id, array('P', 'New'), s.name, s.n)
      WHEN NOT MATCHED BY SOURCE AND t.n = 7 THEN UPDATE SET n = 70""")
    assert(version(p) === before + 1)
    assert(of(p) === Map(id(1) -> 10L, id(2) -> 2L, id(3) -> 3L, id(5) -> 5L, id(6) -> 6L, id(7) -> 70L, id(11) -> 11L))
    assert(read(p, "label" -> "P").where(s"_id = '${id(7)}'").select("_labels").head().getSeq[String](0) === Seq("P", "Q"))
  }

  test("three-valued conditions, subqueries on the same table, and sources that are the target") {
    val p = people()
    unchanged(p) {
      sql(p, "UPDATE {t}.nodes.P SET n = 0 WHERE n NOT IN (1, 2, NULL)")
      sql(p, "UPDATE {t}.nodes.P SET n = 0 WHERE name > NULL OR NULL")
    }
    sql(p, "UPDATE {t}.nodes.P SET name = NULL WHERE n <= 2")
    sql(p, "DELETE FROM {t}.nodes.P WHERE NOT (name <> 'v4')")
    assert(of(p).keySet === Set(1, 2, 3, 5, 6, 7).map(id), "a row whose condition is null stays")
    sql(p, "UPDATE {t}.nodes.P SET n = n + (SELECT max(n) FROM {t}.nodes.P) WHERE _id IN (SELECT _dst FROM {t}.edges.E)")
    assert(of(p) === Map(id(1) -> 1L, id(2) -> 9L, id(3) -> 10L, id(5) -> 5L, id(6) -> 13L, id(7) -> 7L))
    sql(p, """MERGE INTO {t}.nodes.P t USING (SELECT _id, n FROM {t}.nodes.P WHERE n > 9) s ON t._id = s._id
      WHEN MATCHED THEN UPDATE SET n = -s.n WHEN NOT MATCHED BY SOURCE AND t.n = 7 THEN DELETE""")
    assert(of(p) === Map(id(1) -> 1L, id(2) -> 9L, id(3) -> -10L, id(5) -> 5L, id(6) -> -13L))
  }

  test("added rows get the label of their table, and nulls for columns that are not named") {
    val p = people()
    sql(p, s"INSERT INTO {t}.nodes.P (_id, n) VALUES ('${id(21)}', 21)")
    sql(p, s"""MERGE INTO {t}.nodes.P USING (SELECT '${id(22)}' i) s ON _id = i
      WHEN MATCHED THEN UPDATE SET n = 0 WHEN NOT MATCHED THEN INSERT (_id, n) VALUES (i, 22)""")
    assert(rows(read(p, "label" -> "P").where("n > 20").selectExpr("_id", "_labels[0]", "size(_labels)", "_json")) ===
      Set(21, 22).map(n => Seq(id(n), "P", 1, s"""{"n":$n}""")))
    unchanged(p) {
      assert(failure[InvalidValueException](sql(p, s"""MERGE INTO {t}.nodes.P USING (SELECT '${id(22)}' i) s ON _id = i
        WHEN MATCHED THEN UPDATE SET _labels = NULL WHEN NOT MATCHED THEN INSERT (_id) VALUES (i)""")).getMessage.contains("_labels is null"))
      intercept[org.apache.spark.sql.AnalysisException](sql(p, s"""MERGE INTO {t}.nodes USING (SELECT '${id(23)}' i) s ON _id = i
        WHEN NOT MATCHED THEN INSERT (_id) VALUES (i)"""))
    }
  }

  test("rows can be found by their hidden columns, through a query") {
    val p = people()
    val newest = read(p, "label" -> "P").selectExpr("_lsn").collect().map(_.getLong(0)).max
    sql(p, s"UPDATE {t}.nodes.P SET n = 99 WHERE _id IN (SELECT _id FROM {t}.nodes.P WHERE _lsn = $newest)")
    assert(read(p, "label" -> "P").where("n = 99").count() > 0)
    sql(p, "DELETE FROM {t}.nodes.P WHERE _id IN (SELECT _id FROM {t}.nodes.P WHERE _json LIKE '%99%')")
    assert(read(p, "label" -> "P").where("n = 99").count() == 0 && read(p, "label" -> "P").count() > 0)
  }

  test("a merge may only insert, or come from a DataFrame") {
    val p = people()
    sql(p, s"""MERGE INTO {t}.nodes.P USING (SELECT '${id(21)}' i) s ON _id = i WHEN NOT MATCHED THEN INSERT (_id, n) VALUES (i, 21)""")
    def source(n: Int) = spark.sql(s"SELECT '${id(n)}' AS i, $n AS m")
    def merge(n: Int) = source(n).mergeInto(table(p, "nodes.P"), org.apache.spark.sql.functions.expr("_id = i"))
    def values(n: Int) = Map("_id" -> "i", "n" -> "m").map { case (k, v) => k -> org.apache.spark.sql.functions.col(v) }
    unchanged(p)(intercept[org.apache.spark.sql.AnalysisException](merge(22).whenNotMatched().insert(values(22)).merge()))
    merge(23).whenMatched().update(Map("n" -> org.apache.spark.sql.functions.lit(0))).whenNotMatched().insert(values(23)).merge()
    merge(23).whenMatched().update(Map("n" -> org.apache.spark.sql.functions.lit(24))).merge()
    assert(rows(read(p, "label" -> "P").where("n > 20").selectExpr("_id", "_labels[0]", "_json")) ===
      Set(21 -> 21, 23 -> 24).map { case (k, n) => Seq(id(k), "P", s"""{"n":$n}""") })
  }

  test("a view of an older version, or of a path, is no way around") {
    val p = people()
    read(p, "label" -> "P", "versionAsOf" -> version(p).toString).createOrReplaceTempView("past_people")
    unchanged(p)(intercept[Exception](spark.sql("DELETE FROM past_people WHERE n = 1")))
  }

  test("edges are updated, deleted and inserted in both directions' files") {
    val p = people()
    sql(p, s"""MERGE INTO {t}.edges.E t USING (SELECT * FROM VALUES ('${id(1)}', '${id(2)}', 1), ('${id(2)}', '${id(3)}', 2),
      ('${id(3)}', '${id(4)}', 3) AS s(a, b, w)) s ON t._src = s.a AND t._dst = s.b
      WHEN MATCHED AND s.w = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET w = s.w
      WHEN NOT MATCHED THEN INSERT (_src, _dst, w) VALUES (s.a, s.b, s.w)""")
    assert(rows(read(p, "type" -> "E")) === Set(Seq(id(2), id(3), 2L), Seq(id(3), id(4), 3L), Seq(id(5), id(6), 506L)))
    assert(rows(read(p, "type" -> "E").where(s"_dst = '${id(4)}'")) === Set(Seq(id(3), id(4), 3L)))
    unchanged(p) {
      val missing = failure[ValidationFailedException](sql(p, s"""MERGE INTO {t}.edges.E t USING (SELECT '${id(1)}' a, '${id(99)}' b) s
        ON t._src = s.a AND t._dst = s.b WHEN NOT MATCHED THEN INSERT (_src, _dst, w) VALUES (s.a, s.b, 1)"""))
      assert(missing.getMessage.contains(id(99)))
    }
  }

  test("labels can be changed, also away from the table's") {
    val p = people()
    sql(p, "UPDATE {t}.nodes.P SET _labels = array('R', 'Q') WHERE n = 1")
    sql(p, "UPDATE {t}.nodes.P SET _labels = array() WHERE n = 2")
    assert(numbers(p, "P") === Set(3, 4, 5, 6, 7))
    assert(numbers(p, "Q") === Set(1, 7))
    assert(read(p, "label" -> "*").where("size(_labels) = 0").count() === 1)
    assert(json(read(p, "label" -> "R")) === Map(id(1) -> """{"n":1,"name":"v1"}"""))
    unchanged(p)(failure[InvalidValueException](sql(p, "UPDATE {t}.nodes.P SET _labels = array('P', '') WHERE n = 3")))
  }

  test("ids stay what they are") {
    val p = people()
    unchanged(p) {
      for (s <- Seq(s"UPDATE {t}.nodes.P SET _id = '${id(50)}' WHERE n = 1", s"UPDATE {t}.edges.E SET _dst = '${id(4)}'")) {
        val e = failure[InvalidValueException](sql(p, s))
        assert(e.getMessage.contains("ids cannot be changed"), e.getMessage)
      }
    }
    sql(p, "UPDATE {t}.nodes.P SET _id = upper(_id), n = 10 WHERE n = 3")
    assert(of(p)(id(3)) === 10L, "another spelling of the same id")
  }

  test("a property is taken away by null, or holds a null as on-null says") {
    val p = people()
    set("spark.namidb.on-null" -> "store")(sql(p, "UPDATE {t}.nodes.P SET name = NULL WHERE n = 1"))
    sql(p, "UPDATE {t}.nodes.P SET name = NULL WHERE n = 3")
    val stored = json(read(p, "label" -> "P"))
    assert(stored(id(1)) === """{"n":1,"name":null}""" && stored(id(3)) === """{"n":3}""")
    failure[InvalidOptionException](set("spark.namidb.on-null" -> "maybe")(sql(p, "UPDATE {t}.nodes.P SET n = 1")))
  }

  test("nobody's change is lost: the base is the version read") {
    for ((isolation, same) <- Seq(("serializable", false), ("snapshot", false), ("snapshot", true));
         s <- Seq("UPDATE {t}.nodes.P SET name = 'mine' WHERE n = 4", s"DELETE FROM {t}.nodes.P WHERE _id = '${id(4)}'",
           s"DELETE FROM {t}.nodes.P WHERE n = 4", s"""MERGE INTO {t}.nodes.P t USING (SELECT '${id(4)}' i) s ON _id = i
             WHEN MATCHED THEN UPDATE SET name = 'mine'""")) set("spark.namidb.isolation" -> isolation) {
      val p = people()
      val run = planned(p, s)
      write(nodes(Seq(if (same) 4 else 3), "theirs"), p, "label" -> "P", "write-mode" -> "upsert")
      val at = version(p)
      if (isolation == "serializable" || same) unchanged(p) {
        val e = failure[CommitConflictException](run())
        assert(e.getMessage.contains(s"version $at"), e.getMessage)
        if (same) assert(e.getMessage.contains(id(4)), e.getMessage)
      } else {
        run()
        val now = read(p, "label" -> "P").selectExpr("_id", "name").collect().map(r => r.getString(0) -> r.getString(1)).toMap
        assert(now(id(3)) === "theirs3" && now.get(id(4)) === (if (s.startsWith("DELETE")) None else Some("mine")), s)
      }
    }
  }

  test("an insert of MERGE must be new on the version committed on") {
    val p = people()
    set("spark.namidb.isolation" -> "snapshot") {
      val run = planned(p, s"""MERGE INTO {t}.nodes.P t USING (SELECT '${id(12)}' i) s ON _id = i
        WHEN NOT MATCHED THEN INSERT (_id, _labels, name, n) VALUES (i, array('P'), 'in', 0)""")
      write(nodes(Seq(12)), p, "label" -> "P")
      unchanged(p)(failure[NamiException](run()))
      // The same under another label: no row of the table matches, and the id is taken.
      unchanged(p)(assert(failure[NamiException](sql(p, s"""MERGE INTO {t}.nodes.Q t USING (SELECT '${id(12)}' i) s ON _id = i
        WHEN NOT MATCHED THEN INSERT (_id, _labels, n) VALUES (i, array('Q'), 0)""")).getMessage.contains(id(12))))
    }
  }

  test("a key is changed once: two rows for it, or an insert of an updated one, fail") {
    val p = people()
    unchanged(p) {
      intercept[Exception](sql(p, s"""MERGE INTO {t}.nodes.P t USING (SELECT explode(array('${id(1)}', '${id(1)}')) i) s ON _id = i
        WHEN MATCHED THEN UPDATE SET n = 0"""))
      val e = failure[NamiException](sql(p, s"""MERGE INTO {t}.nodes.P t USING (SELECT explode(array(1, 77)) i) s ON n = i
        WHEN MATCHED THEN UPDATE SET n = 0
        WHEN NOT MATCHED THEN INSERT (_id, _labels, name, n) VALUES ('${id(1)}', array('P'), '', 0)"""))
      assert(e.getMessage.contains(id(1)), e.getMessage)
    }
  }

  test("deletions make delete files of the range of their keys") {
    val p = people()
    sql(p, "DELETE FROM {t}.nodes.P WHERE n IN (4, 7)")
    sql(p, s"DELETE FROM {t}.edges.E WHERE _src >= '${id(1)}'")
    val files = rows(read(p, "metadata" -> "ssts").where("is_delete_file").selectExpr("kind", "tombstones", "rows", "min_key", "max_key"))
    assert(files === Set(Seq("nodes", 2L, 2L, id(7), id(4)), Seq("edges_fwd", 3L, 3L, id(1), id(2)), Seq("edges_inv", 3L, 3L, id(3), id(6))))
  }

  test("conditions on ids alone, and no condition, read no property and shuffle nothing") {
    val p = people()
    def plan(s: String) = sql(p, "EXPLAIN " + s).head.getString(0)
    for (c <- Seq("", s" WHERE _id = '${id(1)}'", s" WHERE _id IN ('${id(1)}', NULL) AND _id > '0'"))
      assert(plan("DELETE FROM {t}.nodes.P" + c).contains("DeleteFromTable"), c)
    for (c <- Seq(" WHERE n = 1", s" WHERE _id = '${id(1)}' AND n = 1"))
      assert(plan("DELETE FROM {t}.nodes.P" + c).contains("WriteDelta"), c)
    assert(!plan("DELETE FROM {t}.nodes.P WHERE n = 1").contains("_json"))
    assert(plan("UPDATE {t}.nodes.P SET n = 2 WHERE n = 1").contains("on 3"))
  }

  test("edges of deleted nodes: fail, detach, leave") {
    val p = people()
    for (s <- Seq(s"DELETE FROM {t}.nodes.P WHERE _id = '${id(2)}'", "DELETE FROM {t}.nodes.P WHERE n = 2",
        "MERGE INTO {t}.nodes.P USING (SELECT 2 i) ON n = i WHEN MATCHED THEN DELETE"))
      unchanged(p)(assert(failure[ValidationFailedException](sql(p, s)).getMessage.contains(id(2))))
    set("spark.namidb.on-incident-edges" -> "detach")(sql(p, "DELETE FROM {t}.nodes.P WHERE n = 2"))
    assert(pairs(p, "E") === Set(5 -> 6))
    set("spark.namidb.on-incident-edges" -> "leave")(sql(p, "DELETE FROM {t}.nodes.P WHERE n = 5"))
    assert(pairs(p, "E") === Set(5 -> 6) && numbers(p, "P") === Set(1, 3, 4, 6, 7))
    // Updates and edges have nothing to do with it.
    set("spark.namidb.on-incident-edges" -> "detach") {
      sql(p, "UPDATE {t}.nodes.P SET n = 0 WHERE n = 6")
      sql(p, "DELETE FROM {t}.edges.E")
    }
    assert(pairs(p, "E") === Set())
  }

  test("edges that came to a detached node meanwhile fail the statement") {
    val p = people()
    set("spark.namidb.on-incident-edges" -> "detach", "spark.namidb.isolation" -> "snapshot") {
      val run = planned(p, "DELETE FROM {t}.nodes.P WHERE n = 2")
      write(edges(4 -> 2), p, "type" -> "F")
      unchanged(p)(failure[NamiException](run()))
    }
  }

  test("tables that do not show the present are not changed") {
    val p = people()
    val at = version(p)
    for (view <- Seq(Map("versionAsOf" -> at.toString), Map("wal" -> "ignore"))) {
      val table = com.namidb.spark.catalog.TableLoader.load(com.namidb.spark.options.ReadOptions.of(
        scala.jdk.CollectionConverters.MapHasAsJava(view ++ Map("uri" -> uri(p), "label" -> "P")).asJava, _ => null,
        java.time.ZoneOffset.UTC), java.util.Optional.empty[StructType]).asInstanceOf[com.namidb.spark.catalog.NamiTable]
      assert(intercept[InvalidOptionException](table.deleteWhere(Array.empty)).getMessage.contains("cannot be changed"))
    }
    unchanged(p) {
      set("spark.namidb.wal" -> "ignore")(failure[InvalidOptionException](sql(p, "UPDATE {t}.nodes.P SET n = 1")))
      for (s <- Seq("UPDATE {t}.edges SET w = 1", "DELETE FROM {t}.edges", s"DELETE FROM {t}.edges WHERE w = 1"))
        assert(failure[InvalidOptionException](sql(p, s)).getMessage.contains("edges.TYPE"), s)
      assert(failure[InvalidOptionException](sql(p, "TRUNCATE TABLE {t}.nodes.P")).getMessage.contains("DELETE FROM"))
    }
  }

  test("a task that fails leaves the previous version and no file") {
    val p = people()
    def files = p.keys("g/bulk/").size
    val before = files
    spark.udf.register("stumble", (n: Long) => if (n == 6) throw new IllegalStateException("stumbled") else n)
    unchanged(p) {
      intercept[Exception](sql(p, "UPDATE {t}.nodes.P SET n = stumble(n)"))
      intercept[Exception](sql(p, "UPDATE {t}.nodes.P SET name = repeat('x', n * 100000000) WHERE n = 1"))
    }
    assert(files === before)
  }

  test("binary ids") {
    val p = people()
    set("spark.namidb.id-format" -> "binary") {
      sql(p, s"UPDATE {t}.nodes.P SET n = 50 WHERE hex(_id) = upper(replace('${id(1)}', '-', ''))")
      sql(p, "DELETE FROM {t}.nodes.P WHERE n = 4")
      sql(p, s"DELETE FROM {t}.nodes.P WHERE _id = X'${id(7).replace("-", "")}'")
    }
    assert(of(p) === Map(id(1) -> 50L, id(2) -> 2L, id(3) -> 3L, id(5) -> 5L, id(6) -> 6L))
  }

  test("receipt and metrics are those of every write") {
    val p = people()
    sql(p, "UPDATE {t}.nodes.P SET n = n + 1 WHERE n < 4")
    val receipts = p.keys("g/bulk/").count(_.endsWith("/receipt.json"))
    assert(receipts === 4)
  }
}
