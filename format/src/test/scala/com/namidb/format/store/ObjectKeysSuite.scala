package com.namidb.format.store

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Random

import com.namidb.format.error.StoreException
import org.scalatest.funsuite.AnyFunSuite

class ObjectKeysSuite extends AnyFunSuite {
  test("prefixes may end anywhere, but not lead out") {
    for (good <- Seq("", "n", "ns/", "ns/a", "ns/.", "ns/a..")) ObjectKeys.checkPrefix(good)
    for (bad <- Seq("/", "../", "ns//", "a/../b", "a\\", "\u0000")) intercept[StoreException](ObjectKeys.checkPrefix(bad))
  }

  test("the order is that of the UTF-8 bytes") {
    val r = new Random(22)
    val units = "a/0z%\u007f\u00e9\ud7ff\ue000\uffff".map(_.toString) :+ "\ud83d\ude00" :+ "\ud800\udc00"
    for (_ <- 0 until 5000) {
      def text() = Seq.fill(r.nextInt(5))(units(r.nextInt(units.size))).mkString
      val (a, b) = (text(), text())
      assert(ObjectKeys.ORDER.compare(a, b).sign ==
        java.util.Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)).sign, s"$a $b")
    }
  }

  test("a range no object can have is a bug of the caller") {
    for ((offset, length) <- Seq((-1L, 1), (0L, 0), (0L, -1), (Long.MaxValue, 1)))
      assertThrows[IllegalStateException](new ByteRange(offset, length))
    assert(new ByteRange(5, 7).end == 12)
  }
}
