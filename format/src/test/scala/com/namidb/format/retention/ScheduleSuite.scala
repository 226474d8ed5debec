package com.namidb.format.retention

import java.time.Duration

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CommitConflictException, CommitUnknownException, InvalidOptionException, SnapshotGoneException, StoreException, ValidationFailedException}
import com.namidb.format.manifest.{Layout, Manifest}
import com.namidb.format.snapshot.PinLease
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.FaultyStore.{Fault, Op}

/**
 * Random schedules of writers, an engine that compacts, readers with leases, sweeps of all kinds, time that passes and
 * deletions that are cut off, some of them in the middle of each other. After every step: no file of a version above the
 * floor or under a lease is gone, the floor has only risen, what was current within a day is whole, and every row that
 * was acknowledged is in the current version.
 */
class ScheduleSuite extends AnyFunSuite {
  private val count = sys.props.getOrElse("sweep.count", "500").toInt
  private val first = sys.props.getOrElse("sweep.seed", "random") match {
    case "random" => new Random().nextInt(1000000)
    case n => n.toInt
  }

  private class Schedule(seed: Int, layout: Layout) {
    val r = new Random(seed)
    val s: Swept = Swept(pageSize = 2 + r.nextInt(30), seed = seed, layout = layout)
    val done = mutable.ArrayBuffer.empty[String]
    /** Every version ever committed, as it was at that moment. */
    val history = mutable.LinkedHashMap.empty[Long, (Manifest, Long)]
    /** Rows of each file: the names of the jobs whose rows it has. */
    val rows = mutable.Map.empty[String, Set[String]]
    val acknowledged = mutable.Set.empty[String]
    val pins = mutable.ArrayBuffer.empty[(PinLease, Long)]
    val busy = mutable.Set.empty[String]
    val jobs = mutable.Map.empty[String, StagedJob]
    var floor = -1L
    var names = 0
    var sweeps = 0
    var cut = 0
    var slept = 0

    def note(): Unit = {
      val top = s.latest()
      for (v <- history.keys.max + 1 to top.version) {
        val m = s.at(v).manifest
        // A sweep commits its floor, and may sleep before anybody looks; it dates it right. So may a writer of the
        // single-object layout right after its PUT, of which the store knows the time.
        val floor = m.floor != history(v - 1)._1.floor
        val put = if (s.on.single && v == top.version) s.inner.head(s.paths.manifest).get.modifiedMillis else s.clock.millis()
        history(v) = m -> (if (floor) m.createdAtMicros / 1000 else put)
      }
    }
    history(0) = s.latest().manifest -> s.clock.millis()

    def compact(): Unit = {
      val m = s.latest().manifest
      val (merged, kept) = s.files(m).partition(_ => r.nextInt(4) > 0)
      val fresh = s.engineFile()
      rows(fresh) = merged.flatMap(f => rows.getOrElse(f, Set.empty)).toSet
      s.engine(kept :+ fresh)
      note()
    }

    /** Rows go to the WAL first and to a file then. */
    def write(): Unit = {
      val m = s.latest().manifest
      val seq = 1L + (if (r.nextBoolean()) 0 else m.version)
      val row = { names += 1; s"wal$names" }
      if (s.inner.head(s.paths.wal(seq)).isEmpty) {
        s.put(f"wal/$seq%016x.wal", row)
        s.engine(s.files(m), Seq(seq))
        note()
        val fresh = s.engineFile()
        rows(fresh) = Set(row)
        s.engine(s.files(m) :+ fresh)
        acknowledged += row
        note()
      }
    }

    def stage(): StagedJob = {
      val job = if (r.nextBoolean()) s.unnamed() else { names += 1; s.named(s"job$names") }
      s.stage(job, 1 + r.nextInt(2))
      if (job.isNamed) jobs(job.id) = job
      job
    }

