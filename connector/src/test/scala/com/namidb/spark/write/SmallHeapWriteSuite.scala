package com.namidb.spark.write

import com.namidb.spark.engine.ChildJvm
import com.namidb.spark.job.Jobs
import com.namidb.spark.Place
import org.apache.spark.sql.functions.{col, count, min, sum, length => chars}

/** A write task takes far more rows than its heap holds: it sorts in files and streams what it stages. */
class SmallHeapWriteSuite extends Writing {
  private def staged(heap: Int, what: String, rows: Int, length: Int)(check: Place => Unit): Unit = {
    withPlace { p =>
      info(ChildJvm.run("com.namidb.spark.write.SmallHeapWrite", Seq(s"-Xmx${heap}m"), uri(p), "big", what, rows.toString,
        length.toString).linesIterator.toSeq.last)
      assert(!spark.sparkContext.isStopped) // publishing needs a session
      Jobs.at(java.util.Map.of("uri", uri(p))).publish("big")
      check(p)
    }
  }

  private def complete(p: Place, rows: Int, length: Int, target: (String, String)): Unit = {
    val text = chars(col("text"))
    val all = read(p, target).agg(count("*"), sum("n"), min(text), sum(text)).head()
    assert(all.toSeq == Seq(rows.toLong, rows.toLong * (rows - 1) / 2, length, rows.toLong * length))
  }

  test("300 MB of nodes in one task, in 192 MiB") {
    staged(192, "nodes", 300000, 1000)(complete(_, 300000, 1000, "label" -> "P"))
  }

  test("two times 140 MB of edges in one task, half of them from one hub, in 192 MiB") {
    staged(192, "edges", 700000, 150) { p =>
      complete(p, 700000, 150, "type" -> "T")
      val hub = SmallHeapWrite.Hub.map(b => f"$b%02x").mkString
      assert(read(p, "type" -> "T").filter(s"replace(_src, '-', '') = '$hub'").count() == 350000)
    }
  }
}
