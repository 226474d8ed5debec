package com.namidb.spark

import com.namidb.format.Golden
import com.namidb.format.error.NamiException
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.scalatest.funsuite.AnyFunSuite

import java.nio.file.{Files, Path, StandardCopyOption}
import scala.jdk.CollectionConverters._
import scala.reflect.ClassTag

/** One Spark per JVM, a session of its own per suite, and private copies of engine-made namespaces. */
trait SparkSuite extends AnyFunSuite {
  lazy val spark: SparkSession = {
    val base = SparkSession.builder()
      .master("local[2]")
      .config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.default.parallelism", "2")
      .getOrCreate()
    val s = base.newSession()
    (conf + ("spark.sql.session.timeZone" -> "UTC")).foreach { case (k, v) => s.conf.set(k, v) }
    s
  }

  /** What this suite's session is set to besides. */
  def conf: Map[String, String] = Map.empty

  /** Whether new namespaces are of the layout that no engine reads. */
  def single: Boolean = conf.contains("spark.namidb.layout")

  /** For many tiny queries: what Spark does to be fast at large ones costs more than the queries themselves. */
  def tiny: Map[String, String] = Map(
    "spark.sql.adaptive.enabled" -> "false",
    "spark.sql.codegen.wholeStage" -> "false",
    "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  def load(g: Golden.Case, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(g.uri)

  /** The newest version, without the price of a query. */
  def newest(uri: String): Long =
    OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri), _ => null)).namespace.log.current().ref.version

  /** The typed error in a chain of causes. */
  def failure[E <: NamiException: ClassTag](body: => Any): E = {
    val thrown = intercept[Throwable](body)
    Iterator.iterate(thrown)(_.getCause).takeWhile(_ != null).collectFirst { case e: E => e }
      .getOrElse(fail(s"no typed error in $thrown", thrown))
  }

  def ids(df: DataFrame): Seq[String] = df.select("_id").collect().map(_.getString(0)).toSeq.sorted

  def scans(df: DataFrame): Seq[BatchScanExec] = {
    def in(p: SparkPlan): Seq[BatchScanExec] = p match {
      case a: AdaptiveSparkPlanExec => in(a.executedPlan)
      case b: BatchScanExec => Seq(b)
      case q: QueryStageExec => in(q.plan)
      case other => other.children.flatMap(in)
    }
    in(df.queryExecution.executedPlan)
  }

  def leases(g: Golden.Case): Seq[Path] = {
    val pins = g.folder.resolve("manifest/pins")
    if (!Files.isDirectory(pins)) Nil
    else {
      val s = Files.list(pins)
      try s.iterator.asScala.toSeq finally s.close()
    }
  }

  /**
   * Takes a copy back to an older version, as if nothing had been committed since; the result
   * commits everything again.
   */
  def rewind(g: Golden.Case, version: Long): () => Unit = {
    val manifest = g.folder.resolve("manifest")
    val aside = com.namidb.format.store.TempDirs.lasting("later-")
    val hint = Files.readAllBytes(manifest.resolve("current.json"))
    val later = Iterator.from(version.toInt + 1)
      .map(v => Seq(f"v$v%016x.json", f"pointer/p$v%016x.json").map(manifest.resolve(_)))
      .takeWhile(_.forall(Files.exists(_))).flatten.toSeq
    Files.createDirectories(aside.resolve("pointer"))
    for (p <- later) Files.move(p, aside.resolve(manifest.relativize(p)))
    Files.copy(manifest.resolve(f"pointer/p$version%016x.json"), manifest.resolve("current.json"),
      StandardCopyOption.REPLACE_EXISTING)
    () => {
      for (p <- later) Files.move(aside.resolve(manifest.relativize(p)), p)
      Files.write(manifest.resolve("current.json"), hint)
    }
  }
}

/** Makes every new namespace of a suite in the layout of one replaced object; all else recognises it. */
trait SingleObjectLayout extends SparkSuite {
  override def conf: Map[String, String] = super.conf + ("spark.namidb.layout" -> "single-object")
}
