package com.namidb.format.manifest

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Base64

import org.scalatest.funsuite.AnyFunSuite

class ManifestSizeSuite extends AnyFunSuite {
  private def big(ssts: Int): Array[Byte] = {
    val one = new String(ManifestJson.versioned().read("w", ManifestFiles.worked.getBytes(UTF_8)).document.descriptor(0), UTF_8)
    val key = Base64.getEncoder.encodeToString(new Array[Byte](16))
    val out = new StringBuilder
    for (i <- 0 until ssts) {
      if (i > 0) out.append(',')
      val id = f"$i%012x"
      out.append(one.replace("000000000001\",\"kind\"", id + "\",\"kind\"")
        .replace("0198c0de000170008000000000000001", "0198c0de000170008000" + id)
        .replace("AY+TtDMzeryAAAAAAAAAAQ==", key))
    }
    ManifestFiles.small(9, rest = "\"ssts\":[" + out + "]").getBytes(UTF_8)
  }

  // Of this thread: other work on the machine does not count.
  private def cpu(): Long = java.lang.management.ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime

  private def used(): Long = {
    val rt = Runtime.getRuntime
    for (_ <- 0 until 3) System.gc()
    rt.totalMemory - rt.freeMemory
  }

  test("ten thousand descriptors are kept as text plus a few hundred bytes each") {
    val bytes = big(10000)
    val before = used()
    var best = Long.MaxValue
    var m: Manifest = null
    for (_ <- 1 to 5) {
      val start = cpu()
      m = ManifestJson.versioned().read("x", bytes)
      best = math.min(best, (cpu() - start) / 1000000)
    }
    val kept = used() - before
    info(s"${bytes.length >> 10} KiB parsed in $best ms (CPU, best of five), model keeps ${kept >> 10} KiB beside them")
    assert(m.ssts.size == 10000 && m.sizeBytes == bytes.length)
    assert(kept < (12L << 20))
    // One instance for what repeats.
    assert(m.ssts.get(0).scope eq m.ssts.get(9999).scope)
  }
}
