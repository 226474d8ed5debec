package com.namidb.format.retention

import java.time.{Clock, Duration, Instant, ZoneOffset}
import java.util.{OptionalLong, Random, UUID}

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.{CommitReceipt, CommitSettings, FileRewriter, Graph, LsnPlan, OnLayout, PublishOrder, Publisher}
import com.namidb.format.error.Where
import com.namidb.format.log.{CommitProbe, CommitTiming}
import com.namidb.format.manifest.{KeyEncoding, Layout, Manifest, ManifestEdit, ManifestFiles, ManifestJson, ManifestPointer, NamespacePaths, NewSst, NewSsts, SchemaObject, SingleObjectText}
import com.namidb.format.snapshot.{Location, Namespace, PinLease, Snapshot, SnapshotSelector}
import com.namidb.format.stage.{Balance, CandidateFile, JobPlan, KeyDigest, StagedJob}
import com.namidb.format.store.FaultyStore.Op
import com.namidb.format.store.{FaultyStore, MeteredStore, ObjectStore, StoreConfig}
import com.namidb.format.store.memory.MemoryStore

/** A clock that moves when a test says so. */
final class MovedClock(start: Instant = Instant.parse("2026-11-01T00:00:00Z")) extends Clock {
  private var now = start
  def pass(d: Duration): Unit = synchronized { now = now.plus(d) }
  def hours(n: Long): Unit = pass(Duration.ofHours(n))
  override def instant(): Instant = synchronized(now)
  override def getZone = ZoneOffset.UTC
  override def withZone(z: java.time.ZoneId): Clock = this
}

/**
 * A namespace of files without content, written as the engine and as this connector do, on a store whose clock can be
 * moved. Files have names alone: nobody here reads rows.
 */
class Swept(pageSize: Int = 1000, seed: Long = 1, val layout: Layout = Layout.VERSIONED) {
  val on: OnLayout = OnLayout(layout)
  val clock = new MovedClock
  val inner = new MemoryStore(clock, pageSize)
  val store = new FaultyStore(inner)
  val metered = new MeteredStore(store)
  val paths = new NamespacePaths("", "ns")
  val random = new Random(seed)
  private val location = new Location(new StoreConfig("memory", "swept", java.util.Map.of()), paths)
  private var ids = 0L

  /** As a process that was just started: it remembers nothing. */
  def open(s: ObjectStore = metered): Namespace = Namespace.open(location, s)

  val settings = new CommitSettings(20, Duration.ofMillis(1), 1L << 30, clock, random, CommitTiming.SYSTEM.sleeper, CommitProbe.NONE)

  def sweeper(s: ObjectStore = metered): Sweeper = new Sweeper(open(s), s, settings)

  def expire(retainLast: Int = 20, olderThan: Option[Instant] = None, unsafe: Boolean = false, dryRun: Boolean = false): SweepPlan =
    sweeper().expire(retainLast, Swept.age(olderThan, unsafe), dryRun)

  def orphans(olderThan: Option[Instant] = None, unsafe: Boolean = false, dryRun: Boolean = false): SweepPlan =
    sweeper().removeOrphans(Swept.age(olderThan, unsafe), dryRun)

  def clean(olderThan: Option[Instant] = None, dryRun: Boolean = false): SweepPlan =
    sweeper().cleanStaging(Swept.age(olderThan, unsafe = false), Sweeper.KEEP_PUBLISHED, dryRun)

  def freshId(): UUID = { ids += 1; new UUID(0x0198c0de00007000L | seed << 16, ids) }

  def latest(): Snapshot = open(inner).snapshot(new SnapshotSelector.Latest)
  def at(v: Long): Snapshot = open(inner).snapshot(new SnapshotSelector.AtVersion(v))
  def current: Long = latest().version
  def floor: Option[Long] = { val f = open(inner).log.stored().floor(); if (f.isPresent) Some(f.get.version) else None }

  /** The request that raises the floor. */
  val raise: (Op, String) = if (on.single) on.take else (Op.AnyWrite, ".*floor\\.json")

