package com.namidb.examples

import java.nio.file.{Files, Path, Paths}

import com.namidb.spark.NamiCatalog
import org.scalatest.funsuite.AnyFunSuite

/** The notebook and Spark Connect, from Python, with the jar that was just built. */
class NotebookSuite extends AnyFunSuite {
  private val root: Path = Paths.get(sys.props("examples.dir")).toAbsolutePath.getParent

  /** The packaged jar, also where this module's tests run on the connector's classes. */
  private def jar: Path = {
    val here = Paths.get(classOf[NamiCatalog].getProtectionDomain.getCodeSource.getLocation.toURI)
    val built = if (Files.isRegularFile(here)) here else root.resolve("connector/target/namidb-spark-runtime_2.13-0.1.0.jar")
    assert(Files.isRegularFile(built), "the connector is not packaged: run mvn package")
    built
  }

  private def python(script: String): String = {
    val python = Paths.get(sys.props("engine.venvs"), "notebook", "bin", "python")
    assert(Files.isExecutable(python), "the notebook's Python is not installed: run bin/setup-engines")
    val work = ScratchCopy.folder()
    val builder = new ProcessBuilder(python.toString, root.resolve(s"tests/notebook/$script").toString, work.toString)
    builder.redirectErrorStream(true).redirectInput(ProcessBuilder.Redirect.from(Paths.get("/dev/null").toFile))
    builder.environment.put("NAMIDB_JAR", jar.toString)
    builder.environment.put("JAVA_HOME", sys.props("java.home"))
    val process = builder.start()
    val out = new String(process.getInputStream.readAllBytes(), "UTF-8")
    assert(process.waitFor() == 0, out)
    out
  }

  private def enabled: Boolean = sys.props.getOrElse("namidb.engine", "on") != "off"

  if (enabled) {
    test("the notebook says what the engine says, before and after the engine moved on, and its committed outputs are a run's") {
      val out = python("check.py")
      assert(out.contains("ok two hops") && out.contains("ok the committed outputs"), out)
    }

    test("Spark Connect reads, pins one session, inserts, updates and deletes, and gives every lease back") {
      val out = python("connect.py")
      assert(out.contains("ok a DELETE under the pin") && out.linesIterator.toSeq.last == "ok leases 0", out)
    }
  }
}
