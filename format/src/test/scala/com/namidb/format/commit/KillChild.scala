package com.namidb.format.commit

import java.nio.file.Paths
import java.time.Duration
import java.util.Random

import com.namidb.format.KilledJvm
import com.namidb.format.commit.KillStep._
import com.namidb.format.log.{CommitProbe, CommitState}
import com.namidb.format.manifest.{ManifestEdit, ManifestJson}
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.{FaultyStore, WatchedStore}
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.local.LocalStore

/** Stages, seals and publishes a job on a local store, and waits for its death at one step. */
object KillChild {
  val Job = "nightly"
  val Staged = "staged "

  import Graph.id

  val nodes: Seq[N] = (10 to 14).map(n => N(id(n), Seq("New"), Some(s"""{"i":$n}"""))) :+ N(id(1), Seq("Person"), Some("""{"up":true}""")) :+ N(id(2), Nil, None)
  val edges: Seq[E] = (10 to 13).map(n => E(id(n), id(n + 1), Some(s"""{"w":$n}""")))

  /** What the job does to a graph. */
  def changed(before: Contents): Contents = Contents(
    before.nodes - id(2) ++ nodes.collect { case N(i, ls, Some(json)) => i -> (ls -> json) },
    before.edges ++ edges.map(e => ("KNOWS", e.src, e.dst) -> e.json.get))

  def stage(g: Graph, job: StagedJob): StagedJob = {
    g.stage(job, nodes)
    g.stage(job, Nil, Map("KNOWS" -> edges))
  }

  def main(args: Array[String]): Unit = {
    val step = KillStep.of(args(1))
    val local = LocalStore.open(Paths.get(args(0)))
    val faulty = new FaultyStore(local)
    var state: Option[CommitState] = None
    val counts = scala.collection.mutable.Map.empty[String, Int].withDefaultValue(0)
    val store = new WatchedStore(faulty, { (op, key, body, after) =>
      val name = key.split('/').last
      if (op == "UPLOAD" && after) println(Staged + key)
      val write = op == "UPLOAD" || op == "PUT"
      val here = step match {
        case AtState(s, true) => after && state.contains(s)
        case AtState(_, false) => false
        case AtPhase(p, a) => a == after && name == "state.json" && write && new String(body, "UTF-8").contains(s""""phase":"$p"""")
        case w @ AtWrite(kind, n, a) =>
          val fits = write && key.contains(s"/bulk/$Job/") && w.fits(name)
          if (fits && !after) counts(kind) += 1
          fits && a == after && counts(kind) == n
      }
      if (here) KilledJvm.arrive()
    })
    val probe: CommitProbe = s => {
      state = Some(s)
      if (step == AtState(s, after = false)) KilledJvm.arrive()
    }
    val g = new Graph(store, place = "child")
    script(step, g, faulty, local)
    val job = stage(g, StagedJob.open(g.paths, g.store, Job, "b", g.clock))
    val settings = new CommitSettings(0, Duration.ZERO, 1L << 30, g.clock, new Random(1), _ => (), probe)
    if (Set[KillStep](AtPhase(JobPhase.DISCARDED, false), AtPhase(JobPhase.DISCARDED, true))(step))
      new JobRecovery(g.namespace, g.store, settings).discard(job)
    else new Publisher(g.namespace, settings).publish(job, g.target(job), PublishOrder.blind())
    sys.exit(3)
  }

  /** The faults that lead to states which a smooth publication never sees. */
  private def script(step: KillStep, g: Graph, faulty: FaultyStore, local: LocalStore): Unit = step match {
    case AtState(CommitState.SETTLE_ARCHIVE, _) => faulty.on(Op.PutIfAbsent, ".*/manifests/.*", Fault.LostReply)
    case AtState(CommitState.SETTLE_MANIFEST, _) => faulty.on(Op.PutIfMatch, ".*/manifest\\.json", Fault.LostReply)
    case AtState(CommitState.SETTLE_BODY, _) => faulty.on(Op.PutIfAbsent, ".*manifest/v.*", Fault.LostReply)
    case AtState(CommitState.SETTLE_POINTER, _) => faulty.on(Op.PutIfAbsent, ".*pointer/p.*", Fault.LostReply)
    case AtState(CommitState.SETTLE_HINT, _) => faulty.on(Op.PutIfMatch, ".*current.json", Fault.LostReply)
    case AtState(CommitState.AWAIT_POINTER, _) =>
      faulty.on(Op.PutIfAbsent, ".*manifest/v.*", Fault.Before { () =>
        val base = g.latest()
        val other = ManifestEdit.of(base.manifest).build(new java.util.UUID(6, 6), java.time.Instant.now(), "other")
        local.putIfAbsent(g.paths.body(base.version + 1), ManifestJson.versioned().write(other))
      })
    case _ => ()
  }
}
