package com.namidb.format.retention

import java.time.{Duration, Instant}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{InvalidOptionException, SnapshotGoneException, StoreException}
import com.namidb.format.manifest.{Layout, Manifest}
import com.namidb.format.store.FaultyStore
import com.namidb.format.store.FaultyStore.{Fault, Op}

class ExpireSuite extends AnyFunSuite {
  private def old(versions: Int, layout: Layout, pageSize: Int = 1000): (Swept, Seq[Manifest]) = {
    val s = Swept(pageSize, layout = layout)
    for (_ <- 1 to versions) { s.clock.hours(1); s.history(1, every = 1 + s.current.toInt % 4) }
    s.clock.hours(100)
    (s, (0L to versions).map(s.at(_).manifest))
  }

  private def body(s: Swept, v: Long): String = s.on.objects(s.paths, v).head

  private def readable(s: Swept, all: Seq[Manifest]): Seq[Long] = all.filter(s.whole).map(_.version)

  for (layout <- Layout.values) test(s"$layout: the newest versions stay whole; what only older ones name is gone, and the floor says so") {
    for (pageSize <- Seq(3, 1000); keep <- Seq(1, 2, 7, 30, 31, 100)) {
      val (s, all) = old(30, layout, pageSize)
      val horizon = math.max(0, 31 - keep)
      val plan = s.expire(keep)
      assert(plan.horizon.getAsLong == horizon && readable(s, all) == (horizon to 30))
      assert(s.floor == (if (horizon == 0) None else Some(horizon - 1L)))
      val needed = all.drop(horizon).flatMap(s.needs).toSet
      val floors = s.current - 30
      assert(floors == (if (s.on.single && horizon > 0) 1 else 0), "the floor is a commit of its own there")
      val left = s.keys.filter(k => k.startsWith("sst/") || k.matches("manifest/(v|pointer/p).*|manifest.json|manifests/.*"))
      assert(left == needed ++ s.own(s.current), s"keep $keep")
      assert(s.expire(keep).doomed.isEmpty)
      // Not even when that commit has got old.
      s.clock.hours(100)
      assert(s.expire(keep).doomed.isEmpty && s.current == 30 + floors)
      for (v <- 0L until horizon.toLong) {
        val e = intercept[SnapshotGoneException](s.at(v))
        assert(e.getMessage.contains(s"Readable are versions $horizon to ${s.current}"), e.getMessage)
      }
    }
  }

  for (layout <- Layout.values) test(s"$layout: a dry run tells exactly what a run deletes, and neither writes nor deletes") {
    val (s, _) = old(12, layout)
    val before = s.keys
    val dry = s.expire(3, dryRun = true)
    assert(s.keys == before && s.store.calls.forall(c => Seq(Op.Get, Op.GetRange, Op.Head, Op.List, Op.ListFolders).contains(c._1)))
    val run = s.expire(3)
    assert(run.doomed == dry.doomed && run.doomed.size > 10 && run.bytes == run.doomed.asScala.map(_.`object`.size).sum)
    assert(before -- s.keys == run.doomed.asScala.map(_.`object`.key.stripPrefix("ns/")).toSet)
  }

  for (layout <- Layout.values) test(s"$layout: nothing that was current within the last 24 hours goes, however few versions are asked for") {
    val s = Swept(layout = layout)
    s.history(10)
    s.clock.hours(23)
    assert(s.expire(1).doomed.isEmpty && s.floor.isEmpty)
    // All are older than a day, but version 10 was overtaken only now.
    s.clock.hours(30)
    s.history(1)
    val plan = s.expire(1)
    // What an archive's time tells of a version is when it was replaced: one more stays.
    val first = if (s.on.single) 9 else 10
    assert(plan.horizon.getAsLong == first && s.whole(s.at(first).manifest) && s.floor.contains(first - 1L))
    assert(plan.notes.asScala.exists(_.contains("minimum age")))
    s.clock.hours(25)
    assert(s.expire(1).horizon.getAsLong == 11)
    // In words, less is allowed.
    s.history(3)
    val top = s.current
    assert(s.expire(1, unsafe = true).horizon.getAsLong == top && s.whole(s.latest().manifest))
  }

