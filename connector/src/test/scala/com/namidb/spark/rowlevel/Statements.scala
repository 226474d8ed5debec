package com.namidb.spark.rowlevel

import com.namidb.format.Golden
import com.namidb.spark.write.Writing
import org.apache.spark.sql.Row

import java.nio.file.Path

/** Statements on graphs by catalog names: `{t}` stands for the catalog and the namespace. */
trait Statements extends Writing {
  // Tiny graphs: compiling a query would take longer than running it.
  override def conf: Map[String, String] = Map("spark.sql.codegen.wholeStage" -> "false",
    "spark.sql.codegen.factoryMode" -> "NO_CODEGEN", "spark.sql.shuffle.partitions" -> "2")

  private val catalogs = scala.collection.mutable.Map.empty[Path, String]

  private def catalog(root: Path): String = catalogs.getOrElseUpdate(root, {
    val name = s"c${catalogs.size}"
    spark.conf.set(s"spark.sql.catalog.$name", "com.namidb.spark.NamiCatalog")
    spark.conf.set(s"spark.sql.catalog.$name.uri", s"file://$root")
    name
  })

  def sql(p: Path, text: String): Array[Row] = spark.sql(text.replace("{t}", s"${catalog(p)}.g")).collect()

  /** The full name of a table. */
  def table(p: Path, name: String): String = s"${catalog(p)}.g.$name"

  def sql(g: Golden.Case, text: String): Array[Row] =
    spark.sql(text.replace("{t}", s"${catalog(g.store)}.${g.ns}")).collect()

  /** A statement in two steps: it reads the version there is now, and runs when the result is called. */
  def planned(p: Path, text: String): () => Unit = {
    val classic = spark.asInstanceOf[org.apache.spark.sql.classic.SparkSession]
    val qe = classic.sessionState.executePlan(classic.sessionState.sqlParser.parsePlan(text.replace("{t}", s"${catalog(p)}.g")))
    qe.analyzed
    () => { qe.commandExecuted; () }
  }

  def set[A](values: (String, String)*)(body: => A): A = {
    values.foreach { case (k, v) => spark.conf.set(k, v) }
    try body finally values.foreach { case (k, _) => spark.conf.unset(k) }
  }
}
