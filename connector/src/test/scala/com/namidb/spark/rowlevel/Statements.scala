package com.namidb.spark.rowlevel

import com.namidb.spark.{Graph, Place}
import com.namidb.spark.write.Writing
import org.apache.spark.sql.Row

/** Statements on graphs by catalog names: `{t}` stands for the catalog and the namespace. */
trait Statements extends Writing {
  // Tiny graphs: compiling a query would take longer than running it.
  override def conf: Map[String, String] = Map("spark.sql.codegen.wholeStage" -> "false",
    "spark.sql.codegen.factoryMode" -> "NO_CODEGEN", "spark.sql.shuffle.partitions" -> "2")

  private val catalogs = scala.collection.mutable.Map.empty[Place, String]

  private def catalog(root: Place): String = catalogs.getOrElseUpdate(root, {
    val name = s"c${catalogs.size}"
    spark.conf.set(s"spark.sql.catalog.$name", "com.namidb.spark.NamiCatalog")
    spark.conf.set(s"spark.sql.catalog.$name.uri", root.root)
    name
  })

  def sql(p: Place, text: String): Array[Row] = spark.sql(text.replace("{t}", s"${catalog(p)}.g")).collect()

  /** The full name of a table. */
  def table(p: Place, name: String): String = s"${catalog(p)}.g.$name"

  def sql(g: Graph, text: String): Array[Row] =
    spark.sql(text.replace("{t}", s"${catalog(g.place)}.${g.ns}")).collect()

  /** A statement in two steps: it reads the version there is now, and runs when the result is called. */
  def planned(p: Place, text: String): () => Unit = {
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
