package com.namidb.format.store.s3

import java.net.URLDecoder
import java.nio.charset.StandardCharsets.UTF_8
import java.time.{Clock, Duration}
import java.util.Optional
import java.util.concurrent.{Executors, TimeUnit}

import scala.jdk.CollectionConverters._

import com.namidb.format.commit._
import com.namidb.format.id.Hex
import com.namidb.format.manifest.Layout
import com.namidb.format.record.Column
import com.namidb.format.retention.{MovedClock, SweepAge, Sweeper}
import com.namidb.format.scan.{ScanPlanner, ScanRequest, SliceReader}
import com.namidb.format.snapshot.{GraphFolders, PinLease, WalPolicy}
import com.namidb.format.stage.StagedJob
import com.namidb.format.store.ObjectStore
import org.scalatest.funsuite.AnyFunSuite

/**
 * Every HTTP request that a server sees, in histories of 1, 100 and 1,000 versions: the same, each sent once. Only a
 * resolve without the hint, SHOW NAMESPACES and retention list anything. docs/operations.md repeats the bill.
 */
class S3LedgerSuite extends AnyFunSuite {
  private val Lengths = Seq(1, 100, 1000)
  private val people = (0 until 50).map(i => N(Graph.id(i), Seq("P"), Some(s"""{"i":$i}""")))
  private val knows = Map("KNOWS" -> (0 until 20).map(i => E(Graph.id(i), Graph.id(i + 1), Some("{}"))))

  /** A graph whose newest version is the `versions`-th, all with the same files. */
  private final class History(layout: Layout, versions: Int) extends AutoCloseable {
    val clock = new MovedClock
    private val proxy = new FaultProxy(S3Server.shared.endpoint, S3Server.shared.signed, new ServerTimes(clock))
    private val bucket = S3Server.shared.bucket()
    val truth: ObjectStore = S3Store.open(bucket)
    val store: ObjectStore = S3Store.open(S3Server.shared.through(proxy, bucket))
    val on: OnLayout = OnLayout(layout)
    private val first = on.fresh(truth)
    first.commit(people, knows)
    val newest: Long = versions.toLong
    val paths = first.paths
    extend()

    /** The version after a given one differs from it in nothing but its number. */
    private def extend(): Unit = {
      def text(key: String) = new String(truth.get(key).get.bytes, UTF_8)
      val body = text(if (on.single) paths.manifest else paths.body(1))
      def of(v: Long) = body.replaceFirst("\"version\":1,", s"\"version\":$v,").getBytes(UTF_8)
      def pointer(v: Long) = s"""{"version":$v,"epoch":1,"manifest_path":"${paths.body(v)}"}""".getBytes(UTF_8)
      val pool = Executors.newFixedThreadPool(8)
      for (v <- 2L to newest) pool.execute(() => {
        if (on.single) truth.put(paths.archive(v - 1), of(v - 1))
        else {
          truth.put(paths.body(v), of(v))
          truth.put(paths.pointer(v), pointer(v))
        }
      })
      pool.shutdown()
      assert(pool.awaitTermination(2, TimeUnit.MINUTES))
      if (newest > 1) truth.put(if (on.single) paths.manifest else paths.currentHint, if (on.single) of(newest) else pointer(newest)): Unit
      clock.pass(Duration.ofDays(30))
    }

    /** A process that remembers nothing. */
    def open(): Graph = Graph(store)

    def sweeper(g: Graph): Sweeper = new Sweeper(g.namespace, store, g.settings().clockedBy(clock))

    implicit class Clocked(s: CommitSettings) {
      def clockedBy(c: Clock) = new CommitSettings(s.retries, s.backoff, s.rewriteLimit, c, s.random, s.sleeper, s.probe)
    }

    /** The reports of a job's writes. */
    def parts(job: String): Seq[String] =
      truth.list(paths.bulk(job) + "part-", Optional.empty[String]).objects.asScala.map(_.key.stripPrefix("ns/")).toSeq

    def bill(action: => Any): Seq[String] = {
      proxy.forget()
      action
      proxy.lines.map(said).sorted
    }

