package com.namidb.format.bench

import java.nio.file.{Files, Path}

import com.namidb.format.Golden

/**
 * Scans SSTs of 2 GB and hubs of 4 million partners in processes with a small heap, and fails unless every row comes.
 * Argument: heap in MiB (512).
 */
object MemoryBench {
  def main(args: Array[String]): Unit = {
    val heap = args.lift(0).fold(512)(_.toInt)
    measure("node SST, rows of 4 KB", heap)(Made.nodes(_, 680000, 4000))
    measure("node SST, rows of 100 B", heap)(Made.nodes(_, 10000000, 100))
    measure("edge SST, 5 hubs of 4,000,000 partners", heap, "T")(Made.hubs(_, 5, 4000000, properties = true))
  }

  private def measure(what: String, heap: Int, edgeType: String*)(make: MadeNamespace => (Path, String)): Unit = {
    val dir = Files.createTempDirectory("memory-bench-")
    try {
      val made = new MadeNamespace(dir, "m")
      val (file, expected) = make(made)
      made.commit()
      val start = System.nanoTime()
      val got = SmallHeapSuite.scan(heap, Seq(dir, "m") ++ edgeType: _*)
      assert(got == expected, s"$got, not $expected")
      println(f"$what: ${Files.size(file) / 1e6}%.0f MB read under $heap MiB in ${(System.nanoTime() - start) / 1e9}%.1f s")
    } finally Golden.deleteTree(dir)
  }
}
