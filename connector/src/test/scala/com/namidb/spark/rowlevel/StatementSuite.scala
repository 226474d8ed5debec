package com.namidb.spark.rowlevel

import com.namidb.format.error._
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

class StatementSuite extends Statements {
  private def people(): java.nio.file.Path = {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    write(frame(Id.add("_labels", ArrayType(StringType)).add("n", LongType), Row(id(7), Seq("P", "Q"), 7L)), p, "label" -> "*")
    write(edges(1 -> 2, 2 -> 3, 5 -> 6), p, "type" -> "E")
    p
  }

  private def of(p: java.nio.file.Path, label: String = "P") =
    read(p, "label" -> label).selectExpr("_id", "n").collect().map(r => r.getString(0) -> r.get(1)).toMap

  test("UPDATE changes what it sets") {
    val p = people()
    val before = version(p)
    sql(p, "UPDATE {t}.nodes.P SET n = n + 100 WHERE name IN ('v1', 'v2')")
    assert(of(p) === Map(id(1) -> 101L, id(2) -> 102L, id(3) -> 3L, id(4) -> 4L, id(5) -> 5L, id(6) -> 6L, id(7) -> 7L))
    assert(version(p) === before + 1)
    sql(p, "UPDATE {t}.nodes SET n = NULL WHERE array_contains(_labels, 'Q')")
    assert(json(read(p, "label" -> "Q")) === Map(id(7) -> null))
    sql(p, s"UPDATE {t}.edges.E SET w = 5 WHERE _src = '${id(2)}'")
    assert(rows(read(p, "type" -> "E")) === Set(Seq(id(1), id(2), 102L), Seq(id(2), id(3), 5L), Seq(id(5), id(6), 506L)))
  }

  test("DELETE by a query, by ids, by everything") {
    val p = people()
    sql(p, "DELETE FROM {t}.nodes.P WHERE n = 4")
    assert(numbers(p, "P") === Set(1, 2, 3, 5, 6, 7))
    sql(p, s"DELETE FROM {t}.edges.E WHERE _src = '${id(5)}' AND _dst = '${id(6)}'")
    assert(pairs(p, "E") === Set(1 -> 2, 2 -> 3))
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
      WHEN NOT MATCHED THEN INSERT (_id, name, n) VALUES (s._id, s.name, s.n)
      WHEN NOT MATCHED BY SOURCE AND t.n = 7 THEN UPDATE SET n = 70""")
    assert(version(p) === before + 1)
    assert(of(p) === Map(id(1) -> 10L, id(2) -> 2L, id(3) -> 3L, id(5) -> 5L, id(6) -> 6L, id(7) -> 70L, id(11) -> 11L))
    assert(read(p, "label" -> "P").where(s"_id = '${id(7)}'").select("_labels").head().getSeq[String](0) === Seq("P", "Q"))
  }
}
