package com.namidb.format.commit

import java.nio.file.Path
import java.time.{Clock, Duration}
import java.util.{EnumSet, Optional, Random}

import scala.jdk.CollectionConverters._

import com.namidb.format.id.{KeyRanges, NodeId}
import com.namidb.format.log.{CommitProbe, CommitTiming}
import com.namidb.format.manifest.{GraphSchema, LabelDictionary, Layout, NamespacePaths, SstKind}
import com.namidb.format.node.NodeRow
import com.namidb.format.record.{Column, RecordBatch}
import com.namidb.format.scan.{ScanPlanner, ScanRequest, SliceReader}
import com.namidb.format.snapshot.{Location, Namespace, Snapshot, SnapshotSelector, WalPolicy}
import com.namidb.format.stage.{Balance, CandidateFile, EdgeCandidateWriter, JobPlan, NodeCandidateWriter, StageTarget, StagedJob}
import com.namidb.format.store.{ObjectStore, StoreConfig, TempDirs}

/** All live rows of a version, payloads as the bytes that are stored. */
case class Contents(nodes: Map[NodeId, (Seq[String], String)], edges: Map[(String, NodeId, NodeId), String])

/** A row to write; without properties text it is a deletion. */
case class N(id: NodeId, labels: Seq[String], json: Option[String])
case class E(src: NodeId, dst: NodeId, json: Option[String])

/** A namespace written and read by this module alone. */
class Graph(val store: ObjectStore, ns: String = "ns", place: String, layout: Option[Layout] = None,
    val clock: Clock = Clock.systemUTC(), timing: CommitTiming = CommitTiming.SYSTEM, root: String = "") {
  val paths = new NamespacePaths(root, ns)
  val location = new Location(new StoreConfig("memory", place, java.util.Map.of()), paths, layout.orNull)
  val namespace: Namespace = Namespace.open(location, store, timing)

  def latest(): Snapshot = namespace.snapshot(new SnapshotSelector.Latest)
  def at(v: Long): Snapshot = namespace.snapshot(new SnapshotSelector.AtVersion(v))

  def settings(retries: Int = 50, probe: CommitProbe = CommitProbe.NONE): CommitSettings =
    new CommitSettings(retries, Duration.ofMillis(2), 1L << 30, clock, new Random(7), CommitTiming.SYSTEM.sleeper, probe)

  def publisher(retries: Int = 50, probe: CommitProbe = CommitProbe.NONE): Publisher =
    new Publisher(namespace, settings(retries, probe))

  def target(job: StagedJob): StageTarget = job.target(store, Graph.temp)

  def nodeFile(job: StagedJob, plan: JobPlan, rows: Seq[N]): CandidateFile = {
    val w = NodeCandidateWriter.open(target(job), plan.labels)
    val row = new NodeRow
    try {
      for (n <- rows.sortBy(_.id)(Ordering.comparatorToOrdering(java.util.Comparator.naturalOrder[NodeId]()))) {
        n.json match {
          case None => row.tombstone(n.id.hi, n.id.lo, plan.lsn)
          case Some(text) =>
            row.upsert(n.id.hi, n.id.lo, plan.lsn, 1)
            val ids = n.labels.map(plan.labels.id(_).getAsInt).sorted.toArray
            row.labels(ids, ids.length)
            if (text != "{}") row.properties(text.getBytes("UTF-8"), 0, text.getBytes("UTF-8").length)
        }
        w.add(row)
      }
      w.finish()
    } finally w.close()
  }

  def edgeFiles(job: StagedJob, plan: JobPlan, tpe: String, rows: Seq[E]): Seq[CandidateFile] = {
    val w = EdgeCandidateWriter.open(target(job), tpe, new GraphSchema(java.util.Map.of(), java.util.Map.of()))
    try {
      val order = Ordering.comparatorToOrdering(java.util.Comparator.naturalOrder[NodeId]())
      for (e <- rows.sortBy(r => (r.src, r.dst))(Ordering.Tuple2(order, order))) e.json match {
        case None => w.addTombstone(e.src, e.dst, plan.lsn)
        case Some(t) => val b = t.getBytes("UTF-8"); w.add(e.src, e.dst, plan.lsn, b, 0, b.length)
      }
      w.finish().asScala.toSeq
    } finally w.close()
  }

  /** Plans on the newest version and stages everything as one part. */
  def stage(job: StagedJob, nodes: Seq[N], edges: Map[String, Seq[E]] = Map.empty, seed: Int = 1,
      base: Option[Snapshot] = None): StagedJob = {
    val m = base.getOrElse(latest()).manifest
    val plan = job.plan { old =>
      if (old != null) old
      else new JobPlan(m.version, LsnPlan.choose(new com.namidb.format.error.Where(ns, m.version, null, job.id), m, LsnPlan.WRITE_GAP, new Random(seed)),
        m.labels.extended(nodes.flatMap(_.labels).distinct.asJava))
    }
    val files = (if (nodes.isEmpty) Nil else Seq(nodeFile(job, plan, nodes))) ++ edges.flatMap { case (t, es) => edgeFiles(job, plan, t, es) }
    val rows = nodes.size + edges.values.map(_.size).sum
    job.addPart(files.asJava, new Balance(rows, rows, 0))
    job
  }

  def unnamed(): StagedJob = StagedJob.unnamed(paths, store, clock)

  def commit(nodes: Seq[N], edges: Map[String, Seq[E]] = Map.empty, order: PublishOrder = PublishOrder.blind(), seed: Int = 1): CommitReceipt = {
    val job = stage(unnamed(), nodes, edges, seed)
    publisher().publish(job, target(job), order)
  }

  def contents(s: Snapshot): Contents = {
    val labels = ScanPlanner.labels(s.manifest)
    val nodes = scan(s, new ScanRequest.Nodes(Optional.empty())) { (b, i, r) =>
      val names = r.labels.ids(b.labelSet()(i)).toSeq.filter(labels.knows).map(labels.name).sorted
      new NodeId(b.keyHi()(i), b.keyLo()(i)) -> (names -> text(b, i))
    }
    val types = s.manifest.ssts.asScala.filter(_.kind == SstKind.EDGES_FWD).map(_.scope).toSet ++ Graph.walTypes(this, s)
    val edges = types.toSeq.flatMap(t => scan(s, new ScanRequest.Edges(t)) { (b, i, _) =>
      (t, new NodeId(b.keyHi()(i), b.keyLo()(i)), new NodeId(b.partnerHi()(i), b.partnerLo()(i))) -> text(b, i)
    })
    assert(nodes.map(_._1).distinct.size == nodes.size && edges.map(_._1).distinct.size == edges.size, "a row twice")
    Contents(nodes.toMap, edges.toMap)
  }

  private def text(b: RecordBatch, i: Int): String =
    if (b.payloadLength()(i) < 0) "{}" else new String(b.payload, b.payloadOffset()(i), b.payloadLength()(i), "UTF-8")

  private def scan[T](s: Snapshot, t: ScanRequest.Target)(f: (RecordBatch, Int, SliceReader) => T): Seq[T] = {
    val request = new ScanRequest(t, KeyRanges.ALL, KeyRanges.ALL, EnumSet.allOf(classOf[Column]), WalPolicy.REPLAY,
      new ScanRequest.Sizing(1L << 30, false))
    ScanPlanner.plan(s, request, store).slices.asScala.toSeq.flatMap { slice =>
      val r = SliceReader.open(slice, store)
      val out = Seq.newBuilder[T]
      while (r.next()) for (k <- 0 until r.selection.size) out += f(r.batch, r.selection.row(k), r)
      r.close()
      out.result()
    }
  }
}