  def keys: Set[String] = inner.listAll("ns/").asScala.map(_.key.stripPrefix("ns/")).toSet
  def has(raw: String): Boolean = inner.head(paths.other(raw)).isPresent
  def put(raw: String, text: String = "x"): String = { inner.put(paths.other(raw), text.getBytes("UTF-8")); raw }

  /** An SST as the engine names it, with some sidecars. */
  def engineFile(): String = {
    val path = s"sst/level0/${freshId().toString.replace("-", "")}-nodes.parquet"
    put(path, path)
  }

  def create(): Unit = Namespace.open(new Location(location.store, paths, layout), inner).log.createIfAbsent(freshId(), clock.instant()): Unit

  /** The engine commits a version that lists exactly these SSTs and WAL segments. */
  def engine(files: Seq[String], wal: Seq[Long] = Nil, top: Manifest = latest().manifest): Long = {
    val v = top.version + 1
    val body = Swept.body(v, clock.instant(), files, wal, freshId())
    if (on.single) replace(top, ManifestJson.versioned().read("x", body)) else point(v, body)
    v
  }

  /** Another writer of the single-object layout, who keeps what it must: floor, jobs, epoch. */
  private def replace(top: Manifest, next: Manifest): Unit = {
    def floor = if (top.floor.isPresent) Some(top.floor.getAsLong) else None
    val schema = SingleObjectText.schema(next)
    inner.putIfAbsent(paths.schema(SchemaObject.id(schema)), schema)
    val jobs = "\"job_ids\":(\\{[^}]*})".r.findFirstMatchIn(new String(top.toBytes, "UTF-8")).get.group(1)
    val text = SingleObjectText.of(next, floor).replace("\"job_ids\":{}", "\"job_ids\":" + jobs)
      .replace(s"\"epoch\":${next.version}", s"\"epoch\":${top.epoch + 1}")
    val stood = inner.get(paths.manifest).get
    inner.putIfAbsent(paths.archive(top.version), stood.bytes)
    require(inner.putIfMatch(paths.manifest, text.getBytes("UTF-8"), stood.meta.etag).isInstanceOf[com.namidb.format.store.PutResult.Written])
  }

  private def point(v: Long, body: Array[Byte]): Unit = {
    require(inner.putIfAbsent(paths.body(v), body).isInstanceOf[com.namidb.format.store.PutResult.Written])
    val pointer = new ManifestPointer(v, 0, paths.body(v)).toBytes
    inner.putIfAbsent(paths.pointer(v), pointer)
    inner.put(paths.currentHint, pointer): Unit
  }

  /** The engine adds a file, and every so often makes one of all. */
  def history(versions: Int, every: Int = 5): Unit = for (i <- 1 to versions) {
    val was = files(latest().manifest)
    engine(if (i % every == 0) Seq(engineFile()) else was :+ engineFile())
  }

  def files(m: Manifest): Seq[String] = m.ssts.asScala.map(_.path).toSeq

  /** What a version needs: body and pointer or archive, files, WAL segments. */
  def needs(m: Manifest): Set[String] =
    files(m).toSet ++ m.walSegments.asScala.map(w => f"wal/${w.seq}%016x.wal") ++ own(m.version)

  /** The objects of a version itself. */
  def own(v: Long): Set[String] = {
    val newest = on.single && new String(inner.get(paths.manifest).get.bytes, "UTF-8").contains(s"\"version\":$v,")
    (if (newest) Seq(paths.manifest) else on.objects(paths, v)).map(_.stripPrefix("ns/")).toSet
  }

  def whole(m: Manifest): Boolean = needs(m).forall(k => inner.head("ns/" + KeyEncoding.encode(k)).isPresent)

  private def candidate(job: String, lsn: Long): CandidateFile = {
    val id = freshId()
    val like = NewSsts.nodes(1, lsn)
    val path = s"bulk/$job/${id.toString.replace("-", "")}-nodes.parquet"
    put(path, path)
    val meta = inner.head(paths.other(path)).get
    val sst = new NewSst(id, like.kind, like.scope, path, meta.size, like.counts, like.keys, like.lsns, like.schemaVersions, null)
    new CandidateFile(sst, KeyDigest.EMPTY, 0, meta.etag, java.util.Map.of(), null)
  }

