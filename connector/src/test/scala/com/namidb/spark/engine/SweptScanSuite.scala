package com.namidb.spark.engine

import java.nio.file.Path
import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.util.{Failure, Success, Try}

import com.namidb.format.Canon.CInt
import com.namidb.format.engine.Engines
import com.namidb.format.error.{CorruptObjectException, NamiException, SnapshotGoneException}
import com.namidb.spark.{Place, SparkSuite}
import org.apache.spark.sql.{DataFrame, SparkSession}

/**
 * While a scan runs, the real engine rewrites and compacts the graph, and everything a server would collect is
 * deleted. Under a lease the scan gives its version complete; without one it fails and never gives fewer rows.
 */
class SweptScanSuite extends SparkSuite {
  import SweptScanSuite._

  private val Ssts = 6
  private val Rows = 40

  private def id(n: Int): String = f"00000000-0000-4000-8000-$n%012x"
  private def node(n: Int, value: Long) = Map("id" -> id(n), "labels" -> Seq("P"), "properties" -> Map("n" -> CInt(value)))
  private def edge(a: Int, b: Int) = Map("type" -> "T", "src" -> id(a), "dst" -> id(b), "properties" -> Map.empty)

  private def grow(engine: EngineSession, ns: String): Unit = {
    engine.ask("do" -> "open", "ns" -> ns)
    for (i <- 0 until Ssts) {
      val ns = i * Rows until (i + 1) * Rows
      engine.ask("do" -> "work", "nodes" -> ns.map(n => node(n, n.toLong)), "edges" -> ns.map(n => edge(n, (n * 7) % (n + 1))), "flush" -> true)
    }
  }

  /** Every record is written anew, some are deleted; nothing of the old files is current afterwards. */
  private def rewrite(engine: EngineSession): Unit = {
    val all = 0 until Ssts * Rows
    engine.ask("do" -> "work", "nodes" -> all.filter(_ % 5 > 0).map(n => node(n, -1L)), "cut" -> all.map(n => Seq("T", id(n), id((n * 7) % (n + 1)))),
      "buried" -> all.filter(_ % 5 == 0).map(n => Seq("P", id(n))), "flush" -> true)
    engine.ask("do" -> "work", "compact" -> true)
  }

  private def session(dir: Path): SparkSession = {
    val s = spark.newSession()
    s.conf.set("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
    s.conf.set("spark.sql.catalog.nami.uri", s"file://$dir")
    SparkSession.setActiveSession(s)
    s
  }

  /** Runs a scan whose first rows wait until everything collectable is gone. */
  private def scan(df: DataFrame, engine: EngineSession, folder: Path): (Try[Set[(String, Long)]], Set[String]) = {
    val s = df.sparkSession
    import s.implicits._
    started = new CountDownLatch(1)
    swept = new CountDownLatch(1)
    val slow = df.as[(String, Long)].mapPartitions { rows => waitForSweep(); rows }
    val running = new java.util.concurrent.FutureTask(() => Try(slow.collect().toSet))
    new Thread(running).start()
    assert(started.await(60, TimeUnit.SECONDS))
    rewrite(engine)
    val deleted = new Sweeper(Place.of(folder.getParent), folder.getFileName.toString).sweep(System.currentTimeMillis())
    swept.countDown()
    (running.get(), deleted)
  }

  if (Engines.enabled) test("engine 2.6.19 compacts and a sweep deletes while a scan runs") {
    com.namidb.format.store.TempDirs.withDir { dir =>
      val engine = new EngineSession("2.6.19", Place.of(dir))
      val s = session(dir)
      try {
        val nodes = (0 until Ssts * Rows).map(n => (id(n), n.toLong)).toSet
        def table(ns: String, pin: String): DataFrame =
          s.read.format("namidb").option("label", "P").option("pin", pin).option("vectorized", pin == "off").load(s"file://$dir?ns=$ns").select("_id", "n")

        // The session's pin alone: the read takes no lease of its own.
        grow(engine, "pinned")
        val version = s.sql("CALL nami.system.pin('pinned')").head().getAs[Long]("snapshot_id")
        val (pinned, kept) = scan(table("pinned", "off"), engine, dir.resolve("pinned"))
        assert(pinned == Success(nodes))
        assert(!kept.exists(_.startsWith("sst/")) && kept.exists(_.startsWith("manifest/v")), kept)
        // Later scans and other tables of the pinned version are whole as well.
        assert(s.sql("SELECT * FROM nami.pinned.nodes.P").count() == nodes.size && s.sql("SELECT * FROM nami.pinned.edges.T").count() == nodes.size)
        assert(s.sql("SELECT DISTINCT _snapshot_id FROM nami.pinned.nodes").head().getLong(0) == version)
        s.sql("CALL nami.system.unpin('pinned')")
        assert(s.sql("SELECT * FROM nami.pinned.nodes.P").count() == nodes.size * 4 / 5)
        assert(new Sweeper(Place.of(dir), "pinned").sweep(System.currentTimeMillis()).count(_.endsWith("-nodes.parquet")) >= Ssts)
        val late = Try(s.sql(s"CALL nami.system.pin('pinned', $version)"))
        assert(typed(late.failed.get).exists(_.isInstanceOf[SnapshotGoneException]), late)
        assert(s.sql("CALL nami.system.pins('pinned')").count() == 0)

        // The lease of the execution alone.
        grow(engine, "leased")
        val (leased, _) = scan(table("leased", "auto"), engine, dir.resolve("leased"))
        assert(leased == Success(nodes))

        // None.
        grow(engine, "bare")
        val (bare, gone) = scan(table("bare", "off"), engine, dir.resolve("bare"))
        assert(gone.count(_.endsWith("-nodes.parquet")) >= Ssts, gone)
        bare match {
          case Success(rows) => fail(s"${rows.size} rows of deleted files")
          case Failure(e) => assert(typed(e).exists(t => t.isInstanceOf[CorruptObjectException] || t.isInstanceOf[SnapshotGoneException]), e)
        }
      } finally {
        engine.close()
        SparkSession.setActiveSession(spark)
      }
    }
  }

  private def typed(e: Throwable): Option[NamiException] =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).collectFirst { case n: NamiException => n }
}

object SweptScanSuite {
  @volatile private var started: CountDownLatch = _
  @volatile private var swept: CountDownLatch = _

  /** In the tasks of a local session. */
  private def waitForSweep(): Unit = {
    started.countDown()
    swept.await(120, TimeUnit.SECONDS)
  }
}
