package com.namidb.format.bench

import java.io.{BufferedOutputStream, FileOutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.{Base64, UUID}

import scala.collection.mutable

import com.namidb.format.edge.{EdgeSstSpec, EdgeSstWriter}
import com.namidb.format.id.KeyRange
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.node.NodeSstWriter
import com.namidb.format.snapshot.{Location, Namespace, Snapshot, SnapshotSelector}
import com.namidb.format.store.StoreConfig
import com.namidb.format.store.local.LocalStore

/**
 * A namespace of SSTs that need not be small: written straight to files, with one manifest in the end. For measurements
 * and for tests of memory.
 */
final class MadeNamespace(dir: Path, name: String) {
  private val ns = dir.resolve(name)
  private val listed = mutable.Buffer[String]()
  Files.createDirectories(ns)

  def uri: String = s"file://$dir?ns=$name"

  private def file(path: String): BufferedOutputStream = {
    val f = ns.resolve(path)
    Files.createDirectories(f.getParent)
    new BufferedOutputStream(new FileOutputStream(f.toFile), 1 << 20)
  }

  /** Adds a node SST; rows are added in the order of their ids. Returns the file. */
  def nodes(fill: NodeSstWriter => Unit): Path = {
    val id = new UUID(7, listed.size + 1L)
    val path = s"sst/level0/$id-nodes.parquet"
    val out = file(path)
    val writer = NodeSstWriter.open((b, from, length) => out.write(b, from, length))
    try {
      fill(writer)
      val s = writer.finish()
      val specific = s"""{"kind":"Nodes","tombstone_count":${s.tombstones}}"""
      add(id, "Nodes" -> "", path, s.sizeBytes, s.rows, s.keys, s.minLsn -> s.maxLsn, specific)
    } finally {
      writer.close()
      out.close()
    }
    ns.resolve(path)
  }

  /** Adds a forward edge SST; edges are added in the order of source and destination. */
  def edges(edgeType: String)(fill: EdgeSstWriter => Unit): Path = {
    val id = new UUID(7, listed.size + 1L)
    val path = s"sst/level0/$id-edges_fwd.csr"
    val store = LocalStore.open(ns)
    val writer = EdgeSstWriter.open(EdgeSstSpec.undeclared(id, false, edgeType), dir)
    try {
      fill(writer)
      val upload = store.upload(path)
      val s =
        try {
          val written = writer.writeTo(upload)
          upload.finish()
          written
        }
        finally upload.close()
      val degrees = Seq.fill(64)(0).mkString(",")
      val specific = s"""{"kind":"Edges","key_count":1,"tombstone_count":${s.tombstones},""" +
        s""""degree_histogram":{"counts":[$degrees],"max_degree":0,"sum_degree":0}}"""
      add(id, "EdgesFwd" -> edgeType, path, s.sizeBytes, s.rows, s.keys, s.minLsn -> s.maxLsn, specific)
    } finally {
      writer.close()
      store.close()
    }
    ns.resolve(path)
  }

  private def add(
      id: UUID,
      kind: (String, String),
      path: String,
      size: Long,
      rows: Long,
      keys: KeyRange,
      lsns: (Long, Long),
      specific: String
  ): Unit =
    listed += MadeNamespace.descriptor(id, kind, path, size, rows, keys, lsns, specific)

  /** Lists a node SST that is not there: enough for planning. Its descriptor is as long as the engine's. */
  def list(lsn: Long, keys: KeyRange): Unit = {
    val id = new UUID(7, listed.size + 1L)
    val counts = (0 until 60).map(l => s"[$l,100]").mkString(",")
    val index = s"""{"path":"sst/level0/$id-label_index.lidx","size_bytes":1,"label_count":60,"posting_count":0,""" +
      s""""format":"paged_v1","per_label_counts":[$counts]}"""
    listed += MadeNamespace
      .descriptor(id, "Nodes" -> "", s"sst/level0/$id-nodes.parquet", 1 << 20, 6000, keys, lsn -> lsn,
        """{"kind":"Nodes","tombstone_count":0}""")
      .replace("\"label_index\":null", s"\"label_index\":$index")
  }

  /** Writes the manifest: version 0 with every SST. */
  def commit(): Unit = {
    val body = s"""{"version":0,"epoch":0,"writer_id":"${new UUID(1, 1)}","created_at":"2026-01-02T03:04:06Z",""" +
      s""""schema":{"version":0,"labels":{},"edge_types":{},"constraints":[]},"ssts":[${listed.mkString(",")}],""" +
      """"wal_segments":[],"label_dict":["A"]}"""
    val version = "v0000000000000000.json"
    val pointer = s"""{"version":0,"epoch":0,"manifest_path":"$name/manifest/$version"}"""
    Files.createDirectories(ns.resolve("manifest/pointer"))
    Files.writeString(ns.resolve("manifest/" + version), body, UTF_8)
    Files.writeString(ns.resolve("manifest/pointer/p0000000000000000.json"), pointer)
    Files.writeString(ns.resolve("manifest/current.json"), pointer)
  }
}

object MadeNamespace {
  def descriptor(
      id: UUID,
      kind: (String, String),
      path: String,
      size: Long,
      rows: Long,
      keys: KeyRange,
      lsns: (Long, Long),
      specific: String
  ): String = {
    def key(n: com.namidb.format.id.NodeId) = Base64.getEncoder.encodeToString(n.toBytes)
    s"""{"id":"$id","kind":"${kind._1}","scope":"${kind._2}","level":0,"path":"$path","size_bytes":$size,""" +
      s""""row_count":$rows,"created_at":"2026-01-02T03:04:05Z","min_key":"${key(keys.min)}",""" +
      s""""max_key":"${key(keys.max)}","min_lsn":${lsns._1},"max_lsn":${lsns._2},"schema_version_min":1,""" +
      s""""schema_version_max":1,"property_stats":[],"kind_specific":$specific,"bloom":null,"label_index":null}"""
  }

  /** The current version of a namespace in a folder. */
  def snapshot(dir: Path, name: String): Snapshot = {
    val location =
      new Location(new StoreConfig("file", dir.toString, java.util.Map.of()), new NamespacePaths("", name))
    Namespace.open(location, LocalStore.open(dir)).snapshot(new SnapshotSelector.Latest)
  }
}
