package com.namidb.spark.lease

import com.namidb.format.error.{NamiException, ReadErrors, SnapshotErrors, SnapshotGoneException, StoreErrors, StoreException, Where}
import com.namidb.format.log.ManifestRef
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.snapshot.{Location, Snapshot}
import com.namidb.format.store.StoreConfig
import org.scalatest.funsuite.AnyFunSuite

import java.util.concurrent.{Callable, Delayed, ScheduledFuture, ScheduledThreadPoolExecutor, TimeUnit}
import scala.collection.mutable

/** Leases over time, by a schedule the test moves on. */
class HeldLeasesSuite extends AnyFunSuite {
  /** Runs what is due when told to; {@code execute} runs at once. */
  private class Hand extends ScheduledThreadPoolExecutor(0) {
    var now = 0L
    val due = mutable.ArrayBuffer.empty[(Long, Runnable, Task)]

    class Task extends ScheduledFuture[AnyRef] {
      var cancelled = false
      override def cancel(b: Boolean): Boolean = { cancelled = true; true }
      override def isCancelled: Boolean = cancelled
      override def isDone: Boolean = cancelled
      override def get(): AnyRef = null
      override def get(l: Long, u: TimeUnit): AnyRef = null
      override def getDelay(u: TimeUnit): Long = 0
      override def compareTo(o: Delayed): Int = 0
    }

    override def schedule(r: Runnable, delay: Long, unit: TimeUnit): ScheduledFuture[_] = {
      val t = new Task
      due += ((now + unit.toMillis(delay), r, t))
      t
    }

    override def schedule[V](c: Callable[V], delay: Long, unit: TimeUnit): ScheduledFuture[V] = fail()

    var executor: Runnable => Unit = _.run()

    override def execute(r: Runnable): Unit = executor(r)

    def advance(millis: Long): Unit = {
      val end = now + millis
      Iterator.continually(due.filter(d => d._1 <= end && !d._3.cancelled).sortBy(_._1).headOption)
        .takeWhile(_.isDefined).flatten.foreach { d => due -= d; now = d._1; d._2.run() }
      now = end
    }
  }

  private class Fake(renewals: () => Boolean = () => true) extends Lease {
    var renewed = 0
    var released = 0
    override def id: String = "k"
    override def renewAfterMillis: Long = 1000
    override def renew(): Boolean = { val held = renewals(); renewed += 1; held }
    override def lost: NamiException = SnapshotErrors.leaseLost("social", 7, "k")
    override def release(): Unit = released += 1
  }

  private def snapshot(version: Long) = new Snapshot(
    new Location(new StoreConfig("memory", "m", new java.util.HashMap[String, String]()), new NamespacePaths("", "social")),
    new ManifestRef(version, 0, "w", 0), null)

  private class Fixture {
    val hand = new Hand
    val cancelled = mutable.ArrayBuffer.empty[(Long, String)]
    val cancelledUsers = mutable.ArrayBuffer.empty[(AnyRef, NamiException, Boolean)]
    val leases = new HeldLeases(hand, new HeldLeases.Canceller {
      override def cancel(execution: Long, why: String): Unit = cancelled += ((execution, why))
      override def cancel(user: Object, why: NamiException, forGood: Boolean): Unit = cancelledUsers += ((user, why, forGood))
    })
    var acquired = 0

    def hold(execution: java.lang.Long, version: Long, lease: => Lease, user: AnyRef = new Object): Unit =
      leases.hold(execution, snapshot(version), user, () => { acquired += 1; lease })
  }

  test("one lease per execution and version, renewed until the execution ends") {
    val f = new Fixture
    val (a, b, c) = (new Fake, new Fake, new Fake)
    f.hold(1L, 7, a)
    f.hold(1L, 7, fail())
    f.hold(1L, 8, b)
    f.hold(2L, 7, c)
    assert(f.acquired == 3 && f.leases.size == 3)
    f.hand.advance(3500)
    assert(a.renewed == 3 && b.renewed == 3 && c.renewed == 3)
    f.leases.ended(1)
    assert(a.released == 1 && b.released == 1 && c.released == 0 && f.leases.size == 1)
    f.hand.advance(1000)
    assert(a.renewed == 3 && c.renewed == 4)
    f.leases.close()
    assert(c.released == 1)
    f.hold(3L, 7, fail())
  }

  test("a thread that plans on after its execution ended takes no lease nobody would release") {
    val f = new Fixture
    f.hold(1L, 7, new Fake)
    f.leases.ended(1)
    f.hold(1L, 8, fail())
    f.leases.holdSoon(1L, snapshot(9), () => fail(), true)
    assert(f.leases.size == 0)
    f.hold(2L, 8, new Fake)
    assert(f.leases.size == 1)
  }

  test("a lost lease cancels its execution, and whatever it still plans fails with the typed error") {
    val f = new Fixture
    f.hold(1L, 7, new Fake(() => false))
    f.hand.advance(999)
    assert(f.cancelled.isEmpty)
    f.hand.advance(1)
    assert(f.cancelled.map(_._1) == Seq(1L))
    assert(f.cancelled.head._2.contains("lease") && f.cancelled.head._2.contains("version 7"))
    intercept[SnapshotGoneException](f.hold(1L, 7, fail()))
    f.hand.advance(100000)
    assert(f.cancelled.size == 1)
  }

