package com.namidb.format.manifest

import java.nio.charset.StandardCharsets.UTF_8
import java.time.Instant
import java.util.{List => JList, UUID}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CorruptObjectException, UnsupportedFormatException}

/** `manifest.json` as bytes and as the model that both layouts share. */
class SingleObjectJsonSuite extends AnyFunSuite {
  private val now = Instant.parse("2026-11-29T10:00:00Z")
  private val known = Map(SchemaObject.EMPTY_ID -> SchemaObject.empty) ++
    ManifestFiles.Names.map(n => SingleObjectText.schema(versioned(n))).map(b => SchemaObject.id(b) -> b)
  private val json = ManifestJson.singleObject(id => SchemaObject.read(s"schemas/$id.json", known(id), id))

  private def versioned(name: String) = ManifestJson.versioned().read(name, ManifestFiles.bytes(name))
  private def read(text: String) = json.read("ns/manifest.json", text.getBytes(UTF_8))
  private def text(m: Manifest) = new String(json.write(m), UTF_8)
  private val writers = new java.util.concurrent.atomic.AtomicLong
  private def build(e: ManifestEdit) = e.build(new UUID(7, writers.incrementAndGet()), now, "next")

  /** The example of the page, with what it abbreviates written out. */
  private val page =
    s"""{"version": 42, "epoch": 7, "lsn_watermark": 18374, "schema_id": "${SchemaObject.EMPTY_ID}", "writer_id": "0198c0de-0000-7000-8000-0000000000ff",
      | "created_at": "2026-11-29T10:00:00Z",
      | "floor": 17, "label_dict": ["Person"],
      | "ssts": {"node": {"L0": [], "L1": []}, "edge": {"L0": [], "L1": []}},
      | "wal_segments": [], "job_ids": {"nightly-2026-11-29": 41}}""".stripMargin

  test("the example of the page") {
    val m = read(page)
    assert((m.version, m.epoch, m.lsnFloor, m.floor.getAsLong, m.layout) == ((42L, 7L, 18374L, 17L, Layout.SINGLE_OBJECT)))
    assert(m.labels.names.asScala == Seq("Person") && m.jobs.asScala == Map("nightly-2026-11-29" -> 41L) && m.ssts.isEmpty)
    assert(m.schema == new GraphSchema(java.util.Map.of(), java.util.Map.of()) && text(m) == page)
  }

  test("an engine's version says the same in both layouts, and its bytes come back") {
    for (n <- ManifestFiles.Names) {
      val v = versioned(n)
      val s = read(SingleObjectText.of(v))
      assert(s.version == v.version && s.writerId == v.writerId && s.createdAtMicros == v.createdAtMicros && s.schema == v.schema, n)
      assert(s.labels.names == v.labels.names && s.walSegments == v.walSegments && s.lsnFloor == v.lsnFloor, n)
      assert(s.ssts.asScala.toSet == v.ssts.asScala.toSet && s.ssts.size == v.ssts.size, n)
      assert(s.propertyNamesInStatistics == v.propertyNamesInStatistics && s.searchIndexes == v.searchIndexes, n)
      assert(s.hasSearchStates == v.hasSearchStates && s.vectorIndexes == v.vectorIndexes && text(s) == SingleObjectText.of(v), n)
      assert(s.floor.isEmpty && s.jobs.isEmpty)
    }
  }

  test("the next version keeps every byte it does not change: unknown members, groups and number texts") {
    val odd = """"x_future":{"n":1.50e+03,"big":18446744073709551615},"""
    for (n <- ManifestFiles.Names) {
      val plain = SingleObjectText.of(versioned(n))
      val base = read("{" + odd + plain.drop(1).replace("\"ssts\":{", "\"ssts\":{\"blob\":{\"L9\":[ 1.0 ]},"))
      val lsn = base.lsnFloor + 1
      val next = build(ManifestEdit.of(base).add(JList.of(NewSsts.nodes(1, lsn), NewSsts.edges(2, SstKind.EDGES_FWD, "K", lsn),
        NewSsts.edges(3, SstKind.EDGES_INV, "K", lsn))).labels(JList.of("Fresh")).job("job-1"))
      assert(next.version == base.version + 1 && next.epoch == base.epoch + 1 && next.lsnFloor == lsn + 2, n)
      assert(next.ssts.size == base.ssts.size + 3 && next.schema == base.schema && next.labels.names.asScala.last == "Fresh")
      assert(next.jobs.asScala == Map("job-1" -> next.version) && next.layout == Layout.SINGLE_OBJECT)
      val t = text(next)
      assert(t.startsWith("{" + odd) && t.contains("\"blob\":{\"L9\":[ 1.0 ]}"), n)
      for (i <- 0 until base.ssts.size) assert(t.contains(new String(base.document.descriptor(i), UTF_8)), s"$n $i")
      assert(next.ssts.asScala.filter(_.level == 0).map(_.id).containsSlice(Seq(NewSsts.id(2), NewSsts.id(3))))
      // Another commit on top, and what does not touch the SSTs leaves their text as it is.
      val idle = build(ManifestEdit.of(next))
      assert(new String(idle.document.value("ssts").get, UTF_8) == new String(next.document.value("ssts").get, UTF_8))
      assert(idle.jobs == next.jobs && idle.epoch == next.epoch + 1)
    }
  }

