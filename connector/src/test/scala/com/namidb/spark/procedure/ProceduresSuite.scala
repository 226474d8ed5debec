package com.namidb.spark.procedure

import com.namidb.format.error.{InvalidOptionException, ValidationFailedException}
import com.namidb.spark.Places
import com.namidb.spark.options.PinOptions
import org.apache.spark.sql.AnalysisException

class ProceduresSuite extends ProceduresTests(Places.Local)

class BucketProceduresSuite extends ProceduresTests(Places.Bucket)

/** Procedures of stages and commits, and how procedures are found and called. */
class ProceduresTests(override val places: Places) extends CatalogFixture {
  test("a stage of nodes and edges is tried, published once and proved") {
    withGraph { (p, s) =>
      write(nodes(11 to 12), p, "label" -> "Q", "stage" -> "nightly")
      write(edges((11, 12), (1, 11)), p, "type" -> "U", "stage" -> "nightly")
      val staged = one(s.sql("CALL nami.system.staged('g')"))
      assert(staged.getAs[String]("name") == "nightly" && staged.getAs[String]("phase") == "OPEN")
      assert(staged.getAs[Long]("node_rows") == 2 && staged.getAs[Long]("edge_rows") == 2 && staged.isNullAt(staged.fieldIndex("snapshot_id")))
      assert(s.sql("SELECT * FROM nami.g.staged").collect().toSeq == Seq(staged))

      val before = objects(p)
      val diff = s.sql("CALL nami.system.publish(namespace => 'g', stage => 'nightly', dry_run => true)").collect()
      assert(objects(p) == before, "a dry run changed something")
      def of(change: String) = diff.filter(_.getAs[String]("change") == change)
      assert(of("version").head.getAs[String]("detail") == "3 -> 4")
      assert(of("add").map(r => (r.getAs[String]("kind"), r.getAs[String]("scope"), r.getAs[Long]("row_count"))).toSet ==
        Set(("Nodes", null, 2L), ("EdgesFwd", "U", 2L), ("EdgesInv", "U", 2L)))
      assert(of("add").forall(r => p.size("g/" + r.getAs[String]("object")) == r.getAs[Long]("bytes")))
      assert(of("label").map(_.getAs[String]("object")).toSeq == Seq("Q"))
      assert(of("check").nonEmpty && of("check").forall(_.getAs[String]("detail") == "passed"), of("check").mkString("\n"))

      val receipt = one(s.sql("CALL nami.system.publish('g', 'nightly')"))
      assert(receipt.getAs[Long]("snapshot_before") == 3 && receipt.getAs[Long]("snapshot_id") == 4)
      assert(receipt.getAs[Long]("node_rows") == 2 && receipt.getAs[Long]("edge_rows") == 2 && receipt.getSeq[String](receipt.fieldIndex("warnings")).isEmpty)
      assert(one(s.sql("CALL nami.system.publish('g', 'nightly', false, true)")) == receipt, "published twice")
      assert(s.sql("SELECT * FROM nami.g.edges.U").count() == 2 && version(p) == 4)
      val verdict = one(s.sql("CALL nami.system.verify_commit('g', 'nightly')"))
      assert(verdict.toSeq == Seq("g", "nightly", "committed", 4L, null))
      failure[InvalidOptionException](s.sql("CALL nami.system.discard('g', 'nightly')"))
    }
  }

  test("receipts are those of all commits, newest first, and count what they wrote") {
    withGraph { (p, s) =>
      write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
      val rows = s.sql("SELECT snapshot_id, node_rows, edge_rows, deleted_nodes, deleted_edges FROM nami.g.receipts").collect()
      assert(rows.map(r => (r.getLong(0), r.getLong(1), r.getLong(2), r.getLong(3), r.getLong(4))).toSeq ==
        Seq((4, 1, 1, 1, 1), (3, 0, 2, 0, 0), (2, 2, 0, 0, 0), (1, 3, 0, 0, 0)))
      assert(s.sql("SELECT * FROM nami.g.receipts r JOIN nami.g.snapshots v ON r.snapshot_id = v.version AND r.writer_id = v.writer_id AND r.committed_at = date_trunc('MILLISECOND', v.committed_at)").count() == 4)
      assert(read(p, "metadata" -> "receipts").schema("warnings").dataType.simpleString == "array<string>")
    }
  }

