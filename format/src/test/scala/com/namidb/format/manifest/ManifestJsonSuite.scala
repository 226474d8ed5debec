package com.namidb.format.manifest

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CorruptObjectException, NamiException, UnsupportedFormatException}
import com.namidb.format.id.NodeId

class ManifestJsonSuite extends AnyFunSuite {
  import ManifestFiles._

  private val base = worked

  private def replaced(from: String, to: String): String = {
    assert(base.contains(from), from)
    base.replaceFirst(java.util.regex.Pattern.quote(from), java.util.regex.Matcher.quoteReplacement(to))
  }

  private def damaged(json: String, member: String): Unit = {
    val e = intercept[CorruptObjectException](read(json))
    assert(e.getMessage.contains(member), e.getMessage)
    assert(e.`object`().get() == "ns/manifest/v.json")
  }

  test("the worked example reads as the spec says") {
    val m = read(text("worked-body.json"))
    assert((m.version, m.epoch, m.writerId) == ((7L, 3L, "0198c0de-0000-7000-8000-0000000000ff")))
    assert(m.createdAtMicros == java.time.Instant.parse("2026-01-02T03:04:06Z").getEpochSecond * 1000000)
    val name = new GraphSchema.PropertyDef("name", "Utf8", 0, true, false, true)
    val emb = new GraphSchema.PropertyDef("emb", "FloatVector", 2, true, false, false)
    assert(m.schema.labels.asScala == Map("Person" -> java.util.List.of(name, emb)))
    assert(m.labels.names.asScala == Seq("Person", "City"))
    val Seq(nodes, fwd, inv) = m.ssts.asScala.toSeq
    assert(nodes.kind == SstKind.NODES && nodes.scope == "" && nodes.level == 0)
    assert(nodes.path == "sst/level0/0198c0de000170008000000000000001-nodes.parquet")
    assert(nodes.sizeBytes == 4321 && nodes.counts == new SstDescriptor.Counts(3, 0, 3))
    assert(nodes.keys.min == NodeId.parse("018f93b4-3333-7abc-8000-000000000001"))
    assert(nodes.keys.max == NodeId.parse("018f93b4-3333-7abc-8000-000000000003"))
    assert(nodes.lsns == new SstDescriptor.LsnRange(8, 10) && nodes.bloom.isEmpty)
    assert(nodes.labelCounts.get.asScala == Map(0 -> 2L, 1 -> 1L))
    assert(fwd.kind == SstKind.EDGES_FWD && fwd.counts == new SstDescriptor.Counts(2, 0, 1) && fwd.labelCounts.isEmpty)
    assert(inv.kind == SstKind.EDGES_INV && inv.scope == "KNOWS" && inv.counts.keys == 2)
    assert(m.walSegments.asScala == Seq(new WalSegment(42, 14, "3571526984296331441")))
    assert(m.propertyNamesInStatistics.asScala == Map(0 -> java.util.Set.of("name")))
  }

  test("a manifest is read whatever the length of the values, names and numbers in it") {
    val long = "x" * 21000000
    def same(json: String) = {
      val m = read(json)
      assert(m.propertyNamesInStatistics.size == 1 && m.ssts.size == 3)
      assert(m.document.descriptor(0).length > 21000000)
      m
    }
    same(replaced("\"Bob\"", "\"" + long + "\""))
    same(replaced("\"property\":\"name\"", "\"property\":\"" + long + "\""))
    same(replaced("\"null_count\":0,\"min\":{\"type\":\"Utf8\"", "\"null_count\":0,\"" + long + "\":1,\"min\":{\"type\":\"Utf8\""))
    same(replaced("\"null_count\":0,\"min\":{\"type\":\"Utf8\"", "\"null_count\":0,\"later\":1" + "0" * 21000000 + ",\"min\":{\"type\":\"Utf8\""))
  }

  test("the worked pointer reads and is written as it was") {
    val p = ManifestPointer.parse("p", bytes("worked-pointer.json"))
    assert(p == new ManifestPointer(7, 3, "tenants/acme/manifest/v0000000000000007.json"))
    assert(p.toBytes.sameElements(bytes("worked-pointer.json")))
    for (n <- bytes("worked-pointer.json").indices) {
      intercept[CorruptObjectException](ManifestPointer.parse("p", bytes("worked-pointer.json").take(n)))
    }
  }

