package com.namidb.spark.engine

import java.util.OptionalLong
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger, AtomicLong}
import java.util.concurrent.{ConcurrentHashMap, ConcurrentLinkedQueue}

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Random, Success, Try}

import com.namidb.format.Canon.CInt
import com.namidb.format.commit.{CommitSettings, Graph}
import com.namidb.format.engine.Engines
import com.namidb.format.error.{CommitConflictException, CommitUnknownException, CorruptObjectException, NamiException, SnapshotGoneException, StoreException}
import com.namidb.format.retention.{SweepAge, Sweeper => Retention}
import com.namidb.format.store.s3.Compaction
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}
import com.namidb.spark.{Place, Places, SparkSuite}

class SweepRaceSuite extends SweepRaceTests(Places.Local)

class SingleObjectSweepRaceSuite extends SweepRaceTests(Places.SingleObject)

/**
 * For a while, all at once: Spark writes and reads, another writes and compacts, and sweeps collect whatever no rule but
 * the minimum age would still keep. The other is the real engine, with what a server of it deletes; in the layout that it
 * does not know, it is a second Spark writer with compactions of ours. A scan gives a version complete or says that it is
 * gone; no acknowledged row is lost. `-Dsweeprace.seconds` makes it longer.
 */
class SweepRaceTests(override val places: Places) extends SparkSuite {
  private val seconds = sys.props.getOrElse("sweeprace.seconds", "12").toInt
  private val seed = sys.props.get("sweeprace.seed").map(_.toLong).getOrElse(System.nanoTime() % 1000000)
  /** Every write is a batch of so many nodes, all or none of which a version has. */
  private val Batch = 7
  /** What a server sweeps is at least so old; a day unless its operator says less. */
  private val ServerMinAge = 3000L

  private def id(batch: Long, n: Int): String = f"00000000-0000-4000-8000-${batch * 16 + n}%012x"