  for (layout <- Layout.values) test(s"$layout: with older_than, every moment from then on stays readable") {
    val (s, all) = old(30, layout)
    val t = Instant.parse("2026-11-01T20:30:00Z")
    val plan = s.expire(1, Some(t))
    // Version 20 was the current one at half past eight.
    assert(plan.horizon.getAsLong == 20 && readable(s, all) == (20 to 30))
    assert(s.open().snapshot(new com.namidb.format.snapshot.SnapshotSelector.AtTime(t.toEpochMilli * 1000)).version == 20)
    assert(intercept[InvalidOptionException](s.expire(1, Some(s.clock.instant().plusSeconds(61)))).getMessage.contains("in the past"))
    assert(intercept[InvalidOptionException](s.expire(0)).getMessage.contains("retain_last is 0"))
    assert(readable(s, all) == (20 to 30))
  }

  for (layout <- Layout.values) test(s"$layout: a lease keeps its version and all later ones; an ended one is swept as well") {
    val (s, all) = old(30, layout)
    s.pin(11, Duration.ofHours(50))
    val plan = s.expire(2)
    assert(plan.horizon.getAsLong == 11 && readable(s, all) == (11 to 30) && s.floor.contains(10L))
    assert(plan.notes.asScala.exists(n => n.contains("version 11 stays: lease") && n.contains("test")))
    s.clock.hours(52)
    assert(s.expire(2).horizon.getAsLong == 29 && readable(s, all) == Seq(29, 30))
    assert(!s.keys.exists(_.startsWith("manifest/pins/")))
  }

  for (layout <- Layout.values) test(s"$layout: a lease taken while the sweep is under way is honoured, or refused to its taker") {
    for (moment <- Seq("floor", "list", "after")) {
      val (s, all) = old(10, layout)
      var pinned = Option.empty[Either[SnapshotGoneException, Unit]]
      val take = () => pinned = Some(try { s.pin(4, s = s.inner); Right(()) } catch { case e: SnapshotGoneException => Left(e) })
      moment match {
        case "floor" => s.store.on(s.raise._1, s.raise._2, Fault.Before(take))
        case "list" => s.store.on(s.raise._1, s.raise._2, Fault.After(take))
        case "after" => s.store.on(Op.Delete, ".*", Fault.Before(take))
      }
      val plan = s.expire(2)
      pinned match {
        case Some(Right(())) =>
          assert(moment == "floor" && plan.horizon.getAsLong == 4 && readable(s, all) == (4 to 10), moment)
        case Some(Left(e)) =>
          assert(moment != "floor" && e.getMessage.contains("version") && e.getMessage.contains("current one"), e.getMessage)
          assert(readable(s, all) == (9 to 10) && !s.keys.exists(_.startsWith("manifest/pins/")))
        case None => fail("nobody took a lease")
      }
      assert(s.floor.contains(8L))
    }
  }

  for (layout <- Layout.values) test(s"$layout: the floor is durable before the first deletion; if it cannot be raised nothing is deleted") {
    val (s, all) = old(10, layout)
    s.store.on(s.raise._1, s.raise._2, Fault.Conflict409, FaultyStore.Always)
    intercept[StoreException](s.expire(2))
    assert(readable(s, all) == (0 to 10) && !s.store.calls.exists(_._1 == Op.Delete))
    s.store.heal()
    s.expire(2)
    val calls = s.store.calls
    val raised = calls.lastIndexWhere(c => c._1 != Op.Delete && c._1 != Op.Get && c._1 != Op.Head && c._2.matches(s.raise._2))
    assert(raised >= 0 && raised < calls.indexWhere(_._1 == Op.Delete))
    // Leases are listed between the two.
    val between = calls.slice(raised, calls.indexWhere(_._1 == Op.Delete))
    assert(between.exists(c => c._1 == Op.List && c._2 == s.paths.pins))
  }

