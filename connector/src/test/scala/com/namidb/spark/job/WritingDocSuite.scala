package com.namidb.spark.job

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import com.namidb.format.commit.Verdict
import com.namidb.format.stage.JobPhase
import jdk.jshell.{JShell, Snippet, SourceCodeAnalysis}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

/** The Java statements of `docs/writing.md` are run as they stand there, in their order. */
class WritingDocSuite extends JobFixture {
  private val Place = "file:///data/graphs?ns=social"
  private val Known = Seq("java.util.*", "com.namidb.spark.job.*", "com.namidb.format.commit.*", "org.apache.spark.sql.*")

  private lazy val document: Path = {
    val classes = Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI)
    classes.getParent.getParent.getParent.resolve("docs/writing.md")
  }

  private def blocks: Seq[String] = "(?s)```java\n(.*?)```".r.findAllMatchIn(Files.readString(document)).map(_.group(1)).toSeq

  private def run(shell: JShell, source: String): Unit = {
    var rest = source
    while (rest.trim.nonEmpty) {
      val next: SourceCodeAnalysis.CompletionInfo = shell.sourceCodeAnalysis.analyzeCompletion(rest)
      assert(next.completeness.isComplete, rest)
      for (e <- shell.eval(next.source).asScala) {
        val problems = shell.diagnostics(e.snippet).iterator.asScala.map(_.getMessage(null)).mkString("; ")
        assert(e.status == Snippet.Status.VALID && e.exception == null, s"${next.source}\n$problems ${e.exception}")
      }
      rest = next.remaining
    }
  }

  test("every Java example of the page runs and does what the page says") {
    withPlace { p =>
      val uri = p.uri("social")
      nodes(1 to 3).createOrReplaceGlobalTempView("doc_people")
      spark.createDataFrame(java.util.List.of(Row(id(1), id(2))), new StructType().add("_src", StringType).add("_dst", StringType))
        .createOrReplaceGlobalTempView("doc_knows")
      val shell = JShell.builder().executionEngine("local").compilerOptions("-classpath", sys.props("java.class.path")).build()
      try {
        for (i <- Known) run(shell, s"import $i;")
        run(shell, """Dataset<Row> people = SparkSession.active().table("global_temp.doc_people");""")
        run(shell, """Dataset<Row> knows = SparkSession.active().table("global_temp.doc_knows");""")
        assert(blocks.size >= 3)
        for (b <- blocks) {
          assert(b.contains(Place) || !b.contains("file:"), b)
          run(shell, b.replace(Place, uri))
        }
      } finally shell.close()
      val jobs = Jobs.at(java.util.Map.of("uri", uri))
      assert(jobs.verifyCommit("nightly-2026-11-29") == new Verdict.CommittedAt(1))
      assert(jobs.verifyCommit("load-people-17") == new Verdict.CommittedAt(2))
      assert(jobs.staged().asScala.map(s => (s.name, s.phase)) ==
        Seq("load-people-17" -> JobPhase.PUBLISHED, "nightly-2026-11-29" -> JobPhase.PUBLISHED))
      val read = spark.read.format("namidb").option("type", "KNOWS").load(uri)
      assert(read.select("_src", "_dst").collect().toSeq == Seq(Row(id(1), id(2))))
    }
  }
}
