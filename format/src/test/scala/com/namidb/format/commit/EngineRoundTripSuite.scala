package com.namidb.format.commit

import java.nio.file.{Files, Path}
import java.util.UUID

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.store.TempDirs
import com.namidb.format.{Canon, Golden}
import com.namidb.format.engine.Engines
import com.namidb.format.id.NodeId
import com.namidb.format.store.local.LocalStore

/** What we publish, the real engine answers, keeps working on, flushes and compacts; and we read that again. */
class EngineRoundTripSuite extends AnyFunSuite {
  import Graph.id

  private case class Look(nodes: Map[String, Canon.Node], edges: Map[(String, String, String), Canon.Edge])

  private def looks(out: Path): Seq[Look] = Files.readAllLines(out).asScala.toSeq.map { l =>
    val n = Canon.mapper.readTree(l)
    Look(n.get("nodes").asScala.map(Canon.node(_)).map(x => x.id -> x).toMap,
      n.get("edges").asScala.map(Canon.edge(_)).map(x => (x.tpe, x.src, x.dst) -> x).toMap)
  }

  /** Ids, labels and keys of everything; properties where the stored form has no tag. */
  private def agrees(ours: Contents, engine: Look, clue: String): Unit = {
    def properties(json: String, theirs: Map[String, Canon]): Unit =
      if (!json.contains("\"$")) assert(Canon.properties(Canon.mapper.readTree(json), base64 = false) == theirs, clue)
    val nodes = ours.nodes.map { case (k, v) => k.toString -> v }
    assert(nodes.keySet == engine.nodes.keySet, s"$clue: nodes")
    for ((k, (labels, json)) <- nodes) {
      assert(labels == engine.nodes(k).labels, s"$clue: labels of $k")
      properties(json, engine.nodes(k).properties)
    }
    val edges = ours.edges.map { case ((t, s, d), v) => (t, s.toString, d.toString) -> v }
    assert(edges.keySet == engine.edges.keySet, s"$clue: edges")
    for ((k, json) <- edges) properties(json, engine.edges(k).properties)
  }

  private def work(engine: String, g: Graph, store: Path, ns: String, ids: String*): Seq[Look] = {
    val out = TempDirs.lasting("roundtrip-").resolve("looks.jsonl")
    val types = "BULK" +: g.contents(g.latest()).edges.keys.map(_._1).toSeq.distinct.filter(_ != "BULK").sorted
    Engines.run(engine, "roundtrip.py", Seq(store.toString, ns, out.toString, types.mkString(",")) ++ ids: _*)
    looks(out)
  }

  private val bulk = (1 to 400).map(i => N(id(i), if (i % 2 == 0) Seq("Bulk", "Even") else Seq("Bulk"), Some(s"""{"i":$i,"s":"n$i"}""")))
  private val links = (1 to 399).map(i => E(id(i), id(i + 1), Some(if (i % 3 == 0) "{}" else s"""{"w":$i}""")))

