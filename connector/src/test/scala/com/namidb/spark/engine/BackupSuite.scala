package com.namidb.spark.engine

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.Canon
import com.namidb.format.engine.Engines
import com.namidb.format.manifest.KeyEncoding
import com.namidb.spark.{Graph, Place, Places}

class BackupSuite extends BackupTests(Places.Local)

/** The copy of one snapshot that docs/operations.md describes is a graph of its own, for Spark and for the engine. */
class BackupTests(override val places: Places) extends GraphSuite {
  /** What a manifest names, as keys below the namespace. */
  private def named(manifest: String): Set[String] = {
    def texts(n: JsonNode): Seq[String] = if (n.isTextual) Seq(n.textValue) else n.elements.asScala.toSeq.flatMap(texts)
    val tree = Canon.mapper.readTree(manifest)
    val paths = texts(tree).filter(t => t.startsWith("sst/") || t.startsWith("bulk/")).toSet
    val implied = paths.collect { case p if p.endsWith(".ep.csr") => p.stripSuffix(".ep.csr") + ".epidx" }
    val segments = tree.get("wal_segments").asScala.map(s => f"wal/${s.get("seq").longValue}%016x.wal")
    (paths ++ implied).map(KeyEncoding.encode) ++ segments
  }

  private def backup(g: Graph, version: Long, newest: Boolean, to: Place): Unit = {
    def copy(from: String, as: String): Unit = to.put(g.key(as), g.place.bytes(g.key(from)))
    val single = if (newest) "manifest.json" else f"manifests/$version%016x.json"
    val body = if (places.single) single else f"manifest/v$version%016x.json"
    // An SST without labelled ends has no such sidecar.
    for (k <- named(g.place.text(g.key(body))) if !k.endsWith(".epidx") || g.place.exists(g.key(k))) copy(k, k)
    if (places.single) {
      g.place.keys(g.key("schemas/")).map(_.stripPrefix(g.key(""))).foreach(k => copy(k, k))
      copy(body, "manifest.json")
    } else {
      copy(body, body)
      copy(f"manifest/pointer/p$version%016x.json", f"manifest/pointer/p$version%016x.json")
    }
  }

  for (name <- Seq("updates-and-deletes", "wal-and-sst", "indexes", "names")) test(s"$name: every recorded snapshot, copied alone") {
    val g = golden(name)
    val newest = this.newest(g.uri)
    for (at <- g.recorded; v = at.version.getOrElse(newest)) {
      val clue = s"$name@$v"
      val p = places.fresh()
      backup(g, v, v == newest, p)
      val uri = p.uri(g.ns)
      Answers.nodes(read(uri, None, "label" -> "*"), at.nodes, clue)
      for ((t, es) <- at.edges.groupBy(_.tpe)) Answers.edges(read(uri, None, "type" -> t), es, s"$clue type $t")
      if (Engines.enabled && !places.single && !places.bucket) {
        val session = new EngineSession("2.6.19", p)
        try {
          session.ask("do" -> "open", "ns" -> g.ns)
          val seen = session.ask("do" -> "rows", "cypher" -> "MATCH (n) RETURN n")
          assert(seen.size == at.nodes.size, clue)
        } finally session.close()
      }
      // The graph goes on from there.
      val s = spark
      import s.implicits._
      Seq(("00000000-0000-0000-0000-00000000abcd", 1)).toDF("_id", "n").write.format("namidb")
        .options(Map("label" -> "Copied", "search-indexes" -> "retire")).mode("append").save(uri)
      assert(read(uri, None, "label" -> "*").count() == at.nodes.size + 1, clue)
      p.remove()
    }
  }
}
