package com.namidb.format.log

import java.time.{Duration, Instant}
import java.util.UUID

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.manifest.{Manifest, ManifestJson, ManifestPointer}
import com.namidb.format.store.{FaultyStore, ObjectStore, PutResult}
import com.namidb.format.store.FaultyStore.{Fault, Op}

/** Every outcome of a publication, held against what the store says afterwards. */
class PublishSuite extends AnyFunSuite {
  import Histories.{upTo, Paths}

  private val any = ".*"
  private def bytes(m: Manifest) = ManifestJson.versioned().write(m)
  private def publish(p: Publishing, base: Committed, next: Manifest, probe: CommitProbe = CommitProbe.NONE) =
    p.log.publish(base, next, probe)

  /** Whether a stranger sees exactly this manifest as the version it claims to be. */
  private def visible(store: ObjectStore, next: Manifest): Boolean = {
    val current = new PointerLog(Paths, store).current()
    val v = next.version
    java.lang.Long.compareUnsigned(current.ref.version, v) >= 0 &&
      new PointerLog(Paths, store).at(v).manifest.writerId == next.writerId
  }

  private def foreign(store: RecordingStore, version: Long, pointer: Boolean): Unit =
    if (pointer) Histories.commit(store, version, Histories.time(version)) else Histories.body(store, version, Histories.time(version))

  test("a warm commit costs three PUTs and nothing else at any length of history") {
    for (n <- Seq(1L, 10L, 1000L)) {
      val store = upTo(n)
      val p = new Publishing(store)
      p.log.base()
      for (k <- 1L to 3L) {
        val base = p.log.fresh().get
        val next = p.next(base, k)
        val bill = store.bill(assert(publish(p, base, next).isInstanceOf[PublishResult.Committed]))
        assert(bill == Seq(s"PUT ${Paths.body(n + k)}", s"PUT ${Paths.pointer(n + k)}", s"PUT ${Paths.currentHint}").sorted)
        assert(visible(store, next))
        assert(ManifestPointer.parse("", store.bytes(Paths.currentHint)) == new ManifestPointer(n + k, 0, Paths.body(n + k)))
        assert(store.bytes(Paths.pointer(n + k)).toSeq == store.bytes(Paths.currentHint).toSeq)
      }
    }
  }

  test("states are passed in order, and a process that dies at any of them leaves the old or the new version whole") {
    val order = mutable.Buffer.empty[CommitState]
    val p = new Publishing(upTo(3))
    publish(p, p.log.current(), p.next(p.log.current()), s => order += s)
    assert(order.toSeq == Seq(CommitState.CHECK_AGE, CommitState.PUT_BODY, CommitState.PUT_POINTER, CommitState.PUT_HINT, CommitState.DONE))
    for (stop <- order) {
      val store = upTo(3)
      val q = new Publishing(store)
      val base = q.log.current()
      val next = q.next(base)
      object Killed extends RuntimeException
      intercept[RuntimeException](publish(q, base, next, s => if (s == stop) throw Killed))
      val committed = Set(CommitState.PUT_HINT, CommitState.DONE)(stop)
      val now = new PointerLog(Paths, store).current()
      assert(now.ref.version == (if (committed) 4 else 3), stop)
      if (committed) assert(visible(store, next))
    }
  }

  /** What the other side does just before one of our requests. */
  private val faults: Seq[(String, Op, String, Fault)] = for {
    (name, op, key) <- Seq(("body", Op.PutIfAbsent, ".*manifest/v.*"), ("pointer", Op.PutIfAbsent, ".*pointer/p.*"),
      ("hint", Op.PutIfMatch, ".*current.json"))
    fault <- Seq(Fault.FailBefore, Fault.FailAfter, Fault.LostReply, Fault.Conflict409, Fault.Refuse)
  } yield (name, op, key, fault)

