package com.namidb.format.log

import java.time.Duration
import java.util.Optional

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CommitConflictException, CorruptObjectException, StoreException}
import com.namidb.format.log.Histories.Paths
import com.namidb.format.store.FaultyStore
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.memory.MemoryStore

class FloorSuite extends AnyFunSuite {
  private def floor(version: Long) = Optional.of(new Floor(version))

  test("it is raised only upwards, and says what stands then") {
    val store = new MemoryStore
    assert(Floor.read(Paths, store).isEmpty)
    assert(Floor.raise(Paths, store, 7) == new Floor(7) && Floor.read(Paths, store) == floor(7))
    assert(Floor.raise(Paths, store, 5) == new Floor(7) && Floor.read(Paths, store) == floor(7))
    assert(Floor.raise(Paths, store, -3) == new Floor(-3) && Floor.read(Paths, store) == floor(-3))
    assert(Floor.raise(Paths, store, Long.MaxValue) == new Floor(-3))
    assert(new Floor(-3).covers(9) && new Floor(-3).covers(-3) && !new Floor(-3).covers(-2) && !new Floor(9).covers(10))
  }

  test("two that raise it at once both have their way, whoever is first") {
    for (first <- Seq(false, true); (ours, theirs) <- Seq((9L, 12L), (12L, 9L))) {
      val inner = new MemoryStore
      if (!first) Floor.raise(Paths, inner, 3)
      val store = new FaultyStore(inner)
      store.on(if (first) Op.PutIfAbsent else Op.PutIfMatch, ".*floor.json", Fault.Before(() => Floor.raise(Paths, inner, theirs)))
      assert(Floor.raise(Paths, store, ours) == new Floor(12))
      assert(Floor.read(Paths, inner) == floor(12))
    }
  }

  test("a lost answer is settled by reading; without any success nothing is claimed") {
    val inner = new MemoryStore
    val store = new FaultyStore(inner)
    store.on(Op.PutIfAbsent, ".*floor.json", Fault.LostReply)
    assert(Floor.raise(Paths, store, 4) == new Floor(4) && Floor.read(Paths, inner) == floor(4))
    for (_ <- 1 to 20) store.on(Op.PutIfMatch, ".*floor.json", Fault.Conflict409)
    intercept[StoreException](Floor.raise(Paths, store, 5))
    assert(Floor.read(Paths, inner) == floor(4))
  }

  test("a floor that cannot be understood is never taken for none") {
    for (text <- Seq("", "{}", """{"version":7}""", """{"version":"seven"}""", """{"version":"7"""")) {
      val store = Histories.upTo(3)
      store.set(Paths.bulkFloor, text)
      for (call <- Seq[() => Any](() => Floor.read(Paths, store), () => Floor.raise(Paths, store, 9), () => new Publishing(store).log.base())) {
        val e = intercept[CorruptObjectException](call())
        // It lists nothing, and no row depends on it.
        assert(e.getMessage.contains("version floor is damaged") && e.getMessage.contains(Paths.bulkFloor), e.getMessage)
        assert(e.getMessage.contains("Commits and sweeps that need it stop") && !e.getMessage.contains("No row"), e.getMessage)
      }
    }
  }

  test("a process that has just committed does not read the floor again for five minutes") {
    val store = Histories.upTo(3)
    val p = new Publishing(store)
    def commit(n: Long) = p.log.publish(p.log.fresh().orElseGet(() => p.log.base()), p.next(p.log.current(), n), CommitProbe.NONE)
    assert(commit(1).isInstanceOf[PublishResult.Committed])
    store.set(Paths.bulkFloor, "{}")
    for (n <- 2L to 4L) {
      p.pass(Duration.ofMinutes(4))
      assert(commit(n).isInstanceOf[PublishResult.Committed])
    }
    p.pass(Duration.ofMinutes(6))
    intercept[CorruptObjectException](commit(5))
    intercept[CorruptObjectException](new Publishing(store).log.base())
  }

  test("a base is above the floor; one resolved for reading is no base until that is known") {
    val store = Histories.upTo(9)
    Floor.raise(Paths, store, 6)
    val p = new Publishing(store)
    p.log.current()
    assert(p.log.fresh().isEmpty)
    val bill = store.bill(assert(p.log.base().ref.version == 9))
    assert(bill == Seq(s"GET ${Paths.bulkFloor}", s"HEAD ${Paths.pointer(10)}", s"HEAD ${Paths.pointer(9)}").sorted)
    // Versions after it are as well, as long as it is fresh.
    Histories.commit(store, 10, Histories.time(10))
    p.log.current()
    assert(p.log.fresh().get.ref.version == 10)
    p.pass(Duration.ofMinutes(6))
    p.log.current()
    assert(p.log.fresh().isEmpty && p.log.base().ref.version == 10)
    Floor.raise(Paths, store, 10)
    val e = intercept[CommitConflictException](p.log.base())
    assert(e.getMessage.contains("version floor 10") && e.getMessage.contains("Nothing was published"))
    assert(p.log.fresh().isEmpty)
  }

  test("a pointer that a stalled writer left behind is no base, whatever is remembered") {
    val store = Histories.upTo(3)
    val p = new Publishing(store)
    val base = p.log.current()
    for (v <- 4L to 40L) Histories.commit(store, v, Histories.time(v))
    Floor.raise(Paths, store, 29)
    Histories.collect(store, 30)
    Histories.body(store, 4, Histories.time(4))
    store.set(Paths.pointer(4), Histories.pointer(4))
    assert(p.log.current().ref.version == 4, "the trap is there")
    assert(p.log.base().ref.version == 40)
    // Also where the base grew old while the job was checked.
    val q = new Publishing(store)
    store.set(Paths.currentHint, Histories.pointer(4))
    val fork = q.log.current()
    store.set(Paths.currentHint, Histories.pointer(40))
    q.pass(Duration.ofMinutes(6))
    val bill = store.bill(assert(q.log.publish(fork, q.next(fork), CommitProbe.NONE) == new PublishResult.Lost(40)))
    assert(fork.ref.version == 4 && !bill.exists(_.startsWith("PUT")) && base.ref.version == 3)
  }
}
