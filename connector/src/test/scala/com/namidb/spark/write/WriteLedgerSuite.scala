package com.namidb.spark.write

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.bench.MadeNamespace
import com.namidb.format.id.{Hex, KeyRange, NodeId}
import com.namidb.format.log.{Converted, PointerLog, SingleObjectLog}
import com.namidb.format.manifest.{Layout, NamespacePaths}
import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.store.{MeteredStore, Request, RequestKind, TempDirs}
import org.apache.spark.sql.DataFrame

/** Every request of a whole Spark write, on the driver and in the tasks, however long the history and however many SSTs. */
class WriteLedgerSuite extends WriteLedgerTests(Layout.VERSIONED, nodeBill = 9, edgeBill = 11)

class SingleObjectWriteLedgerSuite extends WriteLedgerTests(Layout.SINGLE_OBJECT, nodeBill = 6, edgeBill = 8)

abstract class WriteLedgerTests(layout: Layout, nodeBill: Int, edgeBill: Int) extends Writing {
  private class Ledger(versions: Int, ssts: Int) {
    private val paths = new NamespacePaths("", "ns")
    val name = s"write-ledger-${layout.text}-$versions-$ssts"
    private val inner = MemoryStore.named(name)
    private val sent = new ConcurrentLinkedQueue[Request]
    MemoryStore.show(name, new MeteredStore(inner, (r: Request) => sent.add(r)))
    locally {
      val dir = TempDirs.lasting("ledger-")
      try {
        val made = new MadeNamespace(dir, "ns")
        for (i <- 0 until ssts) made.list(i + 1, new KeyRange(new NodeId(1, i), new NodeId(-1, i)))
        made.commit()
        val body = Files.readString(dir.resolve("ns/manifest/v0000000000000000.json"))
        // Only the newest version is as large as its SSTs make it.
        val empty = body.replaceFirst("\"ssts\":\\[.*],\"wal_segments\"", "\"ssts\":[],\"wal_segments\"")
        for (v <- 0L until versions) {
          inner.put(s"ns/manifest/v${Hex.h16(v)}.json", (if (v == versions - 1) body else empty).replaceFirst("\"version\":0", s"\"version\":$v").getBytes(UTF_8))
          inner.put(s"ns/manifest/pointer/p${Hex.h16(v)}.json", pointer(v))
        }
        inner.put("ns/manifest/current.json", pointer(versions - 1L))
        if (layout == Layout.SINGLE_OBJECT) Converted(inner, paths)
      } finally Golden.deleteTree(dir)
    }
    private var newest = versions - 1L
    private def pointer(v: Long) = s"""{"version":$v,"epoch":0,"manifest_path":"ns/manifest/v${Hex.h16(v)}.json"}""".getBytes(UTF_8)

    /** The requests of a write, with the same names whatever the version. */
    def bill(df: DataFrame, options: (String, String)*): Seq[String] = {
      sent.clear()
      df.coalesce(1).write.format("namidb").options(options.toMap).mode("append").save(s"memory://$name?ns=ns")
      val out = sent.asScala.toSeq
      assert(!out.exists(_.kind == RequestKind.LIST), out)
      val at = newest
      newest += 1
      val log = if (layout == Layout.SINGLE_OBJECT) new SingleObjectLog(paths, inner) else new PointerLog(paths, inner)
      assert(log.current().ref.version == newest, "nothing was committed")
      out.map { r =>
        val versions = "[vp/]([0-9a-f]{16})(?=\\.json)".r
          .replaceAllIn(r.key, m => s"${m.matched.head}(${Hex.parseH16(m.group(1)).getAsLong - at})")
        s"${r.kind} ${versions.replaceAll("[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", "(id)")}"
      }.sorted
    }
  }

  private lazy val ledgers = for (versions <- Seq(1, 1000); ssts <- Seq(10, 2000)) yield new Ledger(versions, ssts)

  private def same(requests: Int)(write: Ledger => Seq[String]): Unit = {
    val bills = for (l <- ledgers) yield {
      write(l) // what a JVM asks once only
      write(l)
    }
    assert(bills.distinct.size == 1, bills.distinct.map(_.mkString("\n")).mkString("\n---\n"))
    val bill = bills.head
    info(s"${bill.size} requests: ${bill.groupBy(identity).map { case (r, n) => s"${n.size} $r" }.toSeq.sorted.mkString(", ")}")
    assert(bill.size == requests)
  }

  test("an upsert of nodes asks the same at 1 and 1,000 versions, at 10 and 2,000 SSTs, and never for a LIST") {
    same(nodeBill)(_.bill(nodes(1 to 50), "label" -> "A", "write-mode" -> "upsert"))
  }

  test("an upsert of edges likewise") {
    same(edgeBill)(_.bill(edges((1, 2), (2, 3), (3, 1)), "type" -> "T", "write-mode" -> "upsert", "on-dangling" -> "allow"))
  }
}
