package com.namidb.format.manifest

import java.util.{Optional, UUID}

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.KeyRange

class NamespacePathsSuite extends AnyFunSuite {
  private val paths = new NamespacePaths("tenants", "acme")

  test("names of the spec, sixteen hex digits, unsigned") {
    assert(paths.body(7) == "tenants/acme/manifest/v0000000000000007.json")
    assert(paths.pointer(7) == "tenants/acme/manifest/pointer/p0000000000000007.json")
    assert(paths.wal(42) == "tenants/acme/wal/000000000000002a.wal")
    assert(paths.body(-1) == "tenants/acme/manifest/vffffffffffffffff.json")
    assert(paths.currentHint == "tenants/acme/manifest/current.json")
    assert(paths.pointers == "tenants/acme/manifest/pointer/")
    assert(paths.pin("a-b") == "tenants/acme/manifest/pins/a-b.json")
    assert(paths.pins == "tenants/acme/manifest/pins/")
    assert(paths.bulk("job.1") == "tenants/acme/bulk/job.1/")
    assert(paths.prefix == "tenants/acme/")
    assert(new NamespacePaths("", "acme").body(0) == "acme/manifest/v0000000000000000.json")
    assert(new NamespacePaths("a/b", "n").wal(1) == "a/b/n/wal/0000000000000001.wal")
  }

  test("keys are percent-encoded as seen in both engines") {
    val seen = Seq("ünï" -> "%C3%BCn%C3%AF", "#hash" -> "%23hash", "per%20cent" -> "per%2520cent", "q?*" -> "q%3F%2A",
      "ta\tb" -> "ta%09b", "br[]{}" -> "br%5B%5D%7B%7D", "tilde~" -> "tilde%7E", "plus+" -> "plus+", "a:b" -> "a:b",
      "with space" -> "with space", "." -> "%2E", ".." -> "%2E%2E", "..." -> "...", "\u007f" -> "%7F", "\\^`\"<>|" -> "%5C%5E%60%22%3C%3E%7C",
      "+:&=@,;'()!$" -> "+:&=@,;'()!$", "😀" -> "%F0%9F%98%80", "a//b" -> "a/b", "/a/" -> "a")
    for ((raw, key) <- seen) {
      assert(KeyEncoding.encode(raw) == key)
      if (!raw.startsWith(".") || raw == "...") assert(paths.`object`("sst/level0/x-" + raw) == KeyEncoding.encode("tenants/acme/sst/level0/x-" + raw))
    }
  }

  test("a descriptor's path that names nothing is refused with the SST's id") {
    val id = new UUID(1, 2)
    def sst(path: String, bloom: String) = new SstDescriptor(id, SstKind.NODES, "", 0, path, 1, new SstDescriptor.Counts(1, 0, 1),
      KeyRange.ALL, new SstDescriptor.LsnRange(1, 1), Optional.of(new SstDescriptor.Bloom(bloom, 1, 1)), Optional.empty(), java.util.List.of())
    val fine = sst("sst/a/", "sst/b")
    assert(paths.sst(fine) == "tenants/acme/sst/a" && paths.bloom(fine, fine.bloom.get) == "tenants/acme/sst/b")
    for (p <- Seq("", "/", "../")) {
      val bad = sst(p, p)
      for (key <- Seq(() => paths.sst(bad), () => paths.bloom(bad, bad.bloom.get))) {
        val e = intercept[CorruptObjectException](key())
        assert(e.getMessage.contains(s"the path '$p' of SST $id names no object") && e.`object`.isEmpty, e.getMessage)
      }
    }
  }

  test("no path leaves the namespace, and one that names nothing is refused") {
    assert(paths.`object`("../other/x") == "tenants/acme/%2E%2E/other/x")
    assert(paths.`object`("/etc/passwd") == "tenants/acme/etc/passwd")
    for (p <- Seq("", "/", "//", ".", "./.", "..", "../..")) intercept[CorruptObjectException](paths.`object`(p))
  }
}
