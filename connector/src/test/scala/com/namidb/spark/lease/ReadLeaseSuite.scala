package com.namidb.spark.lease

import com.namidb.format.{Crafted, Golden}
import com.namidb.format.Crafted._
import com.namidb.format.error.{NamiException, SnapshotErrors, SnapshotGoneException}
import com.namidb.format.snapshot.{LocationParser, Snapshot, SnapshotSelector}
import com.namidb.format.store.TempDirs
import com.namidb.spark.{Graph, Places, SparkSuite}
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}
import org.apache.spark.SparkEnv
import org.apache.spark.sql.{DataFrame, Dataset}
import org.apache.spark.sql.functions.{broadcast, col}
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import scala.jdk.CollectionConverters._

class ReadLeaseSuite extends ReadLeaseTests(Places.Local)

class BucketReadLeaseSuite extends ReadLeaseTests(Places.Bucket)

/** Reads that outlive the execution that planned them: local iterators, RDDs, cached DataFrames. */
class ReadLeaseTests(override val places: Places) extends SparkSuite with Eventually {
  import ReadLeaseSuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(20, Millis))

  /** Four node SSTs that do not overlap, so four partitions. */
  private def made(): Graph = {
    val c = new Crafted(TempDirs.lasting("leases-"))
    for (f <- 0L until Ssts) c.nodes((0L until 50L).map(i => N(id(1000 * f + i), i + 1, Seq(0), Some("""{"n":1}"""))))
    c.commit()
    places.copied(Golden.Case("made", c.store, c.store, c.ns, base64 = false))
  }

  /** For each partition: how many leases its task saw, after waiting for one. */
  private def observed(h: Graph, df: DataFrame): Dataset[Int] = {
    val session = spark
    import session.implicits._
    val uri = h.uri
    df.select("_id").as[String].mapPartitions { rows =>
      rows.foreach(_ => ())
      val n = see(uri)
      seen.add(n)
      Iterator(n)
    }
  }

  private def sawLeases(action: => Any): Seq[Int] = {
    seen.clear()
    action
    seen.asScala.toSeq
  }

  /** Lets a test have its way with the leases taken meanwhile; they are renewed every 20 ms. */
  private def withLeases(body: Leases => Unit): Unit = {
    val l = new Leases
    QueryLeases.use(Application.of(spark.sparkContext, (s, o, a) => l.take(s, VersionLease.acquire(s, o, a))))
    try body(l)
    finally QueryLeases.use(Application.of(spark.sparkContext, VersionLease.acquire(_, _, _)))
  }

  test("every partition of a local iterator is read under a lease") {
    val h = made()
    val it = observed(h, load(h, "label" -> "*")).toLocalIterator()
    assert(sawLeases(assert(it.next() == 1)) == Seq(1))
    // Between two partitions nothing runs.
    eventually(assert(h.leases.size == 1))
    assert(it.asScala.forall(_ == 1) && h.leases.size == 1)
  }

  /** What Python's local iterator does: it fetches in a thread that still names the execution, which has ended. */
  private def inEndedExecution[A](body: => A): A = {
    val session = spark
    import session.implicits._
    val ended = spark.range(1).map(_ => org.apache.spark.TaskContext.get().getLocalProperty(RunningJobs.EXECUTION)).head()
    assert(ended != null)
    spark.sparkContext.setLocalProperty(RunningJobs.EXECUTION, ended)
    try body finally spark.sparkContext.setLocalProperty(RunningJobs.EXECUTION, null)
  }

  test("a local iterator that fetches in the name of an ended execution keeps one lease to its end") {
    val h = made()
    withLeases { l =>
      var it = observed(h, load(h, "label" -> "*")).toLocalIterator()
      inEndedExecution {
        assert(it.next() == 1)
        eventually(assert(l.taken.size == 2))
        assert(it.asScala.toSeq == Seq.fill(Ssts - 1)(1))
        assert(l.taken.size == 2 && h.leases.size == 1)
      }
      it = null
      eventually {
        System.gc()
        assert(h.leases.isEmpty)
      }
    }
  }

  test("a lost lease ends what is fetched in the name of an ended execution") {
    val h = made()
    withLeases { l =>
      val it = load(h, "label" -> "*").select("_id").toLocalIterator()
      inEndedExecution {
        it.next()
        eventually(assert(l.taken.size == 2))
        val second = l.taken.asScala.last
        second.failing = true
        eventually(assert(second.told))
        // By Spark if the next job was there before the loss was known to it.
        val ended = intercept[Exception](it.asScala.foreach(_ => ()))
        assert(Iterator.iterate[Throwable](ended)(_.getCause).takeWhile(_ != null).exists(_.getMessage.contains("lease")), ended)
        val waiting = load(h, "label" -> "*").select("_id").rdd
        l.whenTaken = _.failing = true
        val e = intercept[Exception](waiting.foreach(_ => waitForEnd()))
        assert(e.getMessage.contains("lease") && e.getMessage.contains("version"), e.getMessage)
      }
    }
  }

  test("a local iterator and its lease end together") {
    val h = made()
    withLeases { l =>
      var it = load(h, "label" -> "*").select("_id").toLocalIterator()
      it.next()
      eventually(assert(h.leases.size == 1 && l.renewals.get > 3))
      it = null
      eventually {
        System.gc()
        assert(h.leases.isEmpty)
      }
    }
  }

  test("blocks of a cached DataFrame that are computed again are read under a lease") {
    val h = made()
    val cached = observed(h, load(h, "label" -> "*")).cache()
    try {
      val n = Ssts
      assert(sawLeases(cached.count()) == Seq.fill(n)(1))
      eventually(assert(h.leases.isEmpty))
      assert(sawLeases(cached.count()).isEmpty)
      dropBlocks()
      assert(sawLeases(cached.count()) == Seq.fill(n)(1))
      eventually(assert(h.leases.isEmpty))
      // By another query, in a plan of its own.
      dropBlocks()
      assert(sawLeases(cached.groupBy("value").count().collect()) == Seq.fill(n)(1))
      eventually(assert(h.leases.isEmpty))
    } finally cached.unpersist()
  }

  test("cached rows answer although their version is gone; what has to be read again fails") {
    val h = made()
    val cached = load(h, "label" -> "*").select("_id").cache()
    try {
      val n = cached.count()
      h.place.delete(h.place.keys(h.key("sst/level0/")).head)
      // A version without it, so that a new lease looks for the file.
      val empty = new Crafted(TempDirs.lasting("leases-"))
      empty.commit()
      empty.commit()
      val later = places.copied(Golden.Case("later", empty.store, empty.store, empty.ns, base64 = false))
      // Nothing but the new version, and what leads to it.
      val newer = later.place.keys().filter(k => k.contains("manifest") && !k.endsWith("0000.json"))
      for (k <- newer.sortBy(_.endsWith("n/manifest.json"))) h.place.put(k, later.place.bytes(k))
      assert(cached.filter("_id is not null").collect().length == n)
      eventually(assert(h.leases.isEmpty))
      dropBlocks()
      intercept[Exception](cached.count())
      eventually(assert(h.leases.isEmpty))
    } finally cached.unpersist()
  }

  test("a DataFrame planned by EXPLAIN gets its lease when it runs, and none before") {
    val h = made()
    for (adaptive <- Seq("true", "false")) {
      spark.conf.set("spark.sql.adaptive.enabled", adaptive)
      try {
        val all = observed(h, load(h, "label" -> "*")).toDF("n")
        val df = all.groupBy("n").count()
        val joined = load(h, "label" -> "*").as("a").join(broadcast(load(h, "label" -> "*").as("b")), col("a._id") === col("b._id"))
        for (d <- Seq(df, joined)) {
          d.queryExecution.explainString(org.apache.spark.sql.execution.ExplainMode.fromString("cost"))
          d.queryExecution.executedPlan.outputPartitioning
          assert(scans(d).forall(_.inputRDD.getNumPartitions > 1))
        }
        assert(h.leases.isEmpty, adaptive)
        assert(sawLeases(df.collect()).forall(_ == 1))
        eventually(assert(h.leases.isEmpty, adaptive))
        joined.collect()
        eventually(assert(h.leases.isEmpty, adaptive))
      } finally spark.conf.unset("spark.sql.adaptive.enabled")
    }
  }

  test("a lost lease cancels what reads an RDD, and later jobs on it fail with the typed error") {
    val h = made()
    val n = Ssts * 50L
    assert(load(h, "label" -> "*").count() == n)
    eventually(assert(h.leases.isEmpty))
    withLeases { l =>
      val rdd = load(h, "label" -> "*").select("_id").rdd
      assert(rdd.count() == n)
      val other = load(h, "label" -> "*").select("_id").rdd
      l.whenTaken = _.failing = true
      val e = intercept[Exception](other.foreach(_ => waitForEnd()))
      assert(e.getMessage.contains("lease") && e.getMessage.contains("version"), e.getMessage)
      l.whenTaken = _ => ()
      for (_ <- 0 until 2) failure[SnapshotGoneException](other.count())
      failure[SnapshotGoneException](other.map(_.getString(0)).repartition(2).count())
      // What has a lease of its own goes on.
      assert(rdd.count() == n && load(h, "label" -> "*").count() == n)
    }
  }

  test("a lost lease ends a local iterator between its partitions") {
    val h = made()
    withLeases { l =>
      val it = load(h, "label" -> "*").select("_id").toLocalIterator()
      it.next()
      // One for the execution, which only plans; the other for as long as the iterator is there.
      eventually(assert(l.taken.size == 2))
      val second = l.taken.asScala.last
      second.failing = true
      eventually(assert(second.told))
      failure[SnapshotGoneException](it.asScala.foreach(_ => ()))
    }
  }

  test("jobs of our own are cancelled with the typed error") {
    val h = made()
    val snapshot = OpenNamespace.at(location(h)).namespace.snapshot(new SnapshotSelector.Latest)
    withLeases { l =>
      def run(job: => Any): Unit = QueryLeases.during(snapshot, OpenNamespace.at(location(h)), () => { job; () })
      val uri = h.uri
      run(assert(spark.sparkContext.parallelize(0 until 2, 2).map(_ => see(uri)).collect().toSeq == Seq(1, 1)))
      eventually(assert(h.leases.isEmpty))
      l.whenTaken = _.failing = true
      val e = intercept[SnapshotGoneException](run(spark.sparkContext.parallelize(0 until 2, 2).foreach(_ => waitForEnd())))
      assert(e.getMessage.contains("lease") && spark.sparkContext.getLocalProperty("spark.namidb.leased") == null)
      assert(intercept[IllegalStateException](run(throw new IllegalStateException("x"))).getMessage == "x")
    }
  }

  private val Ssts = 4

  private def location(h: Graph) = LocationParser.parse(
    h.uri, java.util.Optional.empty(), java.util.Optional.empty(), java.util.Map.of())
}

