package com.namidb.spark.write

import java.util.{List => JList, Optional}

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.{Graph, N, PublishOrder}
import com.namidb.format.error.ValidationFailedException
import com.namidb.format.id.NodeId
import com.namidb.format.snapshot.SnapshotSelector
import com.namidb.format.stage.{Balance, KeyDigest, QuarantineReport}
import com.namidb.format.store.TempDirs
import com.namidb.format.store.local.LocalStore
import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.validate.StagedChecks
import com.namidb.spark.SparkSuite
import com.namidb.spark.options.{OpenNamespace, WriteOptions}
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory, TaskReport}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** Tasks whose reports do not add up: 44 rows stored and 2 set aside are not the 47 that were read. */
class FalseReportSuite extends SparkSuite {
  private def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"

  private val Nodes = new StructType().add("_id", StringType).add("n", LongType)
  private val Edges = new StructType().add("_src", StringType).add("_dst", StringType)

  private def at(dir: java.nio.file.Path) = Graph(LocalStore.open(dir), "g")

  private def begin(dir: java.nio.file.Path, schema: StructType, o: (String, String)*): WriteJob = {
    SparkSession.setActiveSession(spark)
    val w = WriteOptions.of((o.toMap + ("uri" -> s"file://$dir?ns=g")).asJava, _ => null)
    val opened = OpenNamespace.at(w.location)
    WriteJob.begin(w, schema, if (java.nio.file.Files.exists(dir.resolve("g"))) Optional.of(opened.namespace.snapshot(new SnapshotSelector.Latest)) else Optional.empty)
  }

  private def task(job: WriteJob, rows: Seq[InternalRow]): TaskReport = {
    val w = new CandidateWriterFactory(job.forTasks).createWriter(0, 0)
    try {
      rows.foreach(w.write)
      w.commit().asInstanceOf[CandidateMessage].report
    } finally w.close()
  }

  private def node(n: Int): InternalRow = InternalRow(UTF8String.fromString(id(n)), n.toLong)
  private def edge(a: Int, b: Int): InternalRow = InternalRow(UTF8String.fromString(id(a)), UTF8String.fromString(id(b)))
  private def nodes(ns: Seq[Int]) = ns.map(node)

  private def digest(ns: Seq[Int]): KeyDigest =
    ns.foldLeft(new KeyDigest.Builder)((b, n) => { val i = NodeId.parse(id(n)); b.add(i.hi, i.lo) }).build()

  private def refused(dir: java.nio.file.Path, job: WriteJob, reports: TaskReport*): String = {
    val before = at(dir).latest().version
    val e = intercept[ValidationFailedException](job.publish(JList.of(reports: _*)))
    assert(at(dir).latest().version == before)
    e.getMessage
  }

  test("what a task reports about itself: keys accepted are the keys staged") {
    TempDirs.withDir { dir =>
      val r = task(begin(dir, Nodes, "label" -> "P"), nodes(1 to 47))
      assert(r.accepted == digest(1 to 47) && r.staged == r.accepted && r.problem.isEmpty)
      val e = task(begin(dir, Edges, "type" -> "T", "on-dangling" -> "allow"), (1 to 9).map(n => edge(n, 10 - n)))
      assert(e.accepted.count == 9 && e.staged == e.accepted && e.problem.isEmpty && e.files.size == 2)
      val d = task(begin(dir, Edges, "type" -> "T", "write-mode" -> "delete"), Seq(edge(1, 2)))
      assert(d.accepted.count == 1 && d.problem.isEmpty)
    }
  }

