package com.namidb.format.retention

import java.time.Duration

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.commit.{CommitVerifier, Verdict}
import com.namidb.format.error.{InvalidOptionException, JobPublishedException, ValidationFailedException}
import com.namidb.format.manifest.Layout
import com.namidb.format.stage.{Attempt, JobPhase}
import com.namidb.format.store.FaultyStore.{Fault, Op}

/** Orphans and jobs: what may go, and what may still be needed. */
class StagingSuite extends AnyFunSuite {
  private def deleted(plan: SweepPlan): Set[String] = plan.doomed.asScala.map(_.`object`.key.stripPrefix("ns/")).toSet
  private def bulk(s: Swept, job: String): Set[String] = s.keys.filter(_.startsWith(s"bulk/$job/"))
  private def files(s: Swept, job: String): Set[String] = bulk(s, job).filter(_.endsWith("parquet"))

  for (layout <- Layout.values) test(s"$layout: only what no version names, at places and under names of ours or the engine's, is an orphan") {
    val s = Swept(layout = layout)
    s.history(3)
    val live = s.keys
    val orphans = Set("sst/level0/11-nodes.parquet", "sst/level7/x.bloom", "wal/00000000000000ff.wal",
      "bulk/dead/0198c0de000070000000000000000001-nodes.parquet", "bulk/dead/0198c0de000070000000000000000002-edges-fwd.csr",
      "bulk/dead/0198c0de000070000000000000000002-edges-inv.csr").map(s.put(_))
    val others = Set("sst/x", "sst/levelX/y", "sst/level0/deep/z", "staging/a", "wal/1.wal", "wal/x.tmp", "snapshots/s.json", "manifest/junk.json",
      "memtable_snapshot.bin", "bulk/dead/notes.txt", "bulk/dead/quarantine/0198c0de000070000000000000000001.parquet", "bulk/loose.parquet", "manifest/v00000000000000ff.json").map(s.put(_))
    s.clock.hours(71)
    s.engine(s.files(s.latest().manifest))
    val later = s.keys -- live -- orphans -- others
    assert(s.orphans().doomed.isEmpty)
    s.clock.hours(2)
    assert(deleted(s.orphans(dryRun = true)) == orphans && orphans.forall(s.has))
    assert(deleted(s.orphans()) == orphans)
    assert(s.keys == live ++ later ++ others + "bulk/sweep.json" && s.orphans().doomed.isEmpty)
  }

  for (layout <- Layout.values) test(s"$layout: files of the engine that need percent-encoding are known under both spellings") {
    val s = Swept(layout = layout)
    val path = "sst/level0/abc-edges-fwd-tilde~ é.ep.csr"
    for (p <- Seq(path, path.replace(".ep.csr", ".epidx"))) s.put(p)
    s.engine(Seq(path))
    s.clock.hours(100)
    s.engine(Seq(s.engineFile()))
    assert(s.orphans().doomed.isEmpty)
    s.clock.hours(100)
    assert(s.expire(1).doomed.asScala.count(_.kind == Doomed.Kind.FILE) == 2)
    assert(!s.keys.exists(_.contains("abc-edges")))
  }

  for (layout <- Layout.values) test(s"$layout: candidates that were compacted away go; those of jobs that may still be published stay, however old") {
    val s = Swept(layout = layout)
    s.history(3)
    val published = s.stage(s.unnamed())
    s.publish(published)
    val open = s.stage(s.named("open"))
    val sealed_ = s.stage(s.named("sealed"))
    sealed_.seal()
    val gone = s.stage(s.unnamed(), files = 3)
    s.clock.hours(30)
    s.engine(Seq(s.engineFile()))
    s.clock.hours(24 * 400)
    // Version 4 still lists the published one; the horizon is held by the two jobs.
    val lost = files(s, gone.id)
    assert(deleted(s.orphans()) == lost && lost.size == 3)
    s.expire(1)
    assert(files(s, published.id).size == 1 && files(s, "open").size == 1 && files(s, "sealed").size == 1)
    val top = s.current
    assert(s.publish(sealed_).version == top + 1 && s.publish(open).version == top + 2)
    s.clock.hours(24 * 10)
    s.expire(1)
    assert(files(s, published.id).isEmpty && files(s, "open").size == 1 && files(s, "sealed").size == 1)
  }

