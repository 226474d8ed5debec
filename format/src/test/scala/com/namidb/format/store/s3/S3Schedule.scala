package com.namidb.format.store.s3

import java.time.{Clock, Duration, Instant, ZoneOffset}
import java.util.Optional

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.commit._
import com.namidb.format.error.{CommitUnknownException, CorruptObjectException, NamiException, SnapshotGoneException}
import com.namidb.format.id.NodeId
import com.namidb.format.log.{CommitProbe, CommitTiming}
import com.namidb.format.manifest.{Layout, ManifestPointer}
import com.namidb.format.retention.{MovedClock, SweepAge, Sweeper}
import com.namidb.format.snapshot.PinLease
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.ObjectStore
import org.scalatest.Assertions

/**
 * One random schedule: three drivers write, read, pin and sweep a graph through a proxy that misbehaves; steps of one
 * happen in the middle of another's. A fourth party, through a proxy that behaves, looks at what is really there.
 *
 * @param store through the faults
 * @param truth beside them
 */
final class S3Schedule(seed: Int, layout: Layout, ns: String, store: ObjectStore, truth: ObjectStore, time: MovedClock, counts: S3Schedule.Counts)
    extends Assertions {
  import S3Schedule._

  private val r = new Random(seed)
  val done = mutable.ArrayBuffer.empty[String]
  // Hosts whose clocks are hours apart see no requests that arrive late: ten minutes are told by their clocks.
  private val wild = r.nextInt(5) == 0
  val chaos = new Chaos(new Random(seed + 1L), Seq(0.01, 0.03, 0.06, 0.12, 0.25)(r.nextInt(5)), late = !wild)
  private val on = OnLayout(layout)
  private val timing = new CommitTiming(() => time.millis * 1000000L, d => time.pass(d), Duration.ofMinutes(5), Duration.ofSeconds(2))

  private def graph(s: ObjectStore, clock: Clock, asked: Option[Layout] = None) =
    new Graph(s, ns, s"schedule-$ns-${counts.next()}", asked, clock, timing)

  private final class Driver(name: String) {
    private val skew = Duration.ofSeconds(if (wild) r.nextInt(20000) - 10000L else r.nextInt(240) - 120L)
    val clock: Clock = new Clock {
      override def instant(): Instant = time.instant().plus(skew)
      override def getZone = ZoneOffset.UTC
      override def withZone(z: java.time.ZoneId): Clock = this
    }
    var g: Graph = graph(store, clock)
    var busy = false
    def restart(): Unit = g = graph(store, clock)
    def settings: CommitSettings =
      new CommitSettings(r.nextInt(5), Duration.ofMillis(20), 1L << 30, clock, new java.util.Random(r.nextLong()), timing.sleeper, CommitProbe.NONE)
    override def toString: String = name
  }

  private val drivers = Seq("A", "B", "C").map(new Driver(_))
  private val eye = { graph(truth, time, Some(layout)).namespace.log.createIfAbsent(new java.util.UUID(5, 5), time.instant()); graph(truth, time) }

  // ---- the model

  private case class Job(id: String, rows: Seq[N], counts: Option[Int], at: Instant)
  private case class Version(nodes: Map[NodeId, String], files: Set[String], at: Long)

  private val jobs = mutable.Map.empty[String, Job]
  private val compactions = mutable.Set.empty[String]
  private val committed = mutable.Map.empty[String, Long]
  private val acknowledged = mutable.Map.empty[String, Long]
  private val refused = mutable.Set.empty[String]
  private val unknown = mutable.Set.empty[String]
  private val flying = mutable.Map.empty[String, Int].withDefaultValue(0)
  private val versions = mutable.LinkedHashMap(0L -> Version(Map.empty, Set.empty, time.millis))
  private val pins = mutable.ArrayBuffer.empty[(PinLease, Long)]
  private var floor = -1L
  private var names = 0

  private def top: Long = versions.keys.max

  /** Reads what was committed since, and applies it to the model. */
  private def note(): Unit = {
    val now = eye.latest()
    for (v <- top + 1 to now.version) {
      val m = (if (v == now.version) now else eye.at(v)).manifest
      val files = m.ssts.asScala.map(s => eye.paths.`object`(s.path)).toSet
      val before = versions(v - 1)
      val fresh = (files -- before.files).map(_.stripPrefix(eye.paths.bulk).takeWhile(_ != '/')) -- compactions
      assert(fresh.size <= 1, s"version $v is of several jobs: $fresh")
      val nodes = fresh.headOption.map(jobs) match {
        case None => before.nodes
        case Some(job) =>
          assert(!committed.contains(job.id), s"${job.id} was committed as ${committed.get(job.id)} and as $v")
          assert(!refused(job.id), s"${job.id} was reported as not committed, and is version $v")
          committed(job.id) = v
          for (n <- job.counts) assert(before.nodes.get(Counter).map(count).getOrElse(0) == n, s"version $v of ${job.id} overwrote a count it had not read")
          before.nodes -- job.rows.filter(_.json.isEmpty).map(_.id) ++ job.rows.collect { case N(id, _, Some(json)) => id -> json }
      }
      versions(v) = Version(nodes, files, time.millis)
    }
    assert(now.version == top, "a version is gone")
    for ((id, v) <- acknowledged) assert(committed.get(id).contains(v), s"$id was acknowledged as version $v and is ${committed.get(id)}")
  }

  private def count(json: String): Int = json.filter(_.isDigit).toInt

  // ---- what drivers do

  private def free: Option[Driver] = { val f = drivers.filterNot(_.busy); if (f.isEmpty) None else Some(f(r.nextInt(f.size))) }

  private def by(what: String)(action: Driver => Unit): Unit = for (d <- free) {
    d.busy = true
    done += s"$d $what"
    try action(d) finally d.busy = false
  }

  private def write(d: Driver, named: Boolean): Unit = {
    names += 1
    val counting = !named && r.nextInt(3) == 0
    val read = if (counting) Some(d.g.latest()) else None
    val n = read.map(s => d.g.contents(s).nodes.get(Counter).map(x => count(x._2)).getOrElse(0))
    val rows = n.map(v => Seq(N(Counter, Seq("P"), Some(s"""{"n":${v + 1}}""")))).getOrElse {
      r.shuffle((1 to 9).toList).take(1 + r.nextInt(4)).map(i => N(Graph.id(i), Seq("P"), if (r.nextInt(5) == 0) None else Some(s"""{"j":"$ns-$names"}""")))
    }
    val job = if (named) StagedJob.open(d.g.paths, store, s"job$names", "b", d.clock) else StagedJob.unnamed(d.g.paths, store, d.clock)
    jobs(job.id) = Job(job.id, rows, n, time.instant())
    refused += job.id
    d.g.stage(job, rows, seed = r.nextInt())
    val b = PublishOrder.blind()
    publish(d, job, read.map(s => new PublishOrder(s, Isolation.SERIALIZABLE, b.footprint, b.checks, b.winners, false)).getOrElse(b))
  }

  /** From here on it may be committed, until its driver says what became of it. */
  private def publish(d: Driver, job: StagedJob, order: PublishOrder): Unit =
    answer(job.id)(Some(new Publisher(d.g.namespace, d.settings).publish(job, job.target(store, Graph.temp), order)))

  private def answer(id: String)(call: => Option[CommitReceipt]): Unit = {
    refused -= id
    flying(id) += 1
    // Another driver may be in the middle of the same job.
    def not(): Unit = if (flying(id) == 1) refused += id
    try call match {
      case Some(receipt) =>
        acknowledged(id) = receipt.version
        unknown -= id
      case None => not()
    } catch {
      case e: CommitUnknownException =>
        done += s"  unknown: ${e.getMessage.takeWhile(_ != '.')}"
        unknown += id
        counts.unknown += 1
      case e: NamiException if !unknown(id) =>
        // Whatever else it is: certainly not committed.
        not()
        counts.refused += 1
        throw e
    } finally {
      flying(id) -= 1
      note()
    }
  }

  /** A named job that is not known to be committed is run again, perhaps by another driver. */
  private def rerun(d: Driver): Unit = {
    val open = jobs.values.filter(j => j.id.startsWith("job") && !acknowledged.contains(j.id)).toSeq.sortBy(_.id)
    if (open.nonEmpty) rerun(d, open(r.nextInt(open.size)))
  }

  private def rerun(d: Driver, job: Job): Unit = {
    val staged = StagedJob.open(d.g.paths, store, job.id, "b", d.clock)
    done += s"  ${job.id} ${staged.phase}"
    val recovery = new JobRecovery(d.g.namespace, store, d.settings)
    var afresh = false
    answer(job.id) {
      val again = recovery.rerun(staged, staged.target(store, Graph.temp), PublishOrder.blind())
      afresh = again.isEmpty
      if (again.isPresent) Some(again.get) else None
    }
    if (afresh) {
      unknown -= job.id
      d.g.stage(staged, job.rows, seed = r.nextInt())
      publish(d, staged, PublishOrder.blind())
    }
  }

  private def read(d: Driver): Unit = {
    val v = if (r.nextInt(3) == 0) Some(versions.keys.toSeq(r.nextInt(versions.size))) else None
    val least = top
    try {
      val s = v.map(d.g.at).getOrElse(d.g.latest())
      note()
      assert(v.forall(_ == s.version) && (v.nonEmpty || s.version >= least), s"version ${s.version} for $v, $least was there")
      look(d.g, s.version)
    } catch { case _: SnapshotGoneException if v.exists(expired) => counts.gone += 1 }
  }

  /** The rows that a version has are those of the model, or it is expired. */
  private def look(g: Graph, v: Long): Unit =
    try {
      val is = g.contents(g.at(v)).nodes.map { case (id, (_, text)) => id -> text }
      assert(is == versions(v).nodes, s"version $v")
      counts.reads += 1
    } catch {
      case _: SnapshotGoneException | _: CorruptObjectException if expired(v) => counts.gone += 1
    }

  private def expired(v: Long): Boolean = raised.exists(_ >= v)

  private def raised: Option[Long] = { val f = eye.namespace.log.stored().floor(); if (f.isPresent) Some(f.get.version) else None }

  private def pin(d: Driver): Unit = {
    val v = versions.keys.toSeq(r.nextInt(versions.size))
    try pins += (PinLease.acquire(d.g.namespace, d.g.at(v), new PinLease.Terms(Duration.ofHours(2L + r.nextInt(60)), "test", d.clock)) -> v)
    catch { case _: SnapshotGoneException if expired(v) => counts.gone += 1 }
  }

  private def sweep(d: Driver): Unit = {
    val s = new Sweeper(d.g.namespace, store, d.settings)
    val plan = r.nextInt(5) match {
      case 0 => s.removeOrphans(SweepAge.STANDARD, false)
      case 1 => s.cleanStaging(SweepAge.STANDARD, Sweeper.KEEP_PUBLISHED, false)
      case _ => s.expire(1 + r.nextInt(4), SweepAge.STANDARD, false)
    }
    counts.sweeps += 1
    counts.deleted += plan.doomed.size
  }

  /** What an engine does when it opens: it completes a version that lacks its pointer. */
  private def repair(): Unit = if (!on.single) {
    val next = eye.latest().version + 1
    if (truth.head(eye.paths.body(next)).isPresent)
      truth.putIfAbsent(eye.paths.pointer(next), new ManifestPointer(next, 0, eye.paths.body(next)).toBytes): Unit
    note()
  }

  /** No request lives for more than ten minutes. */
  private def pass(d: Duration): Unit = {
    chaos.arrive()
    note()
    time.pass(d)
  }

  private def meanwhile(depth: Int, mayPass: Boolean): Unit = if (depth > 0 && r.nextInt(3) == 0) {
    val pattern = if (r.nextInt(3) > 0) "(PUT|POST|DELETE) .*" else ".*"
    val skip = r.nextInt(10)
    val before = r.nextBoolean()
    val action = () => {
      done += s"  ${if (before) "before" else "after"} ${chaos.interrupted}"
      guarded(step(depth - 1, mayPass))
    }
    chaos.interleave(pattern, skip, if (before) FaultProxy.Before(action) else FaultProxy.After(action))
  }

  /** A failed assertion of a step in the middle of a request must not get lost in the proxy. */
  private var failure: Option[Throwable] = None
  private def guarded(action: => Unit): Unit =
    try action
    catch { case e: Throwable if !e.isInstanceOf[VirtualMachineError] => failure = failure.orElse(Some(e)) }

  def step(depth: Int, mayPass: Boolean): Unit = {
    try r.nextInt(20) match {
      case 0 | 1 | 2 | 3 => by("writes") { d => meanwhile(depth, mayPass); write(d, named = false) }
      // Whether an attempt of a named job is over is told by its age: it must not sleep in between.
      case 4 | 5 | 6 => by("writes by name") { d => meanwhile(depth, mayPass = false); write(d, named = true) }
      case 7 | 8 => by("runs again") { d => meanwhile(depth, mayPass = false); rerun(d) }
      case 9 | 10 | 11 => by("reads") { d => meanwhile(depth, mayPass); read(d) }
      case 12 => by("pins") { d => pin(d) }
      case 13 => if (pins.nonEmpty) pins.remove(r.nextInt(pins.size))._1.release()
      case 14 =>
        done += "compaction"
        if (versions(top).nodes.nonEmpty && Compaction.run(eye, compactions += _)) counts.compactions += 1
        note()
      case 15 => if (mayPass) { done += "hours"; pass(Duration.ofHours(1L + r.nextInt(30))) }
      case 16 => if (mayPass) { done += "days"; pass(Duration.ofHours(24L * (1 + r.nextInt(4)))) }
      case 17 | 18 =>
        if (mayPass && r.nextBoolean()) { done += "days"; pass(Duration.ofHours(24L + r.nextInt(60))) }
        by("sweeps") { d => meanwhile(depth, mayPass); sweep(d) }
      case 19 =>
        done += "repair"
        chaos.arrive()
        repair()
        for (d <- free) d.restart()
    } catch {
      case e: NamiException =>
        counts.failed += 1
        done += s"  ${e.getClass.getSimpleName}: ${e.getMessage.take(150)}"
        if (e.isInstanceOf[CorruptObjectException] || e.isInstanceOf[SnapshotGoneException]) throw new AssertionError(s"what is there is said not to be: $e", e)
    }
    if (depth == 1) chaos.calm()
    failure.foreach(e => throw e)
  }

  /** Nothing that somebody may still need is gone. */
  def check(): Unit = {
    note()
    val is = raised.getOrElse(-1L)
    assert(is >= floor && is < top, s"the floor went from $floor to $is, version $top is current")
    floor = is
    val now = time.millis
    pins.filterInPlace { case (l, _) => l.pin().expiresAtUnix * 1000 >= now }
    val keep = (pins.map(_._2) :+ (floor + 1)).min
    val keys = listed(eye.paths.prefix)
    for ((v, version) <- versions if v >= keep) {
      val own = if (on.single && v == top) Seq(eye.paths.manifest) else on.objects(eye.paths, v)
      val missing = (version.files ++ own) -- keys
      assert(missing.isEmpty, s"version $v is not whole: floor $floor, leases ${pins.map(_._2)}, missing $missing")
    }
    val dayAgo = now - Duration.ofHours(24).toMillis
    for (v <- versions.keys if v < top && versions(v + 1).at > dayAgo) assert(v > floor, s"version $v was current within a day")
    for (f <- keys if f.endsWith("/state.json"); id = f.stripPrefix(eye.paths.bulk).takeWhile(_ != '/')) {
      val job = StagedJob.find(eye.paths, truth, id, time).get
      if (Set(JobPhase.OPEN, JobPhase.SEALED, JobPhase.PUBLISHING)(job.phase))
        for (p <- job.preview().parts().asScala; c <- p.files.asScala) assert(keys(eye.paths.`object`(c.sst.path)), s"a file of $id, which is ${job.phase}, is gone")
    }
  }

  private def listed(prefix: String): Set[String] =
    Iterator.unfold(Option(Optional.empty[String]())) {
      _.map { after =>
        val page = truth.list(prefix, after)
        (page.objects.asScala.map(_.key), if (page.next.isPresent) Some(page.next) else None)
      }
    }.flatten.toSet

  /** The network is well again: every outcome can be told, and every row is there. */
  def settle(): Unit = {
    chaos.end()
    chaos.arrive()
    time.pass(Duration.ofHours(8))
    repair()
    val d = drivers.head
    d.restart()
    // Somebody who could not be told asks again; so does everybody whose job was only staged.
    for (job <- jobs.values.toSeq.sortBy(_.id) if job.id.startsWith("job") && !acknowledged.contains(job.id)) {
      rerun(d, job)
      assert(acknowledged.contains(job.id))
      counts.resolved += 1
    }
    val verifier = new CommitVerifier(d.g.namespace.log, d.g.paths, store, time)
    for (id <- unknown.toSeq.sorted if !acknowledged.contains(id)) verifier.verify(id) match {
      case at: Verdict.CommittedAt =>
        assert(committed.get(id).contains(at.version), s"$id is said to be version ${at.version} and is ${committed.get(id)}")
        counts.resolved += 1
      case _: Verdict.NotCommitted => assert(!committed.contains(id), s"$id is said not to be committed and is version ${committed.get(id)}")
      case _: Verdict.Undecided => counts.undecided += 1
    }
    check()
    look(eye, floor + 1 + r.nextInt((top - floor).toInt))
    look(eye, top)
    // In the end everything can be collected but the newest version.
    time.pass(Duration.ofDays(10))
    val s = new Sweeper(d.g.namespace, store, d.settings)
    counts.deleted += s.cleanStaging(SweepAge.STANDARD, Sweeper.KEEP_PUBLISHED, false).doomed.size +
      s.expire(1, SweepAge.STANDARD, false).doomed.size + s.removeOrphans(SweepAge.STANDARD, false).doomed.size
    check()
    look(eye, top)
    counts.acknowledged += acknowledged.size
    counts.versions += top.toInt
    chaos.met.foreach { case (kind, n) => counts.faults(kind) += n }
  }

  def run(): Unit = {
    for (_ <- 0 until 6 + r.nextInt(8)) {
      step(1, mayPass = true)
      check()
    }
    settle()
  }
}

object S3Schedule {
  private val Counter: NodeId = Graph.id(100)

  /** What happened in all schedules. */
  final class Counts {
    private var graphs = 0
    var acknowledged, unknown, refused, failed, resolved, undecided, reads, gone, sweeps, deleted, compactions, versions = 0
    val faults: mutable.Map[String, Int] = mutable.TreeMap.empty[String, Int].withDefaultValue(0)

    def next(): Int = { graphs += 1; graphs }

    override def toString: String =
      s"commits: $acknowledged acknowledged, $refused certainly not, $unknown unknown, of which settled later $resolved, never $undecided; " +
        s"$versions versions, $compactions compactions, $sweeps sweeps that deleted $deleted objects, $reads reads, $gone of expired versions, $failed steps failed; " +
        s"faults: ${faults.map { case (k, n) => s"$k $n" }.mkString(", ")}"
  }
}
