package com.namidb.spark.rowlevel

import com.namidb.spark.read.StoredValues
import com.namidb.spark.types.OnMismatch
import com.namidb.spark.{Graph, Places}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

class KeptValuesSuite extends KeptValuesTests(Places.Local)

/** What a statement does not change stays byte for byte, whatever it is: values of every type, names of every kind. */
class KeptValuesTests(override val places: Places) extends Statements {
  override def conf: Map[String, String] = super.conf + ("spark.sql.caseSensitive" -> "true")

  private def stored(g: Graph, options: (String, String)*) =
    load(g, options: _*).drop("_labels").select("_json", load(g, options: _*).columns.filter(c => Set("_id", "_src", "_dst")(c)).toSeq: _*)
      .collect().map(r => r.toSeq.tail -> r.getString(0)).toMap

  private def labels(g: Graph) =
    load(g, "label" -> "*").select("_id", "_labels").collect().map(r => r.getString(0) -> r.getSeq[String](1)).toMap

  private def quoted(name: String) = "`" + name.replace("`", "``") + "`"

  for (name <- Seq("types", "types-2.1.4", "names", "wal-and-sst"))
    test(s"$name: updates that change nothing, or something and back, keep every byte") {
      val g = golden(name)
      val nodes = load(g, "label" -> "*")
      val before = stored(g, "label" -> "*")
      val was = labels(g)
      assert(before.nonEmpty)
      val columns = nodes.schema.fields.filterNot(_.name.startsWith("_"))
      sql(g, s"UPDATE {t}.nodes SET ${columns.map(c => s"${quoted(c.name)} = ${quoted(c.name)}").mkString(", ")}")
      assert(stored(g, "label" -> "*") === before && labels(g) === was)
      // Text and integers have one spelling: changed and changed back, they are where and what they were.
      for (c <- columns.filter(_.dataType == LongType).take(2)) {
        val n = quoted(c.name)
        sql(g, s"UPDATE {t}.nodes SET $n = $n + 1 WHERE $n < 1000")
        assert(stored(g, "label" -> "*") !== before, c)
        sql(g, s"UPDATE {t}.nodes SET $n = $n - 1 WHERE $n < 1001")
        assert(stored(g, "label" -> "*") === before && labels(g) === was, c)
      }
      for (t <- load(g, "type" -> "*").select("_type").distinct().collect().map(_.getString(0)) if t.matches("[A-Za-z_]+")) {
        val edges = stored(g, "type" -> t)
        sql(g, s"UPDATE {t}.edges.`$t` SET _src = _src WHERE true")
        assert(stored(g, "type" -> t) === edges, t)
      }
    }

  test("one property of many is changed where it stands") {
    val p = place()
    val schema = Id.add("a", LongType).add("b", ArrayType(FloatType)).add("c", MapType(StringType, DoubleType))
      .add("d", new StructType().add("x", StringType)).add("e", DoubleType)
    write(frame(schema, org.apache.spark.sql.Row(id(1), 1L, Seq(0.5f, 2f), Map("k" -> 1.5), org.apache.spark.sql.Row("y"), 1e300)), p, "label" -> "P")
    val before = json(read(p, "label" -> "P"))(id(1))
    sql(p, "UPDATE {t}.nodes.P SET a = 77")
    assert(json(read(p, "label" -> "P"))(id(1)) === before.replace("\"a\":1,", "\"a\":77,"))
    sql(p, "UPDATE {t}.nodes.P SET a = 1, e = e * 1")
    assert(json(read(p, "label" -> "P"))(id(1)) === before)
    sql(p, "UPDATE {t}.nodes.P SET b = transform(b, x -> CAST(x * 2 AS FLOAT)), c = map('k', -0D)")
    assert(read(p, "label" -> "P").selectExpr("b[0]", "c['k']", "d.x", "e").head() === org.apache.spark.sql.Row(1f, -0.0, "y", 1e300))
    assert(json(read(p, "label" -> "P"))(id(1)).contains("-0.0"))
  }

  test("properties outside the columns stay: reserved names, case twins, names that sampling missed") {
    val g = golden("names")
    val before = stored(g, "label" -> "*")
    spark.conf.set("spark.namidb.infer", "sample")
    try sql(g, "UPDATE {t}.nodes SET _labels = _labels") finally spark.conf.unset("spark.namidb.infer")
    assert(stored(g, "label" -> "*") === before)
  }

  test("a value that does not fit its column is kept where it reads as null, and replaced where nobody read it") {
    val schema = Id.add("n", LongType).add("m", StringType)
    def changed(how: OnMismatch, n: Any, m: String) =
      new StoredValues(schema, how).changed("""{"n":"text","m":{"$map":{"x":1}},"o":1}""".getBytes,
        InternalRow(UTF8String.fromString("i"), n, m match { case null => null; case s => UTF8String.fromString(s) })).toString
    val asText = new StoredValues(schema, OnMismatch.NULL)
    assert(asText.changed("""{"n":5}""".getBytes, InternalRow(null, 5L, null)).isEmpty)
    assert(asText.changed(null, InternalRow(null, null, null)).isEmpty)
    assert(asText.changed("""{"n":5,"n":6}""".getBytes, InternalRow(null, 5L, null)).toString === "{0}", "the last one counts")
    assert(changed(OnMismatch.NULL, null, "no") === "{1}")
    assert(changed(OnMismatch.NULL, 3L, null) === "{0, 1}")
    assert(changed(OnMismatch.FAIL, null, null) === "{0, 1}")
  }
}
