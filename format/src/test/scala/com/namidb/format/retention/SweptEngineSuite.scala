package com.namidb.format.retention

import java.nio.file.{Files, Path}
import java.util.OptionalLong

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.Golden
import com.namidb.format.commit.{Contents, E, Graph, N, PublishOrder}
import com.namidb.format.engine.Engines
import com.namidb.format.error.{CommitConflictException, SnapshotGoneException}
import com.namidb.format.log.Floor
import com.namidb.format.manifest.ManifestPointer
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.format.store.{FaultyStore, TempDirs}
import com.namidb.format.store.FaultyStore.{Fault, Op}
import com.namidb.format.store.local.LocalStore

/** The real engine works on what sweeping has left. */
class SweptEngineSuite extends AnyFunSuite {
  import Graph.id

  /** Nobody else is there: everything may go at once. */
  private val now = new SweepAge(OptionalLong.empty(), true)

  private def sweeper(g: Graph) = new Sweeper(g.namespace, g.store, g.settings())

  /** Opens with the engine, answers, changes nothing but flushes and compacts, and answers again. */
  private def looks(engine: String, store: Path, ns: String): Seq[Seq[String]] = {
    val g = Graph(LocalStore.open(store), ns)
    val types = g.contents(g.latest()).edges.keys.map(_._1).toSeq.distinct.sorted
    val out = TempDirs.lasting("swept-looks-").resolve("looks.jsonl")
    Engines.run(engine, "roundtrip.py", store.toString, ns, out.toString, types.mkString(","))
    // The order of rows is nobody's promise.
    Files.readAllLines(out).asScala.toSeq.map { l =>
      val n = com.namidb.format.Canon.mapper.readTree(l)
      Seq("nodes", "edges").flatMap(k => n.get(k).asScala.map(_.toString)).sorted
    }
  }

  private def keys(store: Path): Set[String] = {
    val all = Files.walk(store)
    try all.iterator.asScala.filter(Files.isRegularFile(_)).map(store.relativize(_).toString).toSet finally all.close()
  }

  private def copied(store: Path): Path = {
    val to = TempDirs.lasting("swept-copy-")
    Golden.copyTree(store, to.resolve("copy"))
    to.resolve("copy")
  }