  def stage(job: StagedJob, files: Int = 1): StagedJob = {
    val m = latest().manifest
    val plan = job.plan(old => if (old != null) old else
      new JobPlan(m.version, LsnPlan.choose(new Where("ns", m.version, null, job.id), m, LsnPlan.WRITE_GAP, random), m.labels))
    job.addPart((1 to files).map(_ => candidate(job.id, plan.lsn)).asJava, new Balance(3L * files, 3L * files, 0))
    job
  }

  def named(id: String): StagedJob = StagedJob.open(paths, metered, id, "stage", clock)
  def find(id: String): StagedJob = StagedJob.find(paths, metered, id, clock).get
  def unnamed(): StagedJob = StagedJob.unnamed(paths, metered, clock)

  /** There is nothing to read in files without content. */
  private val rewriter: FileRewriter = (target, files, order) => files.asScala.map(_ => candidate(target.job, order.lsn)).asJava

  /** Publishes as a process that remembers nothing. */
  def publish(job: StagedJob, retries: Int = 20): CommitReceipt =
    new Publisher(open(), settings.copied(retries), rewriter).publish(job, job.target(metered, Graph.temp), PublishOrder.blind())

  def pin(v: Long, ttl: Duration = Duration.ofDays(1), s: ObjectStore = metered): PinLease = {
    val n = open(s)
    PinLease.acquire(n, n.snapshot(new SnapshotSelector.AtVersion(v)), new PinLease.Terms(ttl, "test", clock))
  }

  implicit class Settings(s: CommitSettings) {
    def copied(retries: Int): CommitSettings = new CommitSettings(retries, s.backoff, s.rewriteLimit, s.clock, s.random, s.sleeper, s.probe)
  }
}

object Swept {
  def age(olderThan: Option[Instant] = None, unsafe: Boolean = false): SweepAge =
    new SweepAge(olderThan.fold(OptionalLong.empty())(t => OptionalLong.of(t.toEpochMilli)), unsafe)

  /** A namespace with version 0. */
  def apply(pageSize: Int = 1000, seed: Long = 1, layout: Layout = Layout.VERSIONED): Swept = { val s = new Swept(pageSize, seed, layout); s.create(); s }

  private val template: Manifest = ManifestFiles.read(ManifestFiles.small(0))

  /** The text of a version's body. */
  def body(version: Long, at: Instant, files: Seq[String], wal: Seq[Long], writer: UUID): Array[Byte] = {
    val ssts = files.map { path =>
      val like = NewSsts.nodes(1, 1)
      val id = UUID.nameUUIDFromBytes(path.getBytes("UTF-8"))
      // The id of one of ours is that of its name.
      val own = if (path.startsWith("bulk/")) idOf(path) else id
      val sst = new NewSst(own, like.kind, like.scope, "some-path", path.length, like.counts, like.keys, like.lsns, like.schemaVersions, null)
      val m = ManifestEdit.of(template).add(java.util.List.of(sst)).build(writer, at, "x")
      new String(ManifestFiles.descriptor(m, 0), "UTF-8").replace("some-path", path)
    }
    val segments = wal.map(s => f"""{"seq":$s,"path":"ns/wal/$s%016x.wal","last_lsn":1}""")
    val text = ManifestFiles.small(version, createdAt = at.toString, writer = writer.toString, rest = ssts.mkString("\"ssts\":[", ",", "]"))
      .replace("\"wal_segments\":[]", segments.mkString("\"wal_segments\":[", ",", "]"))
    ManifestJson.versioned().read("x", text.getBytes("UTF-8"))
    text.getBytes("UTF-8")
  }

  private def idOf(path: String): UUID = {
    val hex = path.split('/').last.take(32)
    new UUID(java.lang.Long.parseUnsignedLong(hex.take(16), 16), java.lang.Long.parseUnsignedLong(hex.drop(16), 16))
  }
}
