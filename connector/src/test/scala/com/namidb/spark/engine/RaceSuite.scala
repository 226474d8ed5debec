package com.namidb.spark.engine

import java.nio.file.{Files, Path}
import java.util.concurrent.{Callable, ConcurrentLinkedQueue, Executors, Semaphore, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.{CommitReceipt, E, Graph, N}
import com.namidb.format.error.{CommitConflictException, NamiException}
import com.namidb.format.id.NodeId
import com.namidb.format.store.TempDirs
import com.namidb.format.store.local.LocalStore
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

/** Two Spark writers, six other writers of ours and an engine commit to one local namespace at the same time. */
class RaceSuite extends GraphSuite {
  private val Writers = 6
  private val Each = 60
  private val SparkWriters = 2
  private val SparkEach = 20
  private val EngineWorks = 60

  /** Who wrote what is in the id. */
  private def id(writer: Int, n: Int): NodeId = new NodeId((writer.toLong << 56) | n * 0x9e3779b97f4aL, n)

  private val hub = id(0, 1)

  for (engine <- Engines.versions.take(1) if Engines.enabled)
    test(s"engine $engine, Spark and other writers at once: one line of versions, every acknowledged row once, all failures typed") {
      TempDirs.withDir(dir => race(engine, dir))
    }

  private def race(engine: String, dir: Path): Unit = {
    val session = new EngineSession(engine, dir)
    session.ask("do" -> "open", "ns" -> "race")
    save(spark, dir, Seq(hub), "label" -> "P")

    // The fast ones wait for the slow ones, so that all of them meet until the end.
    val format = new Semaphore(2 * Writers)
    val engineTurns = new Semaphore(2)
    val acknowledged = new ConcurrentLinkedQueue[NodeId]
    val conflicts = new ConcurrentLinkedQueue[String]
    val receipts = new ConcurrentLinkedQueue[CommitReceipt]
    val fenced = new AtomicInteger

    /** A commit of Spark lets the others go on. */
    def turn(): Unit = {
      format.release(Writers * Each / (SparkWriters * SparkEach))
      engineTurns.release(EngineWorks / (SparkWriters * SparkEach) + 1)
    }

    /** Tries until it is acknowledged. */
    def insist(what: String)(body: => Unit): Unit = {
      var done = false
      while (!done) try { body; done = true } catch {
        case e: Exception =>
          val typed = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).collectFirst { case n: NamiException => n }
          assert(typed.exists(_.isInstanceOf[CommitConflictException]), s"$what: $e")
          conflicts.add(what)
      }
    }

    val pool = Executors.newFixedThreadPool(Writers + SparkWriters + 1)
    def start(body: => Unit) = pool.submit((() => body): Callable[Unit])
    val running = (1 to Writers).map { w =>
      start {
        val g = Graph(LocalStore.open(dir), "race")
        for (n <- 1 to Each) {
          format.acquire()
          insist(s"writer $w") {
            receipts.add(g.commit(Seq(N(id(w, n), Seq("P", s"W$w"), Some(s"""{"n":$n}"""))),
              Map("KNOWS" -> Seq(E(id(w, n), hub, Some(s"""{"n":$n}""")))), seed = w * 1000 + n))
          }
          acknowledged.add(id(w, n))
        }
      }
    } ++ (1 to SparkWriters).map { w =>
      start {
        val mine = spark.newSession()
        for (n <- 1 to SparkEach / 2) {
          val key = id(16 + w, n)
          insist(s"spark $w nodes")(save(mine, dir, Seq(key), "label" -> "P"))
          turn()
          insist(s"spark $w edges")(saveEdges(mine, dir, Seq(key)))
          turn()
          acknowledged.add(key)
        }
      }
    } :+ start {
      for (n <- 1 to EngineWorks) {
        engineTurns.acquire()
        val key = id(32, n)
        val out = session.ask("do" -> "work", "nodes" -> Seq(Map("labels" -> Seq("P"), "id" -> key.toString, "properties" -> Map("n" -> n))),
          "edges" -> Seq(Map("type" -> "KNOWS", "src" -> key.toString, "dst" -> hub.toString, "properties" -> Map("n" -> n))),
          "flush" -> (n % 8 == 0), "patience" -> 1000)
        fenced.addAndGet(out.get("lost").size)
        acknowledged.add(key)
      }
    }
    pool.shutdown()
    running.foreach(_.get(5, TimeUnit.MINUTES))

    val want = acknowledged.asScala.toSeq.map(_.toString)
    assert(want.size == Writers * Each + SparkWriters * SparkEach / 2 + EngineWorks)
    shows(dir, want)
    history(dir, receipts.asScala.toSeq)
    assert(fenced.get > 0, "the engine never met another writer")
    info(s"${conflicts.size} conflicts, ${fenced.get} commits of the engine done again")

    // The engine agrees, and goes on.
    for (more <- Seq(Nil, Seq("flush" -> true, "compact" -> true))) {
      session.ask(Seq[(String, Any)]("do" -> "open", "ns" -> "race"): _*)
      if (more.nonEmpty) session.ask(("do" -> "work") +: more: _*)
      val out = session.ask("do" -> "look", "types" -> Seq("KNOWS"), "labels" -> Seq("P", "W3"))
      assert(out.get("nodes").asScala.map(_.get("id").textValue).toSeq.sorted == (hub.toString +: want).sorted)
      assert(out.get("edges").asScala.map(_.get("src").textValue).toSeq.sorted == want.sorted)
      assert(out.get("labels").get("W3").size == Each)
      for (d <- 0 to 1) assert(out.get("walks").get(d).size == want.size)
    }
    session.close()
    shows(dir, want)
  }

  private def save(s: org.apache.spark.sql.SparkSession, dir: Path, keys: Seq[NodeId], options: (String, String)*): Unit =
    s.createDataFrame(keys.map(k => Row(k.toString, 1L)).asJava, new StructType().add("_id", StringType).add("n", LongType))
      .write.format("namidb").options(options.toMap).mode("append").save(s"file://$dir?ns=race")

  private def saveEdges(s: org.apache.spark.sql.SparkSession, dir: Path, from: Seq[NodeId]): Unit =
    s.createDataFrame(from.map(k => Row(k.toString, hub.toString, 1L)).asJava,
      new StructType().add("_src", StringType).add("_dst", StringType).add("n", LongType))
      .write.format("namidb").option("type", "KNOWS").option("write-mode", "upsert").mode("append").save(s"file://$dir?ns=race")

  private def shows(dir: Path, want: Seq[String]): Unit = {
    val uri = s"file://$dir?ns=race"
    assert(read(uri, None, "label" -> "P").select("_id").collect().map(_.getString(0)).toSeq.sorted == (hub.toString +: want).sorted)
    assert(read(uri, None, "type" -> "KNOWS").select("_src").collect().map(_.getString(0)).toSeq.sorted == want.sorted)
  }

  /** Each version stands on the one before: it lists all that one listed, or what stands for it. */
  private def history(dir: Path, ours: Seq[CommitReceipt]): Unit = {
    val g = Graph(LocalStore.open(dir), "race")
    val bulk = Files.list(dir.resolve("race/bulk"))
    val stored = try bulk.iterator.asScala.map(_.resolve("receipt.json")).filter(Files.exists(_))
      .map(p => CommitReceipt.parse("", Files.readAllBytes(p))).toSeq finally bulk.close()
    assert(stored.size == Writers * Each + SparkWriters * SparkEach + 1)
    for (r <- ours) assert(stored.exists(s => s.version == r.version && s.job == r.job))
    assert(stored.forall(r => r.base == r.version - 1), "a receipt on another base")
    val byVersion = stored.map(r => r.version -> r).toMap
    assert(byVersion.size == stored.size, "two receipts for one version")
    val last = g.latest().version
    var before = g.at(0).manifest
    for (v <- 1L to last) {
      val now = g.at(v).manifest
      val listed = now.ssts.asScala.map(_.id).toSet
      assert(before.ssts.asScala.forall(s => listed(s.id)), s"version $v lost a file of the version before")
      val segments = now.walSegments.asScala.map(_.seq).toSet
      val folded = before.walSegments.asScala.exists(s => !segments(s.seq))
      byVersion.get(v).foreach { r =>
        assert(r.files.asScala.forall(f => listed(f.sst.id)) && now.writerId == r.writer)
        assert(segments.isEmpty && r.folded.isEmpty == before.walSegments.isEmpty, s"version $v dropped rows of the log")
      }
      if (folded) assert(listed.size > before.ssts.size, s"version $v dropped rows of the log")
      assert(now.epoch >= before.epoch)
      before = now
    }
  }
}