  test("bytes, model, bytes: nothing changes, whole or put together from its pieces") {
    for (name <- Names) {
      val in = bytes(name)
      val m = ManifestJson.versioned().read(name, in)
      assert(ManifestJson.versioned().write(m).sameElements(in), name)
      if (name.startsWith("e")) {
        assert(m.document.`with`(java.util.Map.of()).sameElements(in), name)
        val ssts = (0 until m.document.descriptors).map(i => new String(m.document.descriptor(i), UTF_8))
        val again = m.document.`with`(java.util.Map.of("ssts", ssts.mkString("[", ",", "]").getBytes(UTF_8)))
        assert(again.sameElements(in), name)
      }
    }
  }

  test("a rewrite keeps number spellings, unknown members at every level and the order") {
    val odd = base
      .replace(""""version":7,"epoch":3""", """"zz_first":[1e+16,-0.0,18446744073709551615,{"a":1.50}],"epoch":3,"version":7""")
      .replace(""""scope":"KNOWS"""", """"scope":"KNOWS","later":{"x":[1E5,"\\é"]}""")
      .replace(""""search_lsm":[]""", """"search_lsm":[{"status":"unheard","alpha":1.20}]""")
      .replace(""""content_xxh3":11609087371430024824""", """"content_xxh3":18446744073709551615,"more":null""")
    val m = read(odd)
    val grown = new String(m.document.`with`(
      java.util.Map.of("label_dict", """["Person","City","New"]""".getBytes(UTF_8), "brand\nnew", "1".getBytes(UTF_8))), UTF_8)
    assert(grown == odd.replace("""["Person","City"]""", """["Person","City","New"]""").dropRight(1) + ""","brand\nnew":1}""")
    assert(read(grown).labels.names.asScala == Seq("Person", "City", "New"))
  }

  test("unsigned 64-bit numbers above 2^63 read exactly") {
    val m = read(replaced("\"max_lsn\":10", "\"max_lsn\":18446744073709551615")
      .replace("3571526984296331441", "11609087371430024824").replace("\"seq\":42", "\"seq\":9223372036854775808"))
    assert(m.ssts.get(0).lsns.max == -1L)
    assert(m.walSegments.get(0).seq == Long.MinValue)
    assert(m.walSegments.get(0).xxh3.getAsLong == java.lang.Long.parseUnsignedLong("11609087371430024824"))
  }

  test("WAL segments ascend by unsigned seq, whatever the manifest's order") {
    val seqs = Seq("9223372036854775809", "3", "20", "1")
    val m = read(replaced(""""wal_segments":[{"seq":42,"path":"tenants/acme/wal/000000000000002a.wal","last_lsn":14,"xxh3":3571526984296331441}]""",
      seqs.map(s => s"""{"seq":$s,"path":"p","last_lsn":1}""").mkString("\"wal_segments\":[", ",", "]")))
    assert(m.walSegments.asScala.map(s => java.lang.Long.toUnsignedString(s.seq)) == Seq("1", "3", "20", "9223372036854775809"))
    assert(m.walSegments.get(0).xxh3.isEmpty)
  }

