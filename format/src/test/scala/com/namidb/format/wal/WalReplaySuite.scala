package com.namidb.format.wal

import java.nio.charset.StandardCharsets.UTF_8
import java.util.OptionalLong

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.{LabelSets, RecordBatch, RecordCursor}
import com.namidb.format.store.Xxh3
import org.scalatest.funsuite.AnyFunSuite

class WalReplaySuite extends AnyFunSuite {
  import WalBytes._

  private case class Row(
      key: NodeId,
      partner: Option[NodeId],
      lsn: Long,
      dead: Boolean,
      labels: Seq[Int],
      payload: Option[String]
  )

  private def rows(cursor: RecordCursor, labels: LabelSets = new LabelSets): Seq[Row] = {
    val out = mutable.Buffer.empty[Row]
    while (cursor.next()) {
      val b: RecordBatch = cursor.batch
      assert(b.size > 0)
      for (i <- 0 until b.size) {
        val text =
          if (b.payloadLength()(i) == RecordBatch.NO_PAYLOAD) None
          else Some(new String(b.payload, b.payloadOffset()(i), b.payloadLength()(i), UTF_8))
        out += Row(
          new NodeId(b.keyHi()(i), b.keyLo()(i)),
          Option.when(b.edges)(new NodeId(b.partnerHi()(i), b.partnerLo()(i))),
          b.lsn()(i),
          b.anyTombstone && b.tombstone()(i),
          labels.ids(b.labelSet()(i)).toSeq,
          text
        )
      }
    }
    cursor.close()
    out.toSeq
  }

  private def id(n: Int) = new NodeId(n.toLong, n.toLong)

  private def replay(segments: Seq[Seq[Rec]]): WalState = {
    val bytes = segments.map(segment)
    val store = new HeldObjects(bytes.zipWithIndex.map { case (b, i) => s"s$i" -> b }.toMap)
    val listed = bytes.zip(segments).zipWithIndex.map { case ((b, s), i) =>
      new WalReplay.Segment(s"s$i", i.toLong, s.lastOption.fold(0L)(_.lsn), OptionalLong.of(Xxh3.hash(b)))
    }
    // The manifest's order is not the replay order.
    WalReplay.of(store, listed.reverse.asJava)
  }

  test("the worked example replays to its node with labels, properties byte for byte, and a deleted edge") {
    val store = new HeldObjects(Map("w" -> WalVector.Bytes))
    val state = WalReplay.of(store, Seq(new WalReplay.Segment("w", 42, 14, OptionalLong.of(WalVector.Xxh3))).asJava)
    val labels = new LabelSets
    val node = NodeId.parse("018f93b4-3333-7abc-8000-000000000001")
    val other = NodeId.parse("018f93b4-3333-7abc-8000-000000000002")
    assert(rows(state.nodes(labels), labels) ==
      Seq(Row(node, None, 13, dead = false, Seq(0), Some(WalVector.Properties))))
    assert(rows(state.edges("KNOWS", false)) == Seq(Row(node, Some(other), 14, dead = true, Nil, None)))
    assert(rows(state.edges("KNOWS", true)) == Seq(Row(other, Some(node), 14, dead = true, Nil, None)))
    assert(rows(state.edges("LIKES", false)).isEmpty && rows(state.edges("LIKES", true)).isEmpty)
    assert(state.schemaVersion(node) == OptionalLong.of(1) && state.schemaVersion(other).isEmpty)
    assert(state.edgeTypes == java.util.Set.of("KNOWS"))
    assert(store.gets == Seq("w"))
  }

  test("no segment means no rows and no request") {
    val state = WalReplay.of(new HeldObjects(Map.empty), java.util.List.of())
    assert(state.nodeCount == 0 && state.nodeKeys.isEmpty && !state.nodes(new LabelSets).next())
    assert(state.nodeExtent == new WalState.Extent(0, 0, -1L, 0L))
  }

  test("the last record of a key wins, even with a lower LSN, and segments go by unsigned seq") {
    val state = replay(Seq(
      Seq(node(id(1), 10, """{"properties":{"a":1}}"""), node(id(1), 7, """{"properties":{"a":2}}"""), noNode(id(2), 20)),
      Seq(node(id(2), 5, "{}"))))
    assert(rows(state.nodes(new LabelSets)).map(r => (r.key, r.lsn, r.dead, r.payload)) ==
      Seq((id(1), 7L, false, Some("""{"a":2}""")), (id(2), 5L, false, None)))

    val store = new HeldObjects(Map("a" -> segment(Seq(node(id(1), 1, """{"properties":{"a":1}}"""))),
      "b" -> segment(Seq(node(id(1), 2, """{"properties":{"a":2}}""")))))
    val highFirst = Seq(new WalReplay.Segment("b", -1L, 2, OptionalLong.empty), new WalReplay.Segment("a", 1, 1, OptionalLong.empty))
    assert(rows(WalReplay.of(store, highFirst.asJava).nodes(new LabelSets)).head.payload.contains("""{"a":2}"""))
  }

  test("a segment that is missing or differs from its entry is an error that names it") {
    val bytes = segment(Seq(noNode(id(1), 9)))
    def run(s: WalReplay.Segment) =
      intercept[CorruptObjectException](WalReplay.of(new HeldObjects(Map("ns/w" -> bytes)), Seq(s).asJava)).getMessage
    assert(run(new WalReplay.Segment("ns/gone", 1, 9, OptionalLong.empty)).contains("ns/gone"))
    assert(run(new WalReplay.Segment("ns/w", 1, 8, OptionalLong.empty)).contains("last LSN is 9"))
    assert(run(new WalReplay.Segment("ns/w", 1, 9, OptionalLong.of(1))).contains("xxh3"))
    val empty = new HeldObjects(Map("e" -> segment(Nil)))
    assert(WalReplay.of(empty, Seq(new WalReplay.Segment("e", 1, 0, OptionalLong.empty)).asJava).nodeCount == 0)
    intercept[CorruptObjectException](
      WalReplay.of(empty, Seq(new WalReplay.Segment("e", 1, 1, OptionalLong.empty)).asJava))
  }

