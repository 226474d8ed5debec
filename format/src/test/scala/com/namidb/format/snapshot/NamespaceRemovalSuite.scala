package com.namidb.format.snapshot

import java.time.{Clock, Instant, ZoneOffset}
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.error.{InvalidOptionException, NamespaceNotFoundException, StoreException, ValidationFailedException}
import com.namidb.format.log.{CommitProbe, Converted, PublishResult}
import com.namidb.format.manifest.{Layout, ManifestEdit}
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

  test("a graph is made only where no file of another can be taken for its own") {
    for (layout <- Layout.values; left <- Seq("manifests/0000000000000000.json", "sst/level0/x.parquet", "wal/0000000000000001.wal", "manifest/x")) {
      val c = new Copy("empty")
      c.removal.run()
      c.inner.put(c.paths.schema("00"), "x".getBytes)
      GraphFolders.checkFree(c.paths, c.inner, layout)
      c.inner.put(c.paths.other(left), "x".getBytes)
      assert(intercept[ValidationFailedException](GraphFolders.checkFree(c.paths, c.inner, layout)).getMessage.contains(left))
    }
    // A creation that was cut off goes on in its own layout only.
    val c = new Copy("empty")
    c.removal.run()
    c.inner.put(c.paths.body(0), "x".getBytes)
    GraphFolders.checkFree(c.paths, c.inner, Layout.VERSIONED)
    intercept[ValidationFailedException](GraphFolders.checkFree(c.paths, c.inner, Layout.SINGLE_OBJECT))
  }

  test("graphs are folders with a manifest and a name that a graph can have") {
    val c = new Copy("time-travel")
    for (k <- Seq("plain/x", "Upper/manifest/current.json", "dotted.name/manifest/current.json", "half/manifest/v0000000000000000.json", "single/manifest.json", "archives/manifests/0000000000000000.json"))
      c.inner.put(k, "x".getBytes)
    assert(GraphFolders.below("", c.inner).asScala.toSeq === Seq("half", c.g.ns, "single").sorted)
    assert(GraphFolders.below("nowhere", c.inner).isEmpty)
  }
}
