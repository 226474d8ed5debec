package com.namidb.format.edge

import java.io.{FileOutputStream, RandomAccessFile}
import java.nio.file.Files
import java.util.{Optional, UUID}

import scala.jdk.CollectionConverters._

import com.namidb.format.id.{KeyRanges, NodeId}
import com.namidb.format.record.{Column, RecordBatch}
import com.namidb.format.store._

/** Prints the CPU time of writing and scanning an edge SST per edge. Arguments: edges, rounds. */
object EdgeBench {
  /** Ranged reads of one local file. */
  private class FileStore(path: java.nio.file.Path) extends HeldStore {
    private val file = new RandomAccessFile(path.toFile, "r")
    override def getRange(key: String, r: ByteRange): Optional[Array[Byte]] = {
      val b = new Array[Byte](r.length)
      file.seek(r.offset)
      file.readFully(b)
      Optional.of(b)
    }
  }

  /** CPU time of this thread: other load on the machine does not count. */
  private def now(): Long = java.lang.management.ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime

  def main(args: Array[String]): Unit = {
    val edges = args.headOption.fold(2000000)(_.toInt)
    val rounds = args.lift(1).fold(8)(_.toInt)
    val folder = TempDirs.lasting("edge-bench")
    val path = folder.resolve("x.csr")
    val random = new java.util.SplittableRandom(1)
    val keys = Array.fill(edges / 4)(new NodeId(random.nextLong(), random.nextLong())).sorted
    val ids = Array.fill(edges)(new NodeId(random.nextLong(), random.nextLong()))
    for (i <- 0 until edges by 4) java.util.Arrays.sort(ids.asInstanceOf[Array[Object]], i, i + 4)
    val id = UUID.randomUUID
    for (_ <- 0 until 3) {
      val out = new FileOutputStream(path.toFile)
      val upload = new ObjectUpload {
        override def write(b: Array[Byte], offset: Int, length: Int): Unit = out.write(b, offset, length)
        override def finish(): PutResult = new PutResult.Written("e")
        override def close(): Unit = out.close()
      }
      val start = now()
      val w = EdgeSstWriter.open(EdgeSstSpec.undeclared(id, false, "T"), folder)
      for (i <- 0 until edges) {
        val json = s"""{"amount":${i * 7919L % 100000}}""".getBytes
        w.add(keys(i / 4), ids(i), 5, json, 0, json.length)
      }
      w.writeTo(upload)
      w.close()
      upload.close()
      println(f"write: ${(now() - start).toDouble / edges}%.1f ns/edge")
    }
    val size = Files.size(path)
    println(s"${size / 1000000} MB, $edges edges")
    val store = new FileStore(path)
    val sets = Seq(
      "ids" -> java.util.EnumSet.of(Column.KEY),
      "ids, lsn, tombstone" -> java.util.EnumSet.of(Column.KEY, Column.LSN, Column.TOMBSTONE),
      "ids, payload" -> java.util.EnumSet.of(Column.KEY, Column.PAYLOAD),
      "payload" -> java.util.EnumSet.of(Column.PAYLOAD))
    for (r <- 0 until rounds; (name, columns) <- sets) {
      val start = now()
      val reader = EdgeSstReader.open(store, new EdgeSstFile("x", size, edges.toLong, id, List.empty[String].asJava))
      val cursor = reader.scan(columns, KeyRanges.ALL)
      var sum = 0L
      var n = 0L
      while (cursor.next()) {
        val b = cursor.batch
        n += b.size
        if (columns.contains(Column.KEY)) sum += hash(b)
        if (columns.contains(Column.PAYLOAD)) sum += b.payloadLength()(b.size - 1)
      }
      cursor.close()
      assert(n == edges)
      if (r >= rounds - 3) println(f"$name%-20s ${(now() - start).toDouble / edges}%.1f ns/edge ($sum)")
    }
  }

  private def hash(b: RecordBatch): Long = {
    val (kh, kl, ph, pl) = (b.keyHi, b.keyLo, b.partnerHi, b.partnerLo)
    var sum = 0L
    var i = 0
    while (i < b.size) {
      sum += kh(i) * 31 + kl(i) + ph(i) * 17 + pl(i)
      i += 1
    }
    sum
  }
}
