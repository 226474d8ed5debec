package com.namidb.format.value

import java.lang.management.ManagementFactory
import java.nio.charset.StandardCharsets
import java.util.{List => JList}

import scala.jdk.CollectionConverters._
import scala.util.Random

/**
 * Prints CPU nanoseconds per record for reading, observing and writing. Run by hand; median of seven rounds over one
 * million records in memory.
 */
object ValueBench {
  private val Rows = 1000000
  private val threads = ManagementFactory.getThreadMXBean

  final private class Sum extends ValueSink {
    var sum: Long = 0
    override def nullValue(p: Int): Unit = sum += 1
    override def bool(p: Int, v: Boolean): Unit = sum += 2
    override def int64(p: Int, v: Long): Unit = sum += v
    override def float64(p: Int, v: Double): Unit = sum += java.lang.Double.doubleToRawLongBits(v)
    override def string(p: Int, b: Array[Byte], o: Int, n: Int): Unit = sum += o + n
    override def bytes(p: Int, b: Array[Byte], o: Int, n: Int): Unit = sum += n
    override def date(p: Int, v: Int): Unit = sum += v
    override def datetime(p: Int, v: Long): Unit = sum += v
    override def vector(p: Int, v: Array[Float], n: Int): Unit = sum += n
    override def int8Vector(p: Int, s: Float, v: Array[Byte], n: Int): Unit = sum += n
    override def list(p: Int, v: Value.ListOf): Unit = sum += v.items.size
    override def map(p: Int, v: Value.MapOf): Unit = sum += v.entries.size
    override def json(p: Int, b: Array[Byte], o: Int, n: Int): Unit = sum += n
  }

  final private class Data(record: Random => String) {
    private val r = new Random(1)
    private val texts = Array.fill(Rows)(record(r).getBytes(StandardCharsets.UTF_8))
    val offsets: Array[Int] = texts.scanLeft(0)((o, t) => o + t.length)
    val bytes: Array[Byte] = new Array[Byte](offsets(Rows))
    for (i <- 0 until Rows) System.arraycopy(texts(i), 0, bytes, offsets(i), texts(i).length)
    def perRow: Int = bytes.length / Rows
  }

  private def word(r: Random, n: Int) = r.alphanumeric.take(n).mkString

  private def three(score: Random => Double)(r: Random) =
    s"""{"name":"${word(r, 12)}","num":${r.nextInt(1000000)},"score":${score(r)}}"""

  private def ten(r: Random) =
    s"""{"a":"${word(r, 12)}","b":${r.nextInt(1000)},"c":"${word(r, 20)}","city":"${word(r, 8)}","flag":true,"k":${r
        .nextInt(100000)},"num":${r.nextInt(1000000)},"score":${r.nextInt(100000) / 1000.0},"text":"${word(
        r,
        30)}","z":"${word(r, 6)}"}"""

  private def time(what: String)(round: => Unit): Unit = {
    val ns = Seq.fill(10) {
      val from = threads.getCurrentThreadCpuTime
      round
      (threads.getCurrentThreadCpuTime - from).toDouble / Rows
    }
    println(f"$what%-48s ${ns.drop(3).sorted.apply(3)}%7.1f ns/row")
  }

  private def read(what: String, data: Data, names: Seq[String]): Unit = {
    val sink = new Sum
    val reader = new PropertyReader(names.asJava, java.util.Set.of[Integer]())
    time(s"$what (${data.perRow} bytes)") {
      var i = 0
      while (i < Rows) {
        reader.read(data.bytes, data.offsets(i), data.offsets(i + 1) - data.offsets(i), sink)
        i += 1
      }
    }
  }

  private def observe(what: String, data: Data): Unit = {
    val observer = new PropertyObserver
    time(s"$what (${data.perRow} bytes)") {
      var i = 0
      while (i < Rows) {
        observer.observe(data.bytes, data.offsets(i), data.offsets(i + 1) - data.offsets(i))
        i += 1
      }
    }
  }

  private def write(what: String, long: Boolean): Unit = {
    val writer = new PropertyWriter(JList.of("name", "num", "score"), java.util.Set.of[Integer]())
    val text = "abcdefghijkl".getBytes(StandardCharsets.UTF_8)
    val r = new Random(2)
    val scores = Array.fill(4096)(if (long) r.nextDouble() * 1000 else r.nextInt(1000000) / 1000.0)
    time(what) {
      var i = 0
      while (i < Rows) {
        if ((i & 0xffff) == 0) writer.clear()
        writer.begin()
        writer.property(0).string(text, 0, text.length)
        writer.property(1).int64(i)
        writer.property(2).float64(scores(i & 4095))
        writer.end()
        i += 1
      }
    }
  }

  def main(args: Array[String]): Unit = {
    val n3 = new Data(three(r => r.nextInt(1000000) / 1000.0))
    val n3d = new Data(three(_.nextDouble() * 1000))
    val n10 = new Data(ten)
    for (_ <- 0 until 2) {
      observe("observe 3", n3)
      observe("observe 10", n10)
      write("write 3, short doubles", long = false)
      write("write 3, long doubles", long = true)
      read("read 3 of 3, short doubles", n3, Seq("name", "num", "score"))
      read("read 3 of 3, long doubles", n3d, Seq("name", "num", "score"))
      read("read 1 of 10", n10, Seq("num"))
      read("read 10 of 10", n10, JList.of("a", "b", "c", "city", "flag", "k", "num", "score", "text", "z").asScala.toSeq)
    }
  }
}
