package com.namidb.format.snapshot

import java.time.{Clock, Duration, Instant, ZoneOffset}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{NamespaceNotFoundException, SnapshotGoneException}
import com.namidb.format.log.{CommitTimes, Histories, RecordingStore}
import com.namidb.format.manifest.ManifestFiles
import com.namidb.format.store.StoreConfig

class NamespaceSuite extends AnyFunSuite {
  import Histories._

  private val location = new Location(new StoreConfig("memory", "x", java.util.Map.of()), Paths)
  private def open(store: RecordingStore) = Namespace.open(location, store)
  private def at(seconds: Long) = new SnapshotSelector.AtTime(micros(seconds))

  /** The `ssts` member of a body that lists these names, and a WAL segment list is left empty. */
  private def ssts(names: String*): String = {
    val one = new String(ManifestFiles.descriptor(ManifestFiles.read(ManifestFiles.worked), 0), "UTF-8")
    names.map(n => one.replace("sst/level0/0198c0de000170008000000000000001-nodes.parquet", s"sst/level0/$n.parquet")
      .replace("\"id\":\"0198c0de-0001-7000-8000-000000000001\",\"kind\"",
        "\"id\":\"" + java.util.UUID.nameUUIDFromBytes(n.getBytes) + "\",\"kind\"")).mkString("\"ssts\":[", ",", "]")
  }

  private class TickingClock(store: RecordingStore) extends Clock {
    var skew = 0L
    override def millis(): Long = store.now + skew
    override def instant(): Instant = Instant.ofEpochMilli(millis())
    override def getZone = ZoneOffset.UTC
    override def withZone(z: java.time.ZoneId): Clock = this
    def pass(d: Duration): Unit = store.now += d.toMillis
  }

  test("a time picks the newest version not after it; the future is the current one") {
    val store = upTo(50)
    for ((s, v) <- Seq(0L -> 0L, 1L -> 1L, 49L -> 49L, 50L -> 50L, 1000000L -> 50L)) assert(open(store).snapshot(at(s)).version == v)
    assert(open(store).snapshot(new SnapshotSelector.AtTime(micros(7) - 1)).version == 6)
    assert(open(store).snapshot(new SnapshotSelector.AtTime(micros(7) + 999999)).version == 7)
  }

  test("a time before the oldest readable version names that version and its time") {
    val store = upTo(50)
    collect(store, 20)
    val e = intercept[SnapshotGoneException](open(store).snapshot(at(19)))
    for (part <- Seq("version 20", "2026-01-01T00:00:20Z", "2026-01-01T00:00:19Z", "'acme'")) assert(e.getMessage.contains(part), e.getMessage)
    assert(open(store).snapshot(at(20)).version == 20)
  }

  test("a search by time lists nothing and reads few heads, two bodies at most") {
    val store = upTo(3000)
    for (s <- Seq(1L, 1500L, 2999L)) {
      val bill = store.bill(open(store).snapshot(at(s))).groupBy(_.takeWhile(_ != ' ')).view.mapValues(_.size).toMap
      assert(!bill.contains("LIST") && bill("GET") == 3 && bill("HEAD") <= 6)
      assert(bill("RANGE") <= 13 + CommitTimes.WINDOW)
    }
  }

  test("the history shows the times that time travel takes, where a clock was ahead as well") {
    val store = new RecordingStore
    val clock = Seq(0L, 10, 20, 70, 40, 50, 60, 80, 75, 90)
    for ((s, v) <- clock.zipWithIndex) commit(store, v.toLong, time(s))
    val shown = open(store).history().newest(100).asScala.toSeq
    assert(shown.map(s => (s.committedAtMicros - micros(0)) / 1000000) == Seq(90, 80, 80, 70, 70, 70, 70, 20, 10, 0))
    assert(open(store).history().newest(3).asScala.toSeq == shown.take(3))
    assert(open(store).snapshot(at(60)).version == 2)
    assert(open(store).snapshot(at(70)).version == 6)
    assert(open(store).snapshot(at(80)).version == 8)
  }

  test("a version with a deleted file is shown as not readable") {
    val store = new RecordingStore
    commit(store, 0, time(0))
    commit(store, 1, time(1), ssts("a"))
    commit(store, 2, time(2), ssts("a", "b"))
    commit(store, 3, time(3), ssts("c"))
    for (n <- Seq("b", "c")) store.set(s"tenants/acme/sst/level0/$n.parquet", n)
    val h = open(store).history().newest(9).asScala.toSeq
    assert(h.map(_.isReadable) == Seq(true, false, false, true))
    assert(h.map(_.operation.get.text) == Seq("compact", "load", "load", "create"))
    assert(h.map(_.counts.nodeRows) == Seq(3, 6, 3, 0))
  }

  test("no namespace") {
    intercept[NamespaceNotFoundException](open(new RecordingStore).snapshot(new SnapshotSelector.Latest()))
  }

  private def terms(c: Clock) = new PinLease.Terms(Duration.ofMinutes(15), "test \"x\"", c)

