package com.namidb.format.snapshot

import java.time.{Clock, Instant, ZoneOffset}
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.error.{InvalidOptionException, NamespaceNotFoundException, StoreException, ValidationFailedException}
import com.namidb.format.log.{CommitProbe, Converted, PublishResult}
import com.namidb.format.manifest.{Layout, ManifestEdit, SchemaObject}
import com.namidb.format.store.FaultyStore
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.open.StoreOpener
import org.scalatest.funsuite.AnyFunSuite

class NamespaceRemovalSuite extends AnyFunSuite {
  private val noon = Instant.parse("2031-01-01T12:00:00Z")
  private val clock = Clock.fixed(noon, ZoneOffset.UTC)

  private class Copy(name: String, layout: Layout = Layout.VERSIONED) {
    val g: Golden.Case = Golden(name).copied()
    val location: Location = LocationParser.parse(g.uri, Optional.empty(), Optional.empty(), java.util.Map.of())
    val inner = StoreOpener.open(location.store)
    val store = new FaultyStore(inner)
    val paths = location.paths
    if (layout == Layout.SINGLE_OBJECT) {
      Converted(inner, paths)
      // What jobs and readers leave in it, and a schema that no version names.
      for (k <- Seq("bulk/job/state.json", "bulk/sweep.json", "schemas/00.json", "wal/0000000000000009.wal")) inner.put(paths.other(k), "x".getBytes)
      pin(noon.minusSeconds(3600))
    }
    def removal = new NamespaceRemoval(Namespace.open(location, store), clock)
    def objects: Seq[String] = inner.list(paths.prefix, Optional.empty()).objects.asScala.map(_.key).toSeq

    /** What somebody sees who comes now. */
    def seen: Option[Snapshot] =
      try Some(Namespace.open(location, inner).snapshot(new SnapshotSelector.Latest()))
      catch { case _: NamespaceNotFoundException => None }

    def pin(expires: Instant): Unit = {
      inner.put(paths.pin("0194aaaa-0000-4000-8000-000000000001"),
        s"""{"version":1,"expires_at_unix":${expires.getEpochSecond},"owner":"somebody"}""".getBytes)
      ()
    }
  }

  private def whole(c: Copy, s: Snapshot) =
    ListedObjects.keys(c.paths, s.manifest).asScala.forall(k => c.inner.head(k).isPresent)

  for (layout <- Layout.values) test(s"$layout: wherever it is cut off, the newest version is whole or there is no graph, and another run ends it") {
    val first = new Copy("time-travel", layout)
    if (layout == Layout.SINGLE_OBJECT)
      assert(Seq("manifests/", "schemas/", "sst/", "manifest/pins/", "bulk/").forall(f => first.objects.exists(_.startsWith(first.paths.prefix + f))))
    val newest = first.seen.get
    val deletions = first.removal.run().toInt
    assert(first.objects.isEmpty && first.seen.isEmpty && deletions > 20)
    var vanished = false
    for (k <- 0 until deletions) {
      val c = new Copy("time-travel", layout)
      c.store.on(Op.Delete, ".*", Fault.FailBefore, skip = k)
      intercept[StoreException](c.removal.run())
      c.seen match {
        case Some(s) => assert(!vanished && s.ref == newest.ref && whole(c, s), k)
        case None => vanished = true
      }
      assert(GraphFolders.exists(c.paths, c.inner) && GraphFolders.below("", c.inner).asScala.toSeq == Seq(c.g.ns), k)
      // Nobody's new graph may take what is left for its own.
      if (vanished) for (asked <- Layout.values) {
        val made = Namespace.open(location(c, asked), c.inner)
        intercept[ValidationFailedException](made.log.createIfAbsent(new java.util.UUID(1, 1), noon))
      }
      c.removal.run()
      assert(c.objects.isEmpty && !GraphFolders.exists(c.paths, c.inner), k)
    }
    assert(vanished)
  }

  for (layout <- Layout.values; asked <- Layout.values if asked != layout) test(s"$layout: asked for as $asked it is refused, and nothing is touched") {
    val c = new Copy("time-travel", layout)
    val before = c.objects
    val removal = new NamespaceRemoval(Namespace.open(location(c, asked), c.store), clock)
    for (call <- Seq[() => Any](() => removal.run(), () => removal.checkEmpty()))
      assert(intercept[InvalidOptionException](call()).getMessage.contains(s"exists in the layout '${layout.text}', not in '${asked.text}'"))
    assert(c.objects == before && c.seen.isDefined)
    // Asked for as what it is, it goes.
    new NamespaceRemoval(Namespace.open(location(c, layout), c.store), clock).run()
    assert(c.objects.isEmpty)
  }

