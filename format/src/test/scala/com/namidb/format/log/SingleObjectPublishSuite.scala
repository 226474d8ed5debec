package com.namidb.format.log

import java.time.{Duration, Instant}
import java.util.UUID
import java.util.concurrent.atomic.AtomicLong

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CorruptObjectException, StoreException, StoreUnsafeException}
import com.namidb.format.manifest.{Manifest, ManifestEdit}
import com.namidb.format.store.{FaultyStore, ObjectStore}
import com.namidb.format.store.FaultyStore.{Fault, Op}

/** Every outcome of a publication in the layout of one replaced object, held against what the store says afterwards. */
class SingleObjectPublishSuite extends AnyFunSuite {
  import Histories.Paths
  import SingleObjectPublishSuite._

  private val archive = ".*/manifests/.*"
  private val manifest = ".*/manifest\\.json"

  private def publish(p: Writer, base: Committed, next: Manifest, probe: CommitProbe = CommitProbe.NONE) = p.log.publish(base, next, probe)

  private def committed(r: PublishResult) = r.isInstanceOf[PublishResult.Committed]

  test("a warm commit costs two PUTs and nothing else at any length of history") {
    for (n <- Seq(1L, 100L, 1000L)) {
      val store = upTo(n)
      val p = new Writer(store)
      assert(store.bill(p.log.base()) == Seq(s"GET ${Paths.manifest}"))
      for (k <- 1L to 3L) {
        val base = p.log.fresh().get
        val next = p.next(base)
        val bill = store.bill(assert(committed(publish(p, base, next))))
        assert(bill == Seq(s"PUT ${Paths.manifest}", s"PUT ${Paths.archive(n + k - 1)}").sorted)
        assert(visible(store, next) && store.bytes(Paths.archive(n + k - 1)).toSeq == base.manifest.toBytes.toSeq)
      }
      // Cold: somebody else committed meanwhile, and a base that is not fresh is asked for again.
      assert(store.bill(new Writer(store).log.base()) == Seq(s"GET ${Paths.manifest}"))
      p.pass(Duration.ofMinutes(6))
      assert(p.log.fresh().isEmpty && store.bill(p.log.base()) == Seq(s"HEAD ${Paths.manifest}"))
      commit(new Writer(store))
      assert(store.bill(p.log.base()) == Seq(s"GET ${Paths.manifest}", s"HEAD ${Paths.manifest}"))
    }
  }

  test("states are passed in order, and a process that dies at any of them leaves the old or the new version whole") {
    val order = mutable.Buffer.empty[CommitState]
    val p = new Writer(upTo(3))
    publish(p, p.log.current(), p.next(p.log.current()), s => order += s)
    assert(order.toSeq == Seq(CommitState.CHECK_AGE, CommitState.PUT_ARCHIVE, CommitState.REPLACE_MANIFEST, CommitState.DONE))
    for (stop <- order) {
      val store = upTo(3)
      val q = new Writer(store)
      val base = q.log.current()
      val next = q.next(base)
      object Killed extends RuntimeException
      intercept[RuntimeException](publish(q, base, next, s => if (s == stop) throw Killed))
      assert(visible(store, next) == (stop == CommitState.DONE), stop)
      assert(newest(store) == (if (stop == CommitState.DONE) 4 else 3) && history(store).size == newest(store) + 1)
      commit(new Writer(store))
      assert(history(store).size == newest(store) + 1)
    }
  }

