package com.namidb.spark.job

import java.util.concurrent.{Callable, Executors, TimeUnit}

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.{PublishPreview, Verdict}
import com.namidb.format.error.{CommitConflictException, InvalidOptionException, ValidationFailedException}
import com.namidb.format.stage.JobPhase
import com.namidb.format.engine.Engines
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.DataFrame

class StageSuite extends StageTests(Places.Local)

class SingleObjectStageSuite extends StageTests(Places.SingleObject)

class BucketStageSuite extends StageTests(Places.Bucket)

/** Several writes that become visible together or not at all. */
class StageTests(override val places: Places) extends JobFixture {
  private def stage(df: DataFrame, p: Place, options: (String, String)*): Unit =
    write(df, p, options :+ ("stage" -> "s"): _*)

  /** Publishing fails with these words, and neither the graph nor the stage changes. */
  private def refused(p: Place, words: String*): Unit = {
    val v = version(p)
    val preview = jobs(p).dryRun("s")
    assert(!preview.passes, preview.toString)
    val e = failure[ValidationFailedException](jobs(p).publish("s"))
    for (w <- words) {
      assert(e.getMessage.contains(w), e.getMessage)
      assert(preview.checks.asScala.exists(_.findings.asScala.exists(_.contains(w))), preview.toString)
    }
    assert(version(p) == v && jobs(p).staged().asScala.find(_.name == "s").get.phase == JobPhase.SEALED)
  }

  test("nodes and edges of one stage are one commit, and nothing is seen before") {
    withPlace { p =>
      write(nodes(100 to 101), p, "label" -> "P")
      stage(nodes(1 to 10), p, "label" -> "P")
      stage(nodes(11 to 12, "city"), p, "label" -> "City", "write-mode" -> "upsert")
      stage(edges((1, 11), (2, 12), (3, 100)), p, "type" -> "LIVES_IN")
      stage(edges((1, 2), (2, 1)), p, "type" -> "KNOWS")
      assert(version(p) == 1 && names(p, "P") == Seq("v100", "v101"))
      val open = jobs(p).staged().asScala.toSeq
      assert(open.map(s => (s.name, s.isStage, s.phase, s.writes, s.nodes, s.edges, s.base.getAsLong)) ==
        Seq(("s", true, JobPhase.OPEN, 4, 12L, 5L, 1L)))
      val receipt = jobs(p).publish("s")
      assert(receipt.base == 1 && receipt.version == 2 && version(p) == 2)
      assert(receipt.nodes.count == 12 && receipt.edges.count == 5 && receipt.balance.accepted == 17)
      assert(receipt.files.asScala.map(_.sst.lsns.min).distinct.size == 1, "one LSN for all rows")
      assert(names(p, "P") == ((1 to 10).map(n => s"v$n") ++ Seq("v100", "v101")).sorted && names(p, "City") == Seq("city11", "city12"))
      assert(pairs(p, "LIVES_IN") == Set((id(1), id(11)), (id(2), id(12)), (id(3), id(100))) && pairs(p, "KNOWS").size == 2)
      assert(read(p, "label" -> "P", "versionAsOf" -> "1").count() == 2)
      val before = objects(p)
      assert(jobs(p).publish("s") == receipt && objects(p) == before)
      assert(jobs(p).verifyCommit("s") == new Verdict.CommittedAt(2))
      val e = failure[InvalidOptionException](stage(nodes(50 to 50), p, "label" -> "P"))
      assert(e.getMessage.contains("PUBLISHED") && e.getMessage.contains("another stage name"))
      failure[InvalidOptionException](jobs(p).discard("s"))
      if (Engines.enabled && places == Places.Local) {
        val query = "MATCH (a:P)-[:LIVES_IN]->(c) RETURN a.name AS a, c.name AS c ORDER BY a"
        val answer = Engines.run("2.6.19", "written.py", "ask", p.dir.toString, "g", query)
        for (w <- Seq("v1", "city11", "v2", "city12", "v3", "v100")) assert(answer.contains("\"" + w + "\""), answer)
      }
    }
  }