  for (asked <- Layout.values) test(s"of a graph that was created in both layouts at once, $asked goes and the other stays whole") {
    val c = new Copy("time-travel")
    val versioned = c.objects.toSet
    val kept = c.inner.list(c.paths.prefix, Optional.empty()).objects.asScala.map(o => o.key -> c.inner.get(o.key).get.bytes).toMap
    Converted(c.inner, c.paths)
    val single = c.objects.toSet -- versioned
    kept.foreach { case (k, bytes) => c.inner.put(k, bytes) }
    c.pin(noon.minusSeconds(3600))
    val both = c.objects.toSet
    def removal = new NamespaceRemoval(Namespace.open(location(c, asked), c.store), clock)
    val other = Layout.values.find(_ != asked).get
    // Cut off and begun again.
    c.store.on(Op.Delete, ".*", Fault.FailBefore, skip = 3)
    intercept[StoreException](removal.run())
    removal.run()
    val gone = both -- c.objects
    val manifests = versioned.filter(k => k.startsWith(c.paths.manifests) && !k.startsWith(c.paths.pins))
    assert(gone == (if (asked == Layout.VERSIONED) manifests else single.filterNot(_.contains("/schemas/"))))
    val stays = Namespace.open(location(c, other), c.inner).snapshot(new SnapshotSelector.Latest())
    assert(whole(c, stays) && c.seen.map(_.ref).contains(stays.ref))
    intercept[InvalidOptionException](removal.run())
  }

  private def location(c: Copy, asked: Layout) = new Location(c.location.store, c.paths, asked)

  for (layout <- Layout.values) test(s"$layout: a live lease stops it, before the mark and after it") {
    val c = new Copy("time-travel", layout)
    val before = c.objects
    c.pin(noon.plusSeconds(1))
    assert(intercept[ValidationFailedException](c.removal.run()).getMessage.contains("somebody"))
    c.pin(noon.minusSeconds(3600))
    c.store.on(Op.Put, ".*dropping.json", Fault.After(() => c.pin(noon.plusSeconds(1))))
    intercept[ValidationFailedException](c.removal.run())
    assert(c.objects.filterNot(_.contains("/pins/")) === before.filterNot(_.contains("/pins/")))
    assert(c.seen.isDefined)
  }

  for (layout <- Layout.values) test(s"$layout: only a graph whose newest version lists nothing counts as empty") {
    intercept[ValidationFailedException](new Copy("time-travel", layout).removal.checkEmpty())
    intercept[ValidationFailedException](new Copy("wal-only", layout).removal.checkEmpty())
    val empty = new Copy("empty", layout)
    if (empty.seen.get.manifest.ssts.isEmpty && empty.seen.get.manifest.walSegments.isEmpty) empty.removal.checkEmpty()
  }

  test("a commit that comes between does not leave a pointer behind") {
    val c = new Copy("time-travel")
    val next = c.seen.get.version + 1
    c.store.on(Op.Delete, ".*pointer/p.*", Fault.After { () =>
      c.inner.put(c.paths.pointer(next), "{}".getBytes)
      ()
    })
    c.removal.run()
    assert(c.objects.isEmpty)
  }

  test("a commit on a manifest that is gone brings no graph back") {
    val c = new Copy("time-travel", Layout.SINGLE_OBJECT)
    val log = Namespace.open(c.location, c.inner).log
    val base = log.base()
    var result: PublishResult = null
    c.store.on(Op.Delete, ".*/manifest\\.json", Fault.After { () =>
      val next = ManifestEdit.of(base.manifest).floor(1).build(new java.util.UUID(1, 1), noon, "x")
      result = log.publish(base, next, CommitProbe.NONE)
    })
    c.removal.run()
    assert(!result.isInstanceOf[PublishResult.Committed] && c.objects.isEmpty)
    // What is made there now begins at 0, whatever this process knew of the old one.
    intercept[NamespaceNotFoundException](log.current())
    val made = Namespace.open(location(c, Layout.SINGLE_OBJECT), c.inner)
    made.log.createIfAbsent(new java.util.UUID(1, 2), noon)
    assert(log.current().ref.version == 0 && log.at(0).ref == log.current().ref)
  }

  private def made(c: Copy, layout: Layout) = Namespace.open(location(c, layout), c.inner).log.createIfAbsent(new java.util.UUID(1, 1), noon)

  private def gone() = { val c = new Copy("empty"); c.removal.run(); c }

