package com.namidb.spark.engine

import java.lang.management.ManagementFactory
import java.nio.file.Paths

import scala.jdk.CollectionConverters._

import org.scalatest.Assertions

/** Runs a main class of the tests in a JVM of its own, for what is set once per JVM. */
object ChildJvm extends Assertions {
  def run(main: String, options: Seq[String], args: String*): String = run(main, options, Map.empty[String, String], args: _*)

  def run(main: String, options: Seq[String], environment: Map[String, String], args: String*): String = {
    val runtime = ManagementFactory.getRuntimeMXBean
    val opens = runtime.getInputArguments.asScala.filter(a => a.startsWith("--add-opens") || a.startsWith("-Djdk"))
    val java = Paths.get(sys.props("java.home"), "bin", "java").toString
    val cmd = Seq(java) ++ opens ++ options ++ Seq("-cp", sys.props("java.class.path"), main) ++ args
    val builder = new ProcessBuilder(cmd: _*).redirectErrorStream(true)
    builder.environment.putAll(environment.asJava)
    val p = builder.start()
    p.getOutputStream.close()
    val out = new String(p.getInputStream.readAllBytes(), "UTF-8")
    assert(p.waitFor() == 0, out.takeRight(6000))
    out
  }
}
