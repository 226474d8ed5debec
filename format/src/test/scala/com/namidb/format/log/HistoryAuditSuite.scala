package com.namidb.format.log

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.log.Histories.Paths
import com.namidb.format.store.StoreConfig

/** What is found wrong with a history, and that nothing is where nothing is, whoever sweeps or commits. */
class HistoryAuditSuite extends AnyFunSuite {
  private val config = new StoreConfig("memory", "x", java.util.Map.of())

  private def problems(store: RecordingStore): Seq[HistoryAudit.Problem] = {
    val log = new LayoutLog(Paths, store, config, null)
    new HistoryAudit(Paths, store, log).problems(log.current()).asScala.toSeq
  }

  /** The only problem there is. */
  private def one(store: RecordingStore, key: String, text: String, count: Long = 1): Unit = {
    val found = problems(store)
    assert(found.size == 1 && found.head.`object` == key && found.head.what.contains(text) && found.head.count == count, found)
  }

  private def versioned(last: Long = 9): RecordingStore = Histories.upTo(last)

  private def single(last: Long = 9): RecordingStore = SingleObjectPublishSuite.upTo(last)

  /** A floor and nothing at or below it, in the layout of one object. */
  private def expired(): RecordingStore = {
    val store = single(5)
    SingleObjectPublishSuite.pass(store, 12, 9)
    store
  }

  test("histories in order have no problems, and cost two GETs and a LIST per thousand") {
    for (n <- Seq(0L, 1L, 9L)) assert(problems(versioned(n)).isEmpty && problems(single(n)).isEmpty, n)
    val store = versioned(2)
    val log = new LayoutLog(Paths, store, config, null)
    val current = log.current()
    val bill = store.bill(assert(new HistoryAudit(Paths, store, log).problems(current).isEmpty))
    // The store of the test lists three at a time.
    assert(bill.distinct == Seq(s"GET ${Paths.currentHint}", s"GET ${Paths.bulkFloor}", s"LIST ${Paths.archives}", s"LIST ${Paths.manifests}").sorted)
    val one = single(2)
    val its = new LayoutLog(Paths, one, config, null)
    val newest = its.current()
    assert(one.bill(new HistoryAudit(Paths, one, its).problems(newest)).distinct == Seq(s"LIST ${Paths.manifests}", s"LIST ${Paths.archives}").sorted)
  }

  test("what sweeps leave is no problem, finished or cut off, with a floor and without") {
    for (floor <- Seq(true, false); bodies <- 0L to 6L; pointers <- 0L to 6L) {
      val store = versioned()
      if (floor) Floor.raise(Paths, store, 5)
      for (v <- 0L until bodies) store.remove(Paths.body(v))
      for (v <- 0L until pointers) store.remove(Paths.pointer(v))
      assert(problems(store).isEmpty, s"$floor $bodies $pointers")
    }
    // Batches have no order of their own.
    val store = versioned()
    Floor.raise(Paths, store, 5)
    for (v <- Seq(1L, 4L, 5L)) store.remove(Paths.body(v))
    for (v <- Seq(0L, 2L, 5L)) store.remove(Paths.pointer(v))
    assert(problems(store).isEmpty)
    val one = expired()
    assert(problems(one).isEmpty)
    one.set(Paths.archive(3), one.bytes(Paths.archive(9)))
    assert(problems(one).isEmpty, "an archive that a sweep did not come to")
  }

  test("commits under way, and what died before it committed, are no problem") {
    val begun = versioned()
    Histories.body(begun, 10, Histories.time(10))
    assert(problems(begun).isEmpty)
    val archived = single()
    archived.set(Paths.archive(9), archived.bytes(Paths.manifest))
    assert(problems(archived).isEmpty)
    val noHint = versioned()
    noHint.remove(Paths.currentHint)
    assert(problems(noHint).isEmpty)
    noHint.set(Paths.currentHint, Histories.pointer(4))
    assert(problems(noHint).isEmpty)
    // Others commit between any two requests.
    for (at <- 1 to 12) {
      for (store <- Seq(versioned(), single())) {
        val writer = if (store.has(Paths.manifest)) Some(new SingleObjectPublishSuite.Writer(store)) else None
        val log = new LayoutLog(Paths, store, config, null)
        val current = log.current()
        var n = 0
        store.before = r => {
          n += 1
          if (n == at && !r.startsWith("PUT")) {
            val now = store.before
            store.before = _ => ()
            writer match {
              case Some(w) => for (_ <- 1 to 3) SingleObjectPublishSuite.commit(w)
              case None => for (v <- 10L to 12L) Histories.commit(store, v, Histories.time(v)); Floor.raise(Paths, store, 10); Histories.collect(store, 11)
            }
            store.before = now
          }
        }
        val found = new HistoryAudit(Paths, store, log).problems(current).asScala
        assert(found.isEmpty, s"$at $found")
      }
    }
  }

