package com.namidb.format.store

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Random

import com.namidb.format.error.StoreException
import org.scalatest.funsuite.AnyFunSuite

class ObjectKeysSuite extends AnyFunSuite {
  test("the examples of manifest §1.3") {
    for ((raw, key) <- Seq("ünï" -> "%C3%BCn%C3%AF", "#hash" -> "%23hash", "per%20cent" -> "per%2520cent", "q?*" -> "q%3F%2A",
        "ta\tb" -> "ta%09b", "br[]{}" -> "br%5B%5D%7B%7D", "tilde~" -> "tilde%7E", "plus+" -> "plus+", "a:b" -> "a:b",
        "with space" -> "with space"))
      assert(ObjectKeys.encode(raw) == key)
    assert(ObjectKeys.encode("ns/sst/level0/0194-edges-fwd-ünï.csr") == "ns/sst/level0/0194-edges-fwd-%C3%BCn%C3%AF.csr")
  }

  test("exactly the listed bytes are encoded") {
    val listed = (0x00 to 0x1F) ++ Seq(0x7F, 0x5C, 0x7B, 0x5E, 0x7D, 0x25, 0x60, 0x5D, 0x22, 0x3E, 0x5B, 0x7E, 0x3C, 0x23, 0x7C, 0x2A, 0x3F)
    for (b <- 0 until 128 if b != '/') {
      val expected = if (listed.contains(b)) f"x%%$b%02X" else s"x${b.toChar}"
      assert(ObjectKeys.encode(s"x${b.toChar}") == expected)
    }
    assert(ObjectKeys.encode("日😀") == "%E6%97%A5%F0%9F%98%80")
  }

  test("empty parts vanish and dot parts are encoded, so no key leads elsewhere") {
    for ((raw, key) <- Seq("" -> "", "/" -> "", "//a///b/" -> "a/b", "." -> "%2E", "a/../b" -> "a/%2E%2E/b", ".." -> "%2E%2E",
        "..." -> "...", ".a" -> ".a", "/./" -> "%2E"))
      assert(ObjectKeys.encode(raw) == key)
    val r = new Random(21)
    for (_ <- 0 until 3000) {
      val raw = Seq.fill(r.nextInt(12))("./\\a%\u0000é#"(r.nextInt(8))).mkString
      val key = ObjectKeys.encode(raw)
      if (key.nonEmpty) ObjectKeys.check(key)
      assert(key.forall(c => c >= 0x20 && c < 0x7F))
    }
  }

  test("joining leaves no empty part") {
    assert(ObjectKeys.join("", "ns") == "ns" && ObjectKeys.join("a/b", "ns") == "a/b/ns" && ObjectKeys.join("a", "") == "a")
  }

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
