package com.namidb.spark.write.task

import com.namidb.format.Golden
import com.namidb.format.error._
import com.namidb.spark.{Place, Places}
import com.namidb.spark.write.Writing
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row, SaveMode}

import scala.util.Random

class PatchSuite extends PatchTests(Places.Local)

class SingleObjectBucketPatchSuite extends PatchTests(Places.SingleObjectBucket)

/** Patches: what rows do not name stays as it is. */
class PatchTests(override val places: Places) extends Writing {
  private def patch(df: DataFrame, p: Place, options: (String, String)*): Unit = write(df, p, ("write-mode" -> "patch") +: options: _*)

  // Names that differ in case only.
  spark.conf.set("spark.sql.caseSensitive", "true")

  private val Shown = Set("types", "types-2.1.4", "many-ssts", "wal-and-sst", "updates-and-deletes-2.1.4", "names", "indexes", "banca-aml")

  for (g <- Golden.cases if Shown(g.name))
    test(s"${g.name}: a property added to every node and edge and taken away again leaves every text as it was") {
      val c = places.copied(g)
      val types = c.recorded.head.edges.map(_.tpe).distinct
      def stored(o: (String, String)) = json(load(c, o))
      def labels = rows(load(c, "label" -> "*").select("_id", "_labels"))
      val before = stored("label" -> "*")
      val carried = labels
      val all = frame(Id.add("zz", LongType), before.keys.toSeq.map(k => Row(k, 7L)): _*)
      val o = Seq("label" -> "*", "write-mode" -> "patch", "search-indexes" -> "retire")
      def added(old: String) = if (old == null || old == "{}") """{"zz":7}""" else old.dropRight(1) + ""","zz":7}"""
      save(all, c.uri, SaveMode.Append, o: _*)
      assert(stored("label" -> "*") == before.map { case (k, v) => k -> added(v) })
      assert(labels == carried)
      save(all.withColumn("zz", lit(null).cast("long")), c.uri, SaveMode.Append, o: _*)
      assert(stored("label" -> "*") == before)
      assert(labels == carried)
      for (t <- types if t.matches("[A-Za-z_]+")) {
        val was = stored("type" -> t)
        val ends = frame(Ends.add("zz", LongType), was.keys.toSeq.map(_.split(">")).map(k => Row(k(0), k(1), 7L)): _*)
        save(ends, c.uri, SaveMode.Append, "type" -> t, "write-mode" -> "patch")
        assert(stored("type" -> t) == was.map { case (k, v) => k -> added(v) }, t)
        save(ends.withColumn("zz", lit(null).cast("long")), c.uri, SaveMode.Append, "type" -> t, "write-mode" -> "patch")
        def empty(s: String) = if (s == null) "{}" else s
        assert(stored("type" -> t).map { case (k, v) => k -> empty(v) } == was.map { case (k, v) => k -> empty(v) }, t)
      }
    }

  test("a property under a uniqueness constraint is patched if the whole graph keeps to it") {
    val c = golden("banca-aml")
    val all = load(c, "label" -> "Persona").select("_id")
    val one = all.limit(1)
    def patch(df: DataFrame, options: (String, String)*): Unit =
      save(df, c.uri, SaveMode.Append, options :+ ("write-mode" -> "patch"): _*)
    for (label <- Seq("*", "Persona")) {
      val e = failure[ValidationFailedException](patch(all.limit(2).withColumn("nombre", lit("x")), "label" -> label))
      assert(e.getMessage.contains("nombre") && e.getMessage.contains("same value"), e.getMessage)
    }
    patch(one.withColumn("nombre", lit("x")), "label" -> "Persona")
    val other = all.join(one, Seq("_id"), "left_anti").limit(1)
    failure[ValidationFailedException](patch(other.withColumn("nombre", lit("x")), "label" -> "*"))
    patch(one.withColumn("zz", lit("x")), "label" -> "Persona")
    assert(load(c, "label" -> "Persona").where("nombre = 'x'").count() == 1)
  }

  test("named properties change, others and labels stay") {
    val p = place()
    write(nodes(1 to 100).withColumn("_labels", array(lit("P"), lit("Q"))), p, "label" -> "P", "file-size" -> "1k")
    write(nodes(200 to 210), p, "label" -> "Other")
    patch(nodes(11 to 40, "new").drop("n").withColumn("extra", lit(true)), p, "label" -> "P", "file-size" -> "1k")
    // Once more over rows that have several versions by now.
    patch(nodes(31 to 50, "newer").select("_id", "name").repartition(3), p, "label" -> "Q")
    val got = read(p, "label" -> "P").select("_id", "name", "n", "extra")
    val want = (1 to 100).map { n =>
      val name = if (n > 30 && n <= 50) s"newer$n" else if (n > 10 && n <= 40) s"new$n" else s"v$n"
      Seq(id(n), name, n.toLong, if (n > 10 && n <= 40) true else null)
    }
    assert(rows(got) == want.toSet)
    assert(read(p, "label" -> "Q").count() == 100 && read(p, "label" -> "Other").count() == 11)
    assert(version(p) == 4)
  }

