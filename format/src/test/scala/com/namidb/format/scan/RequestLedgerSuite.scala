package com.namidb.format.scan

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.{EnumSet, Optional}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.id.{Hex, KeyRanges}
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.record.Column
import com.namidb.format.snapshot.{Location, Namespace, Snapshot, SnapshotSelector, WalPolicy}
import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.store.{MeteredStore, Request, StoreConfig}
import com.namidb.format.wal.WalBytes
import org.scalatest.funsuite.AnyFunSuite

/** Every request of the read path, at 1, 100 and 1,000 versions of history: the same, and no LIST. */
class RequestLedgerSuite extends AnyFunSuite {
  private val columns = EnumSet.of(Column.KEY, Column.LABELS, Column.PAYLOAD)
  private val Lengths = Seq(1, 100, 1000)

  private class Ledger(versions: Int) {
    private val c = new Crafted
    val nodes: Seq[String] = Seq(
      c.nodes((0L until 100L).map(i => N(id(i), i + 1, Seq(0), Some(s"""{"n":$i}""")))),
      c.nodes((200L until 300L).map(i => N(id(i), i + 1, Seq(0), Some(s"""{"n":$i}"""))), bloom = true),
      c.nodes((50L until 60L).map(i => N(id(i), i + 500, Nil, dead = true))))
    val edges: Seq[String] = c.edges("T", (0L until 50L).map(i => E(id(i), id(i + 1), 600 + i, Some("""{"w":1}"""))))
    val wal: String = c.wal(WalBytes.node(id(250), 900, document("""{"n":-1}""", 0)))
    c.commit()
    val newest: Long = versions - 1L
    private val inner = new MemoryStore
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

    private val sent = new ConcurrentLinkedQueue[Request]
    val store = new MeteredStore(inner, (r: Request) => sent.add(r))
    // A place of its own, so that no other test has replayed its WAL.
    val location = new Location(new StoreConfig("memory", s"ledger-${c.store}", java.util.Map.of()), new NamespacePaths("", "ns"))
    val namespace: Namespace = Namespace.open(location, store)

    def bill(action: => Any): Seq[String] = {
      sent.clear()
      action
      sent.asScala.map(r => s"${r.kind} ${r.key.stripPrefix("ns/")}").toSeq.sorted
    }

    def commit(): Long = {
      val v = newest + 1
      val body = new String(inner.get(s"ns/manifest/v${Hex.h16(newest)}.json").get.bytes, UTF_8)
      inner.put(s"ns/manifest/v${Hex.h16(v)}.json", body.replaceFirst(s"\"version\":$newest", s"\"version\":$v").getBytes(UTF_8))
      inner.put(s"ns/manifest/pointer/p${Hex.h16(v)}.json", pointer(v))
      inner.put("ns/manifest/current.json", pointer(v))
      v
    }

    def plan(s: Snapshot, target: ScanRequest.Target, keys: KeyRanges = KeyRanges.ALL, partners: KeyRanges = KeyRanges.ALL): Seq[ScanSlice] =
      ScanPlanner.plan(s, new ScanRequest(target, keys, partners, columns, WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, false)), store)
        .slices.asScala.toSeq