  test("a discarded stage leaves no files and takes no effect") {
    withGraph { (p, s) =>
      write(nodes(11 to 12), p, "label" -> "P", "stage" -> "s")
      val d = one(s.sql("CALL nami.system.discard(stage => 's', namespace => 'g')"))
      assert(d.getAs[Int]("files") == 1 && d.getAs[Long]("bytes") > 0 && d.getAs[Int]("left") == 0)
      assert(objects(p).keys.forall(k => !k.matches("g/bulk/s/.*parquet")))
      assert(one(s.sql("CALL nami.system.verify_commit('g', 's')")).getAs[String]("outcome") == "not committed")
      assert(version(p) == 3)
    }
  }

  test("a stage that breaks a rule says so and changes nothing") {
    withGraph { (p, s) =>
      write(edges((1, 77)), p, "type" -> "T", "stage" -> "s")
      val broken = s.sql("CALL nami.system.publish('g', 's', true)").collect()
        .filter(r => r.getAs[String]("change") == "check" && r.getAs[String]("detail").startsWith("broken"))
      assert(broken.length == 1 && broken.head.getAs[String]("detail").contains(id(77)))
      failure[ValidationFailedException](s.sql("CALL nami.system.publish('g', 's')"))
      assert(version(p) == 3)
    }
  }

  test("what nobody can know about is unknown") {
    withGraph { (_, s) =>
      val v = one(s.sql("CALL nami.system.verify_commit('g', 'never-seen')"))
      assert(v.getAs[String]("outcome") == "unknown" && v.getAs[String]("reason").contains("neither state nor receipt"))
      val e = failure[InvalidOptionException](s.sql("CALL nami.system.publish('g', 'never-seen')"))
      assert(e.getMessage.contains("never-seen"))
    }
  }

  test("diff counts what changed, per table, up to the current, a given or the pinned version") {
    withGraph { (p, s) =>
      write(nodes(5 to 6), p, "label" -> "Q", "write-mode" -> "upsert")
      write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
      def diff(arguments: String) = s.sql(s"CALL nami.system.diff('g', $arguments)").collect().map(_.toSeq.mkString(" ")).toSeq
      assert(diff("1") == Seq("nodes 3 0 1", "edges 1 0 0"))
      assert(diff("1, 3") == Seq("nodes 2 0 0", "edges 2 0 0"))
      assert(diff("3, label => 'P'") == Seq("nodes.P 0 0 2"), "5 lost its label P, 1 is gone")
      assert(diff("3, label => 'Q'") == Seq("nodes.Q 2 0 0"))
      assert(diff("3, label => '*'") == Seq("nodes 1 1 1"))
      assert(diff("3, type => 'T'") == Seq("edges.T 0 0 1"))
      assert(diff("5, 5") == Seq("nodes 0 0 0", "edges 0 0 0"))
      s.sql("CALL nami.system.pin('g', 3)").collect()
      assert(diff("1") == Seq("nodes 2 0 0", "edges 2 0 0"))
      assert(diff("1, 5, type => 'T'") == Seq("edges.T 1 0 0"))
      s.sql("CALL nami.system.unpin('g')").collect()
      assert(failure[InvalidOptionException](diff("1, label => 'P', type => 'T'")).getMessage.contains("'label'"))
      assert(failure[InvalidOptionException](diff("3, 1")).getMessage.contains("the earlier one"))
      assert(failure[InvalidOptionException](diff("1, label => 'PP'")).getMessage.contains("'P'"))
      assert(failure[InvalidOptionException](diff("null")).getMessage.contains("from_version"))
    }
  }

  test("a name that is not there names those that look like it, and case counts") {
    withGraph { (_, s) =>
      for (wrong <- Seq("CALL nami.system.publsh('g', 's')", "CALL nami.system.Publish('g', 's')", "CALL nami.sytem.publish('g', 's')", "CALL nami.publish('g', 's')")) {
        val e = failure[InvalidOptionException](s.sql(wrong))
        assert(e.getMessage.contains("system.publish"), e.getMessage)
      }
      assert(failure[InvalidOptionException](s.sql("CALL nami.system.zzzzzzzzzzz()")).getMessage.contains("verify_commit"))
    }
  }

