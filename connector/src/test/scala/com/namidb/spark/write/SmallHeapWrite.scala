package com.namidb.spark.write

import java.util.{Optional, SplittableRandom}

import scala.jdk.CollectionConverters._

import com.namidb.format.manifest.SstKind
import com.namidb.spark.options.WriteOptions
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.write.DataWriter
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/**
 * One write task over many rows, staged for somebody else to publish; run as a process of its own under a small heap.
 * Arguments: location, stage, `nodes` or `edges`, rows, characters of text per row. Prints how many files there are.
 */
object SmallHeapWrite {
  private val Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".getBytes("UTF-8")

  /** The hub: every other edge starts there. */
  val Hub: Array[Byte] = Array.tabulate(16)(i => (200 + i).toByte)

  def main(args: Array[String]): Unit = {
    val Array(uri, stage, what, count, length) = args
    val edges = what == "edges"
    val target = if (edges) Map("type" -> "T", "on-dangling" -> "allow") else Map("label" -> "P")
    val schema = (if (edges) new StructType().add("_src", BinaryType).add("_dst", BinaryType)
    else new StructType().add("_id", BinaryType)).add("text", StringType).add("n", LongType)
    val options = WriteOptions.of((target ++ Map("uri" -> uri, "stage" -> stage)).asJava, _ => null, false)
    val job = WriteJob.begin(options, schema, Optional.empty())
    val writer = new CandidateWriterFactory(job.forTasks).createWriter(0, 0)
    val report =
      try {
        fill(writer, edges, count.toInt, length.toInt)
        writer.commit().asInstanceOf[CandidateMessage].report
      } finally writer.close()
    job.stage(java.util.List.of(report))
    val one = report.files.asScala.filter(_.sst.kind != SstKind.EDGES_INV)
    println(s"${one.size} files of ${one.map(_.sst.sizeBytes).sum >> 20} MiB, heap at most ${Runtime.getRuntime.maxMemory >> 20} MiB")
  }

  private def fill(writer: DataWriter[InternalRow], edges: Boolean, rows: Int, length: Int): Unit = {
    val random = new SplittableRandom(7)
    for (i <- 0 until rows) {
      val text = new Array[Byte](length)
      var k = 0
      while (k < length) {
        var bits = random.nextLong()
        var n = 0
        while (n < 10 && k < length) {
          text(k) = Letters((bits & 63).toInt)
          bits >>>= 6
          n += 1
          k += 1
        }
      }
      val properties = Seq(UTF8String.fromBytes(text), i.toLong)
      val ids = if (!edges) Seq(id(random)) else Seq(if (i % 2 == 0) Hub else id(random), id(random))
      writer.write(InternalRow.fromSeq(ids ++ properties))
    }
  }

  private def id(random: SplittableRandom): Array[Byte] = {
    val out = new Array[Byte](16)
    random.nextBytes(out)
    out
  }
}
