package com.namidb.spark.rowlevel

import com.namidb.format.Golden
import com.namidb.spark.write.Writing
import org.apache.spark.sql.Row

import java.nio.file.Path

/** Statements on graphs by catalog names: `{t}` stands for the catalog and the namespace. */
trait Statements extends Writing {
  private val catalogs = scala.collection.mutable.Map.empty[Path, String]

  private def catalog(root: Path): String = catalogs.getOrElseUpdate(root, {
    val name = s"c${catalogs.size}"
    spark.conf.set(s"spark.sql.catalog.$name", "com.namidb.spark.NamiCatalog")
    spark.conf.set(s"spark.sql.catalog.$name.uri", s"file://$root")
    name
  })

  def sql(p: Path, text: String): Array[Row] = spark.sql(text.replace("{t}", s"${catalog(p)}.g")).collect()

  def sql(g: Golden.Case, text: String): Array[Row] =
    spark.sql(text.replace("{t}", s"${catalog(g.store)}.${g.ns}")).collect()

  def set[A](values: (String, String)*)(body: => A): A = {
    values.foreach { case (k, v) => spark.conf.set(k, v) }
    try body finally values.foreach { case (k, _) => spark.conf.unset(k) }
  }

  def one(df: org.apache.spark.sql.DataFrame, id: String): String = json(df)(id)
}
