package com.namidb.format

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.{Base64, Optional, UUID}

import scala.collection.mutable

import com.namidb.format.edge.{EdgeSstSpec, EdgeSstWriter}
import com.namidb.format.id.{Hex, KeyRange, NodeId}
import com.namidb.format.node.{BloomFilter, NodeRow, NodeSstWriter}
import com.namidb.format.store.{StoreConfig, TempDirs, Xxh3}
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.wal.WalBytes

/**
 * A namespace put together file by file, for contents the engine would not write or not soon. SSTs are listed in the
 * order of the calls; `commit` writes the next version with everything added so far. Node ids are taken in any order.
 */
final class Crafted(val store: Path = TempDirs.lasting("crafted-"), val ns: String = "ns") {
  import Crafted._

  private val ssts = mutable.Buffer.empty[String]
  private val wals = mutable.Buffer.empty[String]
  private var seq = 0L
  private var version = -1L
  private var written = 0L

  def folder: Path = store.resolve(ns)
  def uri: String = s"file://$store?ns=$ns"
  def path(relative: String): Path = folder.resolve(relative)

  private def put(relative: String, bytes: Array[Byte]): Unit = {
    Files.createDirectories(path(relative).getParent)
    Files.write(path(relative), bytes)
  }

  private def nextId(): UUID = {
    written += 1
    new UUID(0x0198c0de00007000L, 0x8000000000000000L | written)
  }

  /** Adds a node SST and returns its path. `stats` are statistics of properties, as elements of a JSON array. */
  def nodes(rows: Seq[N], level: Int = 0, bloom: Boolean = false, counts: Boolean = false, stats: String = ""): String = {
    val id = nextId()
    val out = new ByteArrayOutputStream
    val writer = NodeSstWriter.open((b: Array[Byte], o: Int, n: Int) => out.write(b, o, n))
    val row = new NodeRow
    for (n <- rows.sortBy(_.id)) {
      if (n.dead) row.tombstone(n.id.hi, n.id.lo, n.lsn)
      else {
        row.upsert(n.id.hi, n.id.lo, n.lsn, 1).labels(n.labels.sorted.toArray, n.labels.size)
        n.json.foreach { j => val b = j.getBytes(UTF_8); row.properties(b, 0, b.length) }
      }
      writer.add(row)
    }
    val s = writer.finish()
    writer.close()
    val base = s"sst/level$level/${id.toString.replace("-", "")}-nodes"
    put(s"$base.parquet", out.toByteArray)
    val live = rows.filterNot(_.dead).flatMap(_.labels).groupBy(identity).toSeq.sortBy(_._1)
    val index =
      if (!counts || live.isEmpty) "null"
      else s"""{"path":"$base.labelidx.pidx","size_bytes":1,"label_count":${live.size},"posting_count":${live.map(_._2.size).sum},""" +
        s""""format":"paged_v1","per_label_counts":[${live.map { case (l, n) => s"[$l,${n.size}]" }.mkString(",")}]}"""
    val filter = if (bloom) bloomOf(s"$base-.bloom", rows.map(_.id)) else "null"
    ssts += descriptor(id, "Nodes", "", level, s"$base.parquet", s.sizeBytes, s.rows, s.keys, s.minLsn, s.maxLsn,
      s"""{"kind":"Nodes","tombstone_count":${s.tombstones}}""", filter, index, if (stats.isEmpty) "" else s""","per_label_property_stats":[$stats]""")
    s"$base.parquet"
  }

  /** Adds both edge SSTs of a type and returns their paths, forward first. */
  def edges(tpe: String, rows: Seq[E], level: Int = 0, bloom: Boolean = false): Seq[String] =
    Seq(false, true).map { inverse =>
      val id = nextId()
      val w = EdgeSstWriter.open(EdgeSstSpec.undeclared(id, inverse, tpe), spool)
      val keyed = rows.map(e => (if (inverse) (e.dst, e.src) else (e.src, e.dst), e)).sortBy(_._1)
      for (((key, partner), e) <- keyed)
        if (e.dead) w.addTombstone(key, partner, e.lsn)
        else w.add(key, partner, e.lsn, e.json.fold(Optional.empty[Array[Byte]])(j => Optional.of(j.getBytes(UTF_8))))
      val path = s"sst/level$level/${id.toString.replace("-", "")}-edges-${if (inverse) "inv" else "fwd"}-${written}${if (inverse) ".csr" else ".ep.csr"}"
      val local = StoreOpener.open(new StoreConfig("file", store.toString, java.util.Map.of()))
      val upload = local.upload(s"$ns/$path")
      val s = w.writeTo(upload)
      upload.finish()
      upload.close()
      w.close()
      local.close()
      val d = s.degrees
      val filter = if (bloom) bloomOf(path + ".bloom", keyed.map(_._1._1).distinct) else "null"
      ssts += descriptor(id, if (inverse) "EdgesInv" else "EdgesFwd", tpe, level, path, s.sizeBytes, s.rows, s.keys,
        s.minLsn, s.maxLsn, s"""{"kind":"Edges","key_count":${d.keys},"tombstone_count":${s.tombstones},""" +
          s""""degree_histogram":{"counts":${d.counts.mkString("[", ",", "]")},"max_degree":${d.max},"sum_degree":${d.sum}}}""",
        filter, "null")
      path
    }

