package com.namidb.format.manifest

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import com.namidb.format.Golden

/** Manifest bodies: engine-made ones, the worked example of the spec, and variations of it. */
object ManifestFiles {
  private val Engine = Map(
    "engine-2.6.json" -> "indexes/ns/manifest/v000000000000002b.json",
    "engine-2.1.json" -> "indexes-2.1.4/ns/manifest/v0000000000000028.json",
    "empty.json" -> "empty/ns/manifest/v0000000000000000.json",
    "edges.json" -> "edge-heavy/ns/manifest/v0000000000000004.json")

  val Names: Seq[String] = "worked-body.json" +: Engine.keys.toSeq.sorted

  def bytes(name: String): Array[Byte] = Engine.get(name) match {
    case Some(path) => Files.readAllBytes(Golden.root.resolve(path))
    case None =>
      val in = getClass.getResourceAsStream("/com/namidb/format/manifest/" + name)
      try in.readAllBytes()
      finally in.close()
  }

  def text(name: String): String = new String(bytes(name), UTF_8)

  def read(json: String): Manifest = ManifestJson.versioned().read("ns/manifest/v.json", json.getBytes(UTF_8))

  def descriptor(m: Manifest, index: Int): Array[Byte] = m.document.descriptor(index)

  /** The worked example without white space between tokens. */
  def worked: String = compact(text("worked-body.json"))

  /** Drops white space outside strings. */
  def compact(json: String): String = {
    val out = new StringBuilder
    var quoted = false
    for ((c, i) <- json.zipWithIndex) {
      if (c == '"' && (i == 0 || json(i - 1) != '\\')) quoted = !quoted
      if (quoted || !c.isWhitespace) out.append(c)
    }
    out.toString
  }

  /** The smallest body: what the engine writes for a new namespace, with some numbers chosen. */
  def small(version: Long, epoch: Long = 0, createdAt: String = "2026-01-02T03:04:06Z",
      writer: String = "0198c0de-0000-7000-8000-0000000000ff", rest: String = "\"ssts\":[]"): String =
    s"""{"version":${java.lang.Long.toUnsignedString(version)},"epoch":$epoch,"writer_id":"$writer",""" +
      s""""created_at":"$createdAt","schema":{"version":0,"labels":{},"edge_types":{},"constraints":[]},$rest,""" +
      """"wal_segments":[],"label_dict":[],"vector_indexes":[],"text_indexes":[],"search_index_builds":[],"search_lsm":[]}"""
}
