package com.namidb.format.wal

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.{ByteBuffer, ByteOrder}
import java.util.zip.CRC32

import com.namidb.format.id.NodeId

/** Writes segments as wal §2–3 describes them, for tests. */
object WalBytes {

  /** One record: `edgeType` empty for a node, `document` empty for a deletion. */
  case class Rec(edgeType: Option[String], key: NodeId, partner: NodeId, lsn: Long, document: Option[String])

  def node(id: NodeId, lsn: Long, document: String): Rec = Rec(None, id, id, lsn, Some(document))
  def noNode(id: NodeId, lsn: Long): Rec = Rec(None, id, id, lsn, None)
  def edge(t: String, src: NodeId, dst: NodeId, lsn: Long, document: String): Rec =
    Rec(Some(t), src, dst, lsn, Some(document))
  def noEdge(t: String, src: NodeId, dst: NodeId, lsn: Long): Rec = Rec(Some(t), src, dst, lsn, None)

  def le(bytes: Int, value: Long): Array[Byte] =
    ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array.take(bytes)

  def crc(bytes: Array[Byte]): Array[Byte] = {
    val c = new CRC32
    c.update(bytes)
    le(4, c.getValue)
  }

  private def id(n: NodeId) = le(8, 16) ++ n.toBytes

  def envelope(r: Rec): Array[Byte] = {
    val out = new ByteArrayOutputStream
    r.edgeType match {
      case None => out.write(le(4, 0) ++ id(r.key))
      case Some(t) =>
        val text = t.getBytes(UTF_8)
        out.write(le(4, 1) ++ le(8, text.length.toLong) ++ text ++ id(r.key) ++ id(r.partner))
    }
    r.document match {
      case None => out.write(le(4, 1))
      case Some(d) =>
        val text = d.getBytes(UTF_8)
        out.write(le(4, 0) ++ le(8, text.length.toLong) ++ text)
    }
    out.write(le(8, r.lsn))
    out.toByteArray
  }

  /** A segment of payloads with their LSNs; every part can be overridden to be wrong. */
  def framed(
      payloads: Seq[(Long, Array[Byte])],
      version: Int = 1,
      count: Option[Long] = None,
      tail: Array[Byte] = Array.emptyByteArray
  ): Array[Byte] = {
    val out = new ByteArrayOutputStream
    out.write("TGWL".getBytes(UTF_8) ++ le(2, version.toLong) ++ le(2, 0))
    out.write(le(4, count.getOrElse(payloads.size.toLong)) ++ le(8, payloads.headOption.fold(0L)(_._1)))
    for ((lsn, p) <- payloads) {
      out.write(le(4, p.length.toLong) ++ crc(le(8, lsn) ++ p) ++ le(8, lsn) ++ p)
    }
    out.write(tail)
    val body = out.toByteArray
    body ++ "TGEL".getBytes(UTF_8) ++ crc(body)
  }

  def segment(records: Seq[Rec]): Array[Byte] = framed(records.map(r => r.lsn -> envelope(r)))
}
