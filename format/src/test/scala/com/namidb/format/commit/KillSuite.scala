package com.namidb.format.commit

import java.nio.file.Path
import java.time.{Clock, Duration}
import java.util.concurrent.{ExecutionException, Executors, Future, TimeUnit}
import java.util.{Optional, Random}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.KilledJvm
import com.namidb.format.commit.KillStep._
import com.namidb.format.log.{CommitProbe, CommitState}
import com.namidb.format.manifest.{Layout, ManifestPointer}
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.{ObjectStore, TempDirs}
import com.namidb.format.store.local.LocalStore

/**
 * A process is killed at every step of staging and publishing. Readers see the old graph or the new
 * one, whole; the rerun ends in exactly one commit; nothing lies about that nobody can find.
 */
class KillSuite extends KillTests(Layout.VERSIONED, KillStep.all)

class SingleObjectKillSuite extends KillTests(Layout.SINGLE_OBJECT, KillStep.single)

abstract class KillTests(layout: Layout, steps: Seq[KillStep]) extends AnyFunSuite {
  import Graph.id

  private val on = OnLayout(layout)

  private val people = (0 to 4).map(n => N(id(n), Seq("Person"), Some(s"""{"i":$n}""")))
  private val knows = Map("KNOWS" -> (0 to 3).map(n => E(id(n), id(n + 1), Some("{}"))))

  private def open(dir: Path): Graph = Graph(LocalStore.open(dir))

  private def keys(store: ObjectStore, prefix: String): Set[String] =
    Iterator.unfold(Option(Optional.empty[String]())) {
      _.map { after =>
        val page = store.list(prefix, after)
        (page.objects.asScala.map(_.key), if (page.next.isPresent) Some(page.next) else None)
      }
    }.flatten.toSet

  private def versions(g: Graph): Seq[Long] = 0L to g.latest().version

  /** Files of jobs that no version lists: what a cleaner may delete once they are old. */
  private def orphans(g: Graph): Set[String] = {
    val listed = versions(g).flatMap(v => g.at(v).manifest.ssts.asScala.map(s => g.paths.`object`(s.path))).toSet
    keys(g.store, g.paths.bulk).filterNot(k => k.endsWith(".json") || listed(k))
  }

  /** Everything that is no part of a readable version and no document of a job. */
  private def unlisted(g: Graph): Set[String] = {
    val known = versions(g).flatMap(v => on.objects(g.paths, v) ++
      g.at(v).manifest.ssts.asScala.map(s => g.paths.`object`(s.path))).toSet ++ on.rest(g.paths)
    keys(g.store, "").filterNot(k => known(k) || k.endsWith("/receipt.json"))
  }

  /** Versions that brought rows of the job. */
  private def commits(g: Graph): Seq[Long] = {
    val folder = s"bulk/${KillChild.Job}/"
    val has = versions(g).map(v => v -> g.at(v).manifest.ssts.asScala.exists(_.path.startsWith(folder)))
    has.zip(has.drop(1)).collect { case ((_, false), (v, true)) => v }
  }

  private def rerun(g: Graph): CommitReceipt = {
    val later = Clock.offset(g.clock, Duration.ofMinutes(11))
    val settings = new CommitSettings(5, Duration.ZERO, 1L << 30, later, new Random(1), _ => (), CommitProbe.NONE)
    val job = StagedJob.open(g.paths, g.store, KillChild.Job, "b", g.clock)
    new JobRecovery(g.namespace, g.store, settings).rerun(job, g.target(job), PublishOrder.blind()).orElseGet { () =>
      KillChild.stage(g, job)
      new Publisher(g.namespace, settings).publish(job, g.target(job), PublishOrder.blind())
    }
  }

  private def killedAt(step: KillStep, dir: Path): Unit = {
    val first = on.fresh(LocalStore.open(dir))
    first.commit(people, knows)
    val before = first.contents(first.latest())
    val after = KillChild.changed(before)
    assert(before.nodes.size == 5 && after.nodes.size == 9 && after.edges.size == before.edges.size + 4)

    val staged = KilledJvm.kill("com.namidb.format.commit.KillChild", Seq("-Xmx256m"), dir.toString, step.toString)
      .filter(_.startsWith(KillChild.Staged)).map(_.stripPrefix(KillChild.Staged)).toSet

    val g = open(dir)
    val seen = g.contents(g.latest())
    val committed = seen == after
    assert(committed || seen == before, "neither the old nor the new version")
    assert(g.latest().version == (if (committed) 2 else 1) && commits(g).size == (if (committed) 1 else 0))
    assert(committed == expected(step), s"committed: $committed")
    assert(orphans(g) == (if (committed) Set.empty else staged))
    val waiting = on.early(g.paths, g.latest().version)
    for (k <- unlisted(g)) assert(k.startsWith(g.paths.bulk(KillChild.Job)) || k == waiting, k)

    // The other writer that held the place goes on.
    val other = step match { case AtState(CommitState.AWAIT_POINTER, _) => true; case _ => false }
    if (other) g.store.putIfAbsent(g.paths.pointer(2), new ManifestPointer(2, 0, g.paths.body(2)).toBytes)

    val receipt = rerun(open(dir))
    val h = open(dir)
    assert(h.contents(h.latest()) == after && h.contents(h.at(1)) == before)
    assert(commits(h) == Seq(receipt.version) && h.latest().version == receipt.version && receipt.version == (if (other) 3 else 2))
    assert(receipt.nodes.count == KillChild.nodes.size && receipt.edges.count == KillChild.edges.size && receipt.balance.accepted == 11)
    val files = receipt.files.asScala.map(f => h.paths.`object`(f.sst.path)).toSet
    assert(orphans(h) == staged -- files)
    for (k <- unlisted(h)) assert(k.startsWith(h.paths.bulk(KillChild.Job)), k)
    assert(rerun(open(dir)) == receipt && open(dir).latest().version == receipt.version)
  }

  /** Committed from the moment the pointer is there, or the manifest replaced. */
  private def expected(step: KillStep): Boolean = step match {
    case AtState(CommitState.PUT_POINTER | CommitState.REPLACE_MANIFEST, after) => after
    case AtState(s, _) => Set(CommitState.SETTLE_MANIFEST, CommitState.SETTLE_POINTER, CommitState.PUT_HINT, CommitState.SETTLE_HINT, CommitState.DONE)(s)
    case AtPhase(p, _) => p == JobPhase.PUBLISHED
    case AtWrite(kind, _, _) => kind == "receipt"
  }

  private val pool = Executors.newFixedThreadPool(2, { (r: Runnable) => val t = new Thread(r); t.setDaemon(true); t })

  private class Run(step: KillStep) {
    lazy val done: Future[_] = pool.submit((() => TempDirs.withDir(killedAt(step, _))): Runnable)
  }

  private val runs = steps.map(new Run(_))

  for ((step, k) <- steps.zipWithIndex) test(s"killed at $step") {
    // While one process starts, the next one does so too.
    runs.slice(k, k + 2).foreach(_.done)
    try runs(k).done.get(5, TimeUnit.MINUTES)
    catch { case e: ExecutionException => throw e.getCause }
  }
}