    def read(slice: ScanSlice): Int = {
      val r = SliceReader.open(slice, store)
      var n = 0
      try while (r.next()) n += r.selection.size finally r.close()
      n
    }
  }

  private val allNodes = new ScanRequest.Nodes(Optional.empty())
  private def body(v: Long) = s"GET manifest/v${Hex.h16(v)}.json"
  private def head(v: Long) = s"HEAD manifest/pointer/p${Hex.h16(v)}.json"
  private val hint = "GET manifest/current.json"

  test("opening: current cold, warm, after a commit; by number") {
    for (n <- Lengths) {
      val l = new Ledger(n)
      val v = l.newest
      assert(l.bill(l.namespace.snapshot(new SnapshotSelector.Latest)) == Seq(hint, body(v), head(v), head(v + 1)).sorted)
      assert(l.bill(l.namespace.snapshot(new SnapshotSelector.Latest)) == Seq(head(v), head(v + 1)))
      assert(l.bill(l.namespace.snapshot(new SnapshotSelector.AtVersion(v))) == Seq(head(v)))
      val other = Namespace.open(l.location, l.store)
      assert(l.bill(other.snapshot(new SnapshotSelector.AtVersion(v / 2))) == Seq(body(v / 2), head(v / 2)))
      assert(l.bill(other.snapshot(new SnapshotSelector.AtVersion(v / 2))) == Seq(head(v / 2)))
      val next = l.commit()
      assert(l.bill(l.namespace.snapshot(new SnapshotSelector.Latest)) == Seq(body(next), head(next), head(next + 1)))
    }
  }

  test("planning and reading: the listed WAL once, the footer and the columns of each SST, nothing of history") {
    val bills = for (n <- Lengths) yield {
      val l = new Ledger(n)
      val s = l.namespace.snapshot(new SnapshotSelector.Latest)
      val planned = l.bill(l.plan(s, allNodes))
      assert(planned == Seq(s"GET ${l.wal}"))
      assert(l.bill(l.plan(s, allNodes)) == Nil, "planned again")
      val slices = l.plan(s, allNodes)
      var rows = 0
      val perSlice = slices.map(x => l.bill(rows += l.read(x)))
      assert(rows == 190)
      for (b <- perSlice; r <- b) assert(r.startsWith("GET sst/"), r)
      // Two requests at most per SST: its end with the footer, and the chunks that lie together.
      for (b <- perSlice; (_, times) <- b.groupBy(identity)) assert(times.size <= 2, b)
      // The delete file and the WAL are applied to what they overlap, and only there.
      for (p <- l.nodes.take(2)) assert(perSlice.count(_.contains(s"GET $p")) == 1, p)
      assert(perSlice.count(_.contains(s"GET ${l.nodes(2)}")) == 1)
      val edges = l.plan(s, new ScanRequest.Edges("T"))
      assert(edges.size == 1)
      val edge = l.bill(assert(l.read(edges.head) == 50))
      assert(edge.forall(_ == s"GET ${l.edges.head}") && edge.size <= 3, edge)
      val inverse = l.plan(s, new ScanRequest.Edges("T"), partners = KeyRanges.ofIds(java.util.List.of(id(7))))
      val inv = l.bill(assert(inverse.map(l.read).sum == 1))
      assert(inv.forall(_ == s"GET ${l.edges(1)}") && inv.size <= 4, inv)
      (perSlice.map(_.size), edge.size, inv.size)
    }
    info(s"requests per node slice, edge slice, inverse lookup: ${bills.head}")
    assert(bills.distinct.size == 1, bills)
  }

  test("one id: filters and footers of the SSTs that may hold it, no others") {
    val l = new Ledger(100)
    val s = l.namespace.snapshot(new SnapshotSelector.Latest)
    l.plan(s, allNodes)
    def one(k: Long) = KeyRanges.ofIds(java.util.List.of(id(k)))
    val filter = s"GET ${l.nodes(1).replace(".parquet", "-.bloom")}"
    var found = Seq.empty[ScanSlice]
    assert(l.bill { found = l.plan(s, allNodes, one(10)) } == Nil)
    assert(l.bill(assert(found.map(l.read).sum == 1)).forall(_ == s"GET ${l.nodes.head}"))
    assert(l.bill { found = l.plan(s, allNodes, one(222)) } == Seq(filter))
    assert(l.bill(assert(found.map(l.read).sum == 1)).forall(_ == s"GET ${l.nodes(1)}"))
    assert(l.bill { found = l.plan(s, allNodes, one(5000)) } == Nil)
    assert(found.isEmpty)
  }
}
