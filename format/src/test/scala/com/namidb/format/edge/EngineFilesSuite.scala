package com.namidb.format.edge

import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.edge.EdgeFiles._
import com.namidb.format.edge.EdgeWriterSuite.{hex, write}
import com.namidb.format.store.Xxh3

/** Files made by the real engine, versions 2.6.19 and 2.1.4. */
class EngineFilesSuite extends AnyFunSuite {
  private case class Made(name: String, id: String, inverse: Boolean, typeName: String) {
    val uuid: UUID = UUID.fromString(id)
    val bytes: Array[Byte] = resource(s"engine-$name.csr")
    val lines: Seq[String] = new String(resource(s"engine-$name.jsonl"), UTF_8).split('\n').toSeq
  }

  private val made = Seq(
    Made("mix-fwd", "01a228de-474c-7392-bdd3-8484260256f5", inverse = false, "MIX"),
    Made("mix-inv", "01a228de-47dd-78f0-bb7b-b29f028e62a2", inverse = true, "MIX"),
    Made("hub-fwd", "01a228de-4707-7db1-b48e-35b84084d3ed", inverse = false, "HUB"),
    Made("hub-updates-fwd", "01a228de-496e-7551-9173-05d2b0290d9b", inverse = false, "HUB"),
    Made("types-fwd", "01a228de-9189-7832-bced-c31efa4d11b8", inverse = false, "ALL"),
    Made("likes-fwd", "01a228de-96d2-73a2-bd01-3e9face9881a", inverse = false, "LIKES"))

  private def line(r: Row): String =
    s"""{"key":"${r.key}","partner":"${r.partner}","lsn":${r.lsn},"tombstone":${r.dead},"properties":${r.json.getOrElse("null")}}"""

  for (m <- made) {
    test(s"${m.name} decodes to its rows") {
      for (sizes <- Seq(ReadSizes.DEFAULT, tiny))
        assert(read(open(m.bytes, m.lines.size, m.uuid, sizes = sizes)).map(line) == m.lines)
    }

    test(s"${m.name}: our writer makes the same header and the same sections but for zstd frames") {
      val rows = read(open(m.bytes, m.lines.size, m.uuid))
      val (ours, summary) = write(EdgeSstSpec.undeclared(m.uuid, m.inverse, m.typeName), rows)
      assert(hex(ours.take(64)) == hex(m.bytes.take(64)))
      val (mine, theirs) = (sections(ours, m), sections(m.bytes, m))
      assert(mine.map(_.kind) == theirs.map(_.kind))
      for ((x, y) <- mine.zip(theirs) if x.kind < SectionKind.PAGE_CHECKSUMS) assert(x == y)
      assert(summary.rows == rows.size && summary.xxh3 == Xxh3.hash(ours))
      if (rows.forall(_.json.isEmpty)) assert(hex(ours) == hex(m.bytes))
    }
  }

  private def sections(bytes: Array[Byte], m: Made): Seq[Section] = {
    val store = new HeldStore
    store.objects += "x" -> bytes
    EdgeFile.open(store, new EdgeSstFile("x", bytes.length, m.lines.size, m.uuid, List.empty[String].asJava),
      ReadSizes.DEFAULT).table.entries.asScala.toSeq
  }
}
