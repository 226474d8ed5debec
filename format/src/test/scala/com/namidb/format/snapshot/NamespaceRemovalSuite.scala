package com.namidb.format.snapshot

import java.time.{Clock, Instant, ZoneOffset}
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.error.{NamespaceNotFoundException, StoreException, ValidationFailedException}
import com.namidb.format.store.FaultyStore
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.open.StoreOpener
import org.scalatest.funsuite.AnyFunSuite

class NamespaceRemovalSuite extends AnyFunSuite {
  private val noon = Instant.parse("2031-01-01T12:00:00Z")
  private val clock = Clock.fixed(noon, ZoneOffset.UTC)

  private class Copy(name: String) {
    val g: Golden.Case = Golden(name).copied()
    val location: Location = LocationParser.parse(g.uri, Optional.empty(), Optional.empty(), java.util.Map.of())
    val inner = StoreOpener.open(location.store)
    val store = new FaultyStore(inner)
    val paths = location.paths
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

  test("wherever it is cut off, the newest version is whole or there is no graph, and another run ends it") {
    val first = new Copy("time-travel")
    val newest = first.seen.get
    val deletions = first.removal.run().toInt
    assert(first.objects.isEmpty && first.seen.isEmpty && deletions > 20)
    var vanished = false
    for (k <- 0 until deletions) {
      val c = new Copy("time-travel")
      c.store.on(Op.Delete, ".*", Fault.FailBefore, skip = k)
      intercept[StoreException](c.removal.run())
      c.seen match {
        case Some(s) => assert(!vanished && s.ref == newest.ref && whole(c, s), k)
        case None => vanished = true
      }
      assert(GraphFolders.exists(c.paths, c.inner), k)
      c.removal.run()
      assert(c.objects.isEmpty && !GraphFolders.exists(c.paths, c.inner), k)
    }
    assert(vanished)
  }

  test("a live lease stops it, before the mark and after it") {
    val c = new Copy("time-travel")
    val before = c.objects
    c.pin(noon.plusSeconds(1))
    assert(intercept[ValidationFailedException](c.removal.run()).getMessage.contains("somebody"))
    c.pin(noon.minusSeconds(3600))
    c.store.on(Op.Put, ".*dropping.json", Fault.After(() => c.pin(noon.plusSeconds(1))))
    intercept[ValidationFailedException](c.removal.run())
    assert(c.objects.filterNot(_.contains("/pins/")) === before.filterNot(_.contains("/pins/")))
    assert(c.seen.isDefined)
  }

  test("only a graph whose newest version lists nothing counts as empty") {
    intercept[ValidationFailedException](new Copy("time-travel").removal.checkEmpty())
    intercept[ValidationFailedException](new Copy("wal-only").removal.checkEmpty())
    val empty = new Copy("empty")
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

  test("graphs are folders with a manifest and a name that a graph can have") {
    val c = new Copy("time-travel")
    for (k <- Seq("plain/x", "Upper/manifest/current.json", "dotted.name/manifest/current.json", "half/manifest/v0000000000000000.json"))
      c.inner.put(k, "x".getBytes)
    assert(GraphFolders.below("", c.inner).asScala.toSeq === Seq("half", c.g.ns))
    assert(GraphFolders.below("nowhere", c.inner).isEmpty)
  }
}
