package com.namidb.format.store.s3

import java.time.Instant
import java.util.UUID

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.node.{ArrayNode, ObjectNode}
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.namidb.format.commit.{Graph, LsnPlan, N}
import com.namidb.format.error.Where
import com.namidb.format.log.{CommitProbe, PublishResult}
import com.namidb.format.manifest.{ManifestEdit, ManifestJson}
import com.namidb.format.stage.JobPlan

/** Makes one SST of all nodes there are, as an engine does: the files it stands for are named no more. */
object Compaction {
  private val json = new ObjectMapper

  /** Whether it was committed. */
  def run(g: Graph, jobs: String => Unit): Boolean = {
    val base = g.namespace.log.base()
    val m = base.manifest
    val rows = g.contents(g.latest()).nodes.toSeq.map { case (id, (labels, text)) => N(id, labels, Some(text)) }
    val job = g.unnamed()
    jobs(job.id)
    val lsn = LsnPlan.choose(new Where("ns", m.version, null, job.id), m, LsnPlan.WRITE_GAP, new java.util.Random(m.version))
    val file = g.nodeFile(job, new JobPlan(m.version, lsn, m.labels), rows)
    val added = ManifestEdit.of(m).add(java.util.List.of(file.sst)).build(UUID.randomUUID(), Instant.ofEpochMilli(g.clock.millis()), "next")
    val text = json.readTree(added.toBytes)
    only(text.get("ssts"), file.sst.id.toString)
    val codec = if (m.layout == com.namidb.format.manifest.Layout.VERSIONED) ManifestJson.versioned()
    else ManifestJson.singleObject(_ => m.schema)
    val next = codec.read("compacted", json.writeValueAsBytes(text))
    assert(next.ssts.size == 1)
    g.namespace.log.publish(base, next, CommitProbe.NONE).isInstanceOf[PublishResult.Committed]
  }

  private def only(node: JsonNode, id: String): Unit = node match {
    case a: ArrayNode =>
      for (i <- a.size - 1 to 0 by -1) if (a.get(i).get("id").asText.replace("-", "") != id.replace("-", "")) a.remove(i): Unit
    case o: ObjectNode => o.elements.asScala.foreach(only(_, id))
    case _ => ()
  }
}
