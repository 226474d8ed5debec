package com.namidb.format

import java.io.{BufferedReader, InputStreamReader}
import java.lang.management.ManagementFactory
import java.nio.charset.StandardCharsets
import java.nio.file.Paths
import java.util.concurrent.{CountDownLatch, Executors, TimeUnit}

import scala.jdk.CollectionConverters._

import org.scalatest.Assertions

/**
 * Runs a main class of the tests in a JVM of its own and kills it where it says that it has arrived:
 * SIGKILL, so that nothing of it runs on, neither hooks nor `finally`.
 */
object KilledJvm extends Assertions {
  private val At = "-- arrived --"
  private val Patience = 120L

  /** In the child: says so and waits for death. */
  def arrive(): Unit = {
    println(At)
    System.out.flush()
    new CountDownLatch(1).await()
  }

  /** Kills a child when it arrives; returns the lines it printed before. */
  def kill(main: String, options: Seq[String], args: String*): Seq[String] = {
    val opens = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter(a => a.startsWith("--add-opens") || a.startsWith("-Djdk"))
    val java = Paths.get(sys.props("java.home"), "bin", "java").toString
    val cmd = Seq(java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") ++ opens ++ options ++ Seq("-cp", sys.props("java.class.path"), main) ++ args
    val p = new ProcessBuilder(cmd: _*).redirectErrorStream(true).start()
    val watch = Executors.newSingleThreadScheduledExecutor()
    try {
      p.getOutputStream.close()
      val stop: Runnable = () => { p.destroyForcibly(); () }
      watch.schedule(stop, Patience, TimeUnit.SECONDS)
      val in = new BufferedReader(new InputStreamReader(p.getInputStream, StandardCharsets.UTF_8))
      val lines = Iterator.continually(in.readLine()).takeWhile(l => l != null && l != At).toVector
      val arrived = p.isAlive
      p.destroyForcibly()
      val code = p.waitFor()
      assert(arrived && code == 137, s"${args.mkString(" ")} never got there, exit code $code:\n${lines.takeRight(60).mkString("\n")}")
      lines
    } finally {
      watch.shutdownNow()
      p.destroyForcibly()
    }
  }
}