  test("a lost, failed or ambiguous answer to either write ends in the truth") {
    for (key <- Seq(archive, manifest); fault <- Seq(Fault.FailBefore, Fault.FailAfter, Fault.LostReply, Fault.Conflict409); times <- 1 to 3) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Writer(store)
      val base = p.log.current()
      val next = p.next(base)
      store.on(Op.AnyWrite, key, fault, times)
      val clue = s"$key $fault $times"
      assert(committed(publish(p, base, next)), clue)
      assert(visible(inner, next) && inner.bytes(Paths.manifest).toSeq == next.toBytes.toSeq && newest(inner) == 4, clue)
      store.heal()
      assert(commit(p).ref.version == 5 && history(inner).size == 6, clue)
    }
  }

  test("an unclear answer is never planned anew: the identical bytes are sent again, or the outcome is unknown") {
    val inner = upTo(3)
    val store = new FaultyStore(inner)
    val p = new Writer(store)
    val base = p.log.current()
    val next = p.next(base)
    store.on(Op.PutIfMatch, manifest, Fault.Conflict409, FaultyStore.Always)
    publish(p, base, next) match {
      case u: PublishResult.Unknown => assert(u.evidence.contains("version 4") && u.evidence.contains("may be under way"))
      case other => fail(other.toString)
    }
    assert(newest(inner) == 3 && p.log.fresh().isEmpty)
    // The request that was under way arrives late, on the base it names, or it does not.
    val etag = inner.get(Paths.manifest).get.meta.etag
    commit(new Writer(inner))
    assert(inner.putIfMatch(Paths.manifest, next.toBytes, etag).isInstanceOf[com.namidb.format.store.PutResult.Refused])
  }

  test("a store that refuses although nothing changed is an error, not a loop") {
    val inner = upTo(3)
    val store = new FaultyStore(inner)
    val p = new Writer(store)
    val base = p.log.current()
    store.on(Op.PutIfMatch, manifest, Fault.Refuse, FaultyStore.Always)
    publish(p, base, p.next(base)) match {
      case f: PublishResult.Failed => assert(f.reason.isInstanceOf[StoreUnsafeException] && f.reason.getMessage.contains(Paths.manifest))
      case other => fail(other.toString)
    }
    assert(store.calls.count(_._1 == Op.PutIfMatch) == 1 && newest(inner) == 3)
    // After an unclear answer the same is not certain any more.
    store.heal()
    store.on(Op.PutIfMatch, manifest, Fault.Conflict409)
    store.on(Op.PutIfMatch, manifest, Fault.Refuse, FaultyStore.Always, skip = 0)
    assert(publish(p, p.log.current(), p.next(p.log.current())).isInstanceOf[PublishResult.Unknown])
  }

  test("another writer's version is a loss, at once or later ones on top, whatever happened to our answer") {
    for (others <- Seq(1, 2, 5); fault <- Seq(None, Some(Fault.Conflict409), Some(Fault.FailBefore))) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Writer(store)
      val base = p.log.current()
      val next = p.next(base)
      fault match {
        case None => store.on(Op.PutIfMatch, manifest, Fault.Before(() => (1 to others).foreach(_ => commit(new Writer(inner)))))
        case Some(f) =>
          store.on(Op.PutIfMatch, manifest, f)
          store.on(Op.Get, manifest, Fault.Before(() => (1 to others).foreach(_ => commit(new Writer(inner)))))
      }
      assert(publish(p, base, next) == new PublishResult.Lost(3L + others))
      assert(!visible(inner, next) && newest(inner) == 3 + others)
      assert(p.log.fresh().isEmpty && commit(p).ref.version == 4 + others)
    }
  }

  test("our version is found although the answer was lost and others stand on it") {
    for (others <- Seq(0, 1, 4); fault <- Seq(Fault.LostReply, Fault.FailAfter)) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Writer(store)
      val base = p.log.current()
      val next = p.next(base)
      store.on(Op.PutIfMatch, manifest, fault)
      store.on(Op.Get, manifest, Fault.Before(() => (1 to others).foreach(_ => commit(new Writer(inner)))))
      publish(p, base, next) match {
        case c: PublishResult.Committed => assert(c.ref.version == 4 && c.ref.writerId == next.writerId)
        case other => fail(other.toString)
      }
      assert(visible(inner, next) && newest(inner) == 4 + others && commit(p).ref.version == 5 + others)
    }
  }

  test("a writer stalled until its base was superseded, or collected, commits nothing and knows it") {
    for (collect <- Seq(false, true); unclear <- Seq(false, true)) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Writer(store)
      val base = p.log.current()
      val next = p.next(base)
      store.on(Op.PutIfMatch, manifest, Fault.Before { () => pass(inner, 12, if (collect) 9 else 0) })
      if (unclear) store.on(Op.PutIfMatch, manifest, Fault.Conflict409)
      assert(publish(p, base, next).isInstanceOf[PublishResult.Lost], s"$collect $unclear")
      assert(newest(inner) >= 12 && !history(inner).exists(_.writerId == next.writerId))
      // Stalled even before the archive: what it leaves there is below the floor, where nobody looks.
      val again = p.next(p.log.current())
      store.on(Op.PutIfAbsent, archive, Fault.Before { () => pass(inner, 30, 25) })
      assert(publish(p, p.log.current(), again).isInstanceOf[PublishResult.Lost])
      intercept[com.namidb.format.error.SnapshotGoneException](new Writer(inner).warm.at(13))
      assert(commit(p).ref.version == newest(inner))
    }
  }

  test("the version in our place is collected: lost while it would be too young for that, else unknown, unless our files are listed") {
    for (late <- Seq(false, true); ours <- Seq(false, true)) {
      val inner = upTo(3)
      val store = new FaultyStore(inner)
      val p = new Writer(store)
      val base = p.log.current()
      val next = p.next(base)
      store.on(Op.PutIfMatch, manifest, if (ours) Fault.LostReply else Fault.Conflict409)
      store.on(Op.Get, manifest, Fault.Before { () =>
        pass(inner, 12, 9)
        if (late) p.pass(Duration.ofMinutes(11))
      })
      val result = publish(p, base, next)
      if (ours) assert(committed(result))
      else if (late) assert(result.isInstanceOf[PublishResult.Unknown])
      else assert(result.isInstanceOf[PublishResult.Lost])
    }
  }

  test("an archive with other bytes stops the commit; one that cannot be written leaves nothing published") {
    val inner = upTo(3)
    inner.set(Paths.archive(3), new String(inner.bytes(Paths.manifest)).replace("\"wal_segments\":[]", "\"wal_segments\": []"))
    val p = new Writer(inner)
    publish(p, p.log.current(), p.next(p.log.current())) match {
      case f: PublishResult.Failed => assert(f.reason.isInstanceOf[CorruptObjectException] && f.reason.getMessage.contains(Paths.archive(3)))
      case other => fail(other.toString)
    }
    assert(newest(inner) == 3)
    val healthy = upTo(3)
    for (op <- Seq(Op.AnyWrite, Op.Anything)) {
      val store = new FaultyStore(healthy)
      val q = new Writer(store)
      val base = q.log.current()
      store.on(op, archive, Fault.FailBefore, FaultyStore.Always)
      publish(q, base, q.next(base)) match {
        case f: PublishResult.Failed => assert(f.reason.isInstanceOf[StoreException])
        case other => fail(other.toString)
      }
      assert(newest(healthy) == 3)
    }
  }

  test("when nothing can be read back the outcome is unknown, and says what was seen") {
    val inner = upTo(3)
    val store = new FaultyStore(inner)
    val p = new Writer(store)
    val base = p.log.current()
    store.on(Op.PutIfMatch, manifest, Fault.LostReply)
    store.on(Op.Get, ".*", Fault.FailBefore, FaultyStore.Always)
    publish(p, base, p.next(base)) match {
      case u: PublishResult.Unknown => assert(u.evidence.contains("version 4"))
      case other => fail(other.toString)
    }
  }

  test("random schedules of three writers and random faults: one line of versions, and every report is true") {
    val seed = System.nanoTime()
    info(s"seed $seed")
    val random = new Random(seed)
    val faults = Seq(Fault.FailBefore, Fault.FailAfter, Fault.LostReply, Fault.Conflict409)
    var counted = Map.empty[String, Int].withDefaultValue(0)
    for (_ <- 1 to 60) {
      val inner = upTo(0)
      val stores = Seq.fill(3)(new FaultyStore(inner))
      val writers = stores.map(new Writer(_))
      val told = mutable.Map.empty[String, PublishResult]
      def turn(who: Int, depth: Int): Unit = {
        val p = writers(who)
        val base = if (random.nextInt(3) == 0 && p.log.fresh().isPresent) p.log.fresh().get else p.log.base()
        val next = p.next(base)
        def others(): Unit = if (depth < 3) for (_ <- 0 until random.nextInt(3)) turn(random.nextInt(3), depth + 1)
        for (_ <- 0 until random.nextInt(3)) {
          val key = if (random.nextBoolean()) archive else manifest
          random.nextInt(3) match {
            case 0 => stores(who).on(Op.AnyWrite, key, faults(random.nextInt(faults.size)), 1, random.nextInt(2))
            case 1 => stores(who).on(Op.AnyWrite, key, Fault.Before(() => others()), 1, random.nextInt(2))
            case _ => stores(who).on(Op.Get, key, Fault.Before(() => others()), 1, random.nextInt(2))
          }
        }
        told(next.writerId) = publish(p, base, next)
      }
      for (_ <- 1 to 10) turn(random.nextInt(3), 0)
      val line = history(inner)
      assert(line.map(_.version) == (0L to newest(inner)), s"seed $seed")
      assert(line.map(_.epoch) == (0L to newest(inner)))
      val there = line.map(m => m.writerId -> m.version).toMap
      for ((writer, result) <- told) {
        counted += result.getClass.getSimpleName -> (counted(result.getClass.getSimpleName) + 1)
        result match {
          case c: PublishResult.Committed => assert(there.get(writer).contains(c.ref.version), s"seed $seed")
          case _: PublishResult.Lost | _: PublishResult.Failed => assert(!there.contains(writer), s"seed $seed: $result")
          case _ =>
        }
      }
      // Nothing committed is ever dropped.
      for ((before, after) <- line.zip(line.drop(1)))
        assert(after.ssts.containsAll(before.ssts) && after.ssts.size == before.ssts.size + 1, s"seed $seed")
    }
    info(counted.toString)
    assert(counted("Committed") > 100 && counted("Lost") > 20)
  }

  test("a new namespace is created once, also by many at a time and after a half-finished try") {
    val store = new RecordingStore
    val now = Instant.parse("2026-11-29T10:00:00Z")
    val created = new SingleObjectLog(Paths, store).createIfAbsent(new UUID(1, 1), now)
    assert(created.ref.version == 0 && created.ref.writerId == new UUID(1, 1).toString)
    assert(new SingleObjectLog(Paths, store).createIfAbsent(new UUID(1, 2), now).ref == created.ref)
    val schema = Paths.schema(com.namidb.format.manifest.SchemaObject.EMPTY_ID)
    assert(store.keys.toSet == Set(Paths.manifest, schema))
    val half = new RecordingStore
    half.set(schema, store.bytes(schema))
    assert(new SingleObjectLog(Paths, half).createIfAbsent(new UUID(1, 3), now).ref.writerId == new UUID(1, 3).toString)
  }
}