  for (layout <- Layout.values) test(s"$layout: cut off after any number of deletions, later versions are whole and the next run finishes") {
    val total = { val (s, _) = old(12, layout); s.expire(3).doomed.size }
    for (n <- 0 until total; lost <- Seq(Fault.FailBefore, Fault.LostReply)) {
      val (s, all) = old(12, layout)
      val (manifests, files) = s.expire(3, dryRun = true).doomed.asScala.toSeq.partition(_.kind == Doomed.Kind.MANIFEST)
      s.store.on(Op.Delete, ".*", lost, skip = n)
      val e = intercept[StoreException](s.expire(3))
      assert(e.getMessage.contains(s"after $n of $total") && e.getMessage.contains("Run the same call again"))
      val still = readable(s, all)
      assert(still.endsWith(10 to 12), s"cut off after $n: $still")
      def there(d: Doomed) = s.inner.head(d.`object`.key).isPresent
      assert(manifests.forall(there) || !files.exists(there), s"cut off after $n: a manifest went before a file that it names")
      assert(s.floor.contains(9L) && s.latest().version == (if (s.on.single) 13 else 12))
      s.store.heal()
      s.expire(3)
      assert(readable(s, all) == (10 to 12))
      val (t, _) = old(12, layout)
      t.expire(3)
      assert(s.keys == t.keys, s"cut off after $n")
    }
  }

  for (layout <- Layout.values) test(s"$layout: two sweeps at once, and a commit in between, do no harm") {
    val (s, all) = old(20, layout)
    s.store.on(Op.Delete, ".*", Fault.Before(() => {
      s.sweeper(s.inner).expire(3, Swept.age(), false)
      s.engine(s.files(s.latest().manifest) :+ s.engineFile()): Unit
    }), skip = 4)
    s.expire(6)
    assert(s.current == (if (s.on.single) 23 else 21) && s.whole(s.latest().manifest) && readable(s, all) == (18 to 20) && s.floor.contains(17L))
  }

  test("what the next version's body names stays, also while it has no pointer") {
    val s = Swept()
    val file = s.engineFile()
    s.engine(Seq(file))
    s.clock.hours(30)
    s.engine(Seq(s.engineFile()))
    s.clock.hours(30)
    val next = Swept.body(3, s.clock.instant(), Seq(file), Nil, s.freshId())
    s.inner.put(s.paths.body(3), next)
    assert(s.expire(1).horizon.getAsLong == 2 && s.has(file))
    s.inner.delete(s.paths.body(3))
    s.engine(Seq(s.engineFile()))
    s.clock.hours(30)
    s.expire(1)
    // No body that goes names it any more.
    assert(s.has(file))
    assert(s.orphans().doomed.asScala.map(_.`object`.key) == Seq("ns/" + file) && !s.has(file))
  }

  for (layout <- Layout.values) test(s"$layout: a WAL number that is used again is kept for its new owner") {
    val s = Swept(layout = layout)
    s.put("wal/0000000000000001.wal", "old")
    s.engine(Nil, Seq(1))
    s.engine(Seq(s.engineFile()))
    s.clock.hours(60)
    s.inner.delete(s.paths.wal(1))
    s.put("wal/0000000000000001.wal", "new, of a commit under way")
    s.expire(1)
    assert(s.has("wal/0000000000000001.wal") && s.floor.contains(1L))
  }

  for (layout <- Layout.values) test(s"$layout: versions that an unfinished job was planned on stay until it is published or given up") {
    val (s, all) = old(10, layout)
    val job = s.stage(s.named("nightly"))
    s.history(20)
    s.clock.hours(60)
    val plan = s.expire(2)
    assert(plan.horizon.getAsLong == 10 && s.whole(all(10)))
    assert(plan.notes.asScala.exists(n => n.contains("'nightly'") && n.contains("OPEN")))
    assert(s.publish(job).version == (if (s.on.single) 32 else 31))
    s.clock.hours(60)
    assert(s.expire(2).horizon.getAsLong == 30)
  }

  for (layout <- Layout.values) test(s"$layout: a listing that leaves out a body is noticed before anything happens") {
    val (s, all) = old(10, layout)
    s.store.on(Op.List, "ns/manifests?/", Fault.HideKeys(body(s, 7)), FaultyStore.Always)
    assert(intercept[StoreException](s.expire(2)).getMessage.contains("listing"))
    assert(readable(s, all) == (0 to 10) && s.floor.isEmpty)
  }

