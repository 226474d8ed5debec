package com.namidb.format.node

import scala.util.Random

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.NodeId
import com.namidb.format.node.ForeignFiles.Layout
import com.namidb.format.node.NodeRows._
import org.apache.parquet.hadoop.metadata.CompressionCodecName
import org.apache.parquet.hadoop.metadata.CompressionCodecName._
import org.scalatest.funsuite.AnyFunSuite

/** Text pages that are too large to be held: writers count rows, and rows may be long. */
class HugePageSuite extends AnyFunSuite {
  private val random = new Random(29)

  /** One value above the size of a piece, empty objects, rows without properties, tombstones. */
  private val rows: Seq[PlainRow] = (0 until 3000).map { i =>
    val length = if (i == 1234) 9 << 20 else if (i % 50 == 0) 0 else random.nextInt(20000)
    val text = s"""{"v":"${random.alphanumeric.take(64).mkString.repeat(length / 64)}"}"""
    PlainRow(new NodeId(1, i), i % 77 == 5, i + 1L, Seq(0), if (i % 77 == 5 || i % 40 == 3) None else Some(text))
  }

  private def layout(codec: CompressionCodecName, v2: Boolean, checksum: Boolean) =
    Layout(v2 = v2, codec = codec, groupRows = 5000, pageRows = 5000, pageBytes = 64 << 20, checksum = checksum)

  private def file(codec: CompressionCodecName, v2: Boolean = false, checksum: Boolean = false) =
    ForeignFiles.write(rows, layout(codec, v2, checksum))

  for {
    codec <- Seq(ZSTD, GZIP, UNCOMPRESSED, SNAPPY)
    v2 <- Seq(false, true)
    checksum <- Seq(false, true)
  } test(s"$codec, V${if (v2) 2 else 1}, ${if (checksum) "with" else "without"} checksum") {
    val bytes = file(codec, v2, checksum)
    val s = store(bytes)
    // The library writes V2 text as deltas, which need the page as a whole, as Snappy does.
    val streamed = codec != SNAPPY && !v2
    val reader = NodeSstReader.open(s, describe(bytes, rows))
    assert(scan(reader) == rows)
    if (streamed) assert(s.reads.map(_.length).max <= ChunkInput.WINDOW, "read window by window")
    val narrow = NodeSstReader.open(s, describe(bytes, rows), 100000)
    s.reads.clear()
    assert(scan(narrow) == rows)
    if (streamed) assert(s.reads.map(_.length).max <= 100000)
  }

  test("a changed byte of a page with a checksum is found before any of its rows is given") {
    val bytes = file(UNCOMPRESSED, checksum = true)
    val middle = bytes.length / 2
    bytes(middle) = (bytes(middle) ^ 1).toByte
    val reader = NodeSstReader.open(store(bytes), describe(bytes, rows))
    val cursor = reader.scan(All, com.namidb.format.id.KeyRanges.ALL, new com.namidb.format.record.LabelSets)
    intercept[CorruptObjectException](cursor.next())
    cursor.close()
  }

  test("damage anywhere in a large page gives other values or an error that names the object") {
    val sound = file(ZSTD)
    for (round <- 0 until 25) withClue(s"round $round: ") {
      val bytes = sound.clone()
      val at = 4 + random.nextInt(bytes.length - 3000)
      if (round % 2 == 0) bytes(at) = random.nextInt().toByte
      else java.util.Arrays.fill(bytes, at, at + 50 + random.nextInt(2000), random.nextInt().toByte)
      try scan(NodeSstReader.open(store(bytes), describe(bytes, rows)))
      catch { case e: CorruptObjectException => assert(e.`object`.get == Key) }
    }
  }
}
