package com.namidb.format.scan

import java.lang.management.ManagementFactory
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.{EnumSet, Optional}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.Crafted._
import com.namidb.format.error.NamiException
import com.namidb.format.id.{KeyRanges, NodeId}
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.record.{Column, RecordBatch}
import com.namidb.format.snapshot.{Location, Namespace, SnapshotSelector, WalPolicy}
import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.store.{ObjectStore, StoreConfig}
import com.namidb.format.wal.WalBytes
import com.namidb.format.{Crafted, Golden}
import org.scalatest.concurrent.{Signaler, ThreadSignaler, TimeLimitedTests}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Minutes, Span}

/**
 * Objects damaged at random, one at a time, read from the hint to the last row: a typed error or the right answer, within
 * bounded memory. Only engine-made Parquet bodies, which carry no checksums, may show other values.
 */
class FuzzSuite extends AnyFunSuite with TimeLimitedTests {
  override val timeLimit: Span = Span(5, Minutes)
  override val defaultTestSignaler: Signaler = ThreadSignaler

  private val seed = sys.props.getOrElse("fuzz.seed", "7").toLong
  private val perKind = sys.props.getOrElse("fuzz.count", "400").toInt
  private val columns = EnumSet.of(Column.KEY, Column.LSN, Column.LABELS, Column.PAYLOAD)
  private val allocated = ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]
  private var places = 0

  private type Answer = Seq[String]

  private case class Graph(objects: Map[String, Array[Byte]], types: Seq[String], lookup: NodeId) {
    def store(): MemoryStore = {
      val s = new MemoryStore
      for ((k, b) <- objects) s.put(k, b)
      s
    }
  }

  private def graph(folder: java.nio.file.Path, types: Seq[String], lookup: NodeId): Graph = {
    val all = Files.walk(folder)
    val files = try all.iterator.asScala.filter(Files.isRegularFile(_)).toSeq finally all.close()
    Graph(files.map(f => s"ns/${folder.relativize(f)}" -> Files.readAllBytes(f)).toMap, types, lookup)
  }

  private lazy val crafted: Graph = {
    val c = new Crafted
    val r = new Random(3)
    def node(i: Long, lsn: Long) = N(id(i), lsn, Seq((i % 3).toInt), Some(s"""{"n":$i,"s":"${"ab" * r.nextInt(9)}"}"""))
    c.nodes((1L to 200L).map(i => node(i, i)), level = 1, bloom = true)
    c.nodes((50L to 80L).map(i => if (i % 5 == 0) N(id(i), 300 + i, Nil, dead = true) else node(i, 300 + i)))
    c.edges("T", for (i <- 1L to 60L; j <- 1L to 3L) yield E(id(i), id(i + j), 400 + 3 * i + j, Some(s"""{"w":$i}""")), bloom = true)
    c.wal(WalBytes.node(id(7), 900, document("""{"n":-7}""", 1)), WalBytes.noNode(id(9), 901),
      WalBytes.edge("T", id(1), id(2), 902, edgeDocument("""{"w":0}""")), WalBytes.noEdge("T", id(2), id(3), 903))
    c.commit()
    graph(c.folder, Seq("T"), id(7))
  }

  private def golden(name: String): Graph = {
    val g = Golden(name)
    graph(g.folder, g.recorded.head.edges.map(_.tpe).distinct, NodeId.parse(g.recorded.head.nodes.head.id))
  }

  /** Everything a namespace shows: nodes, one node, edges by both orders. */
  private def read(g: Graph, store: ObjectStore): Answer = {
    // A place of its own each time: what a process keeps of one namespace must not answer for another.
    places += 1
    val location = new Location(new StoreConfig("memory", s"fuzz$places", java.util.Map.of()), new NamespacePaths("", "ns"))
    val s = Namespace.open(location, store).snapshot(new SnapshotSelector.Latest)
    val out = mutable.Buffer(s"version ${s.version}")
    val names = ScanPlanner.labels(s.manifest)
    def rows(what: String, target: ScanRequest.Target, keys: KeyRanges, partners: KeyRanges): Unit = {
      val request = new ScanRequest(target, keys, partners, columns, WalPolicy.REPLAY, new ScanRequest.Sizing(1L << 30, true))
      for (slice <- ScanPlanner.plan(s, request, store).slices.asScala) {
        val reader = SliceReader.open(slice, store)
        try while (reader.next()) {
          val b: RecordBatch = reader.batch
          for (i <- 0 until reader.selection.size) {
            val r = reader.selection.row(i)
            val labels = if (b.edges) "" else reader.labels.ids(b.labelSet()(r)).filter(names.knows(_)).map(names.name(_)).mkString(",")
            val partner = if (b.edges) s"${b.partnerHi()(r)}.${b.partnerLo()(r)}" else ""
            val payload = if (b.payloadLength()(r) < 0) "-" else new String(b.payload, b.payloadOffset()(r), b.payloadLength()(r), UTF_8)
            out += s"$what ${b.keyHi()(r)}.${b.keyLo()(r)} $partner ${b.lsn()(r)} $labels $payload"
          }
        } finally reader.close()
      }
    }
    val nodes = new ScanRequest.Nodes(Optional.empty())
    rows("n", nodes, KeyRanges.ALL, KeyRanges.ALL)
    rows("i", nodes, KeyRanges.ofIds(java.util.List.of(g.lookup)), KeyRanges.ALL)
    for (t <- g.types) {
      rows("f", new ScanRequest.Edges(t), KeyRanges.ALL, KeyRanges.ALL)
      rows("k", new ScanRequest.Edges(t), KeyRanges.ofIds(java.util.List.of(g.lookup)), KeyRanges.ALL)
      rows("b", new ScanRequest.Edges(t), KeyRanges.ALL, KeyRanges.of(new com.namidb.format.id.KeyRange(NodeId.MIN, new NodeId(-1, 0))))
    }
    out.toSeq.sorted
  }

  private case class Outcome(var refused: Int = 0, var right: Int = 0, var other: Int = 0, var most: Long = 0)

  private def fuzz(g: Graph, key: String, count: Int, rnd: Random, wanted: Answer)(damage: Array[Byte] => Array[Byte]): Outcome = {
    val out = Outcome()
    val good = g.objects(key)
    val store = g.store()
    for (round <- 0 until count) {
      val bad = damage(good.clone())
      store.put(key, bad)
      val before = allocated.getCurrentThreadAllocatedBytes
      try {
        val got = read(g, store)
        if (got == wanted) out.right += 1
        else {
          out.other += 1
          // Still a table: every key once.
          val keys = got.map(_.split(" ").take(3).toSeq)
          assert(keys.distinct == keys, s"seed $seed $key round $round")
        }
      } catch {
        case _: NamiException => out.refused += 1
        case e: Throwable => throw new AssertionError(s"seed $seed, $key, round $round: $e", e)
      }
      out.most = math.max(out.most, allocated.getCurrentThreadAllocatedBytes - before)
    }
    out
  }

  private def flip(rnd: Random)(b: Array[Byte]): Array[Byte] = rnd.nextInt(6) match {
    case 0 => b.take(rnd.nextInt(b.length))
    case 1 =>
      val at = rnd.nextInt(b.length)
      for (i <- at until math.min(b.length, at + 1 + rnd.nextInt(12))) b(i) = rnd.nextInt().toByte
      b
    case 2 => b(rnd.nextInt(b.length)) = Seq[Byte](0, -1, 0x7f, -128)(rnd.nextInt(4)); b
    case _ =>
      val at = rnd.nextInt(b.length)
      b(at) = (b(at) ^ (1 << rnd.nextInt(8))).toByte
      b
  }

  private val Kinds = Seq(
    "node SST" -> "ns/sst/.*nodes\\.parquet", "edge SST" -> "ns/sst/.*edges.*csr", "WAL" -> "ns/wal/.*",
    "id filter" -> "ns/sst/.*bloom", "pointer" -> "ns/manifest/pointer/.*", "hint" -> "ns/manifest/current.json")

  private def check(name: String, g: => Graph, kinds: Seq[(String, String)], strict: String => Boolean): Unit =
    for ((kind, pattern) <- kinds)
      test(s"$name: $kind, damaged $perKind times (-Dfuzz.seed=$seed)") {
        val wanted = read(g, g.store())
        val calm = {
          val before = allocated.getCurrentThreadAllocatedBytes
          read(g, g.store())
          allocated.getCurrentThreadAllocatedBytes - before
        }
        val rnd = new Random(seed)
        val keys = g.objects.keys.filter(_.matches(pattern)).toSeq.sorted.takeRight(4)
        assert(keys.nonEmpty)
        var refused = 0
        for (key <- keys) {
          val o = fuzz(g, key, (perKind + keys.size - 1) / keys.size, rnd, wanted)(flip(rnd))
          info(s"$key: refused ${o.refused}, right ${o.right}, other values ${o.other}; allocated at most ${o.most >> 10} KiB (undamaged ${calm >> 10})")
          if (strict(kind)) assert(o.other == 0, key)
          refused += o.refused
          // No promise inside a file is believed before it is checked against the object's size.
          assert(o.most < calm + (64L << 20), key)
        }
        // The existence of a pointer says all that matters, and a hint is only a hint.
        if (kind != "hint" && kind != "pointer") assert(refused > 0)
      }

  check("crafted", crafted, Kinds, _ => true)
  check("engine-made", golden("wal-and-sst"), Kinds.filterNot(_._1 == "id filter"), _ != "node SST")

  test(s"manifest body, damaged ${perKind * 2} times: an error, or another graph that is of one piece") {
    // JSON without a checksum: a flipped digit is another digit. Nothing but typed errors may come of it.
    val g = crafted
    val key = g.objects.keys.filter(_.matches("ns/manifest/v.*")).toSeq.max
    val wanted = read(g, g.store())
    val rnd = new Random(seed)
    val store = g.store()
    var (refused, right, other) = (0, 0, 0)
    var most = 0L
    for (round <- 0 until perKind * 2) {
      store.put(key, flip(rnd)(g.objects(key).clone()))
      val before = allocated.getCurrentThreadAllocatedBytes
      try if (read(g, store) == wanted) right += 1 else other += 1
      catch {
        case _: NamiException => refused += 1
        case e: Throwable => throw new AssertionError(s"seed $seed round $round: $e", e)
      }
      most = math.max(most, allocated.getCurrentThreadAllocatedBytes - before)
    }
    info(s"refused $refused, right $right, other $other, allocated at most ${most >> 10} KiB")
    assert(refused > perKind / 2 && most < (256L << 20))
  }
}