  /** A creation is refused, names this, and writes nothing. */
  private def refused(c: Copy, layout: Layout, left: String): Unit = {
    val before = c.objects
    val e = intercept[ValidationFailedException](made(c, layout))
    assert(e.getMessage.contains(left) && e.getMessage.contains("docs/operations.md") && e.getMessage.contains("Nothing was written"), e.getMessage)
    assert(c.objects == before)
  }

  private val parts = Seq("manifests/0000000000000000.json", "sst/level0/x.parquet", "wal/0000000000000001.wal", "manifest/x", "manifest/pins/x.json",
    "manifest/v0000000000000001.json", "schemas/00.json", "bulk/floor.json", "bulk/job/receipt.json", "snapshots/x", "memtable_snapshot.bin")
  for (layout <- Seq(null, Layout.VERSIONED, Layout.SINGLE_OBJECT); left <- parts) test(s"no graph is made ($layout) beside $left") {
    val c = gone()
    c.inner.put(c.paths.other(left), "x".getBytes)
    refused(c, layout, left)
  }

  test("a graph is made where jobs left something that was never committed, or others what is none of a graph") {
    for (layout <- Seq(null, Layout.VERSIONED, Layout.SINGLE_OBJECT)) {
      val c = gone()
      for (k <- Seq("bulk/job/0001-nodes.parquet", "bulk/job/state.json", "bulk/job/quarantine/x.parquet", "bulk/probe-1/x", "bulk/sweep.json", "notes/manifest/x", "_SUCCESS"))
        c.inner.put(c.paths.other(k), "x".getBytes)
      assert(made(c, layout).ref.version == 0)
    }
  }

  test("a creation that was cut off goes on in its own layout only") {
    val whole = gone()
    made(whole, Layout.VERSIONED)
    val first = whole.inner.get(whole.paths.body(0)).get.bytes
    for (layout <- Seq(null, Layout.VERSIONED)) {
      val c = gone()
      c.inner.put(c.paths.body(0), first)
      assert(made(c, layout).ref == whole.seen.get.ref)
    }
    val c = gone()
    c.inner.put(c.paths.body(0), first)
    refused(c, Layout.SINGLE_OBJECT, c.paths.body(0))
    for (layout <- Layout.values) {
      val c = gone()
      c.inner.put(c.paths.schema(SchemaObject.EMPTY_ID), SchemaObject.empty)
      assert(made(c, layout).ref.version == 0)
    }
  }

  for (name <- Seq("time-travel", "wal-only"); asked <- Seq(null, Layout.VERSIONED, Layout.SINGLE_OBJECT))
    test(s"$name without its pointers, or without its manifest.json, is no place for a new graph ($asked)") {
      val versioned = new Copy(name)
      versioned.objects.filter(k => k == versioned.paths.currentHint || k.startsWith(versioned.paths.pointers)).foreach(versioned.inner.delete)
      refused(versioned, asked, versioned.paths.namespace)
      val single = new Copy(name, Layout.SINGLE_OBJECT)
      single.inner.delete(single.paths.manifest)
      refused(single, asked, single.paths.namespace)
    }

  test("who meets what another has just created takes it") {
    for (layout <- Layout.values; commits <- Seq(0, 2)) {
      val c = gone()
      c.store.on(Op.Head, ".*dropping.json", Fault.Before { () =>
        made(c, layout)
        val log = Namespace.open(c.location, c.inner).log
        for (_ <- 0 until commits) {
          val next = ManifestEdit.of(log.base().manifest).build(java.util.UUID.randomUUID(), noon, "x")
          assert(log.publish(log.base(), next, CommitProbe.NONE).isInstanceOf[PublishResult.Committed])
        }
        c.inner.put(c.paths.receipt("job"), "x".getBytes)
      })
      for (asked <- Seq(null, layout)) {
        val taken = Namespace.open(location(c, asked), c.store).log.createIfAbsent(new java.util.UUID(1, 9), noon)
        assert(taken.ref.version == commits && taken.ref == c.seen.get.ref)
      }
    }
  }

  test("graphs are folders with a manifest and a name that a graph can have") {
    val c = new Copy("time-travel")
    for (k <- Seq("plain/x", "Upper/manifest/current.json", "dotted.name/manifest/current.json", "half/manifest/v0000000000000000.json", "single/manifest.json", "archives/manifests/0000000000000000.json"))
      c.inner.put(k, "x".getBytes)
    assert(GraphFolders.below("", c.inner).asScala.toSeq === Seq("half", c.g.ns, "single").sorted)
    assert(GraphFolders.below("nowhere", c.inner).isEmpty)
  }
}
