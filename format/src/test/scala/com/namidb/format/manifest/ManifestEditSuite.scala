package com.namidb.format.manifest

import java.time.Instant
import java.util.{Base64, UUID}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.node.ObjectNode
import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.Canon

class ManifestEditSuite extends AnyFunSuite {
  private val writer = new UUID(7, 7)
  private val now = Instant.parse("2026-11-29T10:00:00.5Z")
  private def read(name: String) = ManifestJson.versioned().read(name, ManifestFiles.bytes(name))
  private def text(m: Manifest) = new String(ManifestJson.versioned().write(m), "UTF-8")
  private def tree(m: Manifest) = Canon.mapper.readTree(text(m)).asInstanceOf[ObjectNode]
  private def build(e: ManifestEdit) = e.build(writer, now, "ns/next")

  test("an edit without content changes version, writer and time only, and nothing else by a byte") {
    for (name <- ManifestFiles.Names) {
      val base = read(name)
      val next = build(ManifestEdit.of(base))
      val restored = text(next)
        .replace(s""""version":${base.version + 1},"epoch"""", s""""version":${base.version},"epoch"""")
        .replace(writer.toString, base.writerId)
      val created = """"created_at":"[^"]*"""".r
      val original = ManifestFiles.compact(ManifestFiles.text(name))
      assert(created.replaceFirstIn(ManifestFiles.compact(restored), "") == created.replaceFirstIn(original, ""), name)
      assert(next.createdAtMicros == 1795946400500000L)
      assert(next.epoch == base.epoch)
    }
  }

  test("added descriptors have exactly the members of the spec, in order, after those that were there") {
    val base = read("worked-body.json")
    val next = build(ManifestEdit.of(base).add(java.util.List.of(
      NewSsts.nodes(1, 1000), NewSsts.edges(2, SstKind.EDGES_FWD, "KN\"OWS", 1000), NewSsts.edges(3, SstKind.EDGES_INV, "KN\"OWS", 1000))))
    val ssts = tree(next).get("ssts")
    assert(ssts.size == 6)
    for (i <- 0 until 3) assert(ManifestFiles.descriptor(next, i).toSeq == ManifestFiles.descriptor(base, i).toSeq)
    val n = ssts.get(3)
    assert(n.fieldNames.asScala.toSeq == Seq("id", "kind", "scope", "level", "path", "size_bytes", "row_count", "created_at",
      "min_key", "max_key", "min_lsn", "max_lsn", "schema_version_min", "schema_version_max", "property_stats", "kind_specific",
      "bloom", "unique_property_indices", "equality_property_indices", "label_index", "node_locator", "per_label_property_stats"))
    assert(n.get("created_at").textValue == "2026-11-29T10:00:00.500Z")
    assert(Base64.getDecoder.decode(n.get("max_key").textValue).toSeq == Seq.fill(8)(-1.toByte) ++ Seq[Byte](0, 0, 0, 0, 0, 0, 0, 3))
    assert(n.get("kind_specific").toString == """{"kind":"Nodes","tombstone_count":1}""")
    assert(n.get("schema_version_max").longValue == 1)
    val e = ssts.get(4).get("kind_specific")
    assert(ssts.get(4).get("scope").textValue == "KN\"OWS" && ssts.get(5).get("kind").textValue == "EdgesInv")
    assert(e.get("degree_histogram").get("counts").size == 64 && e.get("degree_histogram").get("counts").get(1).longValue == 1)
    assert(e.get("degree_histogram").get("sum_degree").longValue == 2 && e.get("key_count").longValue == 1)
    assert(next.lsnFloor == 1002)
  }

  test("labels are appended once and in order; the WAL list can only become empty") {
    val base = read("worked-body.json")
    assert(base.lsnFloor == 14)
    val next = build(ManifestEdit.of(base).labels(java.util.List.of("City", "Ünï \"x\"", "B", "B")).clearWal())
    assert(next.labels.names.asScala == Seq("Person", "City", "Ünï \"x\"", "B"))
    assert(next.walSegments.isEmpty && tree(next).get("wal_segments").isEmpty)
  }

  test("retiring search generations takes out their bodies, barriers and markers, and nothing else") {
    for (name <- Seq("engine-2.6.json", "engine-2.1.json")) {
      val base = read(name)
      assert(base.hasSearchStates && !base.searchIndexes.isEmpty, name)
      val before = tree(base)
      val owned = before.get("search_lsm").elements.asScala.flatMap { s =>
        s.get("segments").elements.asScala.map(_.get("sst_id").textValue) ++ Option(s.get("compat_barrier_sst_id")).map(_.textValue)
      }.toSet - null
      assert(owned.nonEmpty)
      val next = build(ManifestEdit.of(base).retireSearch())
      val after = tree(next)
      assert(after.get("search_lsm").isEmpty && !next.hasSearchStates)
      val left = before.get("ssts").elements.asScala.filterNot(s => owned(s.get("id").textValue)).map(_.toString).toSeq
      assert(after.get("ssts").elements.asScala.map(_.toString).toSeq == left)
      assert(left.size == base.ssts.size - owned.size)
      assert(after.get("vector_indexes") == before.get("vector_indexes") && after.get("text_indexes") == before.get("text_indexes"))
      assert(next.searchIndexes == base.searchIndexes)
    }
  }

  test("only the markers of retired generations go") {
    val json = ManifestFiles.small(3, rest =
      """"ssts":[]""").replace("\"search_index_builds\":[],\"search_lsm\":[]",
      """"search_index_builds":[{"kind":"VectorGraph","name":"a","catalog_signature":"s","max_node_lsn":18446744073709551615},""" +
        """{"kind":"TextIndex","name":"a" , "catalog_signature":"s","max_node_lsn":1}],""" +
        """"search_lsm":[{"index_name":"a","kind":"vector","status":"building"}]""")
    val next = build(ManifestEdit.of(ManifestFiles.read(json)).retireSearch())
    assert(text(next).contains(""""search_index_builds":[{"kind":"TextIndex","name":"a" , "catalog_signature":"s","max_node_lsn":1}],"search_lsm":[]"""))
  }

  test("what must never be published is found") {
    val base = read("worked-body.json")
    def refused(part: String)(ssts: NewSst*): Unit = {
      val e = intercept[IllegalStateException](build(ManifestEdit.of(base).add(ssts.asJava)))
      assert(e.getMessage.contains(part), e.getMessage)
    }
    val fwd = NewSsts.edges(2, SstKind.EDGES_FWD, "T", 100)
    refused("without partner")(fwd)
    refused("without partner")(fwd, NewSsts.edges(3, SstKind.EDGES_INV, "U", 100))
    refused("without partner")(fwd, NewSsts.edges(3, SstKind.EDGES_INV, "T", 101))
    refused("twice")(NewSsts.nodes(1, 100), NewSsts.nodes(1, 100))
    refused("not above the base")(NewSsts.nodes(1, 14))
    build(ManifestEdit.of(base).add(java.util.List.of(NewSsts.nodes(1, 12))).clearWal())
    refused("2^62")(NewSsts.nodes(1, (1L << 62) - 2))
    refused("no rows")(NewSsts.nodes(1, 100, rows = 0))
    refused("bad scope")(NewSsts.edges(2, SstKind.EDGES_FWD, "", 100))
    for (path <- Seq("bulk/a b/x", "bulk//x", "bulk/é", "/bulk", "x.ep.csr")) {
      val n = NewSsts.nodes(1, 100)
      refused("path")(new NewSst(n.id, n.kind, n.scope, path, n.sizeBytes, n.counts, n.keys, n.lsns, n.schemaVersions, n.degrees))
    }
  }

  test("the first version of a namespace is what the engine writes") {
    val m = ManifestEdit.first(writer, now, "x")
    val engine = tree(read("empty.json"))
    val ours = tree(m)
    for (t <- Seq(engine, ours)) { t.remove("writer_id"); t.remove("created_at"); t.get("schema").asInstanceOf[ObjectNode].remove("indexes") }
    engine.put("version", 0); engine.put("epoch", 0)
    assert(ours.toString == engine.toString)
  }
}
