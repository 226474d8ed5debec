package com.namidb.spark.read

import com.namidb.format.scan.LiveBatches
import java.nio.charset.StandardCharsets.UTF_8
import java.util

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.namidb.format.id.NodeId
import com.namidb.format.record.{LabelSets, RecordBatch, Selection}
import com.namidb.format.scan.SliceReader
import com.namidb.format.value.{Value, ValueSink}
import com.namidb.spark.types.JsonText

/** A record of a test: properties in stored order, names may repeat; `None` has no property object. */
case class Rec(
    key: NodeId,
    props: Option[Seq[(String, Value)]] = None,
    partner: NodeId = NodeId.MIN,
    lsn: Long = 1,
    labels: Seq[Int] = Nil,
    live: Boolean = true,
    origin: SliceReader.Origin = new SliceReader.Origin("sst", 0),
    json: Option[String] = None) {

  def text: Option[String] = json.orElse(props.map(FakeSlice.json))
}

object FakeSlice {
  /** The tagged JSON of a value. */
  def json(v: Value): String =
    JsonText.of(new Value.ListOf(util.List.of(v))).stripPrefix("{\"$list\":[").stripSuffix("]}")

  def json(props: Seq[(String, Value)]): String =
    props.map { case (n, v) => json(new Value.Str(n)) + ":" + json(v) }.mkString("{", ",", "}")

  /** Delivers a value as `PropertyReader` promises to. */
  def deliver(sink: ValueSink, p: Int, asText: Boolean, v: Value): Unit = v match {
    case _: Value.Null => sink.nullValue(p)
    case s: Value.Str =>
      val b = ("xx" + s.value + "y").getBytes(UTF_8)
      sink.string(p, b, 2, b.length - 3)
    case other if asText =>
      val b = json(other).getBytes(UTF_8)
      sink.json(p, b, 0, b.length)
    case b: Value.Bool => sink.bool(p, b.value)
    case i: Value.Int64 => sink.int64(p, i.value)
    case d: Value.Float64 => sink.float64(p, d.value)
    case d: Value.Date => sink.date(p, d.epochDays)
    case d: Value.DateTime => sink.datetime(p, d.epochMicros)
    case b: Value.Bytes =>
      val bytes = Array[Byte](1) ++ util.HexFormat.of.parseHex(b.hex)
      sink.bytes(p, bytes, 1, bytes.length - 1)
    case x: Value.Vector =>
      val f = x.components.asScala.map(_.floatValue).toArray :+ 99f
      sink.vector(p, f, f.length - 1)
    case x: Value.Int8Vector =>
      val c = x.codes.asScala.map(_.byteValue).toArray :+ 99.toByte
      sink.int8Vector(p, x.scale, c, c.length - 1)
    case l: Value.ListOf => sink.list(p, l)
    case m: Value.MapOf => sink.map(p, m)
  }
}

/** A slice made of records, cut into batches of the given size; counts how often it is closed. */
class FakeSlice(recs: Seq[Rec], batchSize: Int, edges: Boolean = false) extends LiveBatches {
  private val batches = recs.grouped(batchSize).filter(_.exists(_.live)).toVector
  private val byOffset = mutable.Map.empty[Int, Rec]
  private val sets = new LabelSets
  private val current = new RecordBatch(batchSize, edges)
  private val selected = new Selection(batchSize)
  private var at = -1
  var closed = 0

  override def next(): Boolean = {
    at += 1
    if (at < batches.size) fill(batches(at))
    at < batches.size
  }

  private def fill(rows: Seq[Rec]): Unit = {
    byOffset.clear()
    val out = new java.io.ByteArrayOutputStream
    out.write("leading garbage".getBytes(UTF_8))
    for ((r, i) <- rows.zipWithIndex) {
      current.keyHi()(i) = r.key.hi
      current.keyLo()(i) = r.key.lo
      if (edges) {
        current.partnerHi()(i) = r.partner.hi
        current.partnerLo()(i) = r.partner.lo
      }
      current.lsn()(i) = r.lsn
      current.labelSet()(i) = sets.intern(r.labels.toArray, r.labels.size)
      current.payloadOffset()(i) = out.size
      byOffset(out.size) = r
      current.payloadLength()(i) = r.text match {
        case None => RecordBatch.NO_PAYLOAD
        case Some(t) =>
          out.write(t.getBytes(UTF_8))
          t.getBytes(UTF_8).length
      }
      out.write('#')
    }
    current.payload(out.toByteArray)
    current.resize(rows.size)
    if (rows.forall(_.live)) selected.selectAll(rows.size)
    else {
      selected.clear()
      for ((r, i) <- rows.zipWithIndex if r.live) selected.add(i)
    }
  }

  /** Delivers the records' values without parsing anything. */
  def source(names: util.List[String], asText: util.Set[Integer]): PropertySource =
    (_, offset, _, sink) =>
      for ((n, v) <- byOffset(offset).props.get) {
        val p = names.indexOf(n)
        if (p >= 0) FakeSlice.deliver(sink, p, asText.contains(p), v)
      }

  override def batch(): RecordBatch = current
  override def selection(): Selection = selected
  override def labels(): LabelSets = sets
  override def origin(row: Int): SliceReader.Origin = batches(at)(row).origin
  override def counters(): SliceReader.Counters = new SliceReader.Counters(recs.size, 2, 3)
  override def close(): Unit = closed += 1
}
