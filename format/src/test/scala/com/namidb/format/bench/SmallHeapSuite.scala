package com.namidb.format.bench

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.util.{Optional, SplittableRandom}

import com.namidb.format.Golden
import com.namidb.format.id.NodeId
import com.namidb.format.node.NodeRow
import org.scalatest.funsuite.AnyFunSuite

/** The memory of a task does not grow with the size or the number of SSTs: each scan runs in a process of its own. */
class SmallHeapSuite extends AnyFunSuite {
  import SmallHeapSuite._

  private def inFolder(test: Path => Unit): Unit = {
    val dir = Files.createTempDirectory("small-heap-")
    try test(dir)
    finally Golden.deleteTree(dir)
  }

  test("a node SST of 200 MB with rows of 4 KB, in 96 MiB") {
    inFolder { dir =>
      val made = new MadeNamespace(dir, "n")
      val (file, expected) = Made.nodes(made, 65000, 4000)
      made.commit()
      assert(Files.size(file) > 190000000L)
      assert(scan(96, dir, "n") == expected)
    }
  }

  test("an edge SST with hubs of 1,000,000 partners, in 64 MiB") {
    inFolder { dir =>
      val made = new MadeNamespace(dir, "e")
      val (file, expected) = Made.hubs(made, 3, 1000000, properties = true)
      made.commit()
      assert(Files.size(file) > 60000000L)
      assert(scan(64, dir, "e", "T") == expected)
    }
  }

  test("1,000 small node SSTs that all overlap, in 128 MiB") {
    inFolder { dir =>
      val made = new MadeNamespace(dir, "n")
      val expected = Made.layers(made, 1000, 300)
      made.commit()
      assert(scan(128, dir, "n") == expected)
    }
  }

  test("1,000 small edge SSTs that all overlap, in 128 MiB") {
    inFolder { dir =>
      val made = new MadeNamespace(dir, "e")
      val expected = Made.edgeLayers(made, 1000, 300)
      made.commit()
      assert(scan(128, dir, "e", "T") == expected)
    }
  }
}

object SmallHeapSuite {
  /** What a process prints that scans under so many MiB of heap. */
  def scan(heap: Int, args: Any*): String = {
    val java = Paths.get(System.getProperty("java.home"), "bin", "java").toString
    val command = Seq(java, s"-Xmx${heap}m", "-cp", classPath, "com.namidb.format.bench.ScanAll") ++ args.map(_.toString)
    val errors = Files.createTempFile("scan-", ".err")
    val process = new ProcessBuilder(command: _*).redirectError(errors.toFile).start()
    val out = new String(process.getInputStream.readAllBytes(), UTF_8)
    val code = process.waitFor()
    val told = Files.readString(errors)
    Files.delete(errors)
    if (code != 0) throw new AssertionError(s"exit $code under $heap MiB\n$told")
    print(told)
    out.trim
  }

  private def classPath: String =
    sys.props.get("surefire.test.class.path").getOrElse(sys.props("java.class.path"))
}

/** Data of any size; each gives what [[ScanAll]] must print. */
object Made {
  private val Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".getBytes(UTF_8)

  /** Rows whose properties hardly compress. */
  def nodes(made: MadeNamespace, rows: Int, bytes: Int): (Path, String) = {
    val random = new SplittableRandom(3)
    val json = ("{\"v\":\"" + "x" * bytes + "\"}").getBytes(UTF_8)
    val row = new NodeRow
    val file = made.nodes { w =>
      for (i <- 0 until rows) {
        var k = 6
        while (k < 6 + bytes) {
          var r = random.nextLong()
          var n = 0
          while (n < 10 && k < 6 + bytes) {
            json(k) = Letters((r & 63).toInt)
            r >>>= 6
            n += 1
            k += 1
          }
        }
        w.add(row.upsert(1, i, i + 1, 1).labels(Array(0), 1).properties(json, 0, json.length))
      }
    }
    file -> s"$rows ${rows.toLong * json.length} ${sum(rows)}"
  }

  private def sum(n: Long): Long = n * (n - 1) / 2

  def hubs(made: MadeNamespace, hubs: Int, degree: Int, properties: Boolean): (Path, String) = {
    var bytes = 0L
    val file = made.edges("T") { w =>
      for (h <- 0 until hubs; i <- 0 until degree) {
        val json = if (properties) s"""{"weight":${(i * 7919L) % 1000003}}""".getBytes(UTF_8) else "{}".getBytes(UTF_8)
        if (properties) bytes += json.length
        w.add(new NodeId(1, h), new NodeId(2, i), i + 1L, json, 0, json.length)
      }
    }
    file -> s"${hubs.toLong * degree} $bytes ${sum(hubs) * degree + hubs * sum(degree)}"
  }

  /** SST number l has the ids l, l + n, l + 2n, …, and newer versions of the ids l - 1, l - 1 + n, …. */
  def layers(made: MadeNamespace, layers: Int, rows: Int): String = {
    val row = new NodeRow
    var bytes = 0L
    for (l <- 0 until layers) made.nodes { w =>
      for (i <- 0 until rows; back <- Seq(1, 0) if l >= back) {
        val id = i.toLong * layers + l - back
        val json = s"""{"layer":$l,"text":"${"t" * (id % 50).toInt}"}""".getBytes(UTF_8)
        if (back == 1 || l == layers - 1) bytes += json.length
        w.add(row.upsert(1, id, l * 10L + 1, 1).labels(Array(0), 1).properties(json, 0, json.length))
      }
    }
    s"${layers * rows} $bytes ${sum(layers.toLong * rows)}"
  }

  def edgeLayers(made: MadeNamespace, layers: Int, rows: Int): String = {
    for (l <- 0 until layers) made.edges("T") { w =>
      for (i <- 0 until rows)
        w.add(new NodeId(1, i.toLong), new NodeId(2, l.toLong), l * 10L + 1, Optional.empty[Array[Byte]])
    }
    s"${layers * rows} 0 ${sum(rows) * layers + sum(layers) * rows}"
  }
}
