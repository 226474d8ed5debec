package com.namidb.spark.read

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.id.Hex
import com.namidb.format.store.TempDirs
import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.store.{MeteredStore, Request}
import com.namidb.format.wal.WalBytes
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.DataFrame
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

/** Every request of a whole Spark action, on the driver and in the tasks, at 1 and at 1,000 versions of history. */
class ActionLedgerSuite extends SparkSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(20, Millis))

  private class Ledger(versions: Int) {
    private val c = new Crafted(TempDirs.lasting("ledger-"))
    val nodes: Seq[String] = Seq(
      c.nodes((0L until 100L).map(i => N(id(i), i + 1, Seq(0), Some(s"""{"n":$i}""")))),
      c.nodes((200L until 300L).map(i => N(id(i), i + 1, Seq(0), Some(s"""{"n":$i}""")))))
    c.edges("T", (0L until 50L).map(i => E(id(i), id(i + 1), 600 + i, Some("""{"w":1}"""))))
    c.wal(WalBytes.node(id(250), 900, document("""{"n":-1}""", 0)))
    c.commit()
    private val newest = versions - 1L
    private val name = s"ledger$versions"
    private val inner = MemoryStore.named(name)
    private val sent = new ConcurrentLinkedQueue[Request]
    MemoryStore.show(name, new MeteredStore(inner, (r: Request) => sent.add(r)))
    locally {
      val all = Files.walk(c.folder)
      try for (f <- all.iterator.asScala if Files.isRegularFile(f) && !f.toString.contains("/manifest/"))
        inner.put(s"ns/${c.folder.relativize(f)}", Files.readAllBytes(f))
      finally all.close()
      val body = Files.readString(c.path("manifest/v0000000000000000.json"))
      for (v <- 0L to newest) {
        inner.put(s"ns/manifest/v${Hex.h16(v)}.json", body.replaceFirst("\"version\":0", s"\"version\":$v").getBytes(UTF_8))
        inner.put(s"ns/manifest/pointer/p${Hex.h16(v)}.json", pointer(v))
      }
      inner.put("ns/manifest/current.json", pointer(newest))
    }
    private def pointer(v: Long) = s"""{"version":$v,"epoch":1,"manifest_path":"ns/manifest/v${Hex.h16(v)}.json"}""".getBytes(UTF_8)

    def table(options: (String, String)*): DataFrame =
      spark.read.format("namidb").options(options.toMap).load(s"memory://$name?ns=ns")

    /** The requests of an action up to the release of its lease, with the same names at every length of history. */
    def bill(action: => Any, leased: Boolean = true): Seq[String] = {
      sent.clear()
      action
      if (leased) eventually(assert(sent.asScala.exists(_.kind.toString == "DELETE")))
      sent.asScala.toSeq.map(r => s"${r.kind} ${r.key.stripPrefix("ns/")}"
        .replace(s"p${Hex.h16(newest)}", "p(current)").replace(s"p${Hex.h16(newest + 1)}", "p(next)")
        .replaceFirst("pins/.*", "pins/(id)")).sorted
    }

    def named(r: String): String = nodes.zipWithIndex.foldLeft(r) { case (s, (p, i)) => s.replace(p, s"(sst $i)") }
  }

  private val resolve = Seq("HEAD manifest/pointer/p(current).json", "HEAD manifest/pointer/p(next).json")
  private val lease = Seq("PUT manifest/pins/(id)", "HEAD manifest/pins/(id)", "DELETE manifest/pins/(id)") ++ resolve

  private lazy val ledgers = Seq(1, 1000).map(new Ledger(_))

  private def sameEverywhere(options: (String, String)*)(action: DataFrame => Long, rows: Long, leased: Boolean = true): Seq[String] = {
    val bills = for (l <- ledgers) yield {
      def act(): Unit = assert(action(l.table(options: _*)) == rows)
      l.bill(act(), leased)
      l.bill(act(), leased).map(l.named)
    }
    assert(bills.distinct.size == 1, bills.map(_.mkString("\n")).mkString("\n---\n"))
    assert(!bills.head.exists(_.startsWith("LIST")), bills.head)
    bills.head
  }

  private val collect: DataFrame => Long = _.collect().length
  private val count: DataFrame => Long = _.count()

  private val keys: DataFrame => Long = _.select("_id").collect().length

  for ((what, action) <- Seq("collect" -> collect, "ids" -> keys))
    test(s"$what of all nodes, warm: resolve, lease, and at most two GETs per SST") {
      val bill = sameEverywhere("label" -> "*")(action, 200)
      val (reads, rest) = bill.partition(_.startsWith("GET"))
      assert(rest == (resolve ++ lease).sorted)
      assert(reads.toSet == Set("GET (sst 0)", "GET (sst 1)") && reads.groupBy(identity).forall(_._2.size <= 2), reads)
      info(s"${bill.size} requests: ${bill.groupBy(identity).map { case (r, n) => s"${n.size} $r" }.toSeq.sorted.mkString(", ")}")
    }

  test("count where one file describes all: resolve, and no more") {
    assert(sameEverywhere("type" -> "T")(count, 50, leased = false) == resolve.sorted)
  }

  test("count where WAL records may hide rows of one SST: resolve, lease, and that SST") {
    val (reads, rest) = sameEverywhere("label" -> "*")(count, 200).partition(_.startsWith("GET"))
    assert(rest == (resolve ++ lease).sorted && reads.toSet == Set("GET (sst 1)") && reads.size <= 2, reads)
  }

  test("without a lease only the lease is missing; by number one HEAD finds the version") {
    val leased = sameEverywhere("label" -> "*")(collect, 200)
    assert(sameEverywhere("label" -> "*", "pin" -> "off")(collect, 200, leased = false) == leased.diff(lease))
    for (l <- ledgers) {
      def act(): Unit = assert(l.table("label" -> "*", "pin" -> "off", "versionAsOf" -> "0").collect().length == 200)
      l.bill(act(), leased = false)
      val bill = l.bill(act(), leased = false)
      assert(bill.filterNot(_.startsWith("GET sst")).size == 1, bill)
    }
  }

  test("one id: the SST that may hold it, and no other") {
    val bill = sameEverywhere("label" -> "*")(df => df.filter(s"_id = '${id(5)}'").collect().length, 1)
    assert(bill.filter(_.startsWith("GET")).toSet == Set("GET (sst 0)"), bill)
  }

  test("a second action on one DataFrame asks for its own lease and nothing else on the driver") {
    for (l <- ledgers) {
      val df = l.table("label" -> "*")
      l.bill(df.collect())
      assert(l.bill(df.collect()).filterNot(_.startsWith("GET")) == lease.sorted)
    }
  }
}
