package com.namidb.format.node

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.{HexFormat, Set => JSet}

import scala.collection.mutable
import scala.io.Source
import scala.util.Random

import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.{Column, LabelSets, RecordBatch}

/** A row in plain form, to compare with. */
final case class PlainRow(
    id: NodeId,
    tombstone: Boolean,
    lsn: Long,
    labels: Seq[Int],
    json: Option[String]
)

/** Rows, files and the way between them. */
object NodeRows {
  val All: JSet[Column] = JSet.of(Column.values(): _*)
  val Key = "sst/level0/x-nodes.parquet"

  def resource(name: String): Array[Byte] =
    getClass.getResourceAsStream(s"/node/$name").readAllBytes()

  /** Rows another Parquet reader found in a golden file. */
  def expected(name: String): Seq[PlainRow] =
    Source.fromBytes(resource(name), "UTF-8").getLines().map { line =>
      val Array(id, dead, lsn, labels, json) = line.split("\t", 5)
      PlainRow(
        NodeId.of(HexFormat.of().parseHex(id), 0),
        dead.toBoolean,
        java.lang.Long.parseUnsignedLong(lsn),
        labels.split(",").filter(_.nonEmpty).map(_.toInt).toSeq,
        Option(json).filter(_ != "-")
      )
    }.toSeq

  private val unsigned: Ordering[Long] = java.lang.Long.compareUnsigned(_, _)

  def describe(bytes: Array[Byte], rows: Seq[PlainRow]): NodeSstFile =
    new NodeSstFile(
      Key,
      bytes.length,
      rows.size,
      rows.exists(_.tombstone),
      new KeyRange(rows.head.id, rows.last.id),
      rows.map(_.lsn).min(unsigned),
      rows.map(_.lsn).max(unsigned),
      null
    )

  def store(bytes: Array[Byte]): BytesStore = {
    val s = new BytesStore
    s.put(Key, bytes)
    s
  }

  /** Everything a scan gives; columns that were not asked for have their default. */
  def scan(
      reader: NodeSstReader,
      columns: JSet[Column] = All,
      ranges: KeyRanges = KeyRanges.ALL
  ): Seq[PlainRow] = {
    val labels = new LabelSets
    val out = mutable.Buffer[PlainRow]()
    val cursor = reader.scan(columns, ranges, labels)
    try
      while (cursor.next()) {
        val b = cursor.batch()
        assert(b.size > 0)
        for (i <- 0 until b.size) out += row(b, i, labels, columns)
      }
    finally cursor.close()
    out.toSeq
  }

  private def row(b: RecordBatch, i: Int, labels: LabelSets, c: JSet[Column]): PlainRow = {
    val json =
      if (!c.contains(Column.PAYLOAD) || b.payloadLength()(i) == RecordBatch.NO_PAYLOAD) None
      else Some(new String(b.payload(), b.payloadOffset()(i), b.payloadLength()(i), UTF_8))
    PlainRow(
      if (c.contains(Column.KEY)) new NodeId(b.keyHi()(i), b.keyLo()(i)) else NodeId.MIN,
      b.anyTombstone && b.tombstone()(i),
      if (c.contains(Column.LSN)) b.lsn()(i) else 0,
      if (c.contains(Column.LABELS)) labels.ids(b.labelSet()(i)).toSeq else Nil,
      json
    )
  }

  def read(bytes: Array[Byte], rows: Seq[PlainRow], columns: JSet[Column] = All): Seq[PlainRow] = {
    val reader = NodeSstReader.open(store(bytes), describe(bytes, rows))
    try scan(reader, columns)
    finally reader.close()
  }

  /** Our own writer. */
  def write(rows: Seq[PlainRow], groupRows: Int, pageRows: Int): (Array[Byte], NodeSstSummary) = {
    val out = new ByteArrayOutputStream
    val writer = NodeSstWriter.open((b, o, n) => out.write(b, o, n), groupRows, pageRows)
    try {
      rows.foreach(r => writer.add(fill(new NodeRow, r)))
      val summary = writer.finish()
      (out.toByteArray, summary)
    } finally writer.close()
  }

  def fill(out: NodeRow, r: PlainRow): NodeRow =
    if (r.tombstone) out.tombstone(r.id.hi, r.id.lo, r.lsn)
    else {
      out.upsert(r.id.hi, r.id.lo, r.lsn, 1).labels(r.labels.toArray, r.labels.size)
      r.json.foreach { j =>
        val b = j.getBytes(UTF_8)
        out.properties(b, 0, b.length)
      }
      out
    }

  /** Random rows over the whole unsigned id space. */
  def random(r: Random, n: Int, sets: Int, repeat: Boolean): Seq[PlainRow] = {
    val ids = mutable.SortedSet[NodeId]()(Ordering.fromLessThan(_.compareTo(_) < 0))
    while (ids.size < n) ids += new NodeId(r.nextLong(), r.nextLong())
    val labelSets = (0 until sets).map(i => if (i == 0) Seq(0) else labels(r))
    ids.toSeq.map { id =>
      val json =
        if (r.nextInt(8) == 0) None
        else if (repeat) Some(s"""{"kind":"k${r.nextInt(5)}"}""")
        else Some(s"""{"name":"${r.alphanumeric.take(r.nextInt(40)).mkString}","n":${r.nextInt()}}""")
      if (r.nextInt(10) == 0) PlainRow(id, tombstone = true, r.nextLong(), Nil, None)
      else PlainRow(id, tombstone = false, r.nextLong(), labelSets(r.nextInt(sets)), json)
    }
  }

  private def labels(r: Random): Seq[Int] = Seq.fill(r.nextInt(4))(r.nextInt(300)).distinct.sorted
}
