package com.namidb.spark.read

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.read.PartitionReader
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}
import org.scalatest.funsuite.AnyFunSuite

class LimitedReaderSuite extends AnyFunSuite {
  private class Source[T](items: Seq[T]) extends PartitionReader[T] {
    var at = -1
    var closed = false
    override def next(): Boolean = { at += 1; at < items.size }
    override def get(): T = items(at)
    override def close(): Unit = closed = true
  }

  private def drain[T](r: PartitionReader[T]): Seq[T] = Iterator.continually(r).takeWhile(_.next()).map(_.get()).toSeq

  test("rows stop at the limit and nothing is read beyond it") {
    for (limit <- 0 to 4) {
      val s = new Source(Seq.tabulate(3)(i => InternalRow(i)))
      assert(drain(LimitedReader.ofRows(s, limit)).map(_.getInt(0)) == (0 until math.min(limit, 3)))
      assert(s.at <= limit)
    }
  }

  test("the batch that passes the limit is cut") {
    for (limit <- 0 to 12) {
      val s = new Source(Seq(4, 0, 3, 5).map(n => new ColumnarBatch(Array.empty[ColumnVector], n)))
      val r = LimitedReader.ofBatches(s, limit)
      assert(Iterator.continually(r).takeWhile(_.next()).map(_.get().numRows).sum == math.min(limit, 12))
      r.close()
      assert(s.closed)
    }
  }
}
