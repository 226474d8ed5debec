package com.namidb.format.edge

import java.io.ByteArrayOutputStream
import java.nio.{ByteBuffer, ByteOrder}
import java.nio.charset.StandardCharsets.{US_ASCII, UTF_8}
import java.util.UUID

import com.github.luben.zstd.Zstd

import com.namidb.format.edge.SectionKind._
import com.namidb.format.id.NodeId
import com.namidb.format.store.Xxh3

/** A section as stored. */
final case class Raw(kind: Int, bytes: Array[Byte], codec: Int = 0, name: String = "")

/**
 * Composes edge files from sections, apart from the writer under test: older generations, declared
 * streams, other page sizes, and wrong contents with right checksums.
 */
final case class RawEdgeFile(
    rows: Seq[Row],
    minor: Int = 2,
    split: Boolean = false,
    width: Int = 3,
    pageSize: Int = 65536,
    binding: Option[UUID] = None,
    streams: Seq[Raw] = Nil,
    alter: Seq[Raw] => Seq[Raw] = identity) {
  import RawEdgeFile._

  private val blocks: Seq[(NodeId, Seq[Row])] =
    rows.map(_.key).distinct.map(k => k -> rows.filter(_.key == k))

  def sections: Seq[Raw] = {
    val starts = blocks.map(b => block(b._2)).scanLeft(0L)((at, b) => at + b.length)
    val ordinals = blocks.map(_._2.size.toLong).scanLeft(0L)(_ + _)
    val dead = rows.exists(_.dead)
    Seq(
      Raw(KEY_IDS, join(blocks.map(_._1.toBytes))),
      Raw(OFFSETS, join(starts.map(le(_, width))))) ++
      (if (minor >= 1) Seq(Raw(EDGE_ORDINALS, join(ordinals.map(le(_, 8))))) else Nil) ++
      Seq(
        Raw(PARTNERS, join(blocks.map(b => block(b._2)))),
        Raw(LSN, join(rows.map(r => le(r.lsn, 8))))) ++
      (if (dead) Seq(Raw(TOMBSTONES, bits)) else Nil) ++ streams
  }

  private def bits: Array[Byte] = {
    val out = new Array[Byte]((rows.size + 7) / 8)
    for ((r, i) <- rows.zipWithIndex if r.dead) out(i >> 3) = (out(i >> 3) | 1 << (i & 7)).toByte
    out
  }

  private def block(rs: Seq[Row]): Array[Byte] = {
    val tops = rs.map(r => java.lang.Long.reverseBytes(r.partner.hi))
    val body =
      if (!split) rs.map(_.partner.toBytes)
      else tops.zip(0L +: tops).zip(rs).map { case ((top, before), r) =>
        varint(top - before) ++ r.partner.toBytes.drop(8)
      }
    varint(rs.size.toLong) ++ Array[Byte](if (split) 1 else 0x10) ++ join(body)
  }

  def bytes: Array[Byte] = {
    val flags = (if (rows.exists(_.dead)) 2 else 0) | (if (streams.nonEmpty) 1 else 0)
    val header = "TGEDGE\u0000\u0000".getBytes(US_ASCII) ++ Array[Byte](1, minor.toByte) ++ le(64, 2) ++
      le(flags.toLong, 4) ++ new Array[Byte](48)
    val out = new ByteArrayOutputStream
    out.writeBytes(header)
    var table = Vector.empty[(Raw, Array[Byte])]
    def add(s: Raw): Unit = {
      table :+= s -> (le(s.kind.toLong, 2) ++ le(out.size.toLong, 8) ++ le(s.bytes.length.toLong, 8) ++
        Array[Byte](s.codec.toByte, 0) ++ le(Xxh3.hash(s.bytes), 8) ++
        Array[Byte](s.name.getBytes(UTF_8).length.toByte) ++ s.name.getBytes(UTF_8))
      out.writeBytes(s.bytes)
    }
    alter(sections).foreach(add)
    for (id <- binding) {
      val root = Xxh3.hash(join(table.map(_._2)))
      add(Raw(SST_BINDING, "TGEBND02".getBytes(US_ASCII) ++
        new NodeId(id.getMostSignificantBits, id.getLeastSignificantBits).toBytes ++
        le(Xxh3.hash(header), 8) ++ le(root, 8)))
    }
    if (minor >= 2) {
      val records = table.map { case (s, entry) =>
        val pages = s.bytes.grouped(pageSize).toSeq
        entry.slice(2, 18) ++ le(pages.size.toLong, 4) ++ join(pages.map(p => le(Xxh3.hash(p), 8)))
      }
      add(Raw(PAGE_CHECKSUMS, "TGEPGC02".getBytes(US_ASCII) ++ le(pageSize.toLong, 4) ++
        le(table.size.toLong, 4) ++ join(records)))
    }
    val lsns = rows.map(_.lsn)
    val body = join(table.map(_._2)) ++ le(table.size.toLong, 4) ++ le(blocks.size.toLong, 8) ++
      le(rows.size.toLong, 8) ++ Array[Byte]((8 * width).toByte) ++ rows.head.key.toBytes ++
      rows.last.key.toBytes ++ le(lsns.min, 8) ++ le(lsns.max, 8) ++ new Array[Byte](16)
    out.writeBytes(body ++ le(Xxh3.hash(body), 8) ++ le(body.length + 20L, 4) ++
      "TGEDGE".getBytes(US_ASCII) ++ Array[Byte](0xFE.toByte, 0xEF.toByte))
    out.toByteArray
  }
}

object RawEdgeFile {
  def join(parts: Seq[Array[Byte]]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    parts.foreach(out.writeBytes)
    out.toByteArray
  }

  def le(v: Long, width: Int): Array[Byte] =
    ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(v).array.take(width)

  def varint(v: Long): Array[Byte] =
    if ((v & ~0x7FL) == 0) Array(v.toByte) else ((v & 0x7F) | 0x80).toByte +: varint(v >>> 7)

  /** A property stream in pages of the given numbers of rows. */
  def pages(name: String, texts: Seq[Option[String]], codec: Int, perPage: Int,
      encode: Array[Byte] => Array[Byte] = Zstd.compress(_, 3)): Raw = {
    val groups = texts.grouped(perPage).toSeq
    val decoded = groups.map(g => le(g.size.toLong, 4) ++ join(g.map {
      case None => Array[Byte](0)
      case Some(t) => 1.toByte +: (le(t.getBytes(UTF_8).length.toLong, 4) ++ t.getBytes(UTF_8))
    }))
    val stored = if (codec == 3) decoded.map(encode) else decoded
    var row = 0L
    var at = 32L + 44L * groups.size
    val entries = groups.indices.map { i =>
      val e = le(row, 8) ++ le(groups(i).size.toLong, 4) ++ le(at, 8) ++ le(stored(i).length.toLong, 8) ++
        le(decoded(i).length.toLong, 8) ++ le(Xxh3.hash(stored(i)), 8)
      row += groups(i).size
      at += stored(i).length
      e
    }
    Raw(PROPERTY_STREAM, "TGEPRP02".getBytes(US_ASCII) ++ le(1, 2) ++ le(0, 2) ++ le(groups.size.toLong, 4) ++
      le(texts.size.toLong, 8) ++ le(44, 4) ++ le(0, 4) ++ join(entries) ++ join(stored), codec, name)
  }

  val Overflow = "__overflow_json"
}
