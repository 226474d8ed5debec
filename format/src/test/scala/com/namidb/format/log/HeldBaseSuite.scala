package com.namidb.format.log

import java.time.Instant
import java.util.{Optional, UUID}

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CorruptObjectException, NamespaceNotFoundException}
import com.namidb.format.log.Histories.Paths
import com.namidb.format.store.ObjectMeta

/** A base held for the next commit is dropped once something contradicts it: a restore or a deletion. */
class HeldBaseSuite extends AnyFunSuite {
  private def committed(p: Publishing, base: Committed): Committed = {
    val next = p.next(base, base.ref.version + 1)
    assert(p.log.publish(base, next, CommitProbe.NONE).isInstanceOf[PublishResult.Committed])
    val now = p.log.fresh().get
    assert(now.manifest.writerId == next.writerId, "committed, and held as the next base")
    now
  }

  /** A log that holds version 4 as its own commit on versions 0 to 3. */
  private def holding(): (RecordingStore, Publishing) = {
    val store = Histories.upTo(3)
    val p = new Publishing(store)
    assert(committed(p, p.log.base()).ref.version == 4)
    (store, p)
  }

  private def restore(store: RecordingStore, version: Long): Unit = {
    for (v <- version + 1 to 4L) { store.remove(Paths.body(v)); store.remove(Paths.pointer(v)) }
    store.set(Paths.currentHint, Histories.pointer(version))
  }

  test("a lower version found later ends it: the next commit stands on what is there") {
    val (store, p) = holding()
    restore(store, 1)
    assert(p.log.current().ref.version == 1)
    assert(p.log.fresh().isEmpty)
    val base = p.log.base()
    assert(base.ref.version == 1)
    assert(committed(p, base).ref.version == 2)
    assert(new PointerLog(Paths, store).current().ref.version == 2 && !store.has(Paths.pointer(5)) && !store.has(Paths.body(5)))
  }

  test("so does another body at its version, or one after it") {
    for (upTo <- Seq(4L, 5L)) {
      val (store, p) = holding()
      restore(store, 2)
      for (v <- 3L to upTo) Histories.commit(store, v, Histories.time(100 + v))
      val found = p.log.current()
      assert(found.ref.version == upTo && found.ref.createdAtMicros == Histories.micros(100 + upTo))
      if (upTo == 4) assert(p.log.fresh().isEmpty)
      val base = p.log.fresh().orElseGet(() => p.log.base())
      assert(base.ref == found.ref)
      assert(committed(p, base).ref.version == upTo + 1)
    }
  }

  /** As in a bucket: tags come from the bytes, which are the same in both pointers, and dates are of a second. */
  private class Bucket extends RecordingStore {
    override def head(key: String): Optional[ObjectMeta] =
      super.head(key).map(m => new ObjectMeta(key, m.size, java.util.Arrays.hashCode(bytes(key)).toString, 0))
  }

  test("no version of a deleted namespace is taken for one of the next of its name") {
    val store = new Bucket
    val log = new PointerLog(Paths, store)
    for (v <- 0L to 2L) {
      Histories.commit(store, v, Histories.time(v))
      assert(log.current().ref.version == v)
    }
    store.clear()
    assert(log.createIfAbsent(new UUID(1, 1), Instant.parse("2026-11-29T10:00:00Z")).ref.version == 0)
    Histories.commit(store, 1, Histories.time(101))
    assert(log.current().ref.createdAtMicros == Histories.micros(101))
  }

  test("no version read before a restore is taken for the one that has its number now") {
    val store = new Bucket
    val log = new PointerLog(Paths, store)
    for (v <- 0L to 4L) {
      Histories.commit(store, v, Histories.time(v))
      assert(log.current().ref.version == v)
    }
    restore(store, 1)
    Histories.commit(store, 2, Histories.time(102))
    assert(log.current().ref.createdAtMicros == Histories.micros(102))
    assert(log.at(2).ref.createdAtMicros == Histories.micros(102))
  }

  test("so does a namespace that is gone, also when a new one comes under its name") {
    val (store, p) = holding()
    store.clear()
    intercept[NamespaceNotFoundException](p.log.current())
    assert(p.log.fresh().isEmpty)
    assert(p.log.createIfAbsent(new UUID(1, 1), Instant.parse("2026-11-29T10:00:00Z")).ref.version == 0)
    assert(p.log.fresh().isEmpty)
    assert(committed(p, p.log.base()).ref.version == 1)
  }

  test("so does a newest version whose body is missing") {
    val (store, p) = holding()
    store.remove(Paths.body(4))
    // Its body was read under the same pointer before: only an unknown pointer asks for it.
    store.set(Paths.pointer(4), Histories.pointer(4))
    intercept[CorruptObjectException](p.log.current())
    assert(p.log.fresh().isEmpty)
  }

  test("a resolve that began before a commit of this process does not end it") {
    val store = Histories.upTo(3)
    val p = new Publishing(store)
    val base = p.log.base()
    var done = false
    // No version 4 was found yet; it is committed before the answer is complete.
    store.before = r => if (!done && r == s"HEAD ${Paths.pointer(3)}") { done = true; committed(p, base) }
    assert(p.log.current().ref.version == 3 && done)
    assert(p.log.fresh().get.ref.version == 4)
    val bill = store.bill(committed(p, p.log.fresh().get))
    assert(bill == Seq(s"PUT ${Paths.body(5)}", s"PUT ${Paths.pointer(5)}", s"PUT ${Paths.currentHint}").sorted)
  }
}