  for (layout <- Layout.values) test(s"$layout: a version that stays but cannot be read stops everything; one that goes is skipped") {
    val (s, all) = old(10, layout)
    val whole = s.inner.get(body(s, 9)).get.bytes
    s.inner.put(body(s, 9), "{".getBytes)
    s.clock.hours(30)
    intercept[com.namidb.format.error.CorruptObjectException](s.expire(3))
    assert(readable(s, all) == (0 to 10) && s.floor.isEmpty)
    s.inner.put(body(s, 9), whole)
    s.inner.put(body(s, 4), "{".getBytes)
    s.clock.hours(30)
    val plan = s.expire(3)
    assert(plan.notes.asScala.exists(_.contains("version 4 cannot be read")) && readable(s, all) == (8 to 10))
    s.clock.hours(60)
    s.orphans()
    assert(s.keys.filter(_.startsWith("sst/")) == all.drop(8).flatMap(s.files).toSet)
  }

  test("an archive written long before its version was replaced does not make the version old") {
    val s = Swept(layout = Layout.SINGLE_OBJECT)
    s.history(3)
    // A writer archived version 3 and died.
    s.inner.putIfAbsent(s.paths.archive(3), s.inner.get(s.paths.manifest).get.bytes)
    s.clock.hours(100)
    s.engine(Seq(s.engineFile()))
    val m = s.at(3).manifest
    assert(s.expire(1).horizon.getAsLong == 3 && s.whole(m) && s.floor.contains(2L))
    s.clock.hours(25)
    assert(s.expire(1).horizon.getAsLong == 4 && !s.has("manifests/0000000000000003.json") && s.files(m).forall(!s.has(_)))
  }

  test("what a stalled writer archives again below the floor is no version, and goes when it is old") {
    val s = Swept(layout = Layout.SINGLE_OBJECT)
    s.history(6)
    s.clock.hours(100)
    val stood = s.inner.get(s.paths.archive(2)).get.bytes
    val at5 = s.inner.get(s.paths.archive(5)).get.bytes
    s.expire(1)
    assert(s.floor.contains(5L))
    s.inner.putIfAbsent(s.paths.archive(2), stood)
    s.inner.putIfAbsent(s.paths.archive(5), at5)
    val log = s.open(s.inner).log
    log.current()
    for (v <- Seq(2L, 5L)) { assert(log.find(v).isEmpty); intercept[SnapshotGoneException](log.at(v)) }
    intercept[SnapshotGoneException](s.pin(5))
    s.history(1)
    s.clock.hours(23)
    s.expire(1)
    assert(s.has("manifests/0000000000000002.json") && s.whole(s.latest().manifest))
    s.clock.hours(2)
    s.orphans()
    s.expire(1)
    assert(!s.has("manifests/0000000000000002.json") && !s.has("manifests/0000000000000005.json") && s.whole(s.latest().manifest))
  }

  test("only what commits bring counts for retain_last, however often an idle graph is swept") {
    val s = Swept(layout = Layout.SINGLE_OBJECT)
    s.history(10, every = 1)
    for (_ <- 1 to 5) { s.clock.hours(30); s.expire(4) }
    assert(s.current == 11 && s.floor.contains(6L))
    for (_ <- 1 to 3) { s.history(1); s.clock.hours(30); s.expire(4); s.clock.hours(30); s.expire(4) }
    val content = (s.floor.get + 1 to s.current).map(v => s.files(s.at(v).manifest)).distinct
    assert(content.size >= 4 && s.current < 25, content)
  }

  test("a manifest, an archive above the floor, a schema or a mark of another is never an orphan") {
    val s = Swept(layout = Layout.SINGLE_OBJECT)
    s.history(4)
    val odd = Seq("schemas/00.json", "manifests/note.txt", "manifests/1.json", "manifest.json.bak").map(s.put(_))
    val before = s.keys
    s.clock.hours(24 * 400)
    s.orphans()
    s.clean()
    assert(s.keys == before + "bulk/sweep.json")
    s.expire(1)
    assert(odd.forall(s.has) && s.keys.count(_.startsWith("schemas/")) >= 2 && s.has("manifest.json"))
  }
}