  for (layout <- Layout.values; named <- Seq(false, true))
    test(s"$layout: a writer ${if (named) "with" else "without"} a name that sleeps where it takes its place finds its files when it wakes up") {
      val s = Swept(layout = layout)
      s.history(3)
      val job = s.stage(if (named) s.named("j") else s.unnamed(), files = 2)
      val (op, key) = s.on.take
      var notes = Seq.empty[String]
      // In the layout of one object an expiry is a commit of its own, and wins.
      val expire = if (s.on.single) () => s.clean() else () => s.expire(1)
      s.store.on(op, key, Fault.Before { () =>
        s.store.heal()
        s.clock.hours(24 * 100)
        for (plan <- Seq(s.orphans(), s.clean(), expire(), s.orphans())) {
          assert(plan.doomed.asScala.forall(!_.`object`.key.contains("/bulk/")))
          notes ++= plan.notes.asScala
        }
      })
      val receipt = s.publish(job)
      assert(receipt.version == s.current && s.whole(s.latest().manifest) && files(s, job.id).size == 2)
      assert(notes.exists(n => n.contains("sleep in the middle") || n.contains("may still be published")), notes)
    }

  test("a job whose state and version are both gone is still known to have taken effect, by the manifest of one object") {
    val s = Swept(layout = Layout.SINGLE_OBJECT)
    val first = s.publish(s.stage(s.named("j"))).version
    s.clock.hours(24 * 10)
    s.history(4)
    s.clock.hours(24 * 10)
    s.expire(1)
    assert(s.floor.exists(_ >= first))
    for (file <- Seq("state.json", "receipt.json")) s.inner.delete(s.paths.bulk("j") + file)
    val top = s.current
    val e = intercept[JobPublishedException](s.publish(s.stage(s.named("j"))))
    assert(e.getMessage.contains(s"took effect as version $first") && s.current == top)
  }

  for (layout <- Layout.values) test(s"$layout: the files of a job that was given up stay while its attempt stands on the current version") {
    val s = Swept(layout = layout)
    s.history(3)
    val job = s.stage(s.named("j"), files = 2)
    job.seal()
    job.publishing(new Attempt(s.current, s.freshId(), java.util.List.of(), s.clock.millis()))
    assert(job.lost())
    job.discard()
    s.clock.hours(24 * 100)
    for (plan <- Seq(s.orphans(), s.clean())) assert(plan.doomed.isEmpty && plan.notes.asScala.exists(_.contains("'j' stays")))
    assert(files(s, "j").size == 2)
    s.history(1)
    s.clean()
    assert(files(s, "j").isEmpty)
  }

  for (layout <- Layout.values) test(s"$layout: files of dead writers go once another version is committed after them") {
    val s = Swept(layout = layout)
    s.history(3)
    val dead = s.stage(s.unnamed(), files = 2)
    s.clock.hours(24 * 10)
    assert(s.orphans().doomed.isEmpty && s.clean().doomed.isEmpty)
    assert(s.orphans().notes.asScala.exists(_.contains("files: 2")) && s.clean().notes.asScala.exists(_.contains(dead.id)))
    // While nobody at all is there, it need not be waited for.
    assert(s.orphans(unsafe = true, dryRun = true).doomed.size == 2)
    s.history(1)
    assert(s.orphans().doomed.size == 2 && files(s, dead.id).isEmpty)
  }

  for (layout <- Layout.values) test(s"$layout: a write without a name that takes almost a day is refused: its files may be taken for orphans") {
    val s = Swept(layout = layout)
    s.history(1)
    val job = s.stage(s.unnamed())
    s.clock.hours(21)
    val e = intercept[ValidationFailedException](s.publish(job))
    assert(e.getMessage.contains("20 hours") && e.getMessage.contains("job-id") && s.current == 1)
    val other = s.stage(s.named("n"))
    s.clock.hours(21)
    assert(s.publish(other).version == 2)
  }

  for (layout <- Layout.values) test(s"$layout: a job that nobody touched for a week is given up, files first out of reach, then deleted") {
    val s = Swept(layout = layout)
    s.history(2)
    s.stage(s.named("stale"), files = 2)
    s.clock.hours(24 * 6)
    s.stage(s.named("young"))
    s.clock.hours(25)
    val dry = s.clean(dryRun = true)
    assert(s.find("stale").phase == JobPhase.OPEN && deleted(dry).size == 3 && deleted(dry).forall(_.startsWith("bulk/stale/")))
    val before = s.find("stale")
    val plan = s.clean()
    assert(plan.doomed == dry.doomed && s.find("stale").phase == JobPhase.DISCARDED && bulk(s, "stale") == Set("bulk/stale/state.json"))
    intercept[InvalidOptionException](s.publish(before))
    assert(s.find("young").phase == JobPhase.OPEN && files(s, "young").size == 1)
    // Its name is free again; its state goes in the end.
    s.clock.hours(24 * 31)
    s.clean()
    assert(bulk(s, "stale").isEmpty)
  }

