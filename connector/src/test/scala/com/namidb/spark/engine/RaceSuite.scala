package com.namidb.spark.engine

import java.nio.file.{Files, Path}
import java.util.concurrent.{Callable, ConcurrentLinkedQueue, Executors, Semaphore, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.namidb.format.engine.Engines
import com.namidb.format.commit.{CommitReceipt, E, Graph, N, PublishOrder}
import com.namidb.format.error.{CommitConflictException, NamiException}
import com.namidb.format.id.NodeId
import com.namidb.format.store.TempDirs
import com.namidb.format.store.local.LocalStore
import com.namidb.spark.Place
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
    val session = new EngineSession(engine, Place.of(dir))
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

    /** Tries until it is acknowledged, with other ids each time: what failed must never be seen. */
    def insist(what: String, next: () => NodeId)(body: NodeId => Unit): NodeId = {
      var done: Option[NodeId] = None
      while (done.isEmpty) try { val key = next(); body(key); done = Some(key) } catch {
        case e: Exception =>
          val typed = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).collectFirst { case n: NamiException => n }
          assert(typed.exists(_.isInstanceOf[CommitConflictException]), s"$what: $e")
          conflicts.add(what)
      }
      done.get
    }

    def counter(writer: Int): () => NodeId = {
      val n = new AtomicInteger
      () => id(writer, n.incrementAndGet())
    }
    val pool = Executors.newFixedThreadPool(Writers + SparkWriters + 1)
    def start(body: => Unit) = {
      val work: Callable[Unit] = () => {
        var fine = false
        try { body; fine = true } finally if (!fine) {
          // Nobody waits for one who failed.
          format.release(Writers * Each)
          engineTurns.release(EngineWorks)
        }
      }
      pool.submit(work)
    }
    val running = (1 to Writers).map { w =>
      start {
        val g = Graph(LocalStore.open(dir), "race")
        val next = counter(w)
        for (_ <- 1 to Each) {
          format.acquire()
          acknowledged.add(insist(s"writer $w", next) { key =>
            val job = g.stage(g.unnamed(), Seq(N(key, Seq("P", s"W$w"), Some("{}"))), Map("KNOWS" -> Seq(E(key, hub, Some("{}")))),
              seed = key.lo.toInt)
            receipts.add(g.publisher(retries = if (w % 2 == 0) 1 else 50).publish(job, g.target(job), PublishOrder.blind()))
          })
        }
      }
    } ++ (1 to SparkWriters).map { w =>
      start {
        val mine = spark.newSession()
        val next = counter(16 + w)
        val retries = "commit-retries" -> (if (w == 1) "2" else "50")
        for (_ <- 1 to SparkEach / 2) {
          val key = insist(s"spark $w", next)(key => save(mine, dir, Seq(key), "label" -> "P", retries))
          turn()
          insist(s"spark $w", () => key)(_ => saveEdges(mine, dir, Seq(key), retries))
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
          "flush" -> (n % 5 == 0), "compact" -> (n % 10 == 0), "patience" -> 1000)
        fenced.addAndGet(out.get("lost").size)
        acknowledged.add(key)
      }
    }
    pool.shutdown()
    // All of them first: a failure ends with the folder they work in.
    val ends = running.map(r => Try(r.get(5, TimeUnit.MINUTES)))
    ends.foreach(_.get)

    val want = acknowledged.asScala.toSeq.map(_.toString)
    assert(want.size == Writers * Each + SparkWriters * SparkEach / 2 + EngineWorks)
    shows(dir, want)
    history(dir, receipts.asScala.toSeq)
    assert(fenced.get > 0 && conflicts.size > 0, "nobody ever met another writer")
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

  private def saveEdges(s: org.apache.spark.sql.SparkSession, dir: Path, from: Seq[NodeId], options: (String, String)*): Unit =
    s.createDataFrame(from.map(k => Row(k.toString, hub.toString, 1L)).asJava,
      new StructType().add("_src", StringType).add("_dst", StringType).add("n", LongType))
      .write.format("namidb").options(options.toMap).option("type", "KNOWS").option("write-mode", "upsert").mode("append")
      .save(s"file://$dir?ns=race")

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
      // Only the engine compacts; that it loses no row by that is seen in the answers.
      if (byVersion.contains(v)) assert(before.ssts.asScala.forall(s => listed(s.id)), s"version $v lost a file of the version before")
      val segments = now.walSegments.asScala.map(_.seq).toSet
      val folded = before.walSegments.asScala.exists(s => !segments(s.seq))
      byVersion.get(v).foreach { r =>
        assert(r.files.asScala.forall(f => listed(f.sst.id)) && now.writerId == r.writer)
        assert(segments.isEmpty && r.folded.isEmpty == before.walSegments.isEmpty, s"version $v dropped rows of the log")
      }
      if (folded) assert(!listed.subsetOf(before.ssts.asScala.map(_.id).toSet), s"version $v dropped rows of the log")
      assert(now.epoch >= before.epoch)
      before = now
    }
  }
}
