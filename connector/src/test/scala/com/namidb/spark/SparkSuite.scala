package com.namidb.spark

import com.namidb.format.Golden
import com.namidb.format.error.NamiException
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.scalatest.Outcome
import org.scalatest.funsuite.AnyFunSuite

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
    configured(base.newSession())
  }

  /** Where this instance of the suite has its graphs. */
  def places: Places = Places.Local

  // The default is the class, of which there may be several at other places.
  override def suiteName: String = if (super.suiteName.endsWith("Tests")) s"${super.suiteName} ($places)" else super.suiteName

  override def suiteId: String = suiteName

  // Whatever session the suite before left: jobs and catalogs look options up in the active one.
  override def withFixture(test: NoArgTest): Outcome = {
    SparkSession.setActiveSession(spark)
    super.withFixture(test)
  }

  /** A session set to what this suite needs. */
  def configured(s: SparkSession): SparkSession = {
    val layout = Map("spark.namidb.layout" -> "single-object").filter(_ => places.single)
    (conf ++ layout + ("spark.sql.session.timeZone" -> "UTC")).foreach { case (k, v) => s.conf.set(k, v) }
    s
  }

  /** What this suite's session is set to besides. */
  def conf: Map[String, String] = Map.empty

  /** For many tiny queries: what Spark does to be fast at large ones costs more than the queries themselves. */
  def tiny: Map[String, String] = Map(
    "spark.sql.adaptive.enabled" -> "false",
    "spark.sql.codegen.wholeStage" -> "false",
    "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  def load(g: Golden.Case, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(g.uri)

  def load(g: Graph, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(g.uri)

  def withPlace[T](test: Place => T): T = {
    val p = places.fresh()
    try test(p) finally p.remove()
  }

  def golden(name: String): Graph = places.copied(Golden(name))

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

  /**
   * Takes a copy back to an older version, as if nothing had been committed since; the result
   * commits everything again.
   */
  def rewind(g: Graph, version: Long): () => Unit = {
    def manifest(relative: String) = g.key(s"manifest$relative")
    val (older, newest) =
      if (places.single) (manifest(f"s/$version%016x.json"), manifest(".json"))
      else (manifest(f"/pointer/p$version%016x.json"), manifest("/current.json"))
    val later = Iterator.from(version.toInt + (if (places.single) 0 else 1))
      .map(v => if (places.single) Seq(manifest(f"s/$v%016x.json")) else Seq(f"/v$v%016x.json", f"/pointer/p$v%016x.json").map(manifest))
      .takeWhile(_.forall(g.place.exists)).flatten.toSeq :+ newest
    val kept = later.map(k => k -> g.place.bytes(k))
    g.place.put(newest, g.place.bytes(older))
    later.dropRight(1).foreach(g.place.delete)
    () => kept.foreach { case (k, bytes) => g.place.put(k, bytes) }
  }
}