    private def said(line: String): String = {
      val Array(method, target) = line.split(" ", 2)
      val Array(path, query) = (target + "?").split("\\?", 3).take(2)
      val key = URLDecoder.decode(path, UTF_8).stripPrefix(s"/${bucket.place}").stripPrefix("/").stripPrefix("ns/")
      if (query.contains("list-type")) {
        val prefix = query.split("&").find(_.startsWith("prefix=")).map(p => URLDecoder.decode(p.drop(7), UTF_8)).getOrElse("")
        "LIST " + prefix.stripPrefix("ns/")
      } else if (query.nonEmpty) s"$method $key?$query"
      else s"$method $key"
    }

    override def close(): Unit = {
      proxy.close()
      store.close()
      truth.close()
    }
  }

  private val hint = "GET manifest/current.json"
  private val manifest = "manifest.json"
  private def body(v: Long) = s"manifest/v${Hex.h16(v)}.json"
  private def pointer(v: Long) = s"manifest/pointer/p${Hex.h16(v)}.json"
  private def archive(v: Long) = s"manifests/${Hex.h16(v)}.json"

  for (layout <- Layout.values) {
    val single = layout == Layout.SINGLE_OBJECT
    def cold(v: Long) = if (single) Seq(hint, s"GET $manifest") else Seq(hint, s"GET ${body(v)}", s"HEAD ${pointer(v)}", s"HEAD ${pointer(v + 1)}")
    def warm(v: Long) = if (single) Seq(s"HEAD $manifest") else Seq(s"HEAD ${pointer(v)}", s"HEAD ${pointer(v + 1)}")
    def pinned(v: Long) = if (single) Seq(s"HEAD ${pointer(v)}", s"GET ${archive(v)}") else Seq(s"HEAD ${pointer(v)}", s"GET ${body(v)}")

    test(s"$layout: what each operation sends at ${Lengths.mkString(", ")} versions") {
      val scans = for (n <- Lengths) yield {
        val h = new History(layout, n)
        try {
          val v = h.newest
          opening(h, v)
          val scan = scanning(h)
          publishing(h, v)
          leasing(h, v + 3)
          retention(h, v + 3)
          scan
        } finally h.close()
      }
      assert(scans.distinct.size == 1, scans)
      info(s"requests of a node SST, an edge SST: ${scans.head}")
    }

    def same(is: Seq[String], expected: Seq[String]): Unit = assert(is == expected.sorted)

    def opening(h: History, v: Long): Unit = {
      val g = h.open()
      same(h.bill(g.latest()), cold(v))
      same(h.bill(g.latest()), warm(v))
      if (v > 1) same(h.bill(h.open().at(v / 2)), pinned(v / 2))
    }

    def scanning(h: History): (Int, Int) = {
      val g = h.open()
      val s = g.latest()
      def read(target: ScanRequest.Target): Seq[String] = {
        val request = new ScanRequest(target, com.namidb.format.id.KeyRanges.ALL, com.namidb.format.id.KeyRanges.ALL,
          java.util.EnumSet.of(Column.KEY, Column.PAYLOAD), WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, false))
        var slices = Seq.empty[com.namidb.format.scan.ScanSlice]
        same(h.bill { slices = ScanPlanner.plan(s, request, h.store).slices.asScala.toSeq }, Nil)
        assert(slices.size == 1)
        h.bill {
          val r = SliceReader.open(slices.head, h.store)
          try while (r.next()) {} finally r.close()
        }
      }
      val nodes = read(new ScanRequest.Nodes(Optional.empty()))
      val edges = read(new ScanRequest.Edges("KNOWS"))
      assert((nodes ++ edges).forall(_.startsWith("GET bulk/")) && nodes.distinct.size == 1 && edges.distinct.size == 1, nodes ++ edges)
      assert(nodes.size <= 2 && edges.size <= 3)
      (nodes.size, edges.size)
    }

