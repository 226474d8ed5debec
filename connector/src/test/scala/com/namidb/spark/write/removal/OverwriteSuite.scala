package com.namidb.spark.write.removal

import com.namidb.format.Golden
import com.namidb.format.error._
import com.namidb.spark.{Place, Places}
import com.namidb.spark.write.{NamiWriteBuilder, Writing}
import org.apache.spark.sql.connector.expressions.filter.{AlwaysTrue, Predicate}
import org.apache.spark.sql.connector.expressions.{Expressions, Expression}
import org.apache.spark.sql.connector.write.LogicalWriteInfo
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.{Row, SaveMode}

import scala.jdk.CollectionConverters._
import scala.util.Random

class OverwriteSuite extends OverwriteTests(Places.Local)

class BucketOverwriteSuite extends OverwriteTests(Places.Bucket)

/** Overwriting a table: its whole content is what was given, and no other table changes. */
class OverwriteTests(override val places: Places) extends Writing {
  // Names that differ in case only.
  spark.conf.set("spark.sql.caseSensitive", "true")

  private val Shown = Set("types", "many-ssts", "wal-and-sst-2.1.4", "updates-and-deletes", "edge-heavy")

  private val Labelled = Id.add("_labels", ArrayType(StringType))

  test("nodes: given ones are there, all others are gone, in one commit") {
    val p = place()
    write(nodes(1 to 200).repartition(3), p, "label" -> "P", "file-size" -> "1k")
    write(nodes(150 to 220, "up"), p, "label" -> "P", "write-mode" -> "upsert")
    write(ids(10, 11), p, "label" -> "P", "write-mode" -> "delete")
    write(nodes(300 to 310), p, "label" -> "Other")
    val before = version(p)
    overwrite(nodes(180 to 240, "o").drop("n"), p, "label" -> "P", "file-size" -> "1k")
    assert(version(p) == before + 1)
    assert(rows(read(p, "label" -> "P").select("_id", "name")) == (180 to 240).map(n => Seq(id(n), s"o$n")).toSet)
    assert(!read(p, "label" -> "P").columns.contains("n"))
    assert(numbers(p, "Other") == (300 to 310).toSet)
    assert(read(p, "label" -> "P", "versionAsOf" -> before.toString).count() == 218)
  }

  test("an empty frame empties the table; once more there is nothing to commit") {
    val p = place()
    write(nodes(1 to 30), p, "label" -> "P")
    write(nodes(40 to 41), p, "label" -> "Q")
    overwrite(nodes(Nil), p, "label" -> "P")
    assert(numbers(p, "*") == Set(40, 41))
    unchanged(p)(overwrite(nodes(Nil), p, "label" -> "P"))
    overwrite(nodes(50 to 52), p, "label" -> "P")
    assert(numbers(p, "*") == Set(40, 41, 50, 51, 52))
    overwrite(nodes(1 to 2), p, "label" -> "*")
    assert(numbers(p, "*") == Set(1, 2))
  }

  test("a namespace that does not exist yet") {
    val p = place()
    overwrite(nodes(1 to 5), p, "label" -> "P")
    assert(numbers(p, "P") == (1 to 5).toSet && version(p) == 1)
    overwrite(edges((1, 2), (3, 3)), p, "type" -> "T")
    assert(pairs(p, "T") == Set((1, 2), (3, 3)))
    val q = place()
    overwrite(edges((1, 2)), q, "type" -> "T", "on-dangling" -> "allow")
    assert(pairs(q, "T") == Set((1, 2)))
  }

  test("nodes of other tables, too, stop it unless they may go") {
    val p = place()
    write(frame(Labelled, Row(id(1), Seq("P")), Row(id(2), Seq("P", "Q")), Row(id(3), Seq("Q")), Row(id(4), Seq("P"))), p, "label" -> "*")
    for (given <- Seq(nodes(Seq(1)), nodes(1 to 2), nodes(Nil))) unchanged(p) {
      val e = failure[ValidationFailedException](overwrite(given, p, "label" -> "P"))
      assert(e.getMessage.contains(s"node ${id(2)} also carries the label 'Q'"), e.getMessage)
    }
    // A node of another table must not be taken over.
    unchanged(p) {
      val e = failure[ValidationFailedException](overwrite(nodes(Seq(3)), p, "label" -> "P", "overwrite-multi-label" -> "delete"))
      assert(e.getMessage.contains(s"node ${id(3)} exists without the label"), e.getMessage)
    }
    overwrite(nodes(4 to 5), p, "label" -> "P", "overwrite-multi-label" -> "delete")
    assert(numbers(p, "P") == Set(4, 5) && numbers(p, "Q") == Set(3) && numbers(p, "*") == Set(3, 4, 5))
  }

