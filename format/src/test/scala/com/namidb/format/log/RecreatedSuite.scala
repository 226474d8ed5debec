package com.namidb.format.log

import java.time.Instant
import java.util.{Optional, UUID}

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.manifest.Layout
import com.namidb.format.store.{StoreConfig, StoredObject}

/** A graph that is deleted and made anew under its name: what is known of the old one is never taken for the new one's. */
class RecreatedSuite extends AnyFunSuite {
  import Histories.Paths

  private val noon = Instant.parse("2026-11-29T10:00:00Z")
  private val config = new StoreConfig("memory", "x", java.util.Map.of())

  private def log(store: RecordingStore, layout: Layout = null) = new LayoutLog(Paths, store, config, layout)

  private def commit(l: ManifestLog, base: Committed, n: Long): Committed = {
    val next = Publishing.next(base, n)
    l.publish(base, next, CommitProbe.NONE) match {
      case c: PublishResult.Committed => new Committed(c.ref, next)
      case other => fail(other.toString)
    }
  }

  /** As a writer does: on what it has committed lately if there is such, else on what is the newest. */
  private def write(l: ManifestLog, n: Long): Committed = commit(l, l.fresh().orElseGet(() => l.base()), n)

  private def dropAndMake(store: RecordingStore, layout: Layout, commits: Int): Committed = {
    store.keys.foreach(store.remove)
    store.now += 5000
    val other = log(store, layout)
    (1 to commits).foldLeft(other.createIfAbsent(UUID.randomUUID(), noon))((base, n) => commit(other, base, 100L + n))
  }

  for {
    layout <- Layout.values
    after <- Layout.values
    commits <- Seq(0, 2, 3, 5)
    // Both share what is remembered; the one that looks is not always the one that has written.
    sees <- Seq("the log that wrote", "one that shares its memory, in any layout", "one that shares its memory, in that layout")
  } test(s"$layout, made anew as $after with $commits commits: after $sees has looked, every write stands on the new graph") {
    if (layout == after || sees.contains("any layout")) {
      val store = new RecordingStore
      val l = log(store)
      val writer = l.as(layout)
      writer.createIfAbsent(UUID.randomUUID(), noon)
      for (n <- 1L to 3L) write(writer, n)
      assert(writer.fresh().get.ref.version == 3)
      val made = dropAndMake(store, after, commits)
      val eye = if (sees == "the log that wrote") writer else if (sees.contains("any")) l else l.as(layout)
      assert(eye.current().ref == made.ref)
      for (any <- if (layout == after) Seq(eye, writer, l) else Seq(l))
        assert(any.fresh().isEmpty || any.fresh().get.ref == made.ref, "what was held is dropped")
      val written = write(if (layout == after) writer else l, 50)
      assert(written.ref.version == commits + 1 && log(store).current().ref == written.ref)
      assert(log(store).find(commits).get.ref == made.ref)
      for (v <- 0L to written.ref.version) assert(l.find(v).get.ref == log(store).find(v).get.ref && l.at(v).ref == log(store).at(v).ref, v)
    }
  }

  test("single-object: a resolve that began before a commit of this process does not end it") {
    var meanwhile: () => Unit = () => ()
    val store = new RecordingStore {
      override def get(key: String): Optional[StoredObject] = {
        val found = super.get(key)
        if (key == Paths.manifest) { val now = meanwhile; meanwhile = () => (); now() }
        found
      }
    }
    val l = log(store, Layout.SINGLE_OBJECT)
    l.createIfAbsent(UUID.randomUUID(), noon)
    write(l, 1)
    val second = write(log(store, Layout.SINGLE_OBJECT), 2)
    var third: Committed = null
    // The manifest changed, so it is read; what was read is old when the answer is there.
    meanwhile = () => third = { l.current(); write(l, 3) }
    assert(l.current().ref == second.ref && third.ref.version == 3)
    assert(l.fresh().get.ref == third.ref && l.current().ref == third.ref)
  }
}