  test("a renewal that fails is tried again, sooner than the next would be due, and cancels nothing") {
    val f = new Fixture
    var fails = 2
    val a = new Fake(() => if (fails > 0) { fails -= 1; throw StoreErrors.failed("write", "k", null) } else true)
    f.hold(1L, 7, a)
    f.hand.advance(1000)
    assert(a.renewed == 0)
    f.hand.advance(20000)
    assert(a.renewed == 1 && f.cancelled.isEmpty)
  }

  test("where no lease is to be had the query fails, and the next attempt asks again") {
    val f = new Fixture
    intercept[StoreException](f.hold(1L, 7, throw ReadErrors.leaseRefused(Where.UNKNOWN, null)))
    assert(f.leases.size == 0)
    val a = new Fake
    f.hold(1L, 7, a)
    assert(f.leases.size == 1)
  }

  test("an execution that runs again gets its lease from the schedule; failing cancels it") {
    val f = new Fixture
    val a = new Fake
    f.leases.holdSoon(5, snapshot(7), () => a, true)
    f.hold(5L, 7, fail())
    f.leases.ended(5)
    assert(a.released == 1)
    f.leases.holdSoon(6, snapshot(7), () => throw ReadErrors.leaseRefused(Where.UNKNOWN, null), true)
    assert(f.cancelled.map(_._1) == Seq(6L))
    f.leases.holdSoon(7, snapshot(7), () => throw ReadErrors.leaseRefused(Where.UNKNOWN, null), false)
    assert(f.cancelled.map(_._1) == Seq(6L) && f.leases.size == 0)
  }

  test("an execution that ends before its lease is taken leaves none behind") {
    val f = new Fixture
    val waiting = mutable.ArrayBuffer.empty[Runnable]
    f.hand.executor = waiting += _
    f.leases.holdSoon(5, snapshot(7), () => fail(), true)
    f.leases.ended(5)
    f.leases.holdSoon(snapshot(7), this, () => fail(), true)
    f.leases.release(this)
    waiting.foreach(_.run())
    assert(f.leases.size == 0 && f.cancelled.isEmpty && f.cancelledUsers.isEmpty)
  }

  test("whoever waits for a lease that is refused is refused too, and none is left over") {
    val f = new Fixture
    @volatile var refused = false
    val second = new Thread(() => try f.hold(1L, 7, fail()) catch { case _: StoreException => refused = true })
    intercept[StoreException](f.hold(1L, 7, {
      second.start()
      while (second.getState != Thread.State.BLOCKED) Thread.onSpinWait()
      throw ReadErrors.leaseRefused(Where.UNKNOWN, null)
    }))
    second.join()
    assert(refused && f.leases.size == 0)
  }

  test("outside an execution the lease lasts as long as its user") {
    val f = new Fixture
    val a = new Fake
    var user = new Object
    f.hold(null, 7, a, user)
    f.hold(null, 7, fail(), user)
    f.hand.advance(1000)
    assert(a.renewed == 1 && a.released == 0)
    user = null
    val gone = new java.lang.ref.WeakReference(new Object)
    while (gone.get != null) System.gc()
    f.hand.advance(1000)
    assert(a.released == 1 && f.leases.size == 0)
  }

  test("the end of any execution releases what nobody can use any more, and nothing else") {
    val f = new Fixture
    val (a, b, c) = (new Fake, new Fake, new Fake)
    var user = new Object
    val other = new Object
    f.hold(null, 7, a, user)
    f.hold(null, 7, b, other)
    f.hold(2L, 7, c)
    f.leases.ended(1)
    assert(a.released == 0)
    user = null
    val gone = new java.lang.ref.WeakReference(new Object)
    while (gone.get != null) System.gc()
    f.leases.ended(1)
    assert((a.released, b.released, c.released) == ((1, 0, 0)) && f.leases.size == 2)
    f.leases.release(other)
    assert(b.released == 1)
  }

  test("a lost lease outside an execution stops its user for good and is forgotten") {
    val f = new Fixture
    val (user, other) = (new Object, new Object)
    f.hold(null, 7, new Fake(() => false), user)
    f.hold(null, 7, new Fake, other)
    f.hand.advance(1000)
    assert(f.cancelled.isEmpty && f.leases.size == 1)
    val (who, why, forGood) = f.cancelledUsers.head
    assert(f.cancelledUsers.size == 1 && (who eq user) && forGood && why.isInstanceOf[SnapshotGoneException])
  }

  test("a user that got no lease is stopped, but may ask again") {
    val f = new Fixture
    val user = new Object
    f.leases.holdSoon(snapshot(7), user, () => throw ReadErrors.leaseRefused(Where.UNKNOWN, null), true)
    assert(f.cancelledUsers.map(c => (c._1, c._3)) == Seq((user, false)) && f.leases.size == 0)
    f.leases.holdSoon(snapshot(7), user, () => throw ReadErrors.leaseRefused(Where.UNKNOWN, null), false)
    assert(f.cancelledUsers.size == 1)
    val a = new Fake
    f.leases.holdSoon(snapshot(7), user, () => a, true)
    f.leases.holdSoon(snapshot(7), user, () => fail(), true)
    f.leases.release(new Object)
    assert(a.released == 0 && f.leases.size == 1)
    f.leases.release(user)
    assert(a.released == 1 && f.leases.size == 0)
  }
}