  private def bloomOf(path: String, ids: Seq[NodeId]): String = {
    val f = BloomFilter.create(ids.size.toLong)
    ids.foreach(i => f.add(i.hi, i.lo))
    val bytes = f.toBytes
    put(path, bytes)
    s"""{"path":"$path","size_bytes":${bytes.length},"key_count":${ids.size},"bits_per_key":10,"block_count":${f.blocks},""" +
      s""""xxhash3_64":${u(Xxh3.hash(bytes, 0, bytes.length - 8))}}"""
  }

  private def descriptor(id: UUID, kind: String, scope: String, level: Int, path: String, size: Long, rows: Long,
      keys: KeyRange, minLsn: Long, maxLsn: Long, specific: String, bloom: String, index: String, more: String = ""): String =
    s"""{"id":"$id","kind":"$kind","scope":${quoted(scope)},"level":$level,"path":"$path","size_bytes":$size,""" +
      s""""row_count":$rows,"created_at":"2026-01-02T03:04:05Z","min_key":"${key(keys.min)}","max_key":"${key(keys.max)}",""" +
      s""""min_lsn":${u(minLsn)},"max_lsn":${u(maxLsn)},"schema_version_min":0,"schema_version_max":1,"property_stats":[],""" +
      s""""kind_specific":$specific,"bloom":$bloom,"label_index":$index$more}"""

  /** Adds any descriptor, e.g. one of a search index. */
  def listed(descriptor: String): Crafted = { ssts += descriptor; this }

  /** Adds a WAL segment of records, or of given bytes, and returns its path. */
  def wal(records: WalBytes.Rec*): String = segment(WalBytes.segment(records), records.last.lsn)

  def segment(bytes: Array[Byte], lastLsn: Long): String = {
    seq += 1
    val path = s"wal/${Hex.h16(seq)}.wal"
    put(path, bytes)
    wals += s"""{"seq":$seq,"path":"$ns/$path","last_lsn":${u(lastLsn)},"xxh3":${u(Xxh3.hash(bytes))}}"""
    path
  }

  /** Takes all listed files out of what the next commit lists. */
  def forget(): Unit = {
    ssts.clear()
    wals.clear()
  }

  /** Writes body, pointer and hint of the next version. `edit` may break the body. */
  def commit(labels: Seq[String] = Seq("A", "B", "C"), edit: String => String = identity): Crafted = {
    version += 1
    val body = s"""{"version":$version,"epoch":1,"writer_id":"0198c0de-0000-7000-8000-0000000000ff",""" +
      s""""created_at":"2026-01-02T03:04:0${version % 10}Z","schema":{"version":0,"labels":{},"edge_types":{},"constraints":[]},""" +
      s""""ssts":[${ssts.mkString(",")}],"wal_segments":[${wals.mkString(",")}],"label_dict":[${labels.map(quoted).mkString(",")}]}"""
    put(s"manifest/v${Hex.h16(version)}.json", edit(body).getBytes(UTF_8))
    val pointer = s"""{"version":$version,"epoch":1,"manifest_path":"$ns/manifest/v${Hex.h16(version)}.json"}""".getBytes(UTF_8)
    put(s"manifest/pointer/p${Hex.h16(version)}.json", pointer)
    put("manifest/current.json", pointer)
    this
  }
}

object Crafted {
  private lazy val spool: Path = TempDirs.lasting("spool-")

  /** A node version; `json` empty for no property object. */
  case class N(id: NodeId, lsn: Long, labels: Seq[Int] = Seq(0), json: Option[String] = None, dead: Boolean = false)
  case class E(src: NodeId, dst: NodeId, lsn: Long, json: Option[String] = None, dead: Boolean = false)

  implicit val byId: Ordering[NodeId] = (a, b) => a.compareTo(b)

  def id(n: Long): NodeId = new NodeId(n, n * 31)

  /** What the WAL holds for a live node or edge. */
  def document(json: String, labels: Int*): String =
    s"""{"properties":$json,"schema_version":1,"labels":${labels.mkString("[", ",", "]")}}"""
  def edgeDocument(json: String): String = s"""{"properties":$json,"schema_version":1}"""

  private def quoted(s: String): String = Canon.mapper.writeValueAsString(s)
  private def u(v: Long): String = java.lang.Long.toUnsignedString(v)
  private def key(n: NodeId): String = Base64.getEncoder.encodeToString(n.toBytes)
}