object Graph {
  lazy val temp: Path = TempDirs.lasting("namidb-stage")
  private val places = new java.util.concurrent.atomic.AtomicLong

  def apply(store: ObjectStore, ns: String = "ns"): Graph = new Graph(store, ns, s"graph${places.incrementAndGet()}")

  /** One that is below other things in its store. */
  def below(store: ObjectStore, root: String, ns: String): Graph = new Graph(store, ns, s"graph${places.incrementAndGet()}", root = root)

  /** A namespace of ours, just created. */
  def fresh(store: ObjectStore, ns: String = "ns"): Graph = made(apply(store, ns))

  /** The same, opened in a layout. */
  def created(store: ObjectStore, ns: String, layout: Layout): Graph =
    made(new Graph(store, ns, s"graph${places.incrementAndGet()}", Some(layout)))

  private def made(g: Graph): Graph = {
    g.namespace.log.createIfAbsent(new java.util.UUID(5, 5), java.time.Instant.parse("2026-11-29T10:00:00Z"))
    g
  }

  def id(n: Long): NodeId = new NodeId(n * 0x9e3779b97f4a7c15L, n)

  def labels(names: String*): LabelDictionary = LabelDictionary.of(names.asJava)

  private def walTypes(g: Graph, s: Snapshot): Set[String] = {
    val segments = s.manifest.walSegments.asScala.map(w =>
      new com.namidb.format.wal.WalReplay.Segment(g.paths.wal(w.seq), w.seq, w.lastLsn, w.xxh3)).asJava
    com.namidb.format.wal.WalReplay.of(g.store, segments).edgeTypes.asScala.toSet
  }
}