  if (Engines.enabled) {
    for ((name, engines) <- Seq("updates-and-deletes-2.1.4" -> Engines.versions, "indexes-2.1.4" -> Engines.versions, "indexes" -> Seq("2.6.19"), "edge-heavy" -> Seq("2.6.19")))
      test(s"engines ${engines.mkString(" and ")} answer the same of $name before and after everything old is gone") {
        val c = Golden(name).copied()
        val g = Graph(LocalStore.open(c.store), c.ns)
        // Something of ours that is compacted away later, and something that stays.
        val retire = PublishOrder.blind().retiringSearch()
        g.commit((1 to 50).map(i => N(id(i), Seq("Swept"), Some(s"""{"i":$i}"""))), Map("SWEPT" -> Seq(E(id(1), id(2), Some("{}")))), retire)
        Engines.run(engines.last, "roundtrip.py", c.store.toString, c.ns, TempDirs.lasting("swept-").resolve("x").toString, "SWEPT")
        val h = Graph(LocalStore.open(c.store), c.ns)
        h.commit(Seq(N(id(3), Nil, None), N(id(60), Seq("Swept"), Some("{}"))), order = retire)
        val before = copied(c.store)
        val ours = h.contents(h.latest())
        val had = keys(c.store)
        val plan = sweeper(h).expire(1, now, false)
        sweeper(h).removeOrphans(new SweepAge(OptionalLong.of(System.currentTimeMillis()), true), false)
        assert(plan.horizon.getAsLong == h.latest().version && plan.doomed.asScala.map(_.kind).toSet.contains(Doomed.Kind.FILE))
        val left = keys(c.store)
        assert((had -- left).size >= plan.doomed.size && left.count(_.contains("/manifest/v")) == 1 && left.exists(_.matches(".*/bulk/.*-nodes.parquet")))
        val k = Graph(LocalStore.open(c.store), c.ns)
        assert(k.contents(k.latest()) == ours)
        for (engine <- engines) assert(looks(engine, copied(c.store), c.ns) == looks(engine, copied(before), c.ns), engine)
        intercept[SnapshotGoneException](k.at(k.latest().version - 1))
        Golden.deleteTree(c.store)
      }

    // What is collected may end right before the version after the stalled writer's, or far beyond it.
    for ((engine, later, named) <- Seq(("2.6.19", 6, false), ("2.1.4", 6, true), ("2.6.19", 0, true)))
      test(s"a writer ${if (named) "with" else "without"} a name sleeps until its place is collected; engine $engine goes on with the real history, $later versions later") {
      val dir = TempDirs.lasting("fork-")
      val inner = LocalStore.open(dir)
      val store = new FaultyStore(inner)
      val g = Graph.fresh(store, "fork")
      g.commit((1 to 20).map(i => N(id(i), Seq("P"), Some(s"""{"i":$i}"""))))
      val asleep = if (named) StagedJob.open(g.paths, g.store, "sleeper", "nodes of P", g.clock) else g.unnamed()
      val job = g.stage(asleep, (101 to 105).map(i => N(id(i), Seq("P"), Some("{}"))))
      var real = 0L
      var rows: Contents = null
      store.on(Op.PutIfAbsent, ".*manifest/v.*", Fault.Before { () =>
        // Version 2 to whatever: the engine opens, compacts, opens again; then we commit.
        looks(engine, dir, "fork")
        val others = Graph(inner, "fork")
        for (i <- 1 to later) others.commit(Seq(N(id(200L + i), Seq("P"), Some("{}"))))
        real = others.latest().version
        rows = others.contents(others.latest())
        // A sweep of ours keeps what a job with a name needs; one of the engine's knows nothing of it.
        if (!named) sweeper(others).expire(1, now, false)
        else {
          val oldest = if (later == 0) 3L else real
          Floor.raise(g.paths, inner, oldest - 1)
          for (v <- 0L until oldest) { inner.delete(g.paths.body(v)); inner.delete(g.paths.pointer(v)) }
        }
        assert(inner.head(g.paths.body(2)).isEmpty && inner.head(g.paths.pointer(2)).isEmpty && inner.head(g.paths.body(1)).isEmpty)
        awaitClock(dir)
      })
      val e = intercept[CommitConflictException](g.publisher(retries = 0).publish(job, g.target(job), PublishOrder.blind()))
      assert(e.getMessage.contains("Nothing was published") && job.phase == JobPhase.SEALED)
      // It did take its place, and nobody follows it.
      assert(inner.head(g.paths.pointer(2)).isPresent && inner.head(g.paths.pointer(1)).isEmpty && real >= 4)
      assert(ManifestPointer.parse("", inner.get(g.paths.currentHint).get.bytes).version == real, "the hint was touched")
      val reader = Graph(inner, "fork")
      assert(reader.latest().version == real && reader.contents(reader.latest()) == rows)
      val Seq(seen, _) = looks(engine, copied(dir), "fork")
      assert(seen.size == rows.nodes.size + rows.edges.size && !seen.exists(_.contains(id(101).toString)))
      // The next sweeps leave the history alone, and remove the fork but not the job's files.
      val next = Graph(inner, "fork")
      sweeper(next).expire(1, now, false)
      sweeper(next).removeOrphans(now, false)
      assert(inner.head(next.paths.pointer(2)).isEmpty && inner.head(next.paths.body(2)).isEmpty)
      assert(next.contents(next.latest()) == rows)
      val receipt = g.publisher().publish(job, g.target(job), PublishOrder.blind())
      assert(receipt.version == real + 1)
      val end = Graph(inner, "fork")
      assert(end.contents(end.latest()).nodes.keySet == rows.nodes.keySet ++ (101 to 105).map(i => id(i)))
      assert(looks(engine, copied(dir), "fork").head.size == rows.nodes.size + 5 + rows.edges.size)
      Golden.deleteTree(dir)
    }
  }

  /** Until what is written now is later than what was written before, by the clock of the files. */
  private def awaitClock(dir: Path): Unit = {
    val a = Files.createTempFile(dir, "clock", "")
    val was = Files.getLastModifiedTime(a).toMillis
    while ({ Files.write(a, Array[Byte](1)); Files.getLastModifiedTime(a).toMillis <= was }) Thread.onSpinWait()
    Files.delete(a)
  }
}