object SingleObjectPublishSuite {
  import Histories.Paths

  private val writers = new AtomicLong

  /** A log whose clock moves only when something sleeps or a test says so. */
  class Writer(val store: ObjectStore) {
    val nanos = new AtomicLong
    private val timing = new CommitTiming(() => nanos.get, d => nanos.addAndGet(d.toNanos), Duration.ofMinutes(5), Duration.ofMinutes(1))
    val log = new SingleObjectLog(Paths, store, timing, "here")
    def next(base: Committed): Manifest = Publishing.next(base, writers.incrementAndGet())
    def pass(d: Duration): Unit = nanos.addAndGet(d.toNanos)

    /** The log after it has seen the newest version, and so the floor. */
    def warm: SingleObjectLog = { log.current(); log }
  }

  def commit(p: Writer): Committed = {
    val base = p.log.base()
    val next = p.next(base)
    val result = p.log.publish(base, next, CommitProbe.NONE)
    assert(result.isInstanceOf[PublishResult.Committed], result)
    new Committed(result.asInstanceOf[PublishResult.Committed].ref, next)
  }

  /** Versions 0 to `last`. */
  def upTo(last: Long): RecordingStore = {
    val store = new RecordingStore
    val p = new Writer(store)
    p.log.createIfAbsent(new UUID(1, 1), Instant.parse("2026-11-29T10:00:00Z"))
    for (_ <- 1L to last) {
      val base = p.log.base()
      val next = ManifestEdit.of(base.manifest).build(new UUID(98, writers.incrementAndGet()), Instant.parse("2026-11-29T10:00:00Z"), "next")
      p.log.publish(base, next, CommitProbe.NONE)
    }
    store
  }