  for (engine <- Engines.versions if Engines.enabled) {
    for (base <- Seq("updates-and-deletes", "wal-and-sst")) test(s"engine $engine goes on from what we published on $base") {
      // A namespace name is used once per engine process; each run has a process of its own.
      val c = Golden(if (engine == "2.1.4") base + "-2.1.4" else base).copied()
      val g = Graph(LocalStore.open(c.store), c.ns)
      val was = g.contents(g.latest())
      val victim: NodeId = was.nodes.keys.minBy(_.toString)
      val changed: NodeId = was.nodes.keys.maxBy(_.toString)
      val cut = was.edges.keys.minBy(_.toString)
      g.commit(bulk :+ N(victim, Nil, None) :+ N(changed, Seq("Bulk"), Some("""{"was":"changed"}""")),
        Map("BULK" -> links, cut._1 -> Seq(E(cut._2, cut._3, None))))
      val ours = g.contents(g.latest())
      assert(ours.nodes.size == was.nodes.size - 1 + bulk.size && ours.edges.size == was.edges.size - 1 + links.size)
      assert(ours.nodes(changed) == (Seq("Bulk") -> """{"was":"changed"}"""))
      val Seq(before, after) = work(engine, g, c.store, c.ns, id(10).toString, "Bulk", id(11).toString, id(20).toString, id(21).toString)
      agrees(ours, before, s"$engine at once")
      agrees(Graph(LocalStore.open(c.store), c.ns) match { case h => h.contents(h.latest()) }, after, s"$engine after compaction")
      assert(after.nodes.keySet == before.nodes.keySet - id(11).toString && after.edges.keySet == before.edges.keySet - (("BULK", id(20).toString, id(21).toString)))
      assert(after.nodes(id(10).toString).properties == Map("i" -> Canon.CInt(10), "s" -> Canon.CStr("n10"), "touched" -> Canon.CBool(true)))
      // And once more on top of the engine's compacted files.
      val h = Graph(LocalStore.open(c.store), c.ns)
      h.commit(Seq(N(id(10), Nil, None), N(id(500), Seq("Again"), Some("{}"))), Map("BULK" -> Seq(E(id(1), id(2), None))), seed = 2)
      val last = work(engine, h, c.store, c.ns).last
      assert(!last.nodes.contains(id(10).toString) && last.nodes(id(500).toString).labels == Seq("Again"))
      agrees(Graph(LocalStore.open(c.store), c.ns) match { case k => k.contents(k.latest()) }, last, s"$engine at the end")
      Golden.deleteTree(c.store)
    }

    test(s"engine $engine opens a namespace that we created") {
      val dir = TempDirs.lasting("created-")
      val g = Graph.fresh(LocalStore.open(dir), "fresh")
      g.commit(bulk, Map("BULK" -> links))
      val ours = g.contents(g.latest())
      val Seq(before, after) = work(engine, g, dir, "fresh")
      agrees(ours, before, s"$engine")
      agrees(ours, after, s"$engine compacted")
      val empty = Graph.fresh(LocalStore.open(dir), "empty")
      assert(work(engine, empty, dir, "empty").last == Look(Map.empty, Map.empty))
      Golden.deleteTree(dir)
    }

    test(s"engine $engine flushes, compacts and rebuilds its indexes after nodes were added beside them") {
      val c = Golden(if (engine == "2.1.4") "indexes-2.1.4" else "indexes").copied()
      val g = Graph(LocalStore.open(c.store), c.ns)
      g.commit(Seq(N(new NodeId(1, 1), Seq("Bulk"), Some("""{"i":1}"""))), order = PublishOrder.blind().retiringSearch())
      val ours = g.contents(g.latest())
      val Seq(before, after) = work(engine, g, c.store, c.ns)
      agrees(ours, before, engine)
      agrees(ours, after, s"$engine compacted")
      assert(Graph(LocalStore.open(c.store), c.ns).latest().manifest.hasSearchStates, "the engine did not rebuild")
      Golden.deleteTree(c.store)
    }

    test(s"engine $engine publishes a body of ours that was left without pointer") {
      val dir = TempDirs.lasting("stalled-")
      val g = Graph.fresh(LocalStore.open(dir), "stalled")
      g.commit(bulk.take(3))
      val job = g.stage(g.unnamed(), bulk.slice(3, 5), Map("BULK" -> links.take(1)))
      intercept[IllegalArgumentException](g.publisher(0, s =>
        if (s == com.namidb.format.log.CommitState.PUT_POINTER) throw new IllegalArgumentException("killed"))
        .publish(job, g.target(job), PublishOrder.blind()))
      val attempts = job.attempts
      assert(Graph(LocalStore.open(dir), "stalled").latest().version == 1)
      val seen = work(engine, g, dir, "stalled").head
      assert(seen.nodes.size == 5 && seen.edges.size == 1)
      val h = Graph(LocalStore.open(dir), "stalled")
      assert(new CommitVerifier(h.namespace.log, h.paths, h.store, h.clock).verify(attempts) == new Verdict.CommittedAt(2))
      assert(UUID.fromString(h.at(2).manifest.writerId) == attempts.get(0).writer)
      Golden.deleteTree(dir)
    }
  }
}