  test("ends are looked for in the graph with the stage on top") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      stage(nodes(5 to 5), p, "label" -> "P")
      stage(nodes(4 to 4), p, "label" -> "P", "write-mode" -> "delete")
      stage(edges((1, 5), (5, 2)), p, "type" -> "T")
      assert(jobs(p).dryRun("s").passes)
      // A part that allows what its own edges lack does not speak for the others.
      stage(edges((1, 77)), p, "type" -> "LOOSE", "on-dangling" -> "allow")
      assert(jobs(p).dryRun("s").passes)
      stage(edges((2, 4), (88, 1)), p, "type" -> "T")
      refused(p, s"node ${id(4)}, an end of an edge, does not exist", s"node ${id(88)}, an end", s"node ${id(4)} still has edges")
    }
  }

  test("a stage that failed a check says that it is closed; missing ends tell what their ids come from") {
    withPlace { p =>
      import spark.implicits._
      def by(label: String, name: String) =
        write(Seq("a", "b").toDF("k"), p, "label" -> label, "key" -> "k", "stage" -> name)
      def ends(src: String, dst: String, name: String, column: String = "k2") = write(Seq(("a", "b")).toDF("k1", column), p, "type" -> "T",
        "src-key" -> "k1", "src-label" -> src, "dst-key" -> column, "dst-label" -> dst, "stage" -> name)
      by("P", "s")
      ends("P", "p", "s")
      refused(p, "(source ids are derived with label 'P' from column k1; destination ids are derived with label 'p' from column k2, " +
        "but no node of this version has the label 'p'; did you mean 'P'?)")
      val e = failure[ValidationFailedException](jobs(p).publish("s")).getMessage
      for (w <- Seq("nami.system.discard(namespace => 'g', stage => 's')", "stage its writes again", "on-dangling=allow")) assert(e.contains(w), e)
      assert(!e.contains("Correct the rows"), e)
      failure[InvalidOptionException](by("p", "s"))
      // Neither a label that only the stage brings nor ids that came as they are are doubted.
      jobs(p).discard("s")
      by("P", "s")
      write(edges((1, 2)), p, "type" -> "U", "stage" -> "s")
      val plain = failure[ValidationFailedException](jobs(p).publish("s")).getMessage
      assert(plain.contains("does not exist") && !plain.contains("derived"), plain)
      by("P", "t")
      write(Seq(("a", "nobody")).toDF("k1", "k2"), p, "type" -> "T",
        "src-key" -> "k1", "src-label" -> "P", "dst-key" -> "k2", "dst-label" -> "P", "stage" -> "t")
      val missing = failure[ValidationFailedException](jobs(p).publish("t")).getMessage
      assert(missing.contains("with label 'P' from column k2)"), missing)
      // What a receipt and a preview say fits on a few lines.
      jobs(p).discard("t")
      by("P", "t")
      assert(!jobs(p).dryRun("t").toString.contains("\n"))
      val text = jobs(p).publish("t").toString
      assert(text.startsWith("job t, version 0 -> 1: 2 rows read, 2 accepted, 0 quarantined; 2 nodes (0 deleted)") && text.length < 300, text)
    }
  }

  test("every refusal names the option that helps") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      write(edges((1, 2)), p, "type" -> "T")
      write(spark.createDataFrame(Seq((id(9), Seq("P", "X")))).toDF("_id", "_labels"), p, "label" -> "P")
      def says(words: String*)(run: => Any): Unit = {
        val m = failure[ValidationFailedException](run).getMessage
        for (w <- words) assert(m.contains(w), m)
        assert(!m.contains("Correct the rows"), m)
      }
      says("write-mode=upsert", "job-id")(write(nodes(1 to 1), p, "label" -> "P"))
      says("on-incident-edges=detach")(write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete"))
      says("on-dangling=quarantine", "on-dangling=allow")(write(edges((1, 77)), p, "type" -> "T"))
      says("expected-rows is 3", "Check the input, or the expectation")(write(nodes(20 to 20), p, "label" -> "P", "expected-rows" -> "3"))
      says("A patch changes what exists")(write(nodes(77 to 77), p, "label" -> "P", "write-mode" -> "patch"))
      says("overwrite-multi-label=delete")(nodes(1 to 1).write.format("namidb").option("label", "P").mode("overwrite").save(uri(p)))
      assert(version(p) == 3)
    }
  }

  test("a node is deleted only with its edges, wherever these are") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      write(edges((1, 2), (3, 3)), p, "type" -> "T")
      write(edges((4, 1)), p, "type" -> "U")
      stage(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete")
      assert(!jobs(p).dryRun("s").passes)
      stage(edges((1, 2)), p, "type" -> "T", "write-mode" -> "delete")
      assert(!jobs(p).dryRun("s").passes)
      stage(edges((4, 1)), p, "type" -> "U", "write-mode" -> "delete")
      assert(jobs(p).publish("s").version == 4)
      assert(names(p, "P") == Seq("v2", "v3", "v4") && pairs(p, "T") == Set((id(3), id(3))) && pairs(p, "U").isEmpty)
      write(nodes(3 to 3), p, "stage" -> "leave", "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "leave")
      assert(jobs(p).publish("leave").version == 5)
    }
  }

  test("a key occurs once in a stage, also across its writes; only inserts must be new") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      stage(nodes(1 to 2, "up"), p, "label" -> "P", "write-mode" -> "upsert")
      stage(edges((1, 2)), p, "type" -> "A")
      stage(edges((1, 2), (2, 1)), p, "type" -> "B")
      assert(jobs(p).dryRun("s").passes, "the same ends under two types are two edges")
      stage(nodes(4 to 6), p, "label" -> "Q")
      // A file of another type lies between the two that share an edge.
      stage(edges((2, 3)), p, "type" -> "A")
      stage(edges((2, 1)), p, "type" -> "B", "write-mode" -> "upsert")
      stage(nodes(2 to 2, "again"), p, "label" -> "Q", "write-mode" -> "upsert")
      refused(p, s"node ${id(2)} is in the job twice", s"edge ${id(2)} -> ${id(1)} is in the job twice", s"node ${id(4)} exists already")
    }
  }

  test("a dry run changes no object and tells what would be committed") {
    withPlace { p =>
      write(nodes(1 to 3), p, "label" -> "P")
      stage(nodes(4 to 9), p, "label" -> "New")
      stage(edges((1, 4)), p, "type" -> "T")
      val before = objects(p)
      val preview = jobs(p).dryRun("s")
      assert(objects(p) == before)
      assert(preview.base == 1 && preview.version == 2 && preview.labels.asScala == Seq("New") && preview.rewriteBytes == 0)
      val ssts = preview.files.asScala.map(_.sst)
      assert(ssts.map(s => (s.kind.toString, s.scope, s.counts.rows)).sorted.distinct ==
        Seq(("EDGES_FWD", "T", 1L), ("EDGES_INV", "T", 1L)) ++ ssts.filter(_.scope.isEmpty).map(s => ("NODES", "", s.counts.rows)).sorted.distinct)
      assert(ssts.filter(_.scope.isEmpty).map(_.counts.rows).sum == 6 && ssts.forall(_.sizeBytes > 0))
      assert(ssts.filter(_.scope.isEmpty).map(_.keys.min).min(Ordering.comparatorToOrdering(
        java.util.Comparator.naturalOrder[com.namidb.format.id.NodeId]())).toString == id(4))
      assert(preview.passes && preview.checks.asScala.forall(_.outcome == PublishPreview.Outcome.PASSED) && preview.checks.size >= 7)
      // Other commits may come in between; what is promised is what happens.
      stage(nodes(10 to 10), p, "label" -> "New")
      val receipt = jobs(p).publish("s")
      assert(receipt.version == 2 && names(p, "New").size == 7)
      failure[InvalidOptionException](jobs(p).dryRun("s"))
    }
  }

  test("the files of a discarded stage stay while its driver may sleep in the middle of a commit") {
    withPlace { p =>
      write(nodes(1 to 2), p, "label" -> "P")
      write(nodes(3 to 4), p, "label" -> "P", "stage" -> "s")
      val opened = com.namidb.spark.options.OpenNamespace.at(com.namidb.spark.options.PlaceOptions.of(java.util.Map.of("uri", uri(p)), _ => null))
      val job = com.namidb.format.stage.StagedJob.find(opened.location.paths, opened.store, "s", java.time.Clock.systemUTC()).get
      job.seal()
      val begun = System.currentTimeMillis - 11 * 60000
      job.publishing(new com.namidb.format.stage.Attempt(version(p), new java.util.UUID(1, 1), java.util.List.of(), begun))
      val staged = p.keys("g/bulk/s/").filter(_.endsWith(".parquet")).toSet
      val gone = jobs(p).discard("s")
      assert((gone.files, gone.left) == ((0, staged.size)) && staged.nonEmpty && staged.forall(p.exists))
      write(nodes(5 to 5), p, "label" -> "P")
      assert(jobs(p).discard("s").files == staged.size && !staged.exists(p.exists) && names(p, "P").size == 3)
    }
  }

  test("a discarded stage is never seen, its files go, and its name is free again") {
    withPlace { p =>
      write(nodes(1 to 3), p, "label" -> "P")
      stage(nodes(4 to 9), p, "label" -> "P")
      stage(edges((1, 4)), p, "type" -> "T")
      val staged = objects(p).keySet.filter(k => k.contains("/bulk/s/") && !k.endsWith(".json"))
      val gone = jobs(p).discard("s")
      assert(staged.nonEmpty && gone.files == staged.size && gone.left == 0 && !objects(p).keySet.exists(staged))
      assert(version(p) == 1 && names(p, "P").size == 3)
      failure[InvalidOptionException](jobs(p).publish("s"))
      assert(jobs(p).verifyCommit("s").isInstanceOf[Verdict.NotCommitted])
      assert(jobs(p).discard("s").files == gone.files && jobs(p).staged().get(0).phase == JobPhase.DISCARDED)
      stage(nodes(7 to 7, "again"), p, "label" -> "P")
      assert(jobs(p).publish("s").version == 2 && names(p, "P") == Seq("again7", "v1", "v2", "v3"))
    }
  }

  test("a stage is filled from two sessions at once, in a namespace that is not there yet") {
    withPlace { p =>
      val sessions = Seq.fill(2)(configured(spark.newSession()))
      val pool = Executors.newFixedThreadPool(2)
      val place = uri(p)
      val done = for ((s, k) <- sessions.zipWithIndex) yield pool.submit(new Callable[Unit] {
        override def call(): Unit = for (n <- 0 until 3) {
          val first = 1000 * (k + 1) + 100 * n
          val rows = (first until first + 20).map(i => (id(i), s"v$i"))
          s.createDataFrame(rows).toDF("_id", "name").write.format("namidb").option("label", s"L$k$n").option("stage", "s").mode("append").save(place)
        }
      })
      pool.shutdown()
      done.foreach(_.get(2, TimeUnit.MINUTES))
      assert(version(p) == 0)
      val receipt = jobs(p).publish("s")
      assert(receipt.version == 1 && receipt.nodes.count == 120)
      for (k <- 0 to 1; n <- 0 until 3)
        assert(names(p, s"L$k$n") == (1000 * (k + 1) + 100 * n until 1000 * (k + 1) + 100 * n + 20).map(i => s"v$i"))
    }
  }

  test("others commit while a stage is filled: keys of an upsert conflict, ids of an insert are looked up anew") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      stage(nodes(3 to 3, "mine"), p, "label" -> "P", "write-mode" -> "upsert")
      write(nodes(1 to 1, "theirs"), p, "label" -> "P", "write-mode" -> "upsert")
      assert(jobs(p).dryRun("s").passes, "another key")
      write(nodes(3 to 3, "theirs"), p, "label" -> "P", "write-mode" -> "upsert")
      val preview = jobs(p).dryRun("s")
      assert(!preview.passes)
      val e = failure[CommitConflictException](jobs(p).publish("s"))
      assert(e.getMessage.contains(id(3)) && names(p, "P") == Seq("theirs1", "theirs3", "v2", "v4"))
      jobs(p).discard("s")
      // A write that was planned after the foreign commit knows it.
      stage(nodes(9 to 9), p, "label" -> "P")
      write(nodes(2 to 2, "theirs"), p, "label" -> "P", "write-mode" -> "upsert")
      stage(nodes(2 to 2, "mine"), p, "label" -> "P", "write-mode" -> "upsert")
      jobs(p).publish("s")
      assert(names(p, "P") == Seq("mine2", "theirs1", "theirs3", "v4", "v9"))
      write(nodes(20 to 20), p, "label" -> "P", "stage" -> "t")
      write(nodes(20 to 20), p, "label" -> "P")
      failure[ValidationFailedException](jobs(p).publish("t"))
      // Serializable: any change of nodes is one.
      write(nodes(30 to 30), p, "label" -> "P", "stage" -> "u", "isolation" -> "serializable")
      write(nodes(31 to 31), p, "label" -> "P")
      failure[CommitConflictException](jobs(p).publish("u"))
    }
  }

  test("files that others overtook are rewritten, here or as a Spark job, and still checked by their parts' rules") {
    for (rewrite <- Seq(false, true)) withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      stage(nodes(5 to 9), p, "label" -> "Mine")
      stage(nodes(1 to 1, "up"), p, "label" -> "P", "write-mode" -> "upsert")
      stage(edges((1, 5), (5, 9)), p, "type" -> "T")
      // The label id that the stage gave to 'Mine' now means something else.
      write(nodes(50 to 50), p, "label" -> "Theirs")
      assert(jobs(p).dryRun("s").rewriteBytes > 0)
      val receipt = jobs(p).publish("s", rewrite)
      assert(receipt.version == 3 && names(p, "Mine") == (5 to 9).map(n => s"v$n") && names(p, "Theirs") == Seq("v50"))
      assert(names(p, "P") == Seq("up1", "v2", "v3", "v4") && pairs(p, "T").size == 2)
      write(nodes(60 to 60), p, "label" -> "Mine2", "stage" -> "t")
      write(edges((60, 61)), p, "type" -> "T", "stage" -> "t")
      write(nodes(51 to 51), p, "label" -> "Theirs2")
      val e = failure[ValidationFailedException](jobs(p).publish("t", rewrite))
      assert(e.getMessage.contains(id(61)))
    }
  }

  test("a whole graph is replaced in one commit: nodes and edges overwritten in one stage") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      write(edges((1, 2), (3, 4)), p, "type" -> "T")
      def overwrite(df: DataFrame, options: (String, String)*): Unit =
        df.write.format("namidb").options((options :+ ("stage" -> "s")).toMap).mode("overwrite").save(uri(p))
      overwrite(nodes(3 to 6, "o"), "label" -> "P")
      assert(!jobs(p).dryRun("s").passes, "node 1 goes and has an edge")
      overwrite(edges((4, 5), (3, 4)), "type" -> "T")
      stage(nodes(70 to 70), p, "label" -> "P")
      assert(jobs(p).dryRun("s").passes && version(p) == 2)
      val receipt = jobs(p).publish("s")
      assert(receipt.version == 3 && receipt.deletedNodes == 2 && receipt.deletedEdges == 1 && receipt.balance.accepted == 7)
      assert(names(p, "P") == Seq("o3", "o4", "o5", "o6", "v70") && pairs(p, "T") == Set((id(4), id(5)), (id(3), id(4))))
      // Any change of the table since is a conflict.
      write(nodes(3 to 3), p, "label" -> "P", "write-mode" -> "upsert")
      nodes(1 to 1).write.format("namidb").option("label", "P").option("stage", "t").option("on-incident-edges", "leave").mode("overwrite").save(uri(p))
      write(nodes(8 to 8), p, "label" -> "P")
      failure[CommitConflictException](jobs(p).publish("t"))
    }
  }

  test("a patch in a stage keeps labels that the stage did not know when it began") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      stage(nodes(5 to 6), p, "label" -> "Mine")
      write(nodes(50 to 52), p, "label" -> "Theirs")
      stage(nodes(51 to 52, "patched"), p, "label" -> "Theirs", "write-mode" -> "patch")
      stage(nodes(1 to 1, "patched"), p, "label" -> "*", "write-mode" -> "patch")
      assert(jobs(p).publish("s").version == 3)
      assert(names(p, "Theirs") == Seq("patched51", "patched52", "v50") && names(p, "Mine") == Seq("v5", "v6"))
      assert(names(p, "P") == Seq("patched1", "v2", "v3", "v4"))
    }
  }

  test("detached edges go with the stage; one that another write of it adds stops it") {
    withPlace { p =>
      write(nodes(1 to 4), p, "label" -> "P")
      write(edges((1, 2), (3, 1), (3, 4)), p, "type" -> "T")
      stage(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
      assert(jobs(p).dryRun("s").passes)
      write(nodes(3 to 3), p, "stage" -> "t", "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
      write(edges((3, 2)), p, "stage" -> "t", "type" -> "U", "on-dangling" -> "allow")
      val e = failure[ValidationFailedException](jobs(p).publish("t"))
      assert(e.getMessage.contains(id(3)) && e.getMessage.contains("meanwhile"), e.getMessage)
      assert(e.getMessage.contains("finds the new edges") && !e.getMessage.contains("on-incident-edges"), e.getMessage)
      jobs(p).publish("s")
      assert(names(p, "P") == Seq("v2", "v3", "v4") && pairs(p, "T") == Set((id(3), id(4))))
    }
  }

  test("names that lead nowhere, and what named writes cannot do") {
    withPlace { p =>
      write(nodes(1 to 1), p, "label" -> "P")
      for (f <- Seq[() => Any](() => jobs(p).publish("nothing"), () => jobs(p).dryRun("nothing"), () => jobs(p).discard("nothing"))) {
        val e = failure[InvalidOptionException](f())
        assert(e.getMessage.contains("no stage or job"), e.getMessage)
      }
      failure[InvalidOptionException](write(nodes(2 to 2), p, "label" -> "P", "stage" -> "s", "job-id" -> "j"))
      failure[InvalidOptionException](write(nodes(2 to 2), p, "label" -> "P", "stage" -> "bad name"))
      val e = failure[InvalidOptionException](write(edges((1, 1)), p, "type" -> "T", "stage" -> "x", "on-dangling" -> "quarantine"))
      assert(e.getMessage.contains("stage") && e.getMessage.contains("job-id"), e.getMessage)
      assert(version(p) == 1 && jobs(p).staged().isEmpty)
    }
  }
}
