package com.namidb.format.stage

import org.scalatest.funsuite.AnyFunSuite

class SortMemorySuite extends AnyFunSuite {
  private val MiB = 1L << 20

  test("two sorters on every core take a third of the heap, within limits") {
    assert(SortMemory.bytes(1200 * MiB, 4) == 50 * MiB)
    assert(SortMemory.bytes(192 * MiB, 2) == 16 * MiB)
    assert(SortMemory.bytes(64 * MiB, 16) == 8 * MiB)
    assert(SortMemory.bytes(64L << 30, 8) == 128 * MiB)
  }
}
