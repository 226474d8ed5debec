package com.namidb.format.manifest

import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._

/** A version of the engine's layout as the other layout would hold it: the same rows, every text copied byte for byte. */
object SingleObjectText {
  def schema(m: Manifest): Array[Byte] = m.document.value("schema").get

  /** The epoch must go up with every version there, so it becomes the version's number. */
  def of(m: Manifest, floor: Option[Long] = None, extra: String = ""): String = {
    val d = m.document
    def text(name: String) = d.value(name).map[String](b => new String(b, UTF_8)).orElse("[]")
    def levels(kinds: SstKind*): String = {
      val mine = m.ssts.asScala.zipWithIndex.filter(s => kinds.contains(s._1.kind)).groupBy(_._1.level).toSeq.sortBy(_._1)
      mine.map { case (l, in) => s""""L$l":${in.map(s => new String(d.descriptor(s._2), UTF_8)).mkString("[", ",", "]")}""" }.mkString("{", ",", "}")
    }
    val u = java.lang.Long.toUnsignedString(m.version)
    val search = Seq("vector_indexes", "text_indexes", "search_index_builds", "search_lsm").map(n => s""","$n":${text(n)}""").mkString
    s"""{"version":$u,"epoch":$u,"lsn_watermark":${java.lang.Long.toUnsignedString(m.lsnFloor)},"schema_id":"${SchemaObject.id(schema(m))}",""" +
      s""""writer_id":${text("writer_id")},"created_at":${text("created_at")},"floor":${floor.map(java.lang.Long.toUnsignedString).getOrElse("null")},""" +
      s""""label_dict":${text("label_dict")},"ssts":{"node":${levels(SstKind.NODES)},"edge":${levels(SstKind.EDGES_FWD, SstKind.EDGES_INV)},""" +
      s""""search":${levels(SstKind.OTHER)}},"wal_segments":${text("wal_segments")},"job_ids":{}$search$extra}"""
  }
}