  test("a pointer that was lost at the top: the copy, or bodies far above, tell") {
    val store = versioned()
    store.remove(Paths.pointer(9))
    one(store, Paths.pointer(9), "current.json names version 9; version 8 is read instead")
    store.remove(Paths.pointer(8))
    one(store, Paths.pointer(9), "version 7 is read instead", 2)
    store.remove(Paths.currentHint)
    one(store, Paths.pointer(8), "bodies up to version 9", 2)
  }

  test("bodies and pointers that are missing among others") {
    for (floor <- Seq(None, Some(1L))) {
      def made() = { val s = versioned(); floor.foreach(f => { Floor.raise(Paths, s, f); Histories.collect(s, f + 1) }); s }
      val body = made()
      body.remove(Paths.body(5))
      one(body, Paths.body(5), "the body of version 5 is missing")
      val pointers = made()
      for (v <- 4L to 6L) pointers.remove(Paths.pointer(v))
      one(pointers, Paths.pointer(4), "the pointer of versions 4 to 6 is missing", 3)
      val both = made()
      for (v <- 4L to 5L) { both.remove(Paths.pointer(v)); both.remove(Paths.body(v)) }
      one(both, Paths.body(4), "body and pointer of versions 4 to 5", 2)
      both.remove(Paths.body(7))
      assert(problems(both).map(_.`object`) == Seq(Paths.body(4), Paths.body(7)))
    }
  }

  test("a floor that says nothing, or too much") {
    for (text <- Seq("", "{}", "{\"version\":7}")) {
      val store = versioned()
      store.set(Paths.bulkFloor, text)
      one(store, Paths.bulkFloor, "cannot be understood")
    }
    for (v <- Seq(9L, 10L, -1L)) {
      val store = versioned()
      Floor.raise(Paths, store, v)
      one(store, Paths.bulkFloor, s"up to ${java.lang.Long.toUnsignedString(v)}, but the newest one is 9")
    }
    val store = versioned()
    Floor.raise(Paths, store, 8)
    assert(problems(store).isEmpty)
  }

  test("archives that are missing between the floor and the current version") {
    val store = single()
    for (v <- Seq(0L, 4L, 5L, 8L)) store.remove(Paths.archive(v))
    val found = problems(store)
    assert(found.map(p => p.`object` -> p.count) == Seq(Paths.archive(0) -> 1L, Paths.archive(4) -> 2L, Paths.archive(8) -> 1L), found)
    val swept = expired()
    swept.remove(Paths.archive(9))
    one(swept, Paths.archive(9), "archive of version 9")
  }

  test("a manifest of a version below archives") {
    val store = single()
    val empty = new RecordingStore
    new LayoutLog(Paths, empty, config, com.namidb.format.manifest.Layout.SINGLE_OBJECT).createIfAbsent(new java.util.UUID(1, 1), java.time.Instant.EPOCH)
    store.set(Paths.manifest, empty.bytes(Paths.manifest))
    one(store, Paths.manifest, "it is version 0, but there are archives up to version 8", 8)
    store.set(Paths.manifest, store.bytes(Paths.archive(4)))
    one(store, Paths.manifest, "it is version 4, but there are archives up to version 8", 4)
  }

  test("versions of both layouts in one folder") {
    val store = versioned(2)
    store.set(Paths.archive(3), "x")
    one(store, Paths.archive(3), "another history")
    val other = single(2)
    other.set(Paths.body(0), "x")
    one(other, Paths.body(0), "another history")
    val pinned = single(2)
    pinned.set(Paths.pin("a"), "x")
    assert(problems(pinned).isEmpty)
  }
}