  test("nodes that vanish obey the rule for their edges") {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    write(edges((1, 2), (3, 3), (4, 1)), p, "type" -> "T")
    unchanged(p) {
      val e = failure[ValidationFailedException](overwrite(nodes(1 to 2), p, "label" -> "P"))
      assert(e.getMessage.contains(s"node ${id(3)} still has edges"), e.getMessage)
    }
    // A node that is only replaced keeps its edges.
    overwrite(nodes(1 to 4, "o"), p, "label" -> "P")
    assert(pairs(p, "T") == Set((1, 2), (3, 3), (4, 1)))
    overwrite(nodes(Seq(1, 2, 4)), p, "label" -> "P", "on-incident-edges" -> "detach")
    assert(pairs(p, "T") == Set((1, 2), (4, 1)))
    overwrite(nodes(1 to 2), p, "label" -> "P", "on-incident-edges" -> "leave")
    assert(pairs(p, "T") == Set((1, 2), (4, 1)) && numbers(p, "P") == Set(1, 2))
  }

  test("edges: per type, both directions, ends checked") {
    val p = place()
    write(nodes(1 to 20), p, "label" -> "P")
    write(edges((for (a <- 1 to 20; b <- 1 to 20) yield (a, b)): _*), p, "type" -> "T", "file-size" -> "1k")
    write(edges((1, 2)), p, "type" -> "U")
    write(edges((3, 3)), p, "type" -> "T", "write-mode" -> "delete")
    unchanged(p)(failure[ValidationFailedException](overwrite(edges((1, 2), (2, 77)), p, "type" -> "T")))
    val keep = for (a <- 1 to 20; b <- 1 to 20 if (a + b) % 7 == 0) yield (a, b)
    overwrite(edges(keep: _*).withColumn("w", lit(-1L)), p, "type" -> "T")
    assert(rows(read(p, "type" -> "T").select("_src", "_dst", "w")) == keep.map { case (a, b) => Seq(id(a), id(b), -1L) }.toSet)
    for (n <- 1 to 20)
      assert(read(p, "type" -> "T").where(col("_dst") === id(n)).count() == keep.count(_._2 == n))
    assert(pairs(p, "U") == Set((1, 2)))
    overwrite(edges(), p, "type" -> "T")
    assert(read(p, "type" -> "T").count() == 0 && pairs(p, "U") == Set((1, 2)))
  }

  test("what was expected counts the given rows only") {
    val p = place()
    write(nodes(1 to 9), p, "label" -> "P")
    unchanged(p)(failure[ValidationFailedException](overwrite(nodes(1 to 2), p, "label" -> "P", "expected-rows" -> "9")))
    overwrite(nodes(1 to 2), p, "label" -> "P", "expected-rows" -> "2")
    assert(numbers(p, "P") == Set(1, 2))
  }

  test("a row that comes twice fails it, and the old content stays") {
    val p = place()
    write(nodes(1 to 9), p, "label" -> "P")
    unchanged(p)(failure[NamiException](overwrite(nodes(Seq(20, 21, 20)), p, "label" -> "P")))
    unchanged(p)(failure[NamiException](overwrite(nodes(20 to 21).withColumn("x", lit(Double.NaN)), p, "label" -> "P")))
    assert(numbers(p, "P") == (1 to 9).toSet)
  }

  private val Named = Id.add("name", StringType)

  test("changes of others: a conflict by default; with snapshot isolation only of the same keys") {
    def start() = {
      val p = place()
      write(nodes(1 to 10), p, "label" -> "P")
      p
    }
    def job(p: Place, isolation: String) = {
      val j = begin(p, Named, true, Seq("label" -> "P") ++ Option.when(isolation.nonEmpty)("isolation" -> isolation): _*)
      (j, attempt(j, Seq(id(1), "mine"), Seq(id(20), "mine")))
    }
    for (ns <- Seq(Seq(2), Seq(30))) {
      val p = start()
      val (j, mine) = job(p, "")
      write(nodes(ns, "theirs"), p, "label" -> "P", "write-mode" -> "upsert")
      unchanged(p)(intercept[CommitConflictException](publish(j, mine)))
    }
    val p = start()
    val (j, mine) = job(p, "snapshot")
    write(nodes(Seq(30), "theirs"), p, "label" -> "P")
    val receipt = publish(j, mine)
    assert(receipt.deletedNodes == 9 && receipt.balance.source == 2)
    assert(numbers(p, "P") == Set(1, 20, 30))
    for (n <- Seq(1, 5, 20)) {
      val q = start()
      val (k, late) = job(q, "snapshot")
      write(nodes(Seq(n), "theirs"), q, "label" -> "P", "write-mode" -> "upsert")
      unchanged(q) {
        val e = intercept[CommitConflictException](publish(k, late))
        assert(e.getMessage.contains(id(n)), e.getMessage)
      }
    }
  }