  test("documents: missing members default, unknown ones are ignored, property text is not touched") {
    def one(document: String): Row = {
      val labels = new LabelSets
      val all = rows(replay(Seq(Seq(node(id(1), 1, document)))).nodes(labels), labels)
      all.head
    }
    assert(one("{}").payload.isEmpty && one("{}").labels.isEmpty)
    assert(one("""{"properties":{}}""").payload.isEmpty)
    assert(one(""" { "properties" : { } , "labels" : [ 3 , 4294967295 ] } """).labels == Seq(3, -1))
    val odd = """{"x":1e+16,"y":-0.0,"z":123456789012345678901234567890,"s":"\"}{\\","é":[1.50, {"$map":{"]":"["}}]}"""
    val r = one(s"""{"new":[{"properties":{"no":1}}],"labels":[1,2],"properties":$odd,"schema_version":18446744073709551615}""")
    assert(r.payload.contains(odd) && r.labels == Seq(1, 2))
  }

  test("a winner's broken document is an error with segment and id, a replaced one is never looked at") {
    val broken = Seq("", "[]", "{", """{"properties":[]}""", """{"labels":{}}""", """{"labels":[1.5]}""", """{"labels":[-1]}""",
      """{"labels":[4294967296]}""", """{"schema_version":"1"}""", """{"schema_version":18446744073709551616}""",
      """{"properties":{"a":01}}""", """{"properties":{"a":tru}}""", """{"properties":{"a":1,}}""", """{"properties":{"a" 1}}""",
      """{"properties":{"a":"\x"}}""", "{\"properties\":{\"a\":\"\u0001\"}}", """{"properties":{}} x""",
      """{"properties":{},"properties":{}}""", """{"properties":null}""", """{"a":1.}""", """{"a":1e}""", """{"a":-}""",
      "{\"a\":" + "[" * 200 + "]" * 200 + "}", "{\"a\":\"\\u12g4\"}", """{a:1}""", """{"a""")
    for (d <- broken) {
      val e = intercept[CorruptObjectException](replay(Seq(Seq(node(id(1), 1, d)))))
      assert(e.getMessage.contains("s0") && e.getMessage.contains(id(1).toString), d)
      assert(replay(Seq(Seq(node(id(1), 1, d), noNode(id(1), 2)))).nodeCount == 1)
    }
    val e = intercept[CorruptObjectException](replay(Seq(Seq(edge("T", id(1), id(2), 1, "{")))))
    assert(e.getMessage.contains("'T' edge"))
  }

  test("random replays equal a map, in both directions and by key range") {
    for (seed <- 1 to 40) {
      val r = new Random(seed)
      val ids = Seq.fill(12)(new NodeId(r.nextInt(3) - 1L, r.nextLong()))
      def pick = ids(r.nextInt(ids.size))
      val segments = Seq.fill(1 + r.nextInt(4))(Seq.fill(r.nextInt(40)) {
        val doc = if (r.nextInt(3) == 0) None else Some(s"""{"properties":{"p":${r.nextInt()}}}""")
        Rec(Seq(None, Some("A"), Some("B"))(r.nextInt(3)), pick, pick, r.nextLong(), doc)
      })
      val state = replay(segments)
      val newest = mutable.Map.empty[(Option[String], NodeId, Option[NodeId]), Rec]
      for (rec <- segments.flatten) newest((rec.edgeType, rec.key, rec.edgeType.map(_ => rec.partner))) = rec
      val range = { val (a, b) = (pick, pick); if (a.compareTo(b) <= 0) new KeyRange(a, b) else new KeyRange(b, a) }
      def expected(t: Option[String], inverse: Boolean) = newest.toSeq.collect { case ((`t`, k, p), rec) =>
        val (a, b) = if (inverse) (p.get, Some(k)) else (k, p)
        Row(a, b, rec.lsn, rec.document.isEmpty, Nil, rec.document.map(d => d.substring(14, d.length - 1)))
      }.sortWith { (x, y) =>
        val c = x.key.compareTo(y.key)
        if (c != 0) c < 0 else x.partner.exists(_.compareTo(y.partner.get) < 0)
      }
      assert(rows(state.nodes(new LabelSets)) == expected(None, inverse = false), s"seed $seed")
      assert(state.nodeCount(range) == expected(None, inverse = false).count(x => range.contains(x.key)))
      for (t <- Seq("A", "B"); inverse <- Seq(false, true)) {
        val all = expected(Some(t), inverse)
        assert(rows(state.edges(t, inverse)) == all, s"seed $seed")
        assert(rows(state.edges(t, inverse, KeyRanges.of(range))) == all.filter(x => range.contains(x.key)))
        assert(state.edgeCount(t, inverse, range) == all.count(x => range.contains(x.key)))
      }
    }
  }

  test("payloads beyond one chunk stay whole") {
    val big = "x" * (5 << 20)
    val state = replay(Seq((1 to 9).map(i => node(id(i), i.toLong, s"""{"properties":{"t":"$big$i"}}"""))))
    val found = rows(state.nodes(new LabelSets))
    assert(found.map(_.payload.get.length) == Seq.fill(9)(big.length + 9))
    assert(found.zipWithIndex.forall { case (row, i) => row.payload.get.endsWith(s"""x${i + 1}"}""") })
    assert(state.heapBytes > 9L * big.length)
  }
}
