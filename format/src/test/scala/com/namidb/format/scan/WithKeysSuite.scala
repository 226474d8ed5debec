package com.namidb.format.scan

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{EnumSet, Optional}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.record.Column
import com.namidb.format.snapshot.{Location, Namespace, SnapshotSelector, WalPolicy}
import com.namidb.format.store.{ObjectStore, StoreConfig}
import com.namidb.format.store.TempDirs
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.wal.WalBytes
import org.scalatest.funsuite.AnyFunSuite

/** A slice read again with keys names the rows of the slice read without. */
class WithKeysSuite extends AnyFunSuite {
  private case class Row(key: NodeId, partner: NodeId, lsn: Long, payload: String)

  private lazy val c: Crafted = {
    val c = new Crafted(TempDirs.lasting("with-keys-"))
    // Clean, merged with a delete file, merged with the WAL.
    c.nodes((0L until 3000L).map(i => N(id(i), i + 1, Seq(0), if (i % 7 == 0) None else Some(s"""{"n":$i}"""))))
    c.nodes((5000L until 5300L).map(i => N(id(i), i + 1, Seq((i % 2).toInt), Some(s"""{"n":$i}"""))))
    c.nodes((5010L until 5200L by 3).map(i => N(id(i), i + 9000, Nil, dead = true)))
    c.nodes((9000L until 9050L).map(i => N(id(i), i + 1, Seq(1), Some(s"""{"n":$i}"""))))
    c.edges("T", for (i <- 0L until 400L; j <- 1L to 3L) yield E(id(i), id(i + j), 20000 + 3 * i + j, Some(s"""{"w":$i}""")))
    c.edges("T", for (i <- 100L until 200L) yield E(id(i), id(i + 2), 30000 + i, dead = i % 2 == 0))
    c.wal(WalBytes.node(id(9010), 40000, document("""{"n":-7}""", 1)), WalBytes.noNode(id(9020), 40001),
      WalBytes.edge("T", id(1), id(2), 40002, edgeDocument("""{"w":-1}""")), WalBytes.noEdge("T", id(2), id(3), 40003))
    c.commit()
    c
  }

  private lazy val store: ObjectStore = StoreOpener.open(new StoreConfig("file", c.store.toString, java.util.Map.of()))
  private lazy val snapshot = Namespace.open(new Location(new StoreConfig("file", c.store.toString, java.util.Map.of()),
    new NamespacePaths("", c.ns)), store).snapshot(new SnapshotSelector.Latest)

  private def plan(target: ScanRequest.Target, columns: EnumSet[Column], keys: KeyRanges, partners: KeyRanges, split: Long) =
    ScanPlanner.plan(snapshot, new ScanRequest(target, keys, partners, columns, WalPolicy.REPLAY, new ScanRequest.Sizing(split, true)), store)
      .slices.asScala.toSeq

  /** All live rows; without keys they are null. */
  private def rows(slice: ScanSlice, keyed: Boolean): Seq[Row] = {
    val out = mutable.Buffer.empty[Row]
    val r = SliceReader.open(slice, store)
    try while (r.next()) {
      val b = r.batch
      for (i <- 0 until r.selection.size) {
        val n = r.selection.row(i)
        val payload = if (b.payloadLength()(n) < 0) "-" else new String(b.payload, b.payloadOffset()(n), b.payloadLength()(n), UTF_8)
        out += Row(if (keyed) new NodeId(b.keyHi()(n), b.keyLo()(n)) else null,
          if (keyed && b.edges) new NodeId(b.partnerHi()(n), b.partnerLo()(n)) else null, b.lsn()(n), payload)
      }
    } finally r.close()
    out.toSeq
  }

  private def sent(slice: ScanSlice): ScanSlice = {
    val bytes = new ByteArrayOutputStream
    val out = new ObjectOutputStream(bytes)
    out.writeObject(slice)
    out.close()
    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject().asInstanceOf[ScanSlice]
  }

  private val without = EnumSet.of(Column.LSN, Column.PAYLOAD)
  private val withAll = EnumSet.of(Column.LSN, Column.PAYLOAD, Column.KEY)
  private val half = KeyRanges.of(new KeyRange(id(50), id(5100)))

  for ((what, target) <- Seq("all nodes" -> new ScanRequest.Nodes(Optional.empty()), "nodes of a label" -> new ScanRequest.Nodes(Optional.of("B")),
      "edges" -> new ScanRequest.Edges("T")); (range, keys, partners) <- Seq(("whole", KeyRanges.ALL, KeyRanges.ALL),
      ("a key range", half, KeyRanges.ALL), ("a partner range", KeyRanges.ALL, half)) if what == "edges" || partners == KeyRanges.ALL;
      split <- Seq(1L << 30, 1L << 12))
    test(s"$what, $range, split at $split: the same rows in the same order, and their keys") {
      val slices = plan(target, without, keys, partners, split)
      assert(slices.nonEmpty && slices.forall(!_.hasKeys))
      val found = slices.flatMap { s =>
        val again = s.withKeys
        assert(again.hasKeys && !s.hasKeys && again.isClean == s.isClean && again.bytes == s.bytes)
        assert(again.withKeys eq again)
        val keyed = rows(again, keyed = true)
        assert(keyed.map(_.copy(key = null, partner = null)) == rows(s, keyed = false))
        assert(rows(sent(s).withKeys, keyed = true) == keyed)
        keyed
      }
      val asked = plan(target, withAll, keys, partners, split)
      assert(asked.forall(s => s.withKeys eq s))
      assert(found.toSet == asked.flatMap(rows(_, keyed = true)).toSet && found.distinct.size == found.size)
      assert(found.nonEmpty)
    }
}
