package com.namidb.spark.write.removal

import com.namidb.format.Golden
import com.namidb.format.error._
import com.namidb.spark.{Place, Places}
import com.namidb.spark.write.Writing
import org.apache.spark.sql.functions._
import org.apache.spark.sql.{Row, SaveMode}

import scala.util.Random

class DetachSuite extends DetachTests(Places.Local)

class SingleObjectDetachSuite extends DetachTests(Places.SingleObject)

/** Deleting nodes together with their edges. */
class DetachTests(override val places: Places) extends Writing {
  // Names that differ in case only.
  spark.conf.set("spark.sql.caseSensitive", "true")

  private val Shown = Set("types", "many-ssts", "wal-and-sst", "updates-and-deletes", "edge-heavy", "wal-only-2.1.4", "salud-paciente")

  private def detach(p: Place, ns: Int*): Unit =
    write(ids(ns: _*), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")

  private def start(): Place = {
    val p = place()
    write(nodes(1 to 10), p, "label" -> "P")
    p
  }

  test("edges from, to, between and at deleted nodes go in the same commit, of every type and in both directions") {
    val p = start()
    write(edges((1, 2), (2, 1), (3, 3), (3, 4), (5, 6), (7, 3)), p, "type" -> "T")
    write(edges((3, 1), (8, 9), (4, 3)), p, "type" -> "U")
    val before = version(p)
    detach(p, 1, 3)
    assert(version(p) == before + 1)
    assert(pairs(p, "T") == Set((5, 6)) && pairs(p, "U") == Set((8, 9)))
    for (t <- Seq("T", "U"); n <- 1 to 10; c <- Seq("_src", "_dst"))
      assert(read(p, "type" -> t).where(col(c) === id(n)).count() ==
        (if (t == "T") Seq(5 -> "_src", 6 -> "_dst") else Seq(8 -> "_src", 9 -> "_dst")).count(_ == (n -> c)))
    assert(numbers(p, "P") == (1 to 10).toSet - 1 - 3)
    // No dangling edge is left: a node that comes back has none.
    write(nodes(Seq(3)), p, "label" -> "P")
    assert(read(p, "type" -> "T").where(col("_src") === id(3)).count() == 0)
  }

  test("nodes without edges, and edges only elsewhere") {
    val p = start()
    detach(p, 1)
    write(edges((2, 3)), p, "type" -> "T")
    detach(p, 4)
    assert(pairs(p, "T") == Set((2, 3)))
    write(edges((2, 3)), p, "type" -> "T", "write-mode" -> "delete")
    detach(p, 2)
    assert(numbers(p, "P") == Set(3, 5, 6, 7, 8, 9, 10))
  }

  test("the receipt counts what was detached, apart from the rows given") {
    val p = start()
    write(edges((1, 2), (2, 1), (1, 1), (5, 6)), p, "type" -> "T")
    val job = begin(p, Id, false, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
    val receipt = publish(job, attempt(job, Seq(id(1))))
    assert(receipt.deletedNodes == 1 && receipt.deletedEdges == 3 && receipt.balance.source == 1)
    assert(new String(receipt.toBytes, "UTF-8").contains("\"deleted_edges\":3"))
  }

  test("an edge that somebody adds to a deleted node between planning and commit is found") {
    for ((e, t, isolation) <- Seq(((1, 9), "T", "snapshot"), ((9, 1), "New", "snapshot"), ((1, 1), "T", "snapshot"), ((9, 1), "New", "serializable"))) {
      val p = start()
      write(edges((1, 2)), p, "type" -> "T")
      val job = begin(p, Id, false, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach", "isolation" -> isolation)
      val mine = attempt(job, Seq(id(1)))
      // Looked up when it publishes, on the version it was planned on.
      write(edges(e), p, "type" -> t)
      unchanged(p) {
        val error = intercept[NamiException](publish(job, mine))
        if (isolation == "snapshot") assert(error.getMessage.contains(id(1)) && error.getMessage.contains("meanwhile"), error.getMessage)
        else assert(error.isInstanceOf[CommitConflictException])
      }
      assert(numbers(p, "P").contains(1))
    }
  }

  test("changes elsewhere do not matter, those of detached edges do") {
    val p = start()
    write(edges((1, 2), (3, 1)), p, "type" -> "T")
    val job = begin(p, Id, false, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
    val mine = attempt(job, Seq(id(1)))
    write(edges((8, 9)), p, "type" -> "T")
    write(nodes(Seq(20)), p, "label" -> "P")
    publish(job, mine)
    assert(pairs(p, "T") == Set((8, 9)) && !numbers(p, "P").contains(1))

    write(edges((2, 3)), p, "type" -> "T")
    val late = begin(p, Id, false, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
    val theirs = attempt(late, Seq(id(2)))
    write(edges((2, 3)).withColumn("w", lit(5L)), p, "type" -> "T", "write-mode" -> "upsert")
    unchanged(p)(intercept[CommitConflictException](publish(late, theirs)))
  }

  test("a failed check keeps the nodes and the edges") {
    val p = start()
    write(edges((1, 2)), p, "type" -> "T")
    unchanged(p)(failure[ValidationFailedException](write(ids(1), p, "label" -> "P", "write-mode" -> "delete",
      "on-incident-edges" -> "detach", "expected-rows" -> "2")))
    assert(pairs(p, "T") == Set((1, 2)))
  }

  test("random graphs against a model") {
    val seed = new Random().nextInt(1 << 30)
    val r = new Random(seed)
    for (round <- 1 to 3) {
      val p = place()
      write(nodes(1 to 60), p, "label" -> "P", "file-size" -> "500")
      val types = Seq("T", "U")
      var graph = types.map(t => t -> Seq.fill(150)((1 + r.nextInt(60), 1 + r.nextInt(60))).toSet).toMap
      var live = (1 to 60).toSet
      for (t <- types) write(edges(graph(t).toSeq: _*).repartition(2), p, "type" -> t, "file-size" -> Seq("300", "256m")(r.nextInt(2)))
      for (_ <- 1 to 3) {
        val gone = r.shuffle(live.toList).take(r.nextInt(15) + 1).toSet
        val size = "file-size" -> Seq("100", "256m")(r.nextInt(2))
        if (r.nextBoolean())
          write(ids(gone.toSeq: _*).repartition(2), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach", size)
        else overwrite(nodes((live -- gone).toSeq.sorted), p, "label" -> "P", "on-incident-edges" -> "detach", size)
        live --= gone
        graph = graph.map { case (t, es) => t -> es.filter { case (a, b) => live(a) && live(b) } }
        assert(numbers(p, "P") == live, s"seed $seed round $round")
        for (t <- types) assert(pairs(p, t) == graph(t), s"seed $seed round $round")
      }
    }
  }

  test("engine-made namespaces: edges in the WAL, in many files, and with missing ends") {
    for (g <- Golden.cases if Shown(g.name) && g.recorded.head.edges.nonEmpty) {
      val c = places.copied(g)
      val at = c.recorded.head
      val live = at.nodes.map(_.id).toSet
      val touched = at.edges.flatMap(e => Seq(e.src, e.dst)).distinct.filter(live)
      val gone = touched.zipWithIndex.filter(_._2 % 3 == 0).map(_._1).toSet
      save(frame(Id, gone.toSeq.map(Row(_)): _*), c.uri, SaveMode.Append, "label" -> "*", "write-mode" -> "delete",
        "on-incident-edges" -> "detach", "search-indexes" -> "retire")
      assert(ids(load(c, "label" -> "*")) == (live -- gone).toSeq.sorted, g.name)
      for ((t, es) <- at.edges.groupBy(_.tpe)) {
        val left = es.filterNot(e => gone(e.src) || gone(e.dst)).map(e => (e.src, e.dst)).toSet
        val df = load(c, "type" -> t).select("_src", "_dst")
        assert(df.collect().map(r => (r.getString(0), r.getString(1))).toSet == left, s"${g.name} $t")
        for (e <- es.take(20))
          assert(df.where(col("_dst") === e.dst).count() == left.count(_._2 == e.dst), s"${g.name} $t to ${e.dst}")
      }
    }
  }
}
