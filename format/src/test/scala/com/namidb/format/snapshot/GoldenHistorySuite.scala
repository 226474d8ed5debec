package com.namidb.format.snapshot

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.time.{Clock, Duration}
import java.util.Optional

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.Golden
import com.namidb.format.log.{Converted, RecordingStore}
import com.namidb.format.manifest.{ManifestHead, ManifestJson, ManifestPieces, ManifestPointer, NamespacePaths}
import com.namidb.format.store.StoreConfig
import com.namidb.format.store.open.StoreOpener

/** Every version of every namespace the engines wrote. */
class GoldenHistorySuite extends AnyFunSuite {
  private def load(c: Golden.Case): RecordingStore = {
    val store = new RecordingStore
    val walk = Files.walk(c.folder)
    try {
      for (p <- walk.iterator.asScala if Files.isRegularFile(p)) {
        store.set(c.ns + "/" + c.folder.relativize(p).toString.replace('\\', '/'), Files.readAllBytes(p))
      }
    } finally walk.close()
    store
  }

  private def open(c: Golden.Case, store: RecordingStore): Namespace =
    Namespace.open(new Location(new StoreConfig("memory", "x", java.util.Map.of()), new NamespacePaths("", c.ns)), store)

  test("bytes, model, bytes for every body and pointer; the first bytes tell the commit time") {
    var bodies = 0
    for (c <- Golden.cases; store = load(c); key <- store.keys if key.startsWith(c.ns + "/manifest/")) {
      val bytes = store.bytes(key)
      val name = key.substring(key.lastIndexOf('/') + 1)
      if (name.startsWith("v")) {
        bodies += 1
        val m = ManifestJson.versioned().read(key, bytes)
        assert(ManifestJson.versioned().write(m).sameElements(bytes), key)
        assert(ManifestPieces.reassembled(m) == new String(bytes, UTF_8), key)
        assert(ManifestHead.createdAtMicros(key, bytes.take(ManifestHead.BYTES), m.version).getAsLong == m.createdAtMicros)
      } else {
        assert(ManifestPointer.parse(key, bytes).toBytes.sameElements(bytes), key)
      }
    }
    info(s"$bodies bodies")
    assert(bodies > 300)
  }

  test("every version opens, the newest one without a LIST, and the history agrees") {
    for (c <- Golden.cases) {
      val store = load(c)
      val ns = open(c, store)
      val bodies = store.keys.filter(_.startsWith(c.ns + "/manifest/v")).toSeq
      val last = bodies.size - 1L
      val bill = store.bill(assert(ns.snapshot(new SnapshotSelector.Latest()).version == last))
      assert(bill.map(_.takeWhile(_ != ' ')) == Seq("GET", "GET", "HEAD", "HEAD"), c.name)
      for (v <- 0L to last) assert(open(c, store).snapshot(new SnapshotSelector.AtVersion(v)).manifest.version == v)
      val history = ns.history().newest(Int.MaxValue).asScala.toSeq
      assert(history.map(_.ref.version) == (last to 0L by -1).toSeq)
      assert(history.map(_.isCurrent) == (last to 0L by -1).map(_ == last))
      // Nothing was ever collected in these namespaces.
      assert(history.forall(_.isReadable), c.name)
      assert(history.map(_.committedAtMicros).sliding(2).forall(p => p.size < 2 || p(0) >= p(1)))
      assert(history.last.operation.get == Operation.CREATE && history.forall(_.operation.isPresent))
      for (s <- history) {
        val at = ns.snapshot(new SnapshotSelector.AtTime(s.committedAtMicros))
        assert(at.version >= s.ref.version)
        assert(history.find(_.ref.version == at.version).get.committedAtMicros == s.committedAtMicros)
      }
    }
  }

  test("the same histories in the layout of one object: every version, its rows' files, its time") {
    for (c <- Golden.cases) {
      val versioned = load(c)
      val store = load(c)
      Converted(store, new NamespacePaths("", c.ns))
      val (was, is) = (open(c, versioned), open(c, store))
      val want = was.history().newest(Int.MaxValue).asScala.toSeq
      val got = is.history().newest(Int.MaxValue).asScala.toSeq
      assert(got.map(s => (s.ref.version, s.ref.writerId, s.committedAtMicros, s.counts, s.isCurrent, s.isReadable)) ==
        want.map(s => (s.ref.version, s.ref.writerId, s.committedAtMicros, s.counts, s.isCurrent, s.isReadable)), c.name)
      // An opening by the engine shows as an epoch there, which is no sign here.
      assert(got.zip(want).forall { case (g, w) => g.operation == w.operation || w.operation.get == Operation.OPEN }, c.name)
      for (s <- want) {
        val at = new SnapshotSelector.AtVersion(s.ref.version)
        val (a, b) = (was.snapshot(at).manifest, open(c, store).snapshot(at).manifest)
        assert(a.ssts.asScala.toSet == b.ssts.asScala.toSet && a.walSegments == b.walSegments && a.schema == b.schema && a.labels.names == b.labels.names)
        val time = new SnapshotSelector.AtTime(s.committedAtMicros)
        assert(is.snapshot(time).version == was.snapshot(time).version)
      }
    }
  }

  test("what the commits did shows in the history") {
    val c = Golden("compacted")
    val operations = open(c, load(c)).history().newest(1000).asScala.map(_.operation.get.text).toSet
    assert(Set("create", "write", "flush", "compact").subsetOf(operations), operations.toString)
    val newest = { val w = Golden("wal-only"); open(w, load(w)).history().newest(1).get(0) }
    assert(newest.counts.walSegments > 0 && newest.counts.nodeSsts == 0)
    val heavy = { val e = Golden("edge-heavy"); open(e, load(e)).history().newest(1).get(0) }
    assert(heavy.counts.edgeSsts > 0 && heavy.counts.edgeRows > 0 && heavy.counts.sstBytes > 0)
  }

  test("from the uri on, on disk: the newest version opens, and a lease leaves nothing behind") {
    for (c <- Golden.cases) {
      val copy = c.copied()
      try {
        val location = LocationParser.parse(copy.uri, Optional.empty(), Optional.empty(), java.util.Map.of())
        val store = StoreOpener.open(location.store)
        try {
          val ns = Namespace.open(location, store)
          val snapshot = ns.snapshot(new SnapshotSelector.Latest())
          val last = load(c).keys.count(_.startsWith(c.ns + "/manifest/v")) - 1L
          assert(snapshot.version == last, c.name)
          val newest = PinLease.acquire(ns, snapshot, new PinLease.Terms(Duration.ofMinutes(15), "test", Clock.systemUTC))
          val first = ns.snapshot(new SnapshotSelector.AtVersion(0))
          val oldest = PinLease.acquire(ns, first, new PinLease.Terms(Duration.ofMinutes(15), "test", Clock.systemUTC))
          assert(ns.pins().asScala.map(_.version).toSet == Set(last, 0L))
          newest.renew()
          Seq(newest, oldest).foreach(_.release())
          assert(ns.pins().isEmpty)
          assert(ns.history().newest(Int.MaxValue).size == last + 1)
        } finally store.close()
      } finally Golden.deleteTree(copy.store)
    }
  }
}
