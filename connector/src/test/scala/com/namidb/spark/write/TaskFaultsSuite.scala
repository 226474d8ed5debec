package com.namidb.spark.write

import java.nio.file.Files

import com.namidb.format.store.TempDirs
import com.namidb.spark.engine.ChildJvm
import org.scalatest.funsuite.AnyFunSuite

/** Speculation, failed and killed attempts, dead executors: in a cluster of processes, which only a JVM of its own can start. */
class TaskFaultsSuite extends AnyFunSuite {
  test("whatever happens to tasks, each row is there once or the job fails and nothing is") {
    TempDirs.withDir { dir =>
      // Executors are started from a Spark home; all they need is on their class path.
      val home = Files.createDirectories(dir.resolve("home"))
      Files.createDirectories(home.resolve("jars"))
      val out = ChildJvm.run("com.namidb.spark.write.TaskFaults", Seq("-Xmx1g"), Map("SPARK_HOME" -> home.toString,
        "SPARK_SCALA_VERSION" -> "2.13", "SPARK_LOCAL_IP" -> "127.0.0.1"), Files.createDirectories(dir.resolve("store")).toString)
      out.linesIterator.filter(_.startsWith("OK ")).foreach(info(_))
      assert(out.linesIterator.count(_.startsWith("OK ")) == 8, out.takeRight(6000))
    }
  }
}
