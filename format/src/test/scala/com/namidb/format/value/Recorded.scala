package com.namidb.format.value

import java.nio.charset.StandardCharsets
import java.util.HexFormat

import scala.collection.mutable
import scala.jdk.CollectionConverters._

/** Keeps what a reader delivered, as trees; JSON slices as their text. */
final private[value] class Recorded extends ValueSink {
  private val seen = mutable.ArrayBuffer.empty[(Int, Any)]

  def all: Seq[(Int, Any)] = seen.toSeq

  /** The last delivery per property. */
  def last: Map[Int, Any] = seen.toMap

  private def add(p: Int, v: Any): Unit = seen += p -> v

  override def nullValue(p: Int): Unit = add(p, new Value.Null)
  override def bool(p: Int, v: Boolean): Unit = add(p, new Value.Bool(v))
  override def int64(p: Int, v: Long): Unit = add(p, new Value.Int64(v))
  override def float64(p: Int, v: Double): Unit = add(p, new Value.Float64(v))
  override def string(p: Int, b: Array[Byte], o: Int, n: Int): Unit =
    add(p, new Value.Str(new String(b, o, n, StandardCharsets.UTF_8)))
  override def bytes(p: Int, b: Array[Byte], o: Int, n: Int): Unit =
    add(p, new Value.Bytes(HexFormat.of().formatHex(b, o, o + n)))
  override def date(p: Int, v: Int): Unit = add(p, new Value.Date(v))
  override def datetime(p: Int, v: Long): Unit = add(p, new Value.DateTime(v))
  override def vector(p: Int, v: Array[Float], n: Int): Unit =
    add(p, new Value.Vector(v.take(n).map(Float.box).toSeq.asJava))
  override def int8Vector(p: Int, s: Float, v: Array[Byte], n: Int): Unit =
    add(p, new Value.Int8Vector(s, v.take(n).map(Byte.box).toSeq.asJava))
  override def list(p: Int, v: Value.ListOf): Unit = add(p, v)
  override def map(p: Int, v: Value.MapOf): Unit = add(p, v)
  override def json(p: Int, b: Array[Byte], o: Int, n: Int): Unit =
    add(p, new String(b, o, n, StandardCharsets.UTF_8))
}
