package com.namidb.format.node

import java.util.HexFormat

import scala.util.Random

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.NodeId
import org.scalatest.funsuite.AnyFunSuite

class BloomFilterSuite extends AnyFunSuite {
  private val key = NodeId.of(HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f"), 0)
  private val file = HexFormat
    .of()
    .parseHex(
      "5447424c4f4f4d00010000000a0000000100000001000000000000000000004020000000000002000000000800000" +
        "002000000104000000000000040" + "6b97e5590c27fc8f"
    )
  private val hash = java.lang.Long.reverseBytes(java.lang.Long.parseUnsignedLong("6b97e5590c27fc8f", 16))

  private def read(bytes: Array[Byte], size: Long, xxh3: Long) = {
    val store = new BytesStore
    store.put("f.bloom", bytes)
    BloomFilter.read(store, "f.bloom", size, xxh3)
  }

  test("the specification's vector, written") {
    val f = BloomFilter.create(1)
    f.add(key.hi, key.lo)
    assert(HexFormat.of().formatHex(f.toBytes) == HexFormat.of().formatHex(file))
  }

  test("the specification's vector, read") {
    val f = read(file, 68, hash)
    assert(f.mayContain(key))
    assert(!f.mayContain(new NodeId(1, 2)))
    assert((f.keys, f.blocks) == ((1L, 1)))
  }

  test("no added id is denied, few others are allowed") {
    val r = new Random(1)
    val ids = Seq.fill(20000)(new NodeId(r.nextLong(), r.nextLong()))
    val f = BloomFilter.create(20000)
    ids.foreach(i => f.add(i.hi, i.lo))
    val bytes = f.toBytes
    val back = read(bytes, bytes.length, LittleEndian.longAt(bytes, bytes.length - 8))
    assert(ids.forall(back.mayContain))
    val wrong = Seq.fill(20000)(new NodeId(r.nextLong(), r.nextLong())).count(back.mayContain)
    assert(wrong > 20 && wrong < 600, wrong)
  }

  test("every changed bit, every truncation and a foreign hash are refused") {
    for (bit <- 0 until 68 * 8) {
      val bad = file.clone()
      bad(bit / 8) = (bad(bit / 8) ^ (1 << bit % 8)).toByte
      intercept[CorruptObjectException](read(bad, 68, hash))
    }
    for (n <- 0 until 68) intercept[CorruptObjectException](read(file.take(n), 68, hash))
    for (n <- 0 until 68) intercept[CorruptObjectException](read(file.take(n), n, hash))
    intercept[CorruptObjectException](read(file, 68, hash + 1))
    intercept[CorruptObjectException](BloomFilter.read(new BytesStore, "f.bloom", 68, hash))
  }
}