  test("a null takes a property away, or is stored on request") {
    val p = place()
    write(nodes(1 to 4), p, "label" -> "P")
    patch(frame(Node, Row(id(1), null, null), Row(id(2), null, 5L)), p, "label" -> "P")
    patch(frame(Node, Row(id(3), null, 6L)), p, "label" -> "P", "on-null" -> "store")
    assert(json(read(p, "label" -> "P")) == Map(id(1) -> "{}", id(2) -> """{"n":5}""", id(3) -> """{"n":6,"name":null}""",
      id(4) -> """{"n":4,"name":"v4"}""").map { case (k, v) => k -> (if (k == id(3)) """{"n":6,"name":null}""" else v) })
  }

  test("labels are replaced by a labels' column and kept where it is null") {
    val p = place()
    write(nodes(1 to 3).withColumn("_labels", array(lit("P"), lit("Q"))), p, "label" -> "P")
    val labelled = Id.add("_labels", ArrayType(StringType))
    patch(frame(labelled, Row(id(1), Seq("P", "New")), Row(id(2), null)), p, "label" -> "P")
    val got = read(p, "label" -> "P").select(col("_id"), col("_labels"), col("name")).collect()
      .map(r => r.getString(0) -> (r.getSeq[String](1), r.getString(2))).toMap
    assert(got == Map(id(1) -> ((Seq("New", "P"), "v1")), id(2) -> ((Seq("P", "Q"), "v2")), id(3) -> ((Seq("P", "Q"), "v3"))))
    // A row of a label's table must carry it; without one, any labels do.
    unchanged(p)(failure[InvalidValueException](patch(frame(labelled, Row(id(1), Seq("New"))), p, "label" -> "P")))
    patch(frame(labelled, Row(id(1), Seq("New")), Row(id(3), Seq())), p, "label" -> "*")
    assert(numbers(p, "P") == Set(2) && numbers(p, "New") == Set(1) && numbers(p, "*") == Set(1, 2, 3))
  }

  test("records that are not there, or not under the label, fail the job by name") {
    val p = place()
    write(nodes(1 to 5), p, "label" -> "P")
    write(nodes(6 to 9), p, "label" -> "Q")
    write(ids(3), p, "label" -> "P", "write-mode" -> "delete")
    write(edges((1, 2)), p, "type" -> "T")
    def refused(df: DataFrame, word: String, o: (String, String)*) = unchanged(p) {
      val e = failure[ValidationFailedException](patch(df, p, o: _*))
      assert(e.getMessage.contains(word), e.getMessage)
    }
    refused(nodes(Seq(1, 77)), s"node ${id(77)} does not exist with label 'P'", "label" -> "P")
    refused(nodes(Seq(1, 6)), s"node ${id(6)} does not exist with label 'P'", "label" -> "P")
    refused(nodes(Seq(3)), id(3), "label" -> "P")
    refused(nodes(Seq(3)), s"node ${id(3)} does not exist", "label" -> "*")
    refused(nodes(Seq(1)), id(1), "label" -> "Nobody")
    refused(edges((2, 1)), s"edge ${id(2)} -> ${id(1)} does not exist", "type" -> "T")
    refused(edges((1, 2)), id(1), "type" -> "U")
    refused(nodes(20 to 90), " and ", "label" -> "P")
    assert(failure[InvalidOptionException](patch(ids(1), p, "label" -> "P")).getMessage.contains("changes nothing"))
    assert(failure[InvalidOptionException](patch(nodes(Seq(1)).drop("_id"), p, "label" -> "P")).getMessage.contains("'_id'"))
    failure[NamespaceNotFoundException](patch(nodes(Seq(1)), place(), "label" -> "P"))
    unchanged(p)(patch(nodes(Nil), p, "label" -> "P"))
  }

  test("edges: properties change, the others and the other direction follow") {
    val p = place()
    write(nodes(1 to 20), p, "label" -> "P")
    write(edges((for (a <- 1 to 20; b <- 1 to 20) yield (a, b)): _*).withColumn("keep", concat(col("_src"), lit("!"))), p,
      "type" -> "T", "file-size" -> "1k")
    patch(edges((for (a <- 5 to 6; b <- 1 to 20) yield (a, b)): _*).withColumn("w", col("w") + 1000000), p, "type" -> "T")
    val got = read(p, "type" -> "T").select("_src", "_dst", "w", "keep")
    assert(rows(got) == (for (a <- 1 to 20; b <- 1 to 20)
      yield Seq(id(a), id(b), a * 100L + b + (if (a == 5 || a == 6) 1000000 else 0), id(a) + "!")).toSet)
    assert(read(p, "type" -> "T").where(col("_dst") === id(9)).where("w > 1000000").count() == 2)
    // A dangling edge can be patched: nothing is added.
    write(edges((1, 99)), p, "type" -> "T", "on-dangling" -> "allow")
    patch(edges((1, 99)).withColumn("w", lit(1L)), p, "type" -> "T")
    assert(failure[InvalidOptionException](patch(edges((1, 2)), p, "type" -> "T", "on-dangling" -> "allow"))
      .getMessage.contains("on-dangling"))
  }

