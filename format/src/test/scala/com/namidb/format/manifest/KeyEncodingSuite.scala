package com.namidb.format.manifest

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class KeyEncodingSuite extends AnyFunSuite {
  test("the examples of manifest §1.3") {
    for ((raw, key) <- Seq("ünï" -> "%C3%BCn%C3%AF", "#hash" -> "%23hash", "per%20cent" -> "per%2520cent", "q?*" -> "q%3F%2A",
        "ta\tb" -> "ta%09b", "br[]{}" -> "br%5B%5D%7B%7D", "tilde~" -> "tilde%7E", "plus+" -> "plus+", "a:b" -> "a:b",
        "with space" -> "with space"))
      assert(KeyEncoding.encode(raw) == key)
    assert(KeyEncoding.encode("ns/sst/level0/0194-edges-fwd-ünï.csr") == "ns/sst/level0/0194-edges-fwd-%C3%BCn%C3%AF.csr")
  }

  test("exactly the listed bytes are encoded") {
    val listed = (0x00 to 0x1F) ++ Seq(0x7F, 0x5C, 0x7B, 0x5E, 0x7D, 0x25, 0x60, 0x5D, 0x22, 0x3E, 0x5B, 0x7E, 0x3C, 0x23, 0x7C, 0x2A, 0x3F)
    for (b <- 0 until 128 if b != '/') {
      val expected = if (listed.contains(b)) f"x%%$b%02X" else s"x${b.toChar}"
      assert(KeyEncoding.encode(s"x${b.toChar}") == expected)
    }
    assert(KeyEncoding.encode("日😀") == "%E6%97%A5%F0%9F%98%80")
  }

  test("empty parts vanish and dot parts are encoded, so no key leads elsewhere") {
    for ((raw, key) <- Seq("" -> "", "/" -> "", "//a///b/" -> "a/b", "." -> "%2E", "a/../b" -> "a/%2E%2E/b", ".." -> "%2E%2E",
        "..." -> "...", ".a" -> ".a", "/./" -> "%2E"))
      assert(KeyEncoding.encode(raw) == key)
    val r = new Random(21)
    for (_ <- 0 until 3000) {
      val raw = Seq.fill(r.nextInt(12))("./\\a%\u0000é#"(r.nextInt(8))).mkString
      val key = KeyEncoding.encode(raw)
      assert(key.isEmpty || key.split("/", -1).forall(p => p.nonEmpty && p != "." && p != ".."))
      assert(key.forall(c => c >= 0x20 && c < 0x7F))
    }
  }
}
