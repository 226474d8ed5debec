package com.namidb.format.value

/** Hands everything on; tests override what they look at. */
private[value] class ForwardingSink(to: ValueSink) extends ValueSink {
  override def nullValue(p: Int): Unit = to.nullValue(p)
  override def bool(p: Int, v: Boolean): Unit = to.bool(p, v)
  override def int64(p: Int, v: Long): Unit = to.int64(p, v)
  override def float64(p: Int, v: Double): Unit = to.float64(p, v)
  override def string(p: Int, b: Array[Byte], o: Int, n: Int): Unit = to.string(p, b, o, n)
  override def bytes(p: Int, b: Array[Byte], o: Int, n: Int): Unit = to.bytes(p, b, o, n)
  override def date(p: Int, v: Int): Unit = to.date(p, v)
  override def datetime(p: Int, v: Long): Unit = to.datetime(p, v)
  override def vector(p: Int, v: Array[Float], n: Int): Unit = to.vector(p, v, n)
  override def int8Vector(p: Int, s: Float, v: Array[Byte], n: Int): Unit = to.int8Vector(p, s, v, n)
  override def list(p: Int, v: Value.ListOf): Unit = to.list(p, v)
  override def map(p: Int, v: Value.MapOf): Unit = to.map(p, v)
  override def json(p: Int, b: Array[Byte], o: Int, n: Int): Unit = to.json(p, b, o, n)
}