    def publish(job: StagedJob): Unit = {
      def ack(): Unit = {
        acknowledged += job.id
        jobs -= job.id
      }
      val files = job.preview().parts().asScala.flatMap(_.files.asScala).map(_.sst.path).toSet
      files.foreach(f => rows(f) = Set(job.id))
      busy += job.id
      try { s.publish(job, retries = 3); ack() }
      catch {
        case _: InvalidOptionException if job.isNamed && s.find(job.id).phase == JobPhase.DISCARDED => done += "  given up"
        case _: CommitConflictException | _: ValidationFailedException => done += "  not committed"
        case _: CommitUnknownException => done += "  unknown"
      }
      busy -= job.id
      // Files that were written anew, because others had overtaken them, have the same rows.
      for (f <- s.latest().manifest.ssts.asScala.map(_.path) if f.startsWith(s"bulk/${job.id}/")) rows(f) = Set(job.id)
      note()
    }

    def pin(): Unit = {
      val v = history.keys.toSeq(r.nextInt(history.size))
      try pins += (s.pin(v, Duration.ofHours(1L + r.nextInt(60))) -> v)
      catch { case _: SnapshotGoneException => done += s"  $v is gone" }
    }

    def sweep(): Unit = {
      sweeps += 1
      if (r.nextInt(3) == 0) s.store.on(Op.Delete, ".*", if (r.nextBoolean()) Fault.FailBefore else Fault.LostReply, skip = r.nextInt(8))
      try r.nextInt(6) match {
        case 0 => s.orphans(if (r.nextBoolean()) None else Some(s.clock.instant()))
        case 1 => s.clean(if (r.nextBoolean()) None else Some(s.clock.instant().minusSeconds(3600L * r.nextInt(200))))
        case _ =>
          val t = if (r.nextBoolean()) None else Some(s.clock.instant().minusSeconds(3600L * r.nextInt(100)))
          s.expire(1 + r.nextInt(5), t)
      } catch {
        case e: StoreException if e.getMessage.startsWith("A deletion failed") => cut += 1; done += "  cut off"
        // Another sweep came in between: nothing was deleted by this one.
        case e: StoreException if e.getMessage.startsWith("A version that stays could not be read") => done += "  overtaken"
      }
      s.store.heal()
    }

    /** Whoever is in the middle of something wakes up days later; his place in the history may be collected. */
    def sleep(): Unit = {
      done += "  sleeps"
      for (_ <- 0 to r.nextInt(6)) if (r.nextBoolean()) compact() else publish(stage())
      s.clock.hours(24L * (2 + r.nextInt(9)))
      slept += 1
      for (_ <- 0 to r.nextInt(2)) { s.expire(1 + r.nextInt(2)); if (r.nextBoolean()) s.orphans() }
    }

    /** Something else happens in the middle of what comes next. */
    def disturb(inner: Int): Unit = {
      val long = r.nextInt(3) == 0
      val action = () => { s.store.heal(); if (long) sleep() else step(inner) }
      r.nextInt(4) match {
        case 0 => s.store.on(Op.Delete, ".*", Fault.Before(action), skip = r.nextInt(6))
        case 1 => s.store.on(s.raise._1, s.raise._2, if (r.nextBoolean()) Fault.Before(action) else Fault.After(action))
        case 2 => s.store.on(Op.List, ".*", Fault.After(action), skip = r.nextInt(5))
        case 3 => s.store.on(s.on.take._1, s.on.take._2, Fault.Before(action))
      }
    }

    def step(depth: Int): Unit = {
      val what = r.nextInt(24)
      done += "  " * (1 - depth) + what
      what match {
        case 0 | 1 | 2 | 3 => publish(stage())
        case 4 | 5 => stage(): Unit
        case 6 | 7 =>
          val free = jobs.keySet.filterNot(busy).toSeq.sorted
          if (free.nonEmpty) publish(jobs(free(r.nextInt(free.size))))
        case 8 | 9 | 10 => compact()
        case 11 => write()
        case 12 | 13 => pin()
        case 14 => if (pins.nonEmpty) pins.remove(r.nextInt(pins.size))._1.release()
        case 15 | 16 => s.clock.hours(1L + r.nextInt(40))
        case 17 => s.clock.hours(24L * (1 + r.nextInt(9)))
        case 18 => sweep()
        case 19 | 20 => if (depth > 0) { disturb(depth - 1); sweep() } else sweep()
        case 21 | 22 => if (depth > 0) { disturb(depth - 1); publish(stage()); s.store.heal() }
        case 23 => s.put(s"bulk/litter${r.nextInt(3)}/${s.freshId().toString.replace("-", "")}-nodes.parquet"): Unit
      }
      check()
    }

