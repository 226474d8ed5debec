package com.namidb.format.scan

import java.nio.file.Files
import java.util.{EnumSet, Optional}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.id.{Hex, KeyRange, KeyRanges, NodeId}
import com.namidb.format.log.ManifestRef
import com.namidb.format.manifest.{ManifestJson, NamespacePaths, SstKind}
import com.namidb.format.record.{Column, RecordBatch}
import com.namidb.format.snapshot.{Location, Snapshot, WalPolicy}
import com.namidb.format.store.StoreConfig
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.wal.WalReplay
import org.scalatest.funsuite.AnyFunSuite

/** Every recorded version of every engine-made namespace, whole and sliced, in both edge orders. */
class GoldenScanSuite extends AnyFunSuite {
  private val whole = new ScanRequest.Sizing(1L << 30, true)
  private val sizings = Seq(whole, new ScanRequest.Sizing(1, false), new ScanRequest.Sizing(20000, true))
  private val columns = EnumSet.of(Column.KEY, Column.LSN, Column.LABELS, Column.PAYLOAD)
  private val lowHalf = new KeyRange(NodeId.MIN, new NodeId(Long.MaxValue, -1))
  private val highHalf = new KeyRange(new NodeId(Long.MinValue, 0), NodeId.MAX)

  private def snapshot(c: Golden.Case, version: Option[Long]): Snapshot = {
    val v = version.getOrElse {
      val files = Files.list(c.folder.resolve("manifest"))
      try files.iterator.asScala.map(_.getFileName.toString).filter(_.matches("v[0-9a-f]{16}\\.json"))
          .map(n => Hex.parseH16(n.substring(1, 17)).getAsLong).max
      finally files.close()
    }
    val paths = new NamespacePaths("", c.ns)
    val key = s"${c.ns}/manifest/v${Hex.h16(v)}.json"
    val manifest = ManifestJson.versioned().read(key, Files.readAllBytes(c.store.resolve(key)))
    val store = new StoreConfig("file", c.store.toString, java.util.Map.of())
    new Snapshot(new Location(store, paths),
      new ManifestRef(v, manifest.epoch, manifest.writerId, manifest.createdAtMicros), manifest)
  }

  private def rows[T](s: Snapshot, request: ScanRequest)(row: (RecordBatch, Int, Seq[String]) => T): Seq[T] = {
    val store = StoreOpener.open(s.location.store)
    val names = ScanPlanner.labels(s.manifest)
    val out = mutable.Buffer.empty[T]
    for (slice <- ScanPlanner.plan(s, request, store).slices.asScala) {
      val reader = SliceReader.open(Snapshots.shipped(slice), store)
      while (reader.next()) {
        val sel = reader.selection
        for (i <- 0 until sel.size) {
          val labels = if (reader.batch.edges) Nil
            else reader.labels.ids(reader.batch.labelSet()(sel.row(i))).toSeq.filter(names.knows(_)).map(names.name(_))
          out += row(reader.batch, sel.row(i), labels.sorted)
        }
      }
      reader.close()
    }
    store.close()
    out.toSeq
  }

  private def request(t: ScanRequest.Target, keys: KeyRanges, partners: KeyRanges, s: ScanRequest.Sizing) =
    new ScanRequest(t, keys, partners, columns, WalPolicy.REPLAY, s)

  private def id(hi: Long, lo: Long): String = new NodeId(hi, lo).toString

  for (c <- Golden.cases; at <- c.recorded) {
    val version = at.version.fold("current")(v => s"version $v")
    lazy val s = snapshot(c, at.version)

    test(s"nodes of ${c.name}, $version") {
      val wanted = at.nodes.map(n => (n.id, n.labels.mkString("|"), n.lsn))
      // The engine's client does not tell the LSN of some nodes.
      val unrecorded = at.nodes.filter(_.lsn.isEmpty).map(_.id).toSet
      def found(label: Optional[String], keys: KeyRanges, sizing: ScanRequest.Sizing) =
        rows(s, request(new ScanRequest.Nodes(label), keys, KeyRanges.ALL, sizing)) { (b, i, labels) =>
          (id(b.keyHi()(i), b.keyLo()(i)), labels.mkString("|"), Option.unless(unrecorded(id(b.keyHi()(i), b.keyLo()(i))))(b.lsn()(i)))
        }
      for (sizing <- sizings) assert(found(Optional.empty(), KeyRanges.ALL, sizing).sorted == wanted.sorted)
      val halves = Seq(lowHalf, highHalf).flatMap(h => found(Optional.empty(), KeyRanges.of(h), whole))
      assert(halves.sorted == wanted.sorted)
      for (label <- at.nodes.flatMap(_.labels).distinct :+ "no such label")
        assert(found(Optional.of(label), KeyRanges.ALL, whole).sorted == at.nodes.filter(_.labels.contains(label)).map(n => (n.id, n.labels.mkString("|"), n.lsn)).sorted)
      for (n <- wanted.take(5)) {
        val one = KeyRanges.ofIds(java.util.List.of(NodeId.parse(n._1)))
        assert(found(Optional.empty(), one, whole) == Seq(n))
      }
    }

    test(s"edges of ${c.name}, $version") {
      val wanted = at.edges.map(e => (e.tpe, e.src, e.dst, e.lsn)).distinct
      val listed = s.manifest.ssts.asScala.filter(_.kind == SstKind.EDGES_FWD).map(_.scope)
      val segments = s.manifest.walSegments.asScala.map { w =>
        new WalReplay.Segment(s.location.paths.wal(w.seq), w.seq, w.lastLsn, w.xxh3)
      }
      val store = StoreOpener.open(s.location.store)
      val types = (listed ++ WalReplay.of(store, segments.asJava).edgeTypes.asScala).distinct.toSeq
      def found(keys: KeyRanges, partners: KeyRanges, sizing: ScanRequest.Sizing) = types.flatMap { t =>
        rows(s, request(new ScanRequest.Edges(t), keys, partners, sizing)) { (b, i, _) =>
          (t, id(b.keyHi()(i), b.keyLo()(i)), id(b.partnerHi()(i), b.partnerLo()(i)),
            if (wanted.forall(_._4.isEmpty)) None else Some(b.lsn()(i)))
        }
      }
      for (sizing <- sizings) {
        assert(found(KeyRanges.ALL, KeyRanges.ALL, sizing).sorted == wanted.sorted)
        val byDestination = Seq(lowHalf, highHalf).flatMap(h => found(KeyRanges.ALL, KeyRanges.of(h), sizing))
        assert(byDestination.sorted == wanted.sorted, "inverse files")
      }
    }
  }
}
