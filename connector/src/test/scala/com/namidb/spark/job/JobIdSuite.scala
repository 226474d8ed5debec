package com.namidb.spark.job

import java.util.concurrent.{CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.Verdict
import com.namidb.format.error.{CommitConflictException, InvalidOptionException, NamiException, ValidationFailedException}
import com.namidb.format.stage.JobPhase
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.functions._
import org.apache.spark.sql.util.QueryExecutionListener

class JobIdSuite extends JobIdTests(Places.Local)

class SingleObjectJobIdSuite extends JobIdTests(Places.SingleObject)

class BucketJobIdSuite extends JobIdTests(Places.Bucket)

/** Writes that take effect once, however often they are run. */
class JobIdTests(override val places: Places) extends JobFixture {
  /** Rows that count how often they are computed. */
  private def counted(df: DataFrame) = {
    val seen = spark.sparkContext.longAccumulator
    val touch = udf { (s: String) => seen.add(1); s }.asNondeterministic()
    // Out of an RDD: Spark computes local rows already while it optimises.
    val rdd = spark.createDataFrame(spark.sparkContext.parallelize(df.collect().toSeq, 2), df.schema)
    (rdd.withColumn("name", touch(col("name"))), seen)
  }

  /** The metrics that a write reports when it ends. */
  private def metrics(write: => Unit): Map[String, Long] = {
    val done = new AtomicReference[QueryExecution]
    val heard = new CountDownLatch(1)
    val listener = new QueryExecutionListener {
      override def onSuccess(name: String, qe: QueryExecution, nanos: Long): Unit = { done.set(qe); heard.countDown() }
      override def onFailure(name: String, qe: QueryExecution, e: Exception): Unit = ()
    }
    spark.listenerManager.register(listener)
    try {
      write
      assert(heard.await(30, TimeUnit.SECONDS))
      done.get.executedPlan.collectFirst { case p if p.metrics.contains("snapshotId") => p.metrics.map { case (k, m) => k -> m.value } }.get
    } finally spark.listenerManager.unregister(listener)
  }

  test("the rerun of a committed job reads no row, changes no object and reports the first receipt") {
    withPlace { p =>
      val (rows, seen) = counted(nodes(1 to 50))
      val options = Seq("label" -> "P", "job-id" -> "night-1")
      val first = metrics(write(rows, p, options: _*))
      assert(seen.value >= 50 && version(p) == 1)
      val before = objects(p)
      seen.reset()
      for (_ <- 1 to 2) assert(metrics(write(rows, p, options: _*)) == first)
      assert(seen.value == 0, "the source was read")
      assert(objects(p) == before && version(p) == 1)
      assert(first("snapshotId") == 1 && first("rowsCommitted") == 50)
      assert(jobs(p).verifyCommit("night-1") == new Verdict.CommittedAt(1))
      // A shuffle of the query itself runs; its source is read for that, and still nothing is written.
      write(rows.repartition(3), p, options: _*)
      assert(objects(p) == before)
    }
  }

  test("a job id stands for its target, mode and options; how it is tried is free") {
    withPlace { p =>
      write(nodes(1 to 3), p, "label" -> "P", "job-id" -> "j", "write-mode" -> "upsert")
      write(nodes(1 to 3), p, "label" -> "P", "job-id" -> "j", "write-mode" -> "Upsert", "commit-retries" -> "3", "file-size" -> "1m")
      for (other <- Seq(
          Seq("label" -> "Q", "write-mode" -> "upsert"), Seq("label" -> "P"), Seq("label" -> "P", "write-mode" -> "delete"),
          Seq("label" -> "P", "write-mode" -> "upsert", "on-null" -> "store"), Seq("label" -> "P", "write-mode" -> "upsert", "isolation" -> "serializable"))) {
        val e = failure[InvalidOptionException](write(nodes(1 to 3), p, other :+ ("job-id" -> "j"): _*))
        assert(e.getMessage.contains("already bound"), e.getMessage)
      }
      val e = failure[InvalidOptionException](write(edges((1, 2)), p, "type" -> "T", "job-id" -> "j"))
      assert(e.getMessage.contains("already bound") && e.getMessage.contains("stage"), e.getMessage)
      failure[InvalidOptionException](write(nodes(4 to 4), p, "label" -> "P", "stage" -> "j"))
      failure[InvalidOptionException](write(nodes(4 to 4), p, "label" -> "P", "job-id" -> "a/b"))
      assert(version(p) == 1)
    }
  }

  test("nodes with random ids are written once by two runs of one job") {
    withPlace { p =>
      for (_ <- 1 to 2) write(nodes(1 to 20).drop("_id"), p, "label" -> "P", "job-id" -> "random")
      assert(read(p, "label" -> "P").count() == 20 && version(p) == 1)
    }
  }

  test("a job that failed its checks starts afresh with the rows of its next run") {
    withPlace { p =>
      write(nodes(1 to 5), p, "label" -> "P")
      val e = failure[ValidationFailedException](write(nodes(5 to 9, "bad"), p, "label" -> "P", "job-id" -> "j"))
      assert(e.getMessage.contains(id(5)), e.getMessage)
      assert(jobs(p).staged().get(0).phase == JobPhase.DISCARDED && version(p) == 1)
      failure[ValidationFailedException](write(nodes(6 to 9), p, "label" -> "P", "job-id" -> "j", "expected-rows" -> "3"))
      write(nodes(6 to 9), p, "label" -> "P", "job-id" -> "j", "expected-rows" -> "4")
      assert(version(p) == 2 && names(p, "P") == (1 to 9).map(n => s"v$n"))
    }
  }

  test("a job that met a conflict computes its rows anew on the next run") {
    withPlace { p =>
      write(nodes(1 to 5), p, "label" -> "P")
      val (rows, seen) = counted(nodes(1 to 2, "mine"))
      // Another commit of the same keys while the rows are computed.
      JobIdSuite.arm(() => write(nodes(2 to 2, "other"), p, "label" -> "P", "write-mode" -> "upsert"))
      val meddle = udf { (s: String) => JobIdSuite.once(); s }.asNondeterministic()
      val options = Seq("label" -> "P", "job-id" -> "j", "write-mode" -> "upsert")
      val e = failure[CommitConflictException](write(rows.coalesce(1).withColumn("name", meddle(col("name"))), p, options: _*))
      assert(e.getMessage.contains(id(2)), e.getMessage)
      assert(names(p, "P") == Seq("other2", "v1", "v3", "v4", "v5"))
      seen.reset()
      write(rows, p, options: _*)
      assert(seen.value >= 2 && names(p, "P") == Seq("mine1", "mine2", "v3", "v4", "v5") && version(p) == 3)
    }
  }

  test("a job without rows is committed too, so that its rerun finds a receipt") {
    withPlace { p =>
      write(nodes(1 to 1), p, "label" -> "P")
      for (_ <- 1 to 2) write(nodes(1 to 0), p, "label" -> "P", "job-id" -> "empty")
      assert(version(p) == 2 && jobs(p).verifyCommit("empty") == new Verdict.CommittedAt(2))
      assert(names(p, "P") == Seq("v1"))
    }
  }

  test("of several runs of one job at once, those that find it published are no-ops; others say who has it") {
    withPlace { p =>
      write(nodes(1 to 1), p, "label" -> "P")
      val options = Seq("label" -> "P", "job-id" -> "j")
      // Without ids there is no shuffle: rows are computed by the tasks that write them.
      def meddled(n: Int, action: () => Unit) = {
        JobIdSuite.arm(action)
        val meddle = udf { (s: String) => JobIdSuite.once(); s }.asNondeterministic()
        val losers = nodes(n to n, "loser").drop("_id")
        spark.createDataFrame(spark.sparkContext.parallelize(losers.collect().toSeq, 1), losers.schema).withColumn("name", meddle(col("name")))
      }
      // Another run begins and commits while this one computes its rows.
      val seen = metrics(write(meddled(2, () => write(nodes(2 to 2), p, options: _*)), p, options: _*))
      assert(seen("snapshotId") == 2 && version(p) == 2 && names(p, "P") == Seq("v1", "v2"))
      // It has committed when this one, which was planned before, begins.
      val early = Seq("label" -> "P", "job-id" -> "early", "write-mode" -> "upsert")
      JobIdSuite.arm(() => write(nodes(2 to 2), p, early: _*))
      val whilePlanned = udf { (s: String) => JobIdSuite.once(); s }.asNondeterministic()
      // Sampled for the distribution, after the plan of the write and before its beginning.
      val sampled = spark.createDataFrame(spark.sparkContext.parallelize(nodes(2 to 2, "loser").collect().toSeq, 2), nodes(1 to 1).schema)
        .withColumn("name", whilePlanned(col("name")))
      assert(metrics(write(sampled, p, early: _*))("snapshotId") == 3 && version(p) == 3 && names(p, "P") == Seq("v1", "v2"))
      // Another run has begun, and has not committed.
      val k = options.map { case (o, v) => if (o == "job-id") (o, "k") else (o, v) }
      val e = failure[CommitConflictException](write(meddled(3, () =>
        com.namidb.format.stage.StagedJob.find(p.paths("g"), store(p), "k", java.time.Clock.systemUTC).get.restart()), p, k: _*))
      assert(e.getMessage.contains("Another driver") && e.getMessage.contains("job-id"), e.getMessage)
      assert(version(p) == 3 && names(p, "P") == Seq("v1", "v2"))
      write(nodes(3 to 3), p, k: _*)
      assert(names(p, "P") == Seq("v1", "v2", "v3"))
    }
  }

  private def store(p: Place) =
    com.namidb.spark.options.OpenNamespace.at(com.namidb.spark.options.PlaceOptions.of(java.util.Map.of("uri", uri(p)), _ => null)).store

  test("a discarded stage says so, and a published one that it stays") {
    withPlace { p =>
      write(nodes(1 to 1), p, "label" -> "P", "stage" -> "gone")
      jobs(p).discard("gone")
      for (step <- Seq[() => Any](() => jobs(p).publish("gone"), () => jobs(p).dryRun("gone"))) {
        val e = failure[InvalidOptionException](step())
        assert(e.getMessage.contains("was discarded") && e.getMessage.contains("Write again under this name"), e.getMessage)
      }
      write(nodes(1 to 1), p, "label" -> "P", "stage" -> "gone")
      jobs(p).publish("gone")
      val e = failure[InvalidOptionException](jobs(p).discard("gone"))
      assert(e.getMessage.contains("published as version 1 and stays"), e.getMessage)
      assert(names(p, "P") == Seq("v1"))
    }
  }

  test("one can ask for any job: named, without a name, unknown") {
    withPlace { p =>
      write(nodes(1 to 3), p, "label" -> "P")
      val unnamed = objects(p).keys.map(_.split('/')).collectFirst { case Array("g", "bulk", job, "receipt.json") => job }.get
      assert(jobs(p).verifyCommit(unnamed) == new Verdict.CommittedAt(1))
      write(nodes(4 to 4), p, "label" -> "P")
      p.delete(s"g/bulk/$unnamed/receipt.json")
      assert(jobs(p).verifyCommit(unnamed) == new Verdict.CommittedAt(1), "found by the files it listed")
      jobs(p).verifyCommit("never") match {
        case u: Verdict.Undecided =>
          assert(u.reason.contains("neither state nor receipt") && u.reason.contains("never staged a row under this name"), u.reason)
        case other => fail(other.toString)
      }
      // Unnamed writes that end without a commit: one that is refused tells its id, which finds what it left.
      val e = failure[ValidationFailedException](write(nodes(1 to 1), p, "label" -> "P"))
      val left = e.jobId.get
      jobs(p).verifyCommit(left) match {
        case u: Verdict.Undecided => assert(u.reason.contains(s"Files of it lie below bulk/$left/"), u.reason)
        case other => fail(other.toString)
      }
      val d = failure[InvalidOptionException](jobs(p).discard(left))
      assert(d.getMessage.contains("left behind") && d.getMessage.contains("CALL nami.system.clean_staging(namespace => 'g')"), d.getMessage)
      assert(failure[InvalidOptionException](jobs(p).discard(unnamed)).getMessage.contains("was committed"))
      assert(failure[NamiException](write(nodes(7 to 8), p, "label" -> "P", "expected-rows" -> "3")).jobId.isPresent)
      assert(version(p) == 2)
      assert(jobs(p).staged().asScala.isEmpty)
    }
  }
}

object JobIdSuite {
  private val armed = new AtomicReference[() => Unit]

  def arm(action: () => Unit): Unit = armed.set(action)

  /** Does what is armed, in a thread of its own: Spark allows no session in a task's. */
  def once(): Unit = Option(armed.getAndSet(null)).foreach { action =>
    val t = new Thread(() => action())
    t.start()
    t.join()
  }
}