  test("accepted spellings: UUIDs, times, white space, members left out or null") {
    val id = "0198c0de-0001-7000-8000-000000000001"
    for (s <- Seq(id.replace("-", ""), s"urn:uuid:$id", s"{$id}", id.toUpperCase)) {
      assert(read(replaced(s""""id":"$id"""", s""""id":"$s"""")).ssts.get(0).id.toString == id)
    }
    def micros(t: String): Long = read(small(1, createdAt = t)).createdAtMicros
    val noon = java.time.Instant.parse("2026-01-02T12:00:00Z").getEpochSecond * 1000000
    assert(micros("2026-01-02T12:00:00Z") == noon)
    assert(micros("2026-01-02T12:00:00.1Z") == noon + 100000)
    assert(micros("2026-01-02T12:00:00.123456Z") == noon + 123456)
    assert(micros("2026-01-02T12:00:00.123456789Z") == noon + 123456)
    assert(micros("2026-01-02T13:30:00+01:30") == noon)
    assert(micros("2026-01-02t05:00:00.000-07:00") == noon)
    assert(micros("1969-12-31T23:59:59.5Z") == -500000)
    val bare = read("""{"version":0,"epoch":0,"writer_id":"0198c0de-0000-7000-8000-0000000000ff",
      "created_at":"2026-01-02T12:00:00Z","schema":{"version":0,"labels":{},"edge_types":{}}}""")
    assert(bare.ssts.isEmpty && bare.walSegments.isEmpty && bare.labels.size == 0)
    assert(read(replaced("\"label_index\":null,", "")).ssts.size == 3)
  }

  test("a missing mandatory member is an error that names it") {
    for (name <- Seq("version", "epoch", "writer_id", "created_at", "schema")) {
      val cut = small(3).replace("\"" + name + "\":", "\"x\":")
      if (name != "version") damaged(cut, s"'$name'")
    }
    val descriptor = Seq("id", "kind", "scope", "level", "path", "size_bytes", "row_count", "min_key", "max_key",
      "min_lsn", "max_lsn", "schema_version_min", "schema_version_max", "kind_specific", "created_at")
    val at = base.indexOf("\"ssts\"")
    for (name <- descriptor) {
      val i = base.indexOf("\"" + name + "\":", at)
      val cut = base.substring(0, i) + "\"zz\":" + base.substring(i + name.length + 3)
      damaged(cut, s"/ssts/0 lacks '$name'")
    }
    damaged(replaced("\"key_count\":1,", ""), "/ssts/1/kind_specific lacks 'key_count'")
    damaged(replaced("\"tombstone_count\":0", "\"t\":0"), "/ssts/0/kind_specific lacks 'tombstone_count'")
    damaged(replaced("\"last_lsn\":14,", ""), "/wal_segments/0 lacks 'last_lsn'")
  }

  test("wrong types and values name the member") {
    damaged(replaced("\"size_bytes\":4321,\"row_count\"", "\"size_bytes\":4321.0,\"row_count\""), "/ssts/0/size_bytes")
    damaged(replaced("\"row_count\":3", "\"row_count\":-3"), "/ssts/0/row_count")
    damaged(replaced("\"row_count\":3", "\"row_count\":18446744073709551615"), "/ssts/0/row_count")
    damaged(replaced("\"min_lsn\":8", "\"min_lsn\":18446744073709551616"), "/ssts/0/min_lsn")
    damaged(replaced("\"min_lsn\":8", "\"min_lsn\":8e0"), "/ssts/0/min_lsn")
    damaged(replaced("\"scope\":\"\"", "\"scope\":null"), "/ssts/0/scope")
    damaged(replaced("\"ssts\":[", "\"search\":0,\"ssts\":null,\"x\":["), "/ssts")
    damaged(replaced("AY+TtDMzeryAAAAAAAAAAQ==", "AY+TtDMzeryAAAAAAAAAAR=="), "/ssts/0/min_key")
    damaged(replaced("AY+TtDMzeryAAAAAAAAAAQ==", "AY+TtDMzeryAAAAAAAAAAQ"), "/ssts/0/min_key")
    damaged(replaced("AY+TtDMzeryAAAAAAAAAAQ==", "AY-TtDMzeryAAAAAAAAAAQ=="), "/ssts/0/min_key")
    damaged(replaced("AY+TtDMzeryAAAAAAAAAAQ==", "AY+TtDMzeryAAAAAAAAABA=="), "above max_key")
    damaged(replaced("\"max_degree\":2", "\"max_degree\":null"), "/ssts/1/kind_specific/degree_histogram/max_degree")
    damaged(replaced("\"counts\":[0,", "\"counts\":["), "63 elements")
    damaged(replaced("0198c0de-0001-7000-8000-000000000001", "0198c0de-0001-7000-8000-00000000001"), "/ssts/0/id")
    damaged(replaced("{\"kind\":\"Nodes\",\"tombstone_count\":0}", "{\"kind\":\"TextIndex\",\"doc_count\":0,\"term_count\":0,\"total_len\":0}"), "/ssts/0")
    for (t <- Seq("2026-01-02 03:04", "2026-13-02T03:04:06Z", "2026-02-30T03:04:06Z", "2026-01-02T03:04:06", "2026-01-02T24:04:06Z", "2026-01-02T03:04:06.1234567890Z", "")) {
      damaged(small(1, createdAt = t), "/created_at")
    }
    damaged(replaced("""{"type":"Utf8","value":"Ada"}""", """{"type":"Int64","value":"Ada"}"""), "/ssts/0/per_label_property_stats/0/min")
    damaged(replaced("""{"type":"Utf8","value":"Ada"}""", """{"type":"Float64","value":null}"""), "/ssts/0/per_label_property_stats/0/min")
    damaged(replaced("\"ndv_estimate\":null", "\"ndv_estimate\":[72,256]"), "ndv_estimate")
    damaged(replaced("[[0,2],[1,1]]", "[[0,2],[1]]"), "per_label_counts")
  }

  test("statistics of every scalar type are accepted, tag first or last") {
    val scalars = Seq("Bool" -> "true", "Int32" -> "-5", "Int64" -> "-9223372036854775808", "Float32" -> "1.5", "Float64" -> "1e+16",
      "Float64" -> "3", "Utf8" -> "\"x\"", "LargeUtf8" -> "\"\"", "Binary" -> "[0,255]", "Date32" -> "-1", "TimestampMicrosUtc" -> "7")
    for ((t, v) <- scalars; s <- Seq(s"""{"type":"$t","value":$v}""", s"""{"value":$v,"type":"$t"}""")) {
      read(replaced("""{"type":"Utf8","value":"Ada"}""", s))
    }
  }

  test("statistics are kept: bounds by type, long texts cut, distinct values estimated") {
    def stats(from: String, to: String) = read(replaced(from, to)).ssts.get(0).properties.get(0)
    val ada = """{"type":"Utf8","value":"Ada"}"""
    val plain = stats(ada, ada)
    assert(plain.label == 0 && plain.property == "name" && plain.nulls == 0 && plain.distinct.isEmpty)
    assert(plain.min.get == new PropertyStats.Bound("Utf8", "Ada") && plain.max.get == new PropertyStats.Bound("Utf8", "Bob"))
    assert(stats(ada, """{"value":3,"type":"Float64"}""").min.get.value == 3.0)
    assert(stats(ada, """{"type":"Int64","value":9223372036854775807}""").min.get.value == Long.MaxValue)
    assert(stats(ada, """{"type":"Binary","value":[0,255]}""").min.get.value == java.util.List.of(0, 255))
    val emoji = "\ud83d\ude00"
    assert(stats(ada, s"""{"type":"Utf8","value":"a${emoji * 100}"}""").min.get.value == "a" + emoji * 63, "half a pair is no text")
    assert(stats(""""max":{"type":"Utf8","value":"Bob"}""", s""""max":{"type":"Utf8","value":"${"b" * 129}"}""").max.isEmpty)
    damaged(replaced(ada, """{"type":"Int64","value":9223372036854775808}"""), "Int64")
    def sketch(registers: Seq[Int]) =
      stats("\"ndv_estimate\":null", s"\"ndv_estimate\":${(Seq(72, 76, 76, 43, 1, 10, 0, 0) ++ registers).mkString("[", ",", "]")}").distinct
    assert(sketch(Seq.fill(1024)(0)).getAsLong == 0)
    assert(sketch(Seq.tabulate(1024)(i => if (i < 100) 1 else 0)).getAsLong == 105)
    val many = sketch(Seq.tabulate(1024)(i => 10 + Integer.numberOfTrailingZeros(i | 1024))).getAsLong
    assert(many > 500000 && many < 2000000, many)
    assert(sketch(Seq.fill(1023)(0)).isEmpty, "not the registers it promises")
  }

  test("a repeated member name is an error, also inside what nobody reads") {
    damaged(replaced("\"epoch\":3,", "\"epoch\":3,\"epoch\":3,"), "epoch")
    damaged(replaced("\"scope\":\"\",", "\"scope\":\"\",\"scope\":\"\","), "/ssts/0/scope")
    damaged(replaced("\"search_lsm\":[]", "\"search_lsm\":[{\"a\":1,\"a\":1}]"), "/search_lsm/0/a")
  }

  test("unknown enum strings are refused, naming the value") {
    for (s <- Seq("\"kind\":\"EdgesFwd\"", "\"data_type\":\"Utf8\"", "\"format\":\"paged_v1\"", "\"key_encoding\":\"scalar_v1\"",
        "{\"type\":\"Utf8\"", "{\"kind\":\"Edges\"", "{\"FloatVector\"")) {
      val value = s.split('"').filter(_.length > 2).last
      val e = intercept[UnsupportedFormatException](read(replaced(s, s.replace(value, "Novel"))))
      assert(e.getMessage.contains("'Novel'"), e.getMessage)
    }
  }

  test("reserved property names make the manifest unreadable, as for the engine") {
    for (n <- Seq("", "__x", "prop_a", "node_id", "tombstone", "lsn")) {
      damaged(replaced("{\"name\":\"name\"", "{\"name\":\"" + n + "\""), "/schema/labels/Person/properties/0")
    }
    for (n <- Seq("_x", "Prop_a", "node_ids", "prop", "LSN")) read(replaced("{\"name\":\"name\"", "{\"name\":\"" + n + "\""))
  }

  test("search bodies and barriers are listed as OTHER") {
    val kinds = read(text("engine-2.6.json")).ssts.asScala.groupBy(_.kind).view.mapValues(_.size).toMap
    assert(kinds.getOrElse(SstKind.OTHER, 0) > 0 && kinds(SstKind.NODES) > 0)
  }

  test("text around the document, other encodings and byte order marks are refused") {
    for (b <- Seq(base + "x", base + "{}", base + ",", "", " ", "[]", "null", "7", "\ufeff" + base)) {
      intercept[CorruptObjectException](read(b))
    }
    read(base + "\n ")
    for (cs <- Seq("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16")) {
      intercept[CorruptObjectException](ManifestJson.versioned().read("x", base.getBytes(cs)))
    }
    intercept[CorruptObjectException](read("[" * 100000))
    intercept[CorruptObjectException](read("{\"a\":" * 100000))
  }

  test("every truncation is a typed error") {
    val all = base.getBytes(UTF_8)
    for (n <- all.indices) {
      intercept[CorruptObjectException](ManifestJson.versioned().read("x", all.take(n)))
    }
  }

  test("a flipped bit is a typed error or another well-formed manifest, never a crash") {
    for (name <- Seq("worked", "edges.json", "engine-2.6.json")) {
      val all = if (name == "worked") base.getBytes(UTF_8) else bytes(name)
      val r = new Random(11)
      val flips = if (name == "worked") all.indices.map(i => (i, r.nextInt(8))) else Seq.fill(1000)((r.nextInt(all.length), r.nextInt(8)))
      for ((at, bit) <- flips) {
        val b = all.clone()
        b(at) = (b(at) ^ (1 << bit)).toByte
        try {
          val m = ManifestJson.versioned().read("x", b)
          assert(ManifestJson.versioned().write(m).sameElements(b))
        } catch {
          case _: NamiException =>
        }
      }
    }
  }

  test("the commit time is found in the first bytes of every engine body") {
    for (name <- Names) {
      val in = bytes(name)
      val m = ManifestJson.versioned().read(name, in)
      assert(in.length >= ManifestHead.BYTES)
      val compactStart = (if (name.startsWith("w")) base.getBytes(UTF_8) else in).take(ManifestHead.BYTES)
      assert(ManifestHead.createdAtMicros(name, compactStart, m.version).getAsLong == m.createdAtMicros)
      assert(ManifestHead.createdAtMicros(name, compactStart, m.version + 1).isEmpty)
      for (n <- 0 until 60) assert(ManifestHead.createdAtMicros(name, in.take(n), m.version).isEmpty)
    }
  }
}