  def newest(store: ObjectStore): Long = new SingleObjectLog(Paths, store).current().ref.version

  /** Every version that can be read, oldest first. */
  def history(store: ObjectStore): Seq[Manifest] = {
    val log = new SingleObjectLog(Paths, store)
    val top = log.current().ref.version
    (log.oldest().getAsLong to top).map(log.at(_).manifest)
  }

  /** Whether a stranger sees exactly this manifest as the version it claims to be. */
  def visible(store: ObjectStore, next: Manifest): Boolean =
    newest(store) >= next.version && new SingleObjectLog(Paths, store).at(next.version).manifest.writerId == next.writerId

  /** Others commit up to a version, and collect what is below `oldest`: the floor first. */
  def pass(store: RecordingStore, top: Long, oldest: Long): Unit = {
    while (newest(store) < top) commit(new Writer(store))
    if (oldest > 0) {
      val log = new Writer(store).log
      val base = log.base()
      val next = ManifestEdit.of(base.manifest).floor(oldest - 1).build(UUID.randomUUID(), Instant.parse("2026-11-29T10:00:00Z"), "floor")
      assert(log.publish(base, next, CommitProbe.NONE).isInstanceOf[PublishResult.Committed])
      for (v <- 0L until oldest) store.remove(Paths.archive(v))
    }
  }
}
