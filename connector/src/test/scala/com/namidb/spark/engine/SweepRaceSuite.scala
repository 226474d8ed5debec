package com.namidb.spark.engine

import java.nio.file.Path
import java.util.OptionalLong
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger, AtomicLong}
import java.util.concurrent.{ConcurrentHashMap, ConcurrentLinkedQueue}

import scala.util.{Failure, Random, Success, Try}

import com.namidb.format.Canon.CInt
import com.namidb.format.commit.CommitSettings
import com.namidb.format.engine.Engines
import com.namidb.format.error.{CommitConflictException, CommitUnknownException, CorruptObjectException, NamiException, SnapshotGoneException}
import com.namidb.format.retention.{SweepAge, Sweeper}
import com.namidb.format.store.TempDirs
import com.namidb.spark.SparkSuite
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}

/**
 * For a while, all at once: Spark writes and reads, the real engine writes and compacts, and sweeps collect whatever no
 * rule but the minimum age would still keep. A scan gives a version complete or says that it is gone; no acknowledged
 * row is lost. `-Dsweeprace.seconds` makes it longer.
 */
class SweepRaceSuite extends SparkSuite {
  private val seconds = sys.props.getOrElse("sweeprace.seconds", "12").toInt
  private val seed = sys.props.get("sweeprace.seed").map(_.toLong).getOrElse(System.nanoTime() % 1000000)
  /** Every write is a batch of so many nodes, all or none of which a version has. */
  private val Batch = 7

  private def id(batch: Long, n: Int): String = f"00000000-0000-4000-8000-${batch * 16 + n}%012x"

