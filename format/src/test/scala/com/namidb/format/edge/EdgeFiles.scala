package com.namidb.format.edge

import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.{Column, RecordBatch, RecordCursor}

/** A row as tests see it; json is None for no properties. */
final case class Row(key: NodeId, partner: NodeId, lsn: Long, dead: Boolean, json: Option[String])

/** Golden files of the spec and plain ways to read a file. */
object EdgeFiles {
  val everything: Set[Column] = Set(Column.KEY, Column.LSN, Column.TOMBSTONE, Column.PAYLOAD)

  val n1: NodeId = NodeId.parse("0190a000-0000-7000-8000-000000000001")
  val n2: NodeId = NodeId.parse("0190a000-0000-7000-8000-000000000002")
  val n3: NodeId = NodeId.parse("0190a000-0000-7000-8000-000000000003")
  val forwardId: UUID = UUID.fromString("01940000-0000-7000-8000-0000000000f1")
  val inverseId: UUID = UUID.fromString("01940000-0000-7000-8000-0000000000e1")

  /** Small reads, so that every join of two windows happens. */
  val tiny = new ReadSizes(0, 0, 105, 4096)

  def resource(name: String): Array[Byte] = {
    val in = getClass.getResourceAsStream("/edge/" + name)
    try in.readAllBytes()
    finally in.close()
  }

  def golden(name: String): Array[Byte] =
    java.util.HexFormat.of().parseHex(new String(resource(s"golden-$name.hex"), UTF_8).filterNot(_.isWhitespace))

  val forwardRows: Seq[Row] = Seq(
    Row(n1, n2, 7, dead = false, Some("{\"since\":2020}")),
    Row(n1, n3, 9, dead = true, None),
    Row(n2, n3, 8, dead = false, None))

  val bareRows: Seq[Row] = forwardRows.map(_.copy(dead = false, json = None))

  def open(bytes: Array[Byte], rows: Long, id: UUID = forwardId, declared: Seq[String] = Nil,
      sizes: ReadSizes = ReadSizes.DEFAULT, store: HeldStore = new HeldStore): EdgeSstReader = {
    store.objects += "x.csr" -> bytes
    EdgeSstReader.open(store, new EdgeSstFile("x.csr", bytes.length, rows, id, declared.asJava), sizes)
  }

  def drain(cursor: RecordCursor, columns: Set[Column] = everything): Seq[Row] = {
    val out = ArrayBuffer.empty[Row]
    val none = new NodeId(0, 0)
    try {
      while (cursor.next()) {
        val b = cursor.batch
        assert(b.size > 0)
        for (i <- 0 until b.size) {
          val keys = columns(Column.KEY)
          out += Row(
            if (keys) new NodeId(b.keyHi()(i), b.keyLo()(i)) else none,
            if (keys) new NodeId(b.partnerHi()(i), b.partnerLo()(i)) else none,
            if (columns(Column.LSN)) b.lsn()(i) else 0,
            columns(Column.TOMBSTONE) && b.anyTombstone && b.tombstone()(i),
            if (columns(Column.PAYLOAD) && b.payloadLength()(i) != RecordBatch.NO_PAYLOAD)
              Some(new String(b.payload, b.payloadOffset()(i), b.payloadLength()(i), UTF_8))
            else None)
        }
      }
    } finally cursor.close()
    out.toSeq
  }

  def read(reader: EdgeSstReader, ranges: KeyRanges = KeyRanges.ALL, columns: Set[Column] = everything): Seq[Row] =
    drain(reader.scan(columns.asJava, ranges), columns)

  def within(rows: Seq[Row], range: KeyRange): Seq[Row] = rows.filter(r => range.contains(r.key))
}