  private def typed(e: Throwable): Option[NamiException] =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).collectFirst { case n: NamiException => n }

  /** With no minimum age, a writer that is slow may find its place used and collected, or files of its base: then it may not even know. */
  private def maySlip(e: Throwable): Boolean = typed(e).exists {
    case _: CommitConflictException | _: CommitUnknownException | _: CorruptObjectException | _: SnapshotGoneException => true
    case _ => false
  }

  /** A file went between the look at what is there and the look into it. */
  private class Slipped(cause: Throwable) extends RuntimeException(cause)

  /** Batches by number: what was begun, and what was acknowledged. */
  private class Batches {
    private val next = new AtomicLong
    val tried: java.util.Set[Long] = ConcurrentHashMap.newKeySet[Long]()
    val acknowledged: java.util.Set[Long] = ConcurrentHashMap.newKeySet[Long]()

    def begin(): Long = {
      val b = next.incrementAndGet()
      tried.add(b)
      b
    }
  }

  /** Who writes besides Spark, and makes one file of many. */
  private trait Other extends AutoCloseable {
    def write(): Unit
    def compact(): Unit
    /** Objects deleted by the rules of its own. */
    def sweep(): Int
    /** Rows it finds when it is opened anew. */
    def rows(): Int
  }

  private class Engine(p: Place, batches: Batches) extends Other {
    private val session = new EngineSession("2.6.19", p)
    /** So often another may be first. */
    private val patience = "patience" -> 1000
    private val server = new Sweeper(p, "g", ServerMinAge)
    session.ask("do" -> "open", "ns" -> "g")

    override def write(): Unit = {
      val b = batches.begin()
      val nodes = (0 until Batch).map(n => Map("id" -> id(b, n), "labels" -> Seq("P"), "properties" -> Map("batch" -> CInt(b))))
      session.ask("do" -> "work", patience, "nodes" -> nodes)
      batches.acknowledged.add(b): Unit
    }
    override def compact(): Unit = session.ask("do" -> "work", patience, "flush" -> true, "compact" -> true): Unit
    override def sweep(): Int = server.sweep(System.currentTimeMillis()).size
    override def rows(): Int = {
      session.ask("do" -> "open", "ns" -> "g")
      session.ask("do" -> "rows", "cypher" -> "MATCH (n:P) RETURN n.batch AS b").size
    }
    override def close(): Unit = session.close()
  }

  private class Ourselves(p: Place, batches: Batches, spark: Batches => Unit) extends Other {
    private def graph = Graph.below(p.store, p.path("").stripSuffix("/"), "g")

    override def write(): Unit = spark(batches)
    override def compact(): Unit = (1 to 5).exists { _ =>
      try Compaction.run(graph, _ => ())
      catch { case e: Throwable if maySlip(e) => false }
    }: Unit
    override def sweep(): Int = 0
    override def rows(): Int = {
      val g = graph
      g.contents(g.latest()).nodes.size
    }
    override def close(): Unit = ()
  }

  if (Engines.enabled) test(s"sweeps among readers, writers and one who compacts for $seconds s (-Dsweeprace.seed=$seed)") {
    withPlace { p =>
      val s = spark
      import s.implicits._
      val uri = p.uri()
      val batches = new Batches
      def write(batches: Batches): Unit = {
        val b = batches.begin()
        val rows = (0 until Batch).map(n => (id(b, n), b)).toDF("_id", "batch")
        Try(rows.coalesce(1).write.format("namidb").option("label", "P").option("write-mode", "upsert").mode("append").save(uri)) match {
          case Success(_) => batches.acknowledged.add(b): Unit
          case Failure(e) => assert(maySlip(e), e)
        }
      }
      write(batches)
      val other = if (places.single) new Ourselves(p, batches, write) else new Engine(p, batches)
      val stop = new AtomicBoolean
      val problems = new ConcurrentLinkedQueue[Throwable]
      val Seq(scans, gone, sweeps, deleted, served, compactions) = Seq.fill(6)(new AtomicInteger)

      def table(options: (String, String)*) = s.read.format("namidb").option("label", "P").options(options.toMap).load(uri)
      /** What a version shows is of whole batches. */
      def look(options: (String, String)*): Set[Long] = {
        val sure = Set.from(batches.acknowledged.asScala)
        // Neither the version nor its columns are found under a lease.
        val df = try table(options: _*) catch { case e: Throwable if typed(e).exists(_.isInstanceOf[CorruptObjectException]) => throw new Slipped(e) }
        val counts = df.select("batch").as[Long].collect().groupBy(identity).view.mapValues(_.length).toMap
        assert(counts.values.forall(_ == Batch), counts.filter(_._2 != Batch))
        if (!options.exists(_._1 == "versionAsOf")) assert(sure.subsetOf(counts.keySet), s"lost ${sure -- counts.keySet}")
        counts.keySet
      }
      def expire(retainLast: Int): Int = {
        val opened = OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri), _ => null))
        // Time does not pass here, so nothing is too young; what is left are retain_last, leases and jobs.
        new Retention(opened.namespace, opened.store, CommitSettings.standard())
          .expire(retainLast, new SweepAge(OptionalLong.empty(), true), false).doomed.size
      }

      def worker(name: String, k: Int)(step: Random => Unit): Thread = {
        val r = new Random(seed + k)
        val t = new Thread(() =>
          try while (!stop.get) step(r)
          catch { case e: Throwable => problems.add(new AssertionError(s"$name: $e", e)); stop.set(true) }, name)
        t.start()
        t
      }

      val workers = Seq(
        worker("writer", 1)(_ => write(batches)),
        worker("reader", 2) { r =>
          scans.incrementAndGet()
          val pin = if (r.nextInt(4) == 0) "off" else "auto"
          val old = r.nextInt(3) == 0
          // Version 0 has no label yet.
          val options = Seq("pin" -> pin) ++ (if (old) Seq("versionAsOf" -> math.max(1L, newest(uri) - r.nextInt(5)).toString) else Nil)
          Try(look(options: _*)) match {
            case Success(_) =>
            case Failure(_: Slipped) => gone.incrementAndGet(): Unit
            case Failure(e) => typed(e) match {
              case Some(_: SnapshotGoneException) => gone.incrementAndGet(): Unit
              // Without a lease a file may go between the look at what is there and the reading of it.
              case Some(_: CorruptObjectException) if pin == "off" => gone.incrementAndGet(): Unit
              case _ => throw e
            }
          }
        },
        worker("other", 3) { r =>
          other.write()
          if (r.nextInt(3) == 0) { other.compact(); compactions.incrementAndGet(): Unit }
          if (r.nextInt(4) == 0) served.addAndGet(other.sweep()): Unit
        },
        worker("sweeper", 4) { r =>
          sweeps.incrementAndGet()
          try deleted.addAndGet(expire(6 + r.nextInt(4))): Unit
          catch {
            // The other sweeper deletes while this one lists: it may refuse, and then has deleted nothing.
            case e: StoreException if e.getMessage.contains("Nothing was deleted") => ()
          }
        })
      Thread.currentThread().setName("sweep-race")
      val end = System.nanoTime() + seconds * 1000000000L
      try {
        workers.foreach(t => t.join(math.max(1, (end - System.nanoTime()) / 1000000)))
        stop.set(true)
        workers.foreach(_.join(60000))
        Option(problems.peek()).foreach(e => throw e)
        val seen = look()
        assert(seen.subsetOf(Set.from(batches.tried.asScala)))
        info(s"${newest(uri)} versions, ${batches.acknowledged.size} acknowledged, ${scans.get} scans (${gone.get} gone), ${sweeps.get} sweeps, " +
          s"${deleted.get} objects deleted by them, ${served.get} by a server, ${compactions.get} compactions")
        assert(deleted.get > 0 && scans.get > 0 && sweeps.get > 1)
        // The engine, opened anew, has the same rows; and so has Spark when all else is collected.
        assert(other.rows() == seen.size * Batch)
        expire(1)
        assert(look() == seen)
      } finally {
        stop.set(true)
        other.close()
      }
    }
  }
}