  test("groups and levels that are missing are made where SSTs are added") {
    for (ssts <- Seq("\"ssts\":{},", "", "\"ssts\":{\"edge\":{}},", "\"ssts\":{\"node\":{\"L1\":[]}},")) {
      val base = read(page.replaceFirst("(?s)\"ssts\".*?\"wal", java.util.regex.Matcher.quoteReplacement(ssts) + "\"wal"))
      val next = build(ManifestEdit.of(base).add(JList.of(NewSsts.nodes(1, 20000))))
      assert(next.ssts.asScala.map(_.id) == Seq(NewSsts.id(1)), ssts)
    }
  }

  test("search generations are retired as in the engine's layout") {
    val base = read(SingleObjectText.of(versioned("engine-2.6.json")))
    val want = build(ManifestEdit.of(versioned("engine-2.6.json")).retireSearch())
    val next = build(ManifestEdit.of(base).retireSearch())
    assert(base.hasSearchStates && !next.hasSearchStates && next.ssts.asScala.map(_.id).toSet == want.ssts.asScala.map(_.id).toSet)
    assert(next.ssts.size < base.ssts.size && next.searchIndexes == base.searchIndexes)
  }

  test("the last 256 jobs are remembered, the newest once and last") {
    var m = ManifestEdit.firstSingleObject(new UUID(1, 1), now, "first", id => SchemaObject.read("s", known(id), id))
    assert(m.version == 0 && m.floor.isEmpty && m.jobs.isEmpty)
    for (i <- 1 to 300) m = build(ManifestEdit.of(m).job(s"j$i"))
    assert(m.jobs.asScala.toSeq == (45 to 300).map(i => s"j$i" -> i.toLong))
    m = build(ManifestEdit.of(m).job("j50"))
    assert(m.jobs.size == 256 && m.jobs.asScala.toSeq.last == "j50" -> 301L && !m.jobs.containsKey("j45-"))
  }

  test("the floor goes up in a commit, never down, and never to the version itself") {
    val base = read(page)
    val raised = build(ManifestEdit.of(base).floor(42))
    assert(raised.version == 43 && raised.floor.getAsLong == 42)
    for (bad <- Seq(16L, 43L, -1L)) intercept[RuntimeException](build(ManifestEdit.of(base).floor(bad)))
    assert(build(ManifestEdit.of(raised)).floor.getAsLong == 42)
    intercept[CorruptObjectException](read(page.replace("\"floor\": 17", "\"floor\": 42")))
    for (none <- Seq("\"floor\": null, ", "")) assert(read(page.replace("\"floor\": 17, ", none)).floor.isEmpty)
  }

  test("a damaged or newer document is told as such, at every truncation") {
    val whole = SingleObjectText.of(versioned("worked-body.json"))
    def corrupt(s: String): Unit = { intercept[CorruptObjectException](read(s)); () }
    for (n <- 0 until whole.length by 7) corrupt(whole.take(n))
    for (member <- Seq("version", "epoch", "lsn_watermark", "schema_id", "writer_id", "created_at"))
      corrupt(page.replaceFirst("\"" + member + "\"", "\"x\""))
    corrupt(whole + "{}")
    corrupt(page.replace("\"L1\"", "\"one\""))
    corrupt(page.replace(SchemaObject.EMPTY_ID, "../../" + SchemaObject.EMPTY_ID.drop(6)))
    corrupt(page.replace("{\"L0\": [], \"L1\": []}", "[]"))
    // A descriptor under another kind or level than its own.
    corrupt(whole.replace("\"node\":{\"L0\":", "\"node\":{\"L3\":"))
    corrupt(whole.replace("\"node\":{", "\"was\":{").replace("\"edge\":{", "\"node\":{"))
    intercept[UnsupportedFormatException](read(whole.replaceFirst("\"kind\":\\s*\"Nodes\"", "\"kind\":\"Blobs\"")))
  }

  test("a schema object is what its id says") {
    val id = SchemaObject.EMPTY_ID
    assert(id.matches("[0-9a-f]{64}"))
    intercept[CorruptObjectException](SchemaObject.read("s", " {}".getBytes(UTF_8), id))
    for (n <- ManifestFiles.Names) {
      val bytes = SingleObjectText.schema(versioned(n))
      assert(SchemaObject.read("s", bytes, SchemaObject.id(bytes)) == versioned(n).schema)
    }
  }
}
