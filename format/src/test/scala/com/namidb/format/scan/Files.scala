package com.namidb.format.scan

import java.util.{Base64, UUID}

import scala.jdk.CollectionConverters._

import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.merge.{ArrayCursor, Version}
import com.namidb.format.record.{Column, LabelSets, RecordBatch, RecordCursor}

/** An SST in memory: what its descriptor says and the versions in file order. */
case class FakeSst(
    number: Int,
    kind: String,
    scope: String,
    versions: Seq[Version],
    labelCounts: Boolean = false,
    level: Int = 0
) {
  val id: UUID = new UUID(0x7000L, number.toLong)
  val path: String = s"sst/level$level/${id.toString.replace("-", "")}-x.sst"
  val sizeBytes: Long = versions.size * FakeSst.RowBytes
  val keys: KeyRange = new KeyRange(versions.head.key, versions.last.key)

  private def u(v: Long) = java.lang.Long.toUnsignedString(v)
  private def key(n: NodeId) = Base64.getEncoder.encodeToString(n.toBytes)

  def json: String = {
    val lsns = versions.map(_.lsn).sortWith((a, b) => java.lang.Long.compareUnsigned(a, b) < 0)
    val dead = versions.count(_.dead)
    val specific =
      if (kind == "Nodes") s"""{"kind":"Nodes","tombstone_count":$dead}"""
      else
        s"""{"kind":"Edges","key_count":${versions.map(_.key).distinct.size},"tombstone_count":$dead,""" +
          s""""degree_histogram":{"counts":[${Seq.fill(64)("0").mkString(",")}],"max_degree":0,"sum_degree":0}}"""
    val counts = versions.filterNot(_.dead).flatMap(_.labels.distinct).groupBy(identity).toSeq.sortBy(_._1)
    val index =
      if (!labelCounts || counts.isEmpty) "null"
      else
        s"""{"path":"x","size_bytes":1,"label_count":${counts.size},"posting_count":0,"format":"paged_v1",""" +
          s""""per_label_counts":[${counts.map { case (l, n) => s"[$l,${n.size}]" }.mkString(",")}]}"""
    s"""{"id":"$id","kind":"$kind","scope":"$scope","level":$level,"path":"$path","size_bytes":$sizeBytes,""" +
      s""""row_count":${versions.size},"created_at":"2026-01-02T03:04:05Z","min_key":"${key(keys.min)}",""" +
      s""""max_key":"${key(keys.max)}","min_lsn":${u(lsns.head)},"max_lsn":${u(lsns.last)},"schema_version_min":0,""" +
      s""""schema_version_max":0,"property_stats":[],"kind_specific":$specific,"bloom":null,"label_index":$index}"""
  }
}

object FakeSst {
  val RowBytes = 100L
}

/**
 * SSTs as codecs would serve them, at their worst: whole groups of rows that touch the asked ranges, small batches, and
 * garbage wherever a column was not asked for.
 */
class FakeSsts(files: Seq[FakeSst], groupRows: Int, batchRows: Int) extends SstAccess {
  var opened = 0

  private def groups(f: FakeSst): Seq[Seq[Version]] =
    f.versions.grouped(groupRows).toSeq.foldLeft(Vector.empty[Seq[Version]]) { (all, g) =>
      // Whole keys only, as both codecs promise.
      if (all.nonEmpty && all.last.last.key == g.head.key) all.init :+ (all.last ++ g) else all :+ g
    }

  private def file(f: SliceFile): FakeSst = files.find(x => f.`object`.endsWith(x.path)).get

  override def scan(
      f: SliceFile,
      columns: java.util.Set[Column],
      ranges: KeyRanges,
      labels: LabelSets,
      window: Int
  ): RecordCursor = {
    val sst = file(f)
    opened += 1
    val rows = groups(sst).filter(g => ranges.overlaps(new KeyRange(g.head.key, g.last.key))).flatten
    new RecordCursor {
      private val inner = new ArrayCursor(rows, sst.kind != "Nodes", labels, Iterator.continually(batchRows))
      override def next(): Boolean = {
        val more = inner.next()
        if (more) spoil(inner.batch)
        more
      }
      private def spoil(b: RecordBatch): Unit = {
        if (!columns.contains(Column.KEY)) java.util.Arrays.fill(b.keyHi, 0x77)
        if (!columns.contains(Column.LSN)) java.util.Arrays.fill(b.lsn, -1L)
        if (!columns.contains(Column.TOMBSTONE)) b.anyTombstone(true)
        if (!columns.contains(Column.LABELS)) java.util.Arrays.fill(b.labelSet, 12345)
        if (!columns.contains(Column.PAYLOAD)) java.util.Arrays.fill(b.payloadLength, 1 << 30)
      }
      override def batch: RecordBatch = inner.batch
      override def close(): Unit = inner.close()
    }
  }

  override def parts(f: SliceFile, pieces: Int): java.util.List[SstAccess.Part] =
    groups(file(f)).map { g =>
      new SstAccess.Part(new KeyRange(g.head.key, g.last.key), g.size * FakeSst.RowBytes, true)
    }.asJava
}