  test("a lease on the current version: put, look at the clock, check again; then it shows among the pins") {
    val store = upTo(5)
    val clock = new TickingClock(store)
    val ns = open(store)
    val snapshot = ns.snapshot(new SnapshotSelector.Latest())
    var lease: PinLease = null
    val bill = store.bill { lease = PinLease.acquire(ns, snapshot, terms(clock)) }
    val key = Paths.pin(lease.pin.id)
    assert(bill == Seq(s"HEAD $key", s"HEAD ${Paths.pointer(5)}", s"HEAD ${Paths.pointer(6)}", s"PUT $key"))
    assert(store.requests.head == s"PUT $key")
    val expires = store.now / 1000 + 900
    assert(new String(store.bytes(key)) == s"""{"version":5,"expires_at_unix":$expires,"owner":"test \\"x\\""}""")
    store.set(Paths.pin("junk"), "junk")
    store.set(Paths.pin("engine"), """{"version":7,"expires_at_unix":-1}""")
    assert(ns.pins().asScala.toSet == Set(new Pin(lease.pin.id, 5, expires, "test \"x\""), new Pin("engine", 7, -1, "")))
    assert(store.bill(lease.release()) == Seq(s"DELETE $key"))
    assert(!store.has(key))
  }

  test("a lease ends by the store's clock") {
    val store = upTo(1)
    val clock = new TickingClock(store)
    val ns = open(store)
    for (skew <- Seq(-7200000L, 7200000L, 3000L)) {
      clock.skew = skew
      val lease = PinLease.acquire(ns, ns.snapshot(new SnapshotSelector.Latest()), terms(clock))
      val error = if (math.abs(skew) > 5000) 0 else skew / 1000
      assert(lease.pin.expiresAtUnix == store.now / 1000 + 900 + error)
      clock.pass(Duration.ofMinutes(8))
      lease.renew()
      assert(lease.pin.expiresAtUnix == store.now / 1000 + 900 + error)
    }
  }

  test("a lease on an older version checks each object that the current one does not list") {
    val store = new RecordingStore
    commit(store, 0, time(0), ssts("old", "both"))
    commit(store, 1, time(1), ssts("both", "new"))
    for (n <- Seq("old", "both", "new")) store.set(s"tenants/acme/sst/level0/$n.parquet", n)
    val clock = new TickingClock(store)
    val ns = open(store)
    val snapshot = ns.snapshot(new SnapshotSelector.AtVersion(0))
    val bill = store.bill(PinLease.acquire(ns, snapshot, terms(clock)))
    assert(bill.filter(_.contains("/sst/")) == Seq("HEAD tenants/acme/sst/level0/old.parquet"))
    store.remove("tenants/acme/sst/level0/old.parquet")
    val pins = ns.pins().size
    val e = intercept[SnapshotGoneException](PinLease.acquire(ns, snapshot, terms(clock)))
    assert(e.`object`().get == "tenants/acme/sst/level0/old.parquet" && e.version.getAsLong == 0)
    assert(ns.pins().size == pins)
  }

  test("a version that is passed while the lease is put is checked") {
    val store = new RecordingStore
    commit(store, 0, time(0), ssts("old"))
    val clock = new TickingClock(store)
    val ns = open(store)
    val snapshot = ns.snapshot(new SnapshotSelector.Latest())
    store.before = r => if (r.startsWith("PUT")) { store.before = _ => (); commit(store, 1, time(1), ssts("new")) }
    intercept[SnapshotGoneException](PinLease.acquire(ns, snapshot, terms(clock)))
    assert(ns.pins().isEmpty)
  }

  test("renewal is due at half of the time; the lease is lost one minute before its end") {
    val store = upTo(1)
    val clock = new TickingClock(store)
    val ns = open(store)
    val lease = PinLease.acquire(ns, ns.snapshot(new SnapshotSelector.Latest()), terms(clock))
    assert(!lease.isRenewalDue && !lease.isLost)
    clock.pass(Duration.ofSeconds(449))
    assert(!lease.isRenewalDue)
    clock.pass(Duration.ofSeconds(1))
    assert(lease.isRenewalDue)
    val key = Paths.pin(lease.pin.id)
    assert(store.bill(lease.renew()) == Seq(s"HEAD $key", s"PUT $key"))
    assert(!lease.isRenewalDue && lease.pin.expiresAtUnix == store.now / 1000 + 900)
    clock.pass(Duration.ofMinutes(14))
    assert(!lease.isLost)
    clock.pass(Duration.ofMillis(1))
    assert(lease.isLost)
    val e = intercept[SnapshotGoneException](lease.renew())
    assert(e.`object`().get == key && e.version.getAsLong == 1)
  }

  test("a lease whose object is gone is lost and never revived") {
    val store = upTo(1)
    val clock = new TickingClock(store)
    val ns = open(store)
    val lease = PinLease.acquire(ns, ns.snapshot(new SnapshotSelector.Latest()), terms(clock))
    store.remove(Paths.pin(lease.pin.id))
    intercept[SnapshotGoneException](lease.renew())
    assert(lease.isLost && ns.pins().isEmpty)
    intercept[SnapshotGoneException](lease.renew())
  }

  test("a store that fails during a renewal does not end the lease before its time") {
    val store = upTo(1)
    val clock = new TickingClock(store)
    val ns = open(store)
    val lease = PinLease.acquire(ns, ns.snapshot(new SnapshotSelector.Latest()), terms(clock))
    clock.pass(Duration.ofMinutes(8))
    store.before = _ => throw new IllegalStateException("down")
    intercept[IllegalStateException](lease.renew())
    assert(!lease.isLost && lease.isRenewalDue)
    store.before = _ => ()
    lease.renew()
    assert(!lease.isRenewalDue)
  }
}