  test("how a schedule tells a time: what Spark takes, and the arithmetic it fails on itself") {
    withGraph { (_, s) =>
      def expire(time: String) = s.sql(s"CALL nami.system.expire_snapshots('g', older_than => $time)").collect().head.getAs[String]("action")
      s.sql("DECLARE OR REPLACE VARIABLE cut TIMESTAMP DEFAULT now() - interval 7 day")
      for (time <- Seq("TIMESTAMP '2026-01-01 00:00:00'", "current_timestamp()", "date_sub(current_date(), 7)", "cut"))
        assert(expire(time) == "would delete", time)
      // docs/operations.md names the others as long as this fails.
      assert(intercept[Exception](expire("now() - interval 1 day")).getMessage.contains("number of args and params must match after binding"))
    }
  }

  test("wrong arguments are refused before anything is done") {
    withGraph { (p, s) =>
      val before = objects(p)
      for ((call, word) <- Seq(
        "CALL nami.system.pin('g', 'abc')" -> "abc",
        "CALL nami.system.pin('g', array(1))" -> "BIGINT",
        "CALL nami.system.publish('g', 's', 'maybe')" -> "maybe",
        "CALL nami.system.pin()" -> "namespace",
        "CALL nami.system.pin('g', 1, 2)" -> "pin",
        "CALL nami.system.pin(namespace => 'g', verzion => 1)" -> "verzion",
        "CALL nami.system.pin('g', namespace => 'g')" -> "namespace")) {
        val e = intercept[Exception](s.sql(call))
        assert(e.getMessage.contains(word), call + ": " + e)
        assert(!e.isInstanceOf[NullPointerException] && !e.isInstanceOf[ClassCastException], e)
      }
      for (call <- Seq("CALL nami.system.pin(NULL)", "CALL nami.system.pin('')", "CALL nami.system.pin('g', -1)", "CALL nami.system.pin('g', NULL)",
        "CALL nami.system.diff('g', 1, NULL)", "CALL nami.system.expire_snapshots('g', older_than => NULL)", "CALL nami.system.expire_snapshots('g', NULL)",
        "CALL nami.system.expire_snapshots('g', dry_run => NULL)", "CALL nami.system.remove_orphan_files('g', allow_unsafe_age => NULL)",
        "CALL nami.system.clean_staging('g', dry_run => NULL)", "CALL nami.system.publish('g', 's', dry_run => NULL)",
        "CALL nami.system.publish('g', 's', rewrite => NULL)", "CALL nami.system.check('g', NULL)"))
        assert(failure[InvalidOptionException](s.sql(call)).getMessage.contains("Argument"), call)
      assert(objects(p) == before)
    }
  }

  test("procedures are shown and described, and explaining a call does not run it") {
    withGraph { (_, s) =>
      val shown = s.sql("SHOW PROCEDURES IN nami.system").collect().map(_.getAs[String]("procedure_name")).toSet
      assert(Set("pin", "unpin", "pins", "publish", "discard", "staged", "verify_commit").subsetOf(shown), shown)
      val text = s.sql("DESCRIBE PROCEDURE nami.system.publish").collect().mkString("\n")
      assert(text.contains("publish") && text.contains("one commit"), text)
      s.sql("EXPLAIN CALL nami.system.pin('g')").collect()
      assert(s.sql("CALL nami.system.pins('g')").count() == 0)
      intercept[AnalysisException](s.sql("SELECT nami.system.pin('g')"))
    }
  }

  test("the longest time of a pin is a time above zero") {
    def age(text: String) = PinOptions.maxAge(k => if (k == "spark.namidb.pin-max-age") text else null)
    assert(age(null).toHours == 12 && age("90min").toMinutes == 90 && age("30").toSeconds == 30)
    for (bad <- Seq("0", "-1h", "soon", "")) assert(failure[InvalidOptionException](age(bad)).getMessage.contains("pin-max-age"))
  }

  test("the error that Spark shows has the names that look alike itself") {
    withGraph { (_, s) =>
      for (call <- Seq("CALL nami.system.publsh('g', 's')", "DESCRIBE PROCEDURE nami.system.publsh")) {
        val e = intercept[Exception](s.sql(call))
        assert(e.getMessage.contains("no procedure 'system.publsh'") && e.getMessage.contains("Did you mean 'system.publish'"), e)
        val shown = e.asInstanceOf[org.apache.spark.SparkThrowable]
        assert(shown.getCondition == "ROUTINE_NOT_FOUND" && shown.getSqlState == "42883" && shown.getMessageParameters.get("routineName") == "system.publsh")
      }
    }
  }
}