object ReadLeaseSuite {
  /** What the tasks of a local session saw. */
  val seen = new ConcurrentLinkedQueue[Int]

  /** Leases on a graph, once there is one or five seconds have passed. */
  def see(uri: String): Int = {
    val at = OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri), _ => null))
    def count = at.store.list(at.location.paths.pins, java.util.Optional.empty[String]).objects.size
    val until = System.nanoTime() + 5000000000L
    while (count == 0 && System.nanoTime() < until) Thread.onSpinWait()
    count
  }

  /** Versions that leases on a graph keep now. */
  def leased(uri: String): Seq[Long] =
    OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri), _ => null)).namespace.pins.asScala.map(_.version).toSeq

  /** Until the task is killed. */
  def waitForEnd(): Unit = {
    val t = org.apache.spark.TaskContext.get()
    while (!t.isInterrupted()) Thread.onSpinWait()
    throw new InterruptedException
  }

  def dropBlocks(): Unit =
    org.apache.spark.sql.SparkSession.active.sparkContext.getPersistentRDDs.keys.foreach { id =>
      SparkEnv.get.blockManager.removeRdd(id)
    }

  /** All leases taken meanwhile. */
  class Leases {
    val renewals = new AtomicInteger
    val taken = new ConcurrentLinkedQueue[Watched]
    @volatile var whenTaken: Watched => Unit = _ => ()

    def take(s: Snapshot, inner: Lease): Lease = {
      val w = new Watched(s, inner, renewals)
      taken.add(w)
      whenTaken(w)
      w
    }
  }

  class Watched(s: Snapshot, inner: Lease, renewals: AtomicInteger) extends Lease {
    @volatile var failing = false
    @volatile var told = false
    override def id: String = inner.id
    override def renewAfterMillis: Long = 20
    override def renew(): Boolean = { renewals.incrementAndGet(); !failing }
    override def lost(): NamiException = { told = true; SnapshotErrors.leaseLost("ns", s.version, "manifest/pins/x") }
    override def release(): Unit = inner.release()
  }
}
