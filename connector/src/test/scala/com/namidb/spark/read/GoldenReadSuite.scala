package com.namidb.spark.read

import java.util
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.{Canon, Golden}
import com.namidb.format.Canon._
import com.namidb.format.id.KeyRanges
import com.namidb.format.scan.{ScanPlanner, ScanRequest}
import com.namidb.format.snapshot._
import com.namidb.format.store.ObjectStore
import com.namidb.format.store.open.StoreOpener
import com.namidb.spark.{Places, SparkSuite}
import com.namidb.spark.types.{OnMismatch, SchemaInference}
import org.apache.spark.sql.types._

class GoldenReadSuite extends GoldenReadTests(Places.Local)

/** Inference and both readers over the namespaces the engine wrote, against its answers. */
class GoldenReadTests(override val places: Places) extends SparkSuite with ReadFixture {
  private val nodes = new ScanRequest.Nodes(Optional.empty[String]())
  private val hidden = "_lsn BIGINT, _sst STRING, _level INT, _snapshot_id BIGINT, _json STRING"
  private val nodeColumns = StructType.fromDDL("_id STRING, _labels ARRAY<STRING>, " + hidden)
  private val edgeColumns = StructType.fromDDL("_src STRING, _dst STRING, _type STRING, " + hidden)

  private lazy val copies = Golden.cases.map(c => c.name -> places.copied(c)).toMap

  private class Opened(c: Golden.Case, version: Option[Long]) {
    private val graph = copies(c.name)
    private val location =
      LocationParser.parse(graph.uri, Optional.empty(), Optional.empty(), util.Map.of())
    private val store: ObjectStore = StoreOpener.open(location.store)
    val snapshot: Snapshot = Namespace.open(location, store).snapshot(
      version.fold[SnapshotSelector](new SnapshotSelector.Latest)(new SnapshotSelector.AtVersion(_)))

    def properties(t: ScanRequest.Target): StructType =
      SchemaInference.properties(snapshot, t, WalPolicy.REPLAY, false)

    def partitions(t: ScanRequest.Target, schema: StructType): Seq[SlicePartition] = {
      val request = new ScanRequest(t, KeyRanges.ALL, KeyRanges.ALL,
        SliceReaderFactory.neededColumns(schema), WalPolicy.REPLAY, new ScanRequest.Sizing(1L << 20, true))
      val edgeType = t match {
        case e: ScanRequest.Edges => e.`type`
        case _ => null
      }
      ScanPlanner.plan(snapshot, request, store).slices.asScala.toSeq.map(new SlicePartition(_, edgeType))
    }

    /** Rows by column name, read both ways. */
    def read(t: ScanRequest.Target, schema: StructType): Seq[Map[String, Any]] = {
      val spec = new ReadSpec(location.store, c.ns, snapshot.version,
        new util.ArrayList(ScanPlanner.labels(snapshot.manifest).names), schema, OnMismatch.FAIL)
      val factory = new SliceReaderFactory(spec, true)
      val parts = partitions(t, schema)
      val byBatch = parts.flatMap(p =>
        columnar(factory.createColumnarReader(p).asInstanceOf[SliceBatchReader], schema))
      val byRow = parts.flatMap { p =>
        val r = factory.createReader(p)
        val out = Iterator.continually(r.next()).takeWhile(identity).map(_ => r.get().copy()).toVector
        r.close()
        out.map(row(_, schema))
      }
      assert(byBatch == byRow)
      byBatch.map(schema.fieldNames.toSeq.zip(_).toMap)
    }
  }

  private def same(t: DataType, v: Any, c: Canon): Boolean = (t, c) match {
    case (_, CNull) => v == null
    case (_, _) if v == null => false
    case (_: StringType, CStr(s)) => v == s
    case (_: StringType, _) => v.asInstanceOf[String].nonEmpty
    case (DoubleType, CInt(n)) => v == n.toDouble
    case (_, CInt(n)) => v == n
    case (FloatType, CFloat(d)) => v == d.toFloat
    case (_, CFloat(d)) => v == d
    case (_, CBool(b)) => v == b
    case (_, CBytes(b)) => v == b
    case (_, CDate(d)) => v == d
    case (_, CDateTime(m)) => v == m
    case (a: ArrayType, CSeq(items)) =>
      val got = v.asInstanceOf[Seq[Any]]
      got.size == items.size && got.zip(items).forall { case (x, y) => same(a.elementType, x, y) }
    case (m: MapType, CMap(entries)) =>
      val got = v.asInstanceOf[Seq[(String, Any)]].toMap
      got.keySet == entries.keySet && entries.forall { case (k, w) => same(m.valueType, got(k), w) }
    case _ => false
  }

  private def check(columns: StructType, row: Map[String, Any], expected: Map[String, Canon], where: String): Unit = {
    for (f <- columns.fields)
      assert(same(f.dataType, row(f.name), expected.getOrElse(f.name, CNull)),
        s"$where ${f.name} ${f.dataType.sql}: ${row(f.name)} instead of ${expected.get(f.name)}")
    if (expected.nonEmpty) assert(row("_json") != null, where)
  }

  private def reachable(names: Iterable[String]) =
    names.toSet -- com.namidb.spark.types.GraphColumns.RESERVED.asScala

  for (c <- Golden.cases; at <- c.recorded)
    test(s"${c.name} at ${at.version.getOrElse("the current version")}") {
      val opened = new Opened(c, at.version)
      val columns = opened.properties(nodes)
      assert(reachable(at.nodes.flatMap(_.properties.keys)).subsetOf(columns.fieldNames.toSet))
      val rows = opened.read(nodes, StructType(nodeColumns.fields ++ columns.fields)).map(r => r("_id") -> r).toMap
      assert(rows.keySet == at.nodes.map(_.id).toSet)
      for (n <- at.nodes) {
        val row = rows(n.id)
        assert(row("_labels") == n.labels && row("_snapshot_id") == opened.snapshot.version)
        n.lsn.foreach(l => assert(row("_lsn") == l, n.id))
        assert((row("_sst") == null) == (row("_level") == null))
        check(columns, row, n.properties, n.id)
      }
      for ((tpe, edges) <- at.edges.groupBy(_.tpe)) {
        val target = new ScanRequest.Edges(tpe)
        val columns = opened.properties(target)
        assert(reachable(edges.flatMap(_.properties.keys)).subsetOf(columns.fieldNames.toSet))
        val rows = opened.read(target, StructType(edgeColumns.fields ++ columns.fields))
          .map(r => (r("_src"), r("_dst")) -> r).toMap
        assert(rows.keySet == edges.map(e => (e.src, e.dst)).toSet)
        for (e <- edges) {
          val row = rows((e.src, e.dst))
          assert(row("_type") == tpe)
          e.lsn.foreach(l => assert(row("_lsn") == l))
          check(columns, row, e.properties, s"$tpe ${e.src} ${e.dst}")
        }
      }
    }

  test("property names of a label are those of its nodes, not of others") {
    val types = Golden("types")
    val at = types.recorded.head
    val opened = new Opened(types, None)
    for (label <- at.nodes.flatMap(_.labels).distinct) {
      val seen = opened.properties(new ScanRequest.Nodes(Optional.of(label))).fieldNames.toSet
      assert(seen == reachable(at.nodes.filter(_.labels.contains(label)).flatMap(_.properties.keys)), label)
    }
  }
}