    def check(): Unit = {
      note()
      val now = s.clock.millis()
      val is = s.floor.getOrElse(-1L)
      assert(is >= floor, "the floor fell")
      floor = is
      val top = history.keys.max
      assert(s.current == top && floor < top)
      val leased = pins.collect { case (l, v) if l.pin().expiresAtUnix * 1000 >= now => v }
      pins.filterInPlace { case (l, _) => l.pin().expiresAtUnix * 1000 >= now }
      val keep = (leased :+ (floor + 1)).min
      // The body itself: another at its place would be another version.
      for ((v, (m, _)) <- history if v >= keep && leased.exists(_ <= v) || v > floor) {
        assert(s.whole(m), s"version $v is not whole: floor $floor, leases $leased, missing ${s.needs(m).filterNot(s.has)}")
      }
      val dayAgo = now - Duration.ofHours(24).toMillis
      for ((v, (_, _)) <- history if v < top; next <- history.get(v + 1) if next._2 > dayAgo)
        assert(v > floor, s"version $v was current within a day")
      val present = s.files(history(top)._1).flatMap(f => rows.getOrElse(f, Set.empty)).toSet
      assert(acknowledged.forall(present), s"lost: ${acknowledged.filterNot(present)}")
      for ((id, job) <- jobs; now <- Option(StagedJob.find(s.paths, s.inner, id, s.clock)).filter(_.isPresent).map(_.get)) {
        if (now.phase == JobPhase.OPEN || now.phase == JobPhase.SEALED || now.phase == JobPhase.PUBLISHING)
          for (f <- job.preview().parts().asScala; c <- f.files.asScala) assert(s.has(c.sst.path), s"a file of job $id is gone")
        else jobs -= id
      }
    }
  }

  private def run(seed: Int, layout: Layout): Schedule = {
    val schedule = new Schedule(seed, layout)
    try {
      for (_ <- 0 until 12 + schedule.r.nextInt(16)) schedule.step(1)
      // In the end everything can be collected but the newest version, and the next sweep has nothing left to do.
      schedule.s.clock.hours(24 * 60)
      schedule.s.clean()
      schedule.s.expire(1)
      schedule.check()
      schedule.s.clock.hours(24 * 60)
      schedule.s.clean()
      schedule.s.expire(1)
      schedule.s.orphans()
      schedule.check()
      assert(schedule.s.expire(1).doomed.isEmpty && schedule.s.orphans().doomed.isEmpty)
      schedule
    } catch {
      case e: Throwable if !e.isInstanceOf[VirtualMachineError] =>
        throw new AssertionError(s"-Dsweep.seed=$seed -Dsweep.count=1 ($layout): ${e.getMessage}\n${schedule.done.mkString("\n")}", e)
    }
  }

  for (layout <- Layout.values) test(s"$layout: $count random schedules (-Dsweep.seed=$first)") {
    val all = (0 until count).map(i => run(first + i, layout))
    info(s"${all.map(_.history.size).sum} versions, ${all.map(_.sweeps).sum} sweeps, ${all.map(_.cut).sum} cut off, ${all.map(_.slept).sum} slept through, ${all.map(_.acknowledged.size).sum} acknowledged")
    if (count >= 100) assert(all.map(_.cut).sum > count / 250 && all.map(_.slept).sum > count / 20 && all.count(_.floor > 3) > count / 3)
  }
}