  test("an end of an edge that goes meanwhile is noticed") {
    val p = place()
    write(nodes(1 to 5), p, "label" -> "P")
    write(edges((1, 2)), p, "type" -> "T")
    val job = begin(p, Ends, true, "type" -> "T")
    val mine = attempt(job, Seq(id(3), id(4)))
    write(ids(4), p, "label" -> "P", "write-mode" -> "delete")
    unchanged(p)(intercept[ValidationFailedException](publish(job, mine)))
    assert(pairs(p, "T") == Set((1, 2)))
  }

  test("random overwrites against a model, over overlapping files") {
    val seed = new Random().nextInt(1 << 30)
    val r = new Random(seed)
    val p = place()
    var table = Set.empty[Int]
    var other = Set.empty[Int]
    for (round <- 1 to 10) {
      val ns = r.shuffle((1 to 400).toList).filterNot(other).take(Seq(if (round > 1) 0 else 7, 3, 60, 200)(r.nextInt(4)))
      val size = "file-size" -> Seq("300", "2k", "256m")(r.nextInt(3))
      if (r.nextInt(3) == 0 && ns.nonEmpty) {
        write(nodes(ns, s"u$round."), p, "label" -> "P", "write-mode" -> "upsert", size)
        table ++= ns
      } else if (r.nextInt(4) == 0 && round > 1) {
        val more = (401 to 500).filterNot(other).take(r.nextInt(20))
        write(nodes(more), p, "label" -> "Q", size)
        other ++= more
      } else {
        overwrite(nodes(ns, s"o$round.").repartition(1 + r.nextInt(3)), p, "label" -> "P", size)
        table = ns.toSet
      }
      assert(numbers(p, "P") == table && numbers(p, "*") == table ++ other, s"seed $seed round $round")
    }
  }

  test("tables of engine-made namespaces, with tombstones, overlaps and rows in the WAL") {
    for (g <- Golden.cases if Shown(g.name)) {
      val c = places.copied(g)
      val at = c.recorded.head
      for (t <- at.edges.map(_.tpe).distinct if t.matches("[A-Za-z_]+")) {
        val es = at.edges.filter(_.tpe == t)
        val keep = es.take(es.size / 2)
        save(frame(Ends, keep.map(e => Row(e.src, e.dst)): _*), c.uri, SaveMode.Overwrite, "type" -> t, "on-dangling" -> "allow")
        assert(rows(load(c, "type" -> t).select("_src", "_dst")) == keep.map(e => Seq(e.src, e.dst)).toSet, s"${g.name} $t")
        for (other <- at.edges.map(_.tpe).distinct if other > t)
          assert(load(c, "type" -> other).count() == at.edges.count(_.tpe == other), s"${g.name} $other")
      }
      for (label <- at.nodes.flatMap(_.labels).distinct.headOption) {
        val in = at.nodes.filter(_.labels.contains(label))
        val keep = in.drop(in.size / 2)
        save(frame(Id, keep.map(n => Row(n.id)): _*), c.uri, SaveMode.Overwrite, "label" -> label, "on-incident-edges" -> "leave",
          "overwrite-multi-label" -> "delete", "search-indexes" -> "retire")
        val left = at.nodes.filterNot(in.contains).map(_.id) ++ keep.map(_.id)
        assert(ids(load(c, "label" -> "*")) == left.sorted, s"${g.name} $label")
      }
    }
  }

  test("an overwrite of some rows only, or with a mode of its own, is refused") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    def builder() = new NamiWriteBuilder(new LogicalWriteInfo {
      override def options = new CaseInsensitiveStringMap(Map("uri" -> uri(p), "label" -> "P").asJava)
      override def queryId = "q"
      override def schema: StructType = Named
    })
    val filter = new Predicate("=", Array[Expression](Expressions.column("name"), Expressions.literal("x")))
    val e = intercept[InvalidOptionException](builder().overwrite(Array(filter)))
    assert(e.getMessage.contains("name") && e.getMessage.contains("whole table"), e.getMessage)
    assert(builder().overwrite(Array(new AlwaysTrue)).build().description.contains("overwrite"))
    unchanged(p) {
      for (m <- Seq("insert", "upsert", "patch", "delete")) {
        val f = failure[InvalidOptionException](overwrite(nodes(Nil), p, "label" -> "P", "write-mode" -> m))
        assert(f.getMessage.contains("write-mode"), f.getMessage)
      }
    }
  }
}
