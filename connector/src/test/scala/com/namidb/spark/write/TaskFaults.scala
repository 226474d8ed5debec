package com.namidb.spark.write

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

import com.namidb.format.commit.Graph
import com.namidb.format.store.local.LocalStore
import org.apache.spark.deploy.TwoHosts
import org.apache.spark.sql.functions._
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.scalatest.Assertions

/** What happens to tasks on a cluster of processes, and what must be readable afterwards. Arguments: a folder. */
object TaskFaults extends Assertions {
  import Doorman._

  private implicit val pool: ExecutionContext = ExecutionContext.global

  def main(args: Array[String]): Unit = {
    val dir = Paths.get(args(0))
    val cluster = new TwoHosts
    val spark = SparkSession.builder().master(cluster.url)
      .config("spark.executor.memory", "512m").config("spark.executor.extraClassPath", sys.props("java.class.path"))
      .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "4").config("spark.sql.adaptive.enabled", "false")
      .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
      .config("spark.speculation", "true").config("spark.speculation.interval", "50ms").config("spark.speculation.quantile", "0.5")
      .config("spark.speculation.multiplier", "1.1").config("spark.speculation.minTaskRuntime", "50ms")
      .getOrCreate()
    val doorman = new Doorman
    try new TaskFaults(spark, dir, doorman).all() finally {
      spark.stop()
      doorman.close()
      cluster.close()
    }
  }

  /** What one write left: who came to the door, and files that no version names. */
  private case class Outcome(arrivals: Seq[Arrival], litter: Seq[Path])

  private class TaskFaults(spark: SparkSession, dir: Path, doorman: Doorman) {
    private var places = 0
    private var ns = ""

    def all(): Unit = {
      def first(a: Arrival) = a.stageAttempt == 0 && a.attempt == 0

      step("an attempt that never gets on is overtaken by a speculative one") {
        val o = committed(a => if (a.partition == 1 && first(a) && a.point == "begun") Stay else Go)
        assert(o.arrivals.exists(a => a.partition == 1 && a.attempt > 0 && a.point == "uploaded"))
        assert(o.litter.isEmpty)
      }
      step("two attempts of a task upload; one of them counts") {
        val second = new CountDownLatch(1)
        val o = committed { a =>
          if (a.partition == 1 && a.point == "uploaded") {
            if (first(a)) { second.await(2, TimeUnit.MINUTES); Go } else { second.countDown(); Go }
          } else Go
        }
        assert(o.arrivals.count(a => a.partition == 1 && a.point == "uploaded") == 2)
      }
      step("fresh ids: the rows of one attempt only") {
        val o = committed(a => if (a.partition == 1 && first(a) && a.point == "uploaded") Stay else Go, fresh = true)
        assert(o.arrivals.count(a => a.partition == 1 && a.point == "uploaded") == 2)
      }
      step("an attempt fails after its upload and is tried again") {
        val o = committed(a => if (a.partition == 2 && first(a) && a.point == "uploaded") Fail else Go)
        assert(o.arrivals.count(a => a.partition == 2 && a.point == "uploaded") >= 2)
        assert(o.litter.isEmpty, "a failed attempt leaves its files")
      }
      step("an attempt is killed after its upload") {
        val o = committed { a =>
          if (a.partition == 0 && first(a) && a.point == "uploaded") {
            spark.sparkContext.killTaskAttempt(a.task, interruptThread = true, "a test wants it")
            Stay
          } else Go
        }
        assert(o.arrivals.count(a => a.partition == 0 && a.point == "uploaded") >= 2)
      }
      step("edges: an attempt fails after its upload, both directions hold each edge once") {
        committed(a => if (a.partition == 2 && first(a) && a.point == "uploaded") Fail else Go, edges = true)
      }
      step("an executor dies after the upload: its shuffle files are gone, the stage is run again") {
        val o = committed(a => if (a.partition == 0 && first(a) && a.point == "uploaded") Halt else Go)
        assert(o.arrivals.exists(_.stageAttempt > 0), "no stage was run again")
        assert(o.litter.nonEmpty, "a dead process cannot clean up")
      }
      step("a job whose task fails every time leaves everything as it was") {
        failed(a => if (a.partition == 3 && a.point == "uploaded") Fail else Go)
      }
    }

    private def step(what: String)(body: => Unit): Unit = {
      val began = System.nanoTime()
      places += 1
      ns = s"f$places"
      try body catch { case e: Throwable => throw new AssertionError(s"$what: ${e.getMessage}", e) }
      println(s"OK $what (${(System.nanoTime() - began) / 1000000} ms)")
    }

    private def uri = s"file://$dir?ns=$ns"

    private def read(options: (String, String)*): DataFrame = spark.read.format("namidb").options(options.toMap).load(uri)

    /** Id n is ordered like n, so that partition 0 has the first ids. */
    private def nodes(from: Int, until: Int): DataFrame =
      spark.range(from, until, 1, 4).select(format_string("%08x-0000-0000-0000-000000000000", col("id")).as("_id"), col("id").as("n"))

    private def edges: DataFrame = nodes(0, 20).select(col("_id").as("_src")).crossJoin(nodes(0, 10).select(col("_id").as("_dst")))
      .withColumn("n", lit(1L))

    private def graph = Graph(LocalStore.open(dir), ns)

    private def begin(): Unit = nodes(0, 20).write.format("namidb").option("label", "P").mode("append").save(uri)

    private def write(rule: Arrival => String, df: DataFrame, target: (String, String)): Future[Unit] = {
      doorman.expect(rule)
      Future(df.write.format(classOf[StumblingSource].getName).option(StumblingSource.Port, doorman.port).option(target._1, target._2)
        .mode("append").save(uri))
    }

    private def committed(rule: Arrival => String, fresh: Boolean = false, edges: Boolean = false): Outcome = {
      begin()
      val before = graph.contents(graph.latest())
      val looked = new CountDownLatch(1)
      // A reader comes when the first file is staged.
      def looking(a: Arrival): String = {
        if (a.point == "uploaded" && looked.getCount > 0) {
          assert(staged.nonEmpty && graph.latest().version == 1 && graph.contents(graph.latest()) == before)
          looked.countDown()
        }
        rule(a)
      }
      val df = if (edges) this.edges else if (fresh) nodes(20, 220).drop("_id") else nodes(20, 220)
      Await.result(write(looking, df, if (edges) "type" -> "T" else "label" -> "P"), 3.minutes)
      assert(looked.getCount == 0)
      val after = graph.latest()
      assert(after.version == 2)
      // Fails on a row that comes twice.
      val now = graph.contents(after)
      if (edges) {
        assert(now.edges.size == 200 && now.nodes == before.nodes)
        assert(read("type" -> "T").count() == 200)
        for (n <- 0 until 10) assert(read("type" -> "T").where(col("_dst") === f"$n%08x-0000-0000-0000-000000000000").count() == 20)
      } else {
        assert(now.nodes.size == 220)
        assert(now.nodes.values.map(_._2).toSeq.sorted == (0 until 220).map(n => s"""{"n":$n}""").sorted)
        assert(read("label" -> "P").select("n").collect().map(_.getLong(0)).sorted.toSeq == (0L until 220L))
      }
      Outcome(doorman.arrivals, litter)
    }

    private def failed(rule: Arrival => String): Unit = {
      begin()
      val before = graph.contents(graph.latest())
      intercept[Exception](Await.result(write(rule, nodes(20, 220), "label" -> "P"), 3.minutes))
      assert(doorman.arrivals.count(a => a.partition == 3 && a.point == "uploaded") >= 4)
      assert(graph.latest().version == 1 && graph.contents(graph.latest()) == before)
      assert(read("label" -> "P").count() == 20)
      litter
    }

    private def staged: Seq[Path] = files(dir.resolve(ns).resolve("bulk")).filterNot(_.endsWith("receipt.json"))

    /** Staged files nobody names. Everything else of the namespace is where it belongs. */
    private def litter: Seq[Path] = {
      val root = dir.resolve(ns)
      val named = graph.latest().manifest.ssts.asScala.map(s => root.resolve(s.path)).toSet
      assert(named.forall(Files.exists(_)))
      val rest = files(root).filterNot(named).map(root.relativize(_))
      for (p <- rest) assert(p.startsWith("manifest") || p.startsWith("bulk") || p.toString == ".lock", s"$p is out of place")
      rest.filter(p => p.startsWith("bulk") && !p.endsWith("receipt.json"))
    }

    private def files(root: Path): Seq[Path] =
      if (!Files.exists(root)) Nil
      else {
        val s = Files.walk(root)
        try s.iterator.asScala.filter(Files.isRegularFile(_)).toSeq finally s.close()
      }
  }
}
