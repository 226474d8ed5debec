package com.namidb.format.engine

import java.nio.file.{Files, Path, Paths}

import org.scalatest.Assertions

/** The real engines, in Python processes of their own. */
object Engines extends Assertions {
  val versions: Seq[String] = Seq("2.6.19", "2.1.4")

  /** Off only on request: a missing engine is a failure, not a skipped test. */
  def enabled: Boolean = sys.props.getOrElse("namidb.engine", "on") != "off"

  def python(version: String): Path = {
    val p = Paths.get(sys.props("engine.venvs"), s"namidb-$version", "bin", "python")
    assert(Files.isExecutable(p), s"namidb $version is not installed: run bin/setup-engines")
    p
  }

  /** Runs a script of `tests/engine` to its end and returns what it printed. */
  def run(version: String, script: String, args: String*): String = runWith(Map.empty, version, script, args: _*)

  /** The same with more environment variables, such as credentials. */
  def runWith(environment: Map[String, String], version: String, script: String, args: String*): String = {
    val cmd = Seq(python(version).toString, Paths.get(sys.props("engine.dir"), script).toString) ++ args
    val b = new ProcessBuilder(cmd: _*).redirectErrorStream(true)
    environment.foreach { case (name, value) => b.environment.put(name, value) }
    val p = b.start()
    p.getOutputStream.close()
    val out = new String(p.getInputStream.readAllBytes(), "UTF-8")
    assert(p.waitFor() == 0, s"${cmd.mkString(" ")}:\n$out")
    out
  }
}
