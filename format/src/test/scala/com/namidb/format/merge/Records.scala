package com.namidb.format.merge

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import com.namidb.format.id.NodeId
import com.namidb.format.record._

/** One version of a key, as tests see it; nodes have no partner. */
case class Version(
    key: NodeId,
    partner: Option[NodeId],
    lsn: Long,
    dead: Boolean = false,
    labels: Seq[Int] = Nil,
    payload: Option[String] = None
)

object Version {
  implicit val byKey: Ordering[Version] = (a, b) => {
    val c = a.key.compareTo(b.key)
    if (c != 0 || a.partner.isEmpty) c else a.partner.get.compareTo(b.partner.get)
  }
}

/** Versions in an array, in batches of random sizes whose arrays are scrambled afterwards. */
class ArrayCursor(versions: Seq[Version], edges: Boolean, labels: LabelSets, sizes: Iterator[Int]) extends RecordCursor {
  private var rest = versions
  private var current: RecordBatch = _
  var closed = 0

  override def next(): Boolean = {
    assert(closed == 0)
    if (current != null) scramble()
    val n = sizes.next()
    val (now, later) = rest.splitAt(n)
    rest = later
    current = new RecordBatch(n, edges)
    current.resize(now.size)
    val payload = new mutable.ArrayBuffer[Byte]
    for ((v, i) <- now.zipWithIndex) {
      current.keyHi()(i) = v.key.hi
      current.keyLo()(i) = v.key.lo
      if (edges) {
        current.partnerHi()(i) = v.partner.get.hi
        current.partnerLo()(i) = v.partner.get.lo
      }
      current.lsn()(i) = v.lsn
      current.tombstone()(i) = v.dead
      current.labelSet()(i) = labels.intern(v.labels.toArray, v.labels.size)
      current.payloadOffset()(i) = payload.size
      current.payloadLength()(i) = v.payload.fold(RecordBatch.NO_PAYLOAD)(_.getBytes(UTF_8).length)
      v.payload.foreach(p => payload ++= p.getBytes(UTF_8))
    }
    current.payload(payload.toArray)
    current.anyTombstone(now.exists(_.dead))
    now.nonEmpty
  }

  private def scramble(): Unit = {
    java.util.Arrays.fill(current.keyHi, 0x5555)
    java.util.Arrays.fill(current.lsn, -1L)
    java.util.Arrays.fill(current.payload, '!'.toByte)
  }

  override def batch: RecordBatch = current
  override def close(): Unit = closed += 1
}

object Records {

  /** Everything a cursor selects, with the source each record came from where it is known. */
  def selected(cursor: SelectedCursor, labels: LabelSets): Seq[(Version, Int)] = {
    val out = mutable.Buffer.empty[(Version, Int)]
    while (cursor.next()) {
      val s = cursor.selection
      for (i <- 0 until s.size) out += version(cursor.batch, s.row(i), labels) -> cursor.batch.source()(s.row(i))
    }
    cursor.close()
    out.toSeq
  }

  /** A record as a version; without label sets its labels are not looked at. */
  def version(b: RecordBatch, row: Int, labels: LabelSets): Version = Version(
    new NodeId(b.keyHi()(row), b.keyLo()(row)),
    Option.when(b.edges)(new NodeId(b.partnerHi()(row), b.partnerLo()(row))),
    b.lsn()(row),
    b.anyTombstone && b.tombstone()(row),
    if (labels == null) Nil else labels.ids(b.labelSet()(row)).toSeq,
    payload(b, row)
  )

  def payload(b: RecordBatch, row: Int): Option[String] =
    Option.when(b.payloadLength()(row) != RecordBatch.NO_PAYLOAD)(
      new String(b.payload, b.payloadOffset()(row), b.payloadLength()(row), UTF_8))
}
