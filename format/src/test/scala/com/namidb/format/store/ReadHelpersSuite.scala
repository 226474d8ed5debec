package com.namidb.format.store

import java.util.Optional
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.store.memory.MemoryStore
import org.scalatest.funsuite.AnyFunSuite

class ReadHelpersSuite extends AnyFunSuite {
  private val body = { val b = new Array[Byte](10000); new Random(31).nextBytes(b); b }

  private def filled(): MeteredStore = {
    val store = new MemoryStore()
    store.put("o", body)
    new MeteredStore(store)
  }

  private def ranges(pairs: (Int, Int)*) = pairs.map { case (o, l) => new ByteRange(o.toLong, l) }.asJava

  private def read(store: ObjectStore, gap: Int, max: Int, pairs: (Int, Int)*): Unit = {
    val slices = new CoalescedReads(store, gap, max).read("o", ranges(pairs: _*)).get.asScala
    assert(slices.size == pairs.size)
    for ((slice, (offset, length)) <- slices.zip(pairs)) {
      val got = new Array[Byte](slice.remaining)
      assert(slice.position() == 0 && slice.capacity() == length && slice.hasArray)
      slice.get(got)
      assert(got.toSeq == body.slice(offset, offset + length).toSeq)
    }
  }

  test("near ranges come with one request, far ones with their own") {
    val store = filled()
    read(store, 100, 10000, (0, 10), (110, 10), (221, 10), (5000, 5))
    assert(store.snapshot().gets == 3)
    assert(store.snapshot().bytesRead == 120 + 10 + 5)
  }

  test("a gap of zero joins touching ranges only") {
    val store = filled()
    read(store, 0, 10000, (0, 10), (10, 10), (21, 1))
    assert(store.snapshot().gets == 2 && store.snapshot().bytesRead == 21)
  }

  test("no joined request exceeds the maximum; a single range may, and takes what lies inside it along") {
    val store = filled()
    read(store, 1000, 100, (0, 60), (60, 40), (100, 1))
    assert(store.snapshot().gets == 2)
    read(store, 1000, 100, (0, 5000), (100, 10), (4990, 10), (4990, 11))
    assert(store.snapshot().gets == 4)
  }

  test("any order, overlap and repetition give each range its own bytes") {
    val r = new Random(32)
    for (_ <- 0 until 300) {
      val pairs = Seq.fill(r.nextInt(20)) { val o = r.nextInt(9000); (o, 1 + r.nextInt(999)) }
      read(filled(), r.nextInt(500), 1 + r.nextInt(5000), pairs: _*)
    }
  }

  test("a missing object and a range beyond the end give nothing, no ranges need no request") {
    val store = filled()
    val reads = new CoalescedReads(store)
    assert(reads.read("none", ranges((0, 1))).isEmpty)
    assert(reads.read("o", ranges((0, 1), (9999, 2))).isEmpty)
    assert(store.snapshot().bytesRead == 0)
    val before = store.snapshot()
    assert(reads.read("none", ranges()).get.isEmpty && store.snapshot() == before)
  }

  test("requests are counted by kind, bytes by direction, failures too") {
    val log = new ConcurrentLinkedQueue[Request]
    val store = new MeteredStore(new MemoryStore(), r => { log.add(r); () })
    store.putIfAbsent("a", new Array[Byte](10))
    store.putIfAbsent("a", new Array[Byte](10))
    store.putIfMatch("a", new Array[Byte](5), "none")
    store.put("b", new Array[Byte](3))
    val before = store.snapshot()
    store.get("a")
    store.get("missing")
    store.getRange("a", new ByteRange(2, 4))
    store.head("a")
    store.list("x/", Optional.empty)
    store.listFolders("", Optional.empty)
    store.delete("b")
    val upload = store.upload("c")
    upload.write(new Array[Byte](20), 0, 7)
    upload.write(new Array[Byte](20), 5, 8)
    upload.finish()
    val dropped = store.upload("d")
    dropped.close()
    assert(before == new RequestCounts(0, 0, 4, 0, 0, 0, 0, 28))
    val since = store.snapshot().minus(before)
    assert(since == new RequestCounts(1, 3, 0, 1, 2, 1, 14, 15))
    assert(before.plus(since) == store.snapshot() && store.snapshot().total == 12 && since.minus(since) == RequestCounts.ZERO)
    assert(RequestKind.values.map(store.snapshot().of(_)).sum == 12)
    assert(log.asScala.map(_.toString).groupBy(identity).view.mapValues(_.size).toMap == Map("PUT a" -> 3, "PUT b" -> 1, "GET a" -> 2,
      "GET missing" -> 1, "HEAD a" -> 1, "LIST x/" -> 1, "LIST " -> 1, "DELETE b" -> 1, "UPLOAD c" -> 1))
  }
}