  test("44 + 2 are not 47, whoever miscounted") {
    TempDirs.withDir { dir =>
      val job = begin(dir, Nodes, "label" -> "P")
      val r = task(job, nodes(1 to 44))
      val all = digest(1 to 47)
      for ((balance, keys) <- Seq(new Balance(47, 44, 2) -> r.accepted, new Balance(47, 45, 2) -> r.accepted,
          new Balance(47, 45, 2) -> digest(1 to 45), new Balance(47, 47, 0) -> all, new Balance(44, 44, 0) -> all)) {
        val m = refused(dir, job, new TaskReport(r.files, balance, keys, QuarantineReport.EMPTY, JList.of()))
        assert(m.contains("missing or counted twice") && m.contains(s"${balance.source} rows read") && m.contains(r.accepted.text), m)
      }
      assert(refused(dir, job, r, new TaskReport(JList.of(), new Balance(3, 3, 0), digest(45 to 47), QuarantineReport.EMPTY, JList.of())).contains("counted twice"))
      assert(job.publish(JList.of(r)).get.balance == new Balance(44, 44, 0))
      assert(at(dir).contents(at(dir).latest()).nodes.size == 44)
    }
  }

  test("one row lost and another doubled: the count is right, the digest is not") {
    TempDirs.withDir { dir =>
      val source = (1 to 40).toSeq
      val job = begin(dir, Nodes, "label" -> "P")
      val files = Seq(task(job, nodes(1 to 20)), task(job, nodes(20 to 20) ++ nodes(22 to 40)))
      val counted = files.map(_.accepted).reduce(_ plus _)
      assert(counted.count == 40 && counted != digest(source))
      // The second task accepted 21 and staged 20.
      val lying = new TaskReport(files(1).files, new Balance(20, 20, 0), digest(21 to 40), QuarantineReport.EMPTY, JList.of())
      assert(refused(dir, job, files.head, lying).contains("counted twice"))
      // Both tasks were fed wrongly: only who knows the source can tell by digest; that a key came twice shows by itself.
      val told = begin(dir, Nodes, "label" -> "P", "expected-rows" -> "40", "expected-key-checksum" -> digest(source).text)
      val fed = Seq(task(told, nodes(1 to 20)), task(told, nodes(20 to 20) ++ nodes(22 to 40)))
      val m = refused(dir, told, fed: _*)
      assert(m.contains("expected-key-checksum") && m.contains(digest(source).text) && m.contains(counted.text), m)
      assert(refused(dir, job, files: _*).contains(s"${id(20)} is in the job twice"))
      assert(told.publish(JList.of(task(told, nodes(source)))).get.nodes == digest(source))
    }
  }

  test("beside the connector as well: the checks of staged files find a doubled key that the counts hide") {
    val g = Graph.fresh(new MemoryStore)
    val rows = (from: Int, until: Int) => (from until until).map(i => N(new NodeId(0, i), Seq("P"), Some("{}")))
    val job = g.unnamed()
    g.stage(job, rows(0, 20))
    val plan = job.plan.get
    job.addPart(JList.of(g.nodeFile(job, plan, rows(19, 20) ++ rows(21, 40))), new Balance(20, 20, 0))
    assert(job.balance == new Balance(40, 40, 0) && job.candidates.asScala.map(_.digest.count).sum == 40)
    val checks = new StagedChecks(g.store, g.paths, (pieces, limit) => pieces.asScala.flatMap(_.run(g.store, limit).asScala).asJava)
    val order = new PublishOrder(null, com.namidb.format.commit.Isolation.SNAPSHOT,
      new com.namidb.format.commit.Footprint(true, Optional.of(java.util.Set.of())), JList.of(checks.distinct), checks.winners, false)
    val e = intercept[ValidationFailedException](g.publisher().publish(job, g.target(job), order))
    assert(e.getMessage.contains(s"${new NodeId(0, 19)} is in the job twice"), e.getMessage)
    assert(g.latest().version == 0)
  }

  test("a report that got lost fails the job") {
    TempDirs.withDir { dir =>
      val w = WriteOptions.of(Map("uri" -> s"file://$dir?ns=g", "label" -> "P").asJava, _ => null)
      val batch = new NamiBatchWrite(w, Nodes, Optional.empty, _ => ())
      val writer = batch.createBatchWriterFactory(null).createWriter(0, 0)
      writer.write(node(1))
      val message = try writer.commit() finally writer.close()
      intercept[IllegalStateException](batch.commit(Array(message, null)))
      assert(at(dir).latest().version == 0)
    }
  }
}