  private def typed(e: Throwable): Option[NamiException] =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).collectFirst { case n: NamiException => n }

  if (Engines.enabled) test(s"sweeps among readers, writers and a compacting engine for $seconds s (-Dsweeprace.seed=$seed)") {
    TempDirs.withDir { dir =>
      val s = spark
      import s.implicits._
      val uri = s"file://$dir?ns=race"
      val next = new AtomicLong
      val acknowledged = ConcurrentHashMap.newKeySet[Long]()
      val tried = ConcurrentHashMap.newKeySet[Long]()
      def write(): Unit = {
        val b = next.incrementAndGet()
        tried.add(b)
        val rows = (0 until Batch).map(n => (id(b, n), b)).toDF("_id", "batch")
        Try(rows.coalesce(1).write.format("namidb").option("label", "P").option("write-mode", "upsert").mode("append").save(uri)) match {
          case Success(_) => acknowledged.add(b): Unit
          // With no minimum age, a writer that is slow may find its place used and collected, or files of its base: then it may not even know.
          case Failure(e) => assert(typed(e).exists {
            case _: CommitConflictException | _: CommitUnknownException | _: CorruptObjectException => true
            case _ => false
          }, e)
        }
      }
      write()
      val engine = new EngineSession("2.6.19", dir)
      engine.ask("do" -> "open", "ns" -> "race")
      val stop = new AtomicBoolean
      val problems = new ConcurrentLinkedQueue[Throwable]
      val (scans, gone, sweeps, deleted, compactions) = (new AtomicInteger, new AtomicInteger, new AtomicInteger, new AtomicLong, new AtomicInteger)

      def table(options: (String, String)*) = spark.read.format("namidb").option("label", "P").options(options.toMap).load(uri)
      /** What a version shows is of whole batches. */
      def look(options: (String, String)*): Set[Long] = {
        val sure = Set.from(scala.jdk.CollectionConverters.SetHasAsScala(acknowledged).asScala)
        val df = table(options: _*)
        val counts = df.select("batch").as[Long].collect().groupBy(identity).view.mapValues(_.length).toMap
        assert(counts.values.forall(_ == Batch), counts.filter(_._2 != Batch))
        if (!options.exists(_._1 == "versionAsOf")) assert(sure.subsetOf(counts.keySet), s"lost ${sure -- counts.keySet}")
        counts.keySet
      }
      def opened = OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri), _ => null))

      def worker(name: String, k: Int)(step: Random => Unit): Thread = {
        val r = new Random(seed + k)
        val t = new Thread(() =>
          try while (!stop.get) step(r)
          catch { case e: Throwable => problems.add(new AssertionError(s"$name: $e", e)); stop.set(true) }, name)
        t.start()
        t
      }

      val workers = Seq(
        worker("writer", 1)(_ => write()),
        worker("reader", 2) { r =>
          scans.incrementAndGet()
          val pin = if (r.nextInt(4) == 0) "off" else "auto"
          val old = r.nextInt(3) == 0
          // Version 0 has no label yet.
          val options = Seq("pin" -> pin) ++ (if (old) Seq("versionAsOf" -> math.max(1L, version(dir) - r.nextInt(5)).toString) else Nil)
          Try(look(options: _*)) match {
            case Success(_) =>
            case Failure(e) => typed(e) match {
              case Some(_: SnapshotGoneException) => gone.incrementAndGet(): Unit
              // Without a lease a file may go between the look at what is there and the reading of it.
              case Some(_: CorruptObjectException) if pin == "off" => gone.incrementAndGet(): Unit
              case _ => throw e
            }
          }
        },
        worker("engine", 3) { r =>
          val b = next.incrementAndGet()
          tried.add(b)
          engine.ask("do" -> "work", "patience" -> 50, "nodes" -> (0 until Batch).map(n => Map("id" -> id(b, n), "labels" -> Seq("P"), "properties" -> Map("batch" -> CInt(b)))))
          acknowledged.add(b)
          if (r.nextInt(3) == 0) { engine.ask("do" -> "work", "patience" -> 50, "flush" -> true, "compact" -> true); compactions.incrementAndGet(): Unit }
        },
        worker("sweeper", 4) { r =>
          sweeps.incrementAndGet()
          val sweeper = new Sweeper(opened.namespace, opened.store, CommitSettings.standard())
          // Time does not pass here, so nothing is too young; what is left are retain_last, leases and jobs.
          Try(sweeper.expire(6 + r.nextInt(4), new SweepAge(OptionalLong.empty(), true), false)) match {
            case Success(plan) => deleted.addAndGet(plan.doomed.size): Unit
            case Failure(e) => throw e
          }
        })
      Thread.currentThread().setName("sweep-race")
      val end = System.nanoTime() + seconds * 1000000000L
      try {
        workers.foreach(t => t.join(math.max(1, (end - System.nanoTime()) / 1000000)))
        stop.set(true)
        workers.foreach(_.join(60000))
        Option(problems.peek()).foreach(p => throw p)
        val seen = look()
        assert(seen.subsetOf(Set.from(scala.jdk.CollectionConverters.SetHasAsScala(tried).asScala)))
        info(s"${version(dir)} versions, ${acknowledged.size} acknowledged, ${scans.get} scans (${gone.get} gone), ${sweeps.get} sweeps, ${deleted.get} objects deleted, ${compactions.get} compactions")
        assert(deleted.get > 0 && scans.get > 0 && sweeps.get > 1)
        // The engine, opened anew, has the same rows; and so has Spark when all else is collected.
        engine.ask("do" -> "open", "ns" -> "race")
        val rows = engine.ask("do" -> "rows", "cypher" -> "MATCH (n:P) RETURN n.batch AS b")
        assert(rows.size == seen.size * Batch)
        new Sweeper(opened.namespace, opened.store, CommitSettings.standard()).expire(1, new SweepAge(OptionalLong.empty(), true), false)
        assert(look() == seen)
      } finally {
        stop.set(true)
        engine.close()
      }
    }
  }

  private def version(dir: Path): Long = {
    val l = java.nio.file.Files.list(dir.resolve("race/manifest/pointer"))
    try scala.jdk.CollectionConverters.IteratorHasAsScala(l.iterator).asScala.map(_.getFileName.toString)
      .collect { case n if n.startsWith("p") && n.endsWith(".json") => java.lang.Long.parseLong(n.slice(1, 17), 16) }.max
    finally l.close()
  }
}
