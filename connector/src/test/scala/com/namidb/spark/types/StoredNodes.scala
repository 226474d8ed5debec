package com.namidb.spark.types

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Base64, UUID}

import com.namidb.format.id.NodeId
import com.namidb.format.log.ManifestRef
import com.namidb.format.manifest.{ManifestJson, NamespacePaths}
import com.namidb.format.node.{NodeRow, NodeSstWriter}
import com.namidb.format.snapshot.{Location, Snapshot}
import com.namidb.format.store.StoreConfig
import com.namidb.format.store.open.StoreOpener

/** Snapshots over node SSTs that a test writes: property objects as given, valid or not. */
object StoredNodes {
  private val writer = "0198c0de-0000-7000-8000-0000000000aa"

  def id(n: Long): NodeId = new NodeId(0x8000000000000000L + n, n)

  /** One SST per list of property objects; ids count up through all of them; every node has label A. */
  def snapshot(place: String, ssts: Seq[String]*): Snapshot = {
    val location = new Location(new StoreConfig("memory", place, java.util.Map.of()), new NamespacePaths("", "ns"))
    val store = StoreOpener.open(location.store)
    var next = 0L
    val listed = ssts.zipWithIndex.map { case (jsons, i) =>
      val bytes = new ByteArrayOutputStream
      val out = NodeSstWriter.open((b, from, length) => bytes.write(b, from, length))
      val row = new NodeRow
      for (j <- jsons) {
        val json = j.getBytes(UTF_8)
        out.add(row.upsert(id(next).hi, id(next).lo, next + 1, 1).labels(Array(0), 1).properties(json, 0, json.length))
        next += 1
      }
      val s = out.finish()
      out.close()
      val path = s"sst/level0/${new UUID(7, i.toLong)}-nodes.parquet"
      store.put(location.paths.`object`(path), bytes.toByteArray)
      def key(n: NodeId) = Base64.getEncoder.encodeToString(n.toBytes)
      s"""{"id":"${new UUID(7, i.toLong)}","kind":"Nodes","scope":"","level":0,"path":"$path","size_bytes":${bytes.size},""" +
        s""""row_count":${s.rows},"created_at":"2026-01-02T03:04:05Z","min_key":"${key(s.keys.min)}",""" +
        s""""max_key":"${key(s.keys.max)}","min_lsn":${s.minLsn},"max_lsn":${s.maxLsn},"schema_version_min":1,""" +
        """"schema_version_max":1,"property_stats":[],"kind_specific":{"kind":"Nodes","tombstone_count":0},"bloom":null,"label_index":null}"""
    }
    store.close()
    val json = s"""{"version":7,"epoch":1,"writer_id":"$writer","created_at":"2026-01-02T03:04:06Z",""" +
      """"schema":{"version":0,"labels":{},"edge_types":{},"constraints":[]},""" +
      s""""ssts":[${listed.mkString(",")}],"wal_segments":[],"label_dict":["A"]}"""
    new Snapshot(location, new ManifestRef(7, 1, writer, 0),
      ManifestJson.versioned().read("ns/manifest/v7.json", json.getBytes(UTF_8)))
  }
}