  test("keys derive the ids that are patched") {
    val p = place()
    val people = spark.range(50).selectExpr("concat('p', id) as email", "id as n", "'x' as y")
    write(people, p, "label" -> "P", "key" -> "email")
    patch(people.where("n % 2 = 0").selectExpr("email", "n + 100 as n"), p, "label" -> "P", "key" -> "email")
    assert(rows(read(p, "label" -> "P").select("email", "n", "y")) ==
      (0 until 50).map(n => Seq(s"p$n", if (n % 2 == 0) n + 100L else n.toLong, "x")).toSet)
  }

  private val Named = Id.add("name", StringType)

  test("no update of somebody else is lost, at either isolation level") {
    for ((isolation, level) <- Seq(("serializable", 0), ("snapshot", 1)); other <- Seq("upsert", "patch", "delete")) {
      val p = place()
      write(nodes(1 to 10), p, "label" -> "P")
      val job = begin(p, Named, false, "label" -> "P", "write-mode" -> "patch", "isolation" -> isolation)
      val mine = attempt(job, Seq(id(3), "mine"), Seq(id(4), "mine"))
      write(if (other == "delete") ids(3) else nodes(Seq(3), "theirs"), p, "label" -> "P", "write-mode" -> other)
      unchanged(p) {
        val e = intercept[CommitConflictException](publish(job, mine))
        if (level == 1) assert(e.getMessage.contains(id(3)), e.getMessage)
      }
      assert(read(p, "label" -> "P").where(col("name") === "mine").count() == 0)
      // A change of another key is a conflict for one level only.
      val again = begin(p, Named, false, "label" -> "P", "write-mode" -> "patch", "isolation" -> isolation)
      val mineToo = attempt(again, Seq(id(5), "mine"))
      write(nodes(Seq(6), "theirs"), p, "label" -> "P", "write-mode" -> "upsert")
      if (level == 0) unchanged(p)(intercept[CommitConflictException](publish(again, mineToo)))
      else {
        publish(again, mineToo)
        assert(rows(read(p, "label" -> "P").where(col("_id").isin(id(5), id(6))).select("name", "n")) ==
          Set(Seq("mine", 5L), Seq("theirs6", 6L)))
      }
    }
  }

  test("deleted and made anew with the same content between is a conflict, too") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    val job = begin(p, Named, false, "label" -> "P", "write-mode" -> "patch", "isolation" -> "snapshot")
    val mine = attempt(job, Seq(id(2), "mine"))
    write(ids(2), p, "label" -> "P", "write-mode" -> "delete")
    write(nodes(Seq(2)), p, "label" -> "P")
    unchanged(p)(intercept[CommitConflictException](publish(job, mine)))
  }

  test("random patches against a model") {
    val seed = new Random().nextInt(1 << 30)
    val r = new Random(seed)
    val p = place()
    var model = (1 to 300).map(n => n -> Map[String, Any]("name" -> s"v$n", "n" -> n.toLong)).toMap
    write(nodes(1 to 300), p, "label" -> "P", "file-size" -> "2k")
    for (round <- 1 to 12) {
      val ns = r.shuffle((1 to 300).toList).take(Seq(1, 5, 40, 300)(r.nextInt(4)))
      val change = ns.map(n => n -> (if (r.nextInt(4) == 0) null else s"r$round.$n"))
      val column = Seq("name", "a", "b")(r.nextInt(3))
      patch(frame(Id.add(column, StringType), change.map { case (n, v) => Row(id(n), v) }: _*).repartition(1 + r.nextInt(3)), p,
        "label" -> "P", "file-size" -> Seq("500", "256m")(r.nextInt(2)))
      for ((n, v) <- change) model = model.updated(n, if (v == null) model(n) - column else model(n).updated(column, v))
    }
    val df = read(p, "label" -> "P")
    val got = df.collect().map { r =>
      number(r.getAs[String]("_id")) -> df.columns.filterNot(_.startsWith("_")).map(c => c -> r.getAs[Any](c)).filter(_._2 != null).toMap
    }.toMap
    assert(got == model, s"seed $seed")
  }

  private def number(id: String) = Integer.parseInt(id.takeRight(12), 16)
}