    /** Three versions more. */
    def publishing(h: History, v: Long): Unit = {
      def writes(v: Long, job: StagedJob): Seq[String] = {
        val files = job.candidates.asScala.map(f => s"HEAD ${f.sst.path}").toSeq
        val commit = if (single) Seq(s"PUT ${archive(v - 1)}", s"PUT $manifest") else Seq(s"PUT ${body(v)}", s"PUT ${pointer(v)}", "PUT manifest/current.json")
        files ++ commit :+ s"PUT bulk/${job.id}/receipt.json"
      }
      val other = h.open()
      val g = h.open()
      var job = other.stage(other.unnamed(), people.take(3))
      same(h.bill(g.publisher().publish(job, g.target(job), PublishOrder.blind())), cold(v) ++ checked ++ writes(v + 1, job))
      // Its own commit is as good a base as a resolved one.
      job = other.stage(other.unnamed(), people.take(3), Map("KNOWS" -> knows("KNOWS").take(2)))
      same(h.bill(g.publisher().publish(job, g.target(job), PublishOrder.blind())), writes(v + 2, job))
      assert(job.candidates.size == 3)
      // A job with a name: where it stands, before and after.
      val state = "bulk/nightly/state.json"
      same(h.bill { job = StagedJob.open(g.paths, h.store, "nightly", "b", g.clock) }, Seq(s"GET $state", s"PUT $state"))
      other.stage(job, people.take(3))
      job.seal()
      val parts = h.parts("nightly")
      same(h.bill(g.publisher().publish(job, g.target(job), PublishOrder.blind())), writes(v + 3, job) ++ parts.map("GET " + _) ++ Seq.fill(2)(s"PUT $state"))
    }

    /** Whether what was resolved is still the newest version, or was above the floor. */
    def checked: Seq[String] = if (single) Seq(s"HEAD $manifest") else Seq("GET bulk/floor.json")

    def leasing(h: History, v: Long): Unit = {
      val g = h.open()
      val s = g.latest()
      var lease: PinLease = null
      val taken = h.bill { lease = PinLease.acquire(g.namespace, s, new PinLease.Terms(Duration.ofHours(1), "test", h.clock)) }
      val pin = s"manifest/pins/${lease.pin.id}.json"
      same(taken, Seq(s"PUT $pin", s"HEAD $pin") ++ warm(v))
      same(h.bill(lease.renew()), Seq(s"HEAD $pin", s"PUT $pin"))
      same(h.bill(lease.release()), Seq(s"DELETE $pin"))
    }

    def retention(h: History, v: Long): Unit = {
      val g = h.open()
      val count = v + 1
      val bill = h.bill(h.sweeper(g).expire(20, SweepAge.STANDARD, false))
      def of(kind: String) = bill.count(_.startsWith(kind))
      val expired = math.max(0L, count - 20)
      val objects = expired * (if (single) 1 else 2)
      val work = if (expired > 0) 1 else 0
      // Files of versions that stay are those of versions that go: only manifests are deleted, a thousand at once.
      assert(of("POST ?delete") == (objects + 999) / 1000 && of("DELETE") == (if (objects == 1) 1 else 0), bill.filter(_.contains("delete")))
      val pages = if (single) (v + 999) / 1000 else (2 * count + 1 + 999) / 1000
      assert(of("LIST") == pages + 2 + work, bill.filter(_.startsWith("LIST")))
      // Every version once, and the job with a name.
      assert(of("GET") == (if (single) 3 + work * (count - 1) else 5 + work * (count + 2)), bill.filter(_.startsWith("GET")).takeRight(9))
      assert(of("HEAD") == (if (single) 4 else 3) + 2 * work && of("PUT") == 1 + work * (if (single) 2 else 1))
      val sent = bill.size
      // A hint that is lost is the only reason to list while reading.
      if (!single) {
        h.truth.delete(h.paths.currentHint)
        val found = h.bill(h.open().latest())
        same(found, cold(v) ++ Seq(s"GET $manifest", "LIST manifest/pointer/"))
      }
      same(h.bill(GraphFolders.below("", h.store)).filter(_.startsWith("LIST")), if (single) Seq("LIST ") else Seq("LIST ", "LIST manifest/"))
      info(s"expire_snapshots of $count versions: $sent requests, ${of("GET")} GET, ${of("HEAD")} HEAD, ${of("PUT")} PUT, ${of("LIST")} LIST, ${of("POST")} batches of deletions")
    }
  }
}
