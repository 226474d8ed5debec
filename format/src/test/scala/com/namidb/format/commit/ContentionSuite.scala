package com.namidb.format.commit

import java.io.{BufferedReader, InputStreamReader, PrintStream}
import java.lang.management.ManagementFactory
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Paths
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import com.namidb.format.manifest.Layout
import com.namidb.format.store.TempDirs
import com.namidb.format.store.s3.S3Server
import org.scalatest.funsuite.AnyFunSuite

/** Processes commit to one graph at once: the history is a line, every acknowledged row is there, once. */
class ContentionSuite extends AnyFunSuite {
  private val Processes = 8
  private val commits = sys.props.get("contention.commits").filter(_.nonEmpty).map(_.toInt).getOrElse(20)

  private class Writer(index: Int, keys: Map[String, String]) {
    private val opens = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter(a => a.startsWith("--add-opens") || a.startsWith("-Djdk"))
    private val java = Paths.get(sys.props("java.home"), "bin", "java").toString
    private val command = Seq(java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m") ++ opens ++
      Seq("-cp", sys.props("java.class.path"), "com.namidb.format.commit.ContentionChild", index.toString, commits.toString) ++
      keys.map { case (k, v) => s"$k=$v" }
    private val process = new ProcessBuilder(command: _*).redirectErrorStream(true).start()
    private val in = new BufferedReader(new InputStreamReader(process.getInputStream, UTF_8))
    private val out = new PrintStream(process.getOutputStream, true, "UTF-8")

    def say(line: String): Unit = out.println(line)

    /** Its lines up to one. */
    def until(last: String): Seq[String] = {
      val lines = Iterator.continually(in.readLine()).takeWhile(l => l != null && l != last).toVector
      assert(process.isAlive, lines.takeRight(60).mkString("\n"))
      lines
    }

    def end(): Unit = {
      out.close()
      if (!process.waitFor(20, TimeUnit.SECONDS)) process.destroyForcibly(): Unit
    }
  }

  private case class Acknowledged(writer: Int, i: Int, job: String, version: Long, attempts: Int, gaveUp: Int)

  private def contend(name: String, layout: Layout, writers: Seq[Writer], place: String, endpoint: String, keys: Map[String, String]): Unit = {
    val store = ContentionChild.store(place, endpoint, keys)
    try {
      OnLayout(layout).fresh(store)
      writers.foreach(_.say(s"$place $endpoint"))
      writers.foreach(_.until("ready"))
      val begun = System.nanoTime
      writers.foreach(_.say("go"))
      val all = writers.zipWithIndex.flatMap { case (w, n) =>
        w.until("done").map(_.split(" ")).collect { case Array("acknowledged", i, job, version, attempts, gaveUp) =>
          Acknowledged(n, i.toInt, job, version.toLong, attempts.toInt, gaveUp.toInt)
        }
      }
      val seconds = (System.nanoTime - begun) / 1e9
      info(f"$name, $layout: $Processes processes, $commits commits each in $seconds%.1f s: ${all.size / seconds}%.0f commits a second, " +
        f"${all.map(_.attempts).sum.toDouble / all.size}%.1f attempts each, ${all.map(_.gaveUp).sum} times all retries were lost")
      check(Graph(store), all)
    } finally store.close()
  }

  private def check(g: Graph, all: Seq[Acknowledged]): Unit = {
    assert(all.size == Processes * commits)
    val total = all.size.toLong
    assert(all.map(_.version).sorted == (1L to total), "every commit is a version of its own")
    val newest = g.latest()
    assert(newest.version == total)
    val byVersion = all.map(a => a.version -> a).toMap
    var before = g.at(0).manifest
    for (v <- 1L to total) {
      val m = g.at(v).manifest
      val (old, added) = m.ssts.asScala.splitAt(before.ssts.size)
      assert(old.map(_.id) == before.ssts.asScala.map(_.id), s"version $v does not stand on ${v - 1}")
      assert(added.map(_.path.split('/')(1)).toSet == Set(byVersion(v).job) && m.epoch >= before.epoch, s"version $v")
      assert(added.forall(a => java.lang.Long.compareUnsigned(a.lsns.min, before.lsnFloor) > 0), s"rows of version $v would lose to older ones")
      before = m
    }
    val expected = for (w <- 0 until Processes; i <- 0 until commits) yield ContentionChild.row(w, i)
    assert(g.contents(newest).nodes == expected.map(n => n.id -> (n.labels -> n.json.get)).toMap)
  }

  test(s"$Processes processes with $commits commits each, on both protocols, on S3 and on a local disk (-Dcontention.commits)") {
    val server = S3Server.shared
    val keys = S3Server.options(server.endpoint)
    val writers = (0 until Processes).map(new Writer(_, keys))
    try {
      writers.foreach(_.until("started"))
      for (layout <- Layout.values) {
        contend(S3Server.kind, layout, writers, server.bucket().place, server.endpoint, keys)
        TempDirs.withDir(dir => contend("local disk", layout, writers, dir.toString, "-", keys))
      }
    } finally writers.foreach(_.end())
  }
}