  test("a lost, refused or failed answer to any of the three writes ends in the truth") {
    for ((name, op, key, fault) <- faults; times <- Seq(1, 2, 3)) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Publishing(store)
      val base = p.log.current()
      val next = p.next(base)
      store.on(op, key, fault, times)
      val result = publish(p, base, next)
      assert(result.isInstanceOf[PublishResult.Committed], s"$name $fault $times: $result")
      assert(visible(inner, next) && inner.bytes(Paths.body(4)).toSeq == bytes(next).toSeq)
      // The next commit works whatever was left of the hint.
      store.heal()
      val again = p.next(p.log.current(), 2)
      assert(publish(p, p.log.current(), again).isInstanceOf[PublishResult.Committed])
      assert(visible(inner, again) && ManifestPointer.parse("", inner.bytes(Paths.currentHint)).version == 5)
    }
  }

  test("a hint that cannot be written at all is a warning of a committed version") {
    val inner = upTo(3)
    val store = new FaultyStore(inner)
    val p = new Publishing(store)
    val base = p.log.current()
    val next = p.next(base)
    store.on(Op.Anything, ".*current.json", Fault.FailBefore, FaultyStore.Always)
    publish(p, base, next) match {
      case c: PublishResult.Committed => assert(c.warnings.size == 1)
      case other => fail(other.toString)
    }
    assert(visible(inner, next))
  }

  test("another writer's version is a loss, even when our own answers are lost too") {
    for (place <- Seq(".*manifest/v.*", ".*pointer/p.*"); before <- Seq(true, false)) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Publishing(store)
      val base = p.log.current()
      val next = p.next(base)
      if (place.contains("v")) {
        store.on(Op.PutIfAbsent, place, Fault.Before(() => foreign(inner, 4, pointer = true)))
        if (!before) store.on(Op.PutIfAbsent, place, Fault.LostReply)
      } else {
        // The body is ours, and then removed and replaced, as an engine that could not adopt it would do.
        store.on(Op.PutIfAbsent, place, Fault.Before { () => inner.remove(Paths.body(4)); foreign(inner, 4, pointer = true) })
      }
      assert(publish(p, base, next) == new PublishResult.Lost(4))
      assert(!visible(inner, next))
      assert(p.log.fresh().isEmpty && p.log.current().ref.version == 4)
    }
  }

  test("a body of another writer without pointer is waited for: then lost, stalled, or free again") {
    def run(meanwhile: RecordingStore => Unit, polls: Int) = {
      val inner = upTo(3)
      foreign(inner, 4, pointer = false)
      val store = new FaultyStore(inner)
      val p = new Publishing(store)
      val base = p.log.current()
      store.on(Op.Head, ".*p0000000000000004.*", Fault.Before(() => meanwhile(inner)), skip = polls)
      val next = p.next(base)
      (publish(p, base, next), inner, next, p)
    }
    val (lost, s1, n1, _) = run(s => s.set(Paths.pointer(4), Histories.pointer(4)), 3)
    assert(lost == new PublishResult.Lost(4) && !visible(s1, n1))
    val (stalled, s2, n2, p2) = run(_ => (), 3)
    assert(stalled == new PublishResult.Stalled(4))
    assert(new PointerLog(Paths, s2).current().ref.version == 3 && s2.bytes(Paths.body(4)).toSeq != bytes(n2).toSeq)
    assert(p2.nanos.get >= Duration.ofMinutes(1).toNanos)
    val (free, s3, n3, _) = run(s => s.remove(Paths.body(4)), 3)
    assert(free.isInstanceOf[PublishResult.Committed] && visible(s3, n3))
  }

  test("a pointer that an engine published for us is our commit") {
    val inner = upTo(3)
    val store = new FaultyStore(inner)
    val p = new Publishing(store)
    val base = p.log.current()
    val next = p.next(base)
    // The engine adopts the body and commits its own version on top.
    store.on(Op.PutIfAbsent, ".*pointer/p.*", Fault.Before { () =>
      inner.set(Paths.pointer(4), Histories.pointer(4))
      val ours = new PointerLog(Paths, inner).current()
      val other = new Publishing(inner)
      assert(other.log.publish(other.log.current(), other.next(ours, 50), CommitProbe.NONE).isInstanceOf[PublishResult.Committed])
    })
    publish(p, base, next) match {
      case c: PublishResult.Committed => assert(c.ref.version == 4)
      case other => fail(other.toString)
    }
    assert(visible(inner, next))
    assert(ManifestPointer.parse("", inner.bytes(Paths.currentHint)).version == 5, "the later hint must stay")
  }

  test("a writer stalled until its place was collected is told that nothing was committed") {
    val inner = upTo(3)
    val store = new FaultyStore(inner)
    val p = new Publishing(store)
    val base = p.log.current()
    val next = p.next(base)
    store.on(Op.PutIfAbsent, ".*manifest/v.*", Fault.Before { () =>
      for (v <- 4L to 40L) Histories.commit(inner, v, Histories.time(v))
      Histories.collect(inner, 30)
    })
    assert(publish(p, base, next) == new PublishResult.Lost(40))
    assert(ManifestPointer.parse("", inner.bytes(Paths.currentHint)).version == 40)
    // Collected up to exactly the version after ours: not decidable, and said so.
    val other = upTo(3)
    val faulty = new FaultyStore(other)
    val q = new Publishing(faulty)
    val start = q.log.current()
    faulty.on(Op.PutIfAbsent, ".*manifest/v.*", Fault.Before { () =>
      for (v <- 4L to 9L) Histories.commit(other, v, Histories.time(v))
      Histories.collect(other, 5)
    })
    assert(publish(q, start, q.next(start)).isInstanceOf[PublishResult.Unknown])
  }

  test("a base older than five minutes is resolved again before anything is written") {
    val store = upTo(3)
    val p = new Publishing(store)
    val base = p.log.current()
    p.pass(Duration.ofMinutes(6))
    assert(p.log.fresh().isEmpty)
    val next = p.next(base)
    val bill = store.bill(assert(publish(p, base, next).isInstanceOf[PublishResult.Committed]))
    assert(bill.count(_.startsWith("PUT")) == 3 && bill.count(_.startsWith("HEAD")) == 2 && bill.contains(s"GET ${Paths.bulkFloor}") && bill.size == 6)
    val after = p.log.current()
    p.pass(Duration.ofMinutes(6))
    Histories.commit(store, 5, Histories.time(9))
    val bill2 = store.bill(assert(publish(p, after, p.next(after, 2)) == new PublishResult.Lost(5)))
    assert(!bill2.exists(_.startsWith("PUT")))
  }

  test("when nothing can be read back the outcome is unknown, and says what was seen") {
    for (key <- Seq(".*manifest/v.*", ".*pointer/p.*")) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Publishing(store)
      val base = p.log.current()
      val next = p.next(base)
      store.on(Op.PutIfAbsent, key, Fault.LostReply)
      store.on(Op.Get, any, Fault.FailBefore, FaultyStore.Always)
      publish(p, base, next) match {
        case u: PublishResult.Unknown => assert(u.evidence.contains("version 4"))
        case other => fail(other.toString)
      }
    }
  }

  test("a store that refuses and forgets is not looped on for ever") {
    val store = new FaultyStore(upTo(3))
    val p = new Publishing(store)
    val base = p.log.current()
    store.on(Op.PutIfAbsent, ".*pointer/p.*", Fault.Refuse, FaultyStore.Always)
    assert(publish(p, base, p.next(base)).isInstanceOf[PublishResult.Unknown])
  }

  test("a new namespace is created once, also by many at a time and after a half-finished try") {
    val store = new RecordingStore
    val now = Instant.parse("2026-11-29T10:00:00Z")
    val created = new PointerLog(Paths, store).createIfAbsent(new UUID(1, 1), now)
    assert(created.ref.version == 0 && created.ref.writerId == new UUID(1, 1).toString)
    assert(new PointerLog(Paths, store).createIfAbsent(new UUID(1, 2), now).ref == created.ref)
    for (left <- 1 to 2) {
      val half = new RecordingStore
      half.set(Paths.body(0), store.bytes(Paths.body(0)))
      if (left == 2) half.set(Paths.pointer(0), store.bytes(Paths.pointer(0)))
      assert(new PointerLog(Paths, half).createIfAbsent(new UUID(1, 3), now).ref == created.ref)
    }
    val p = new Publishing(store)
    assert(publish(p, p.log.current(), p.next(p.log.current())).isInstanceOf[PublishResult.Committed])
  }

  test("the put results are what the publication relies on") {
    val store = upTo(0)
    assert(store.putIfAbsent(Paths.body(0), Array[Byte](1)).isInstanceOf[PutResult.Refused])
    assert(store.putIfMatch(Paths.currentHint, Array[Byte](1), "nonsense").isInstanceOf[PutResult.Refused])
  }
}