  for (layout <- Layout.values) test(s"$layout: a stage that is touched while it is being given up stays") {
    val s = Swept(layout = layout)
    s.history(2)
    s.stage(s.named("stale"))
    s.clock.hours(24 * 8)
    val add = () => s.stage(com.namidb.format.stage.StagedJob.find(s.paths, s.inner, "stale", s.clock).get): Unit
    s.store.on(Op.PutIfMatch, ".*stale/state.json", Fault.Before(add))
    val plan = s.clean()
    assert(plan.doomed.isEmpty && plan.notes.asScala.exists(_.contains("somebody works on it")))
    assert(s.find("stale").phase == JobPhase.OPEN && files(s, "stale").size == 2 && s.publish(s.find("stale")).version == 3)
  }

  for (layout <- Layout.values) test(s"$layout: a job whose outcome is open is settled first, and stays if that cannot be done") {
    for (committed <- Seq(true, false)) {
      val s = Swept(layout = layout)
      s.history(2)
      val job = s.stage(s.named("j"))
      val stop: com.namidb.format.log.CommitProbe = state =>
        if (state == s.on.steps.filter(_._2 == committed).map(_._1).apply(if (committed) 0 else 1)) throw new IllegalArgumentException("killed")
      intercept[IllegalArgumentException](new com.namidb.format.commit.Publisher(s.open(), new com.namidb.format.commit.CommitSettings(
        0, Duration.ofMillis(1), 1L << 30, s.clock, s.random, com.namidb.format.log.CommitTiming.SYSTEM.sleeper, stop))
        .publish(job, job.target(s.metered, com.namidb.format.commit.Graph.temp), com.namidb.format.commit.PublishOrder.blind()))
      assert(s.find("j").phase == JobPhase.PUBLISHING)
      s.clock.hours(24 * 8)
      val first = s.clean()
      if (!committed) {
        // Whoever was killed there may as well be asleep.
        assert(s.find("j").phase == JobPhase.SEALED && first.notes.asScala.exists(_.contains("sleep in the middle")) && first.doomed.isEmpty)
        s.history(1)
        s.clock.hours(24 * 8)
        s.clean()
      }
      assert(s.find("j").phase == (if (committed) JobPhase.PUBLISHED else JobPhase.DISCARDED))
      assert(files(s, "j").size == (if (committed) 1 else 0) && s.whole(s.latest().manifest))
    }
    // Its place was collected before anybody asked: nobody can tell, so nothing of it goes.
    val s = Swept(layout = layout)
    s.history(2)
    val job = s.stage(s.named("j"))
    job.seal()
    job.publishing(new Attempt(0, s.freshId(), java.util.List.of(s.freshId()), s.clock.millis()))
    s.history(5)
    for (v <- 0 to 4; key <- s.on.objects(s.paths, v)) s.inner.delete(key)
    s.clock.hours(24 * 100)
    val had = bulk(s, "j")
    val plan = s.clean()
    assert(bulk(s, "j") == had && plan.notes.asScala.exists(n => n.contains("'j' stays") && n.contains("verify_commit")))
    assert(s.orphans().doomed.asScala.forall(!_.`object`.key.contains("/bulk/j/")) && s.find("j").phase == JobPhase.PUBLISHING)
  }

  for (layout <- Layout.values) test(s"$layout: states and receipts of published jobs are kept thirty days, and as long as a version names their files") {
    val s = Swept(layout = layout)
    s.history(2)
    val job = s.stage(s.named("j"))
    val receipt = s.publish(job)
    val other = s.stage(s.unnamed())
    s.publish(other)
    s.clock.hours(24 * 29)
    assert(s.clean().doomed.isEmpty)
    s.clock.hours(24 * 2)
    assert(s.clean().doomed.isEmpty, "version 4 names its file")
    assert(new CommitVerifier(s.open().log, s.paths, s.inner, s.clock).verify("j") == new Verdict.CommittedAt(receipt.version))
    s.engine(Seq(s.engineFile()))
    s.clock.hours(30)
    s.expire(1)
    assert(deleted(s.clean()).map(_.split('/')(1)) == Set("j", other.id) && bulk(s, "j").isEmpty && bulk(s, other.id).isEmpty)
  }

  for (layout <- Layout.values) test(s"$layout: a state that cannot be read protects its folder") {
    val s = Swept(layout = layout)
    s.history(2)
    s.stage(s.named("j"))
    s.put("bulk/j/state.json", "{")
    s.clock.hours(24 * 400)
    s.expire(1)
    s.orphans()
    assert(s.clean().notes.asScala.exists(_.contains("cannot be read")) && files(s, "j").size == 1)
  }

  for (layout <- Layout.values) test(s"$layout: the mark of sweeps is no job, and no job can have its name") {
    val s = Swept(layout = layout)
    s.expire()
    assert(s.has("bulk/sweep.json"))
    intercept[InvalidOptionException](s.named("sweep.json"))
    assert(s.clean().notes.isEmpty)
  }
}
