package com.namidb.spark.catalog

import com.namidb.format.Golden
import com.namidb.spark.options.ReadOptions
import com.namidb.spark.read.NamiScanBuilder
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.connector.catalog.{SupportsRead, Table}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import java.time.ZoneOffset
import java.util.Optional
import scala.jdk.CollectionConverters._

/** Spark reuses rows of equal tables and scans, so equal must mean: the same rows in the same form. */
class NamiTableSuite extends SparkSuite {
  private lazy val g = Golden("time-travel").copied()
  private lazy val other = Golden("time-travel").copied()

  private def table(schema: Option[String], options: (String, String)*): Table = {
    val all = Map("path" -> g.uri, "label" -> "P") ++ options
    TableLoader.load(ReadOptions.of((if (all.contains("type")) all - "label" else all).asJava, _ => null, ZoneOffset.UTC),
      schema.fold(Optional.empty[StructType])(s => Optional.of(StructType.fromDDL(s))))
  }

  test("equal: location, version, target, schema and options") {
    val a = table(None)
    assert(a == table(None) && a.hashCode == table(None).hashCode)
    assert(a == table(None, "versionAsOf" -> "10"), "the same version however it was chosen")
    for (b <- Seq(table(None, "versionAsOf" -> "8"), table(None, "label" -> "*"), table(None, "label" -> "Q"),
        table(None, "type" -> "E"), table(Some("_id STRING")), table(Some("_id BINARY")), table(None, "wal" -> "ignore"),
        table(None, "on-mismatch" -> "null"), table(None, "path" -> other.uri), table(None, "id-format" -> "binary")))
      assert(a != b, b)
    assert(a.name == "namidb ns nodes.P @ 10")
  }

  test("a table has no version method's answer, so Spark never loads it again") {
    assert(table(None).version == null)
  }

  test("scans and batches compare by table, columns, filters and limit") {
    assert(!spark.sparkContext.isStopped, "batches take their leases for an application")
    def scan(t: Table, change: NamiScanBuilder => Unit = _ => ()) = {
      val b = t.asInstanceOf[SupportsRead].newScanBuilder(CaseInsensitiveStringMap.empty).asInstanceOf[NamiScanBuilder]
      change(b)
      b.build()
    }
    val a = scan(table(None))
    assert(a == scan(table(None)) && a.toBatch == scan(table(None)).toBatch)
    assert(a.hashCode == scan(table(None)).hashCode && a.toBatch.hashCode == scan(table(None)).toBatch.hashCode)
    val differing = Seq(scan(table(None, "versionAsOf" -> "8")), scan(table(None), _.pruneColumns(StructType.fromDDL("_id STRING"))),
      scan(table(None), b => { b.pushLimit(3); () }))
    for (b <- differing) assert(a != b && a.toBatch != b.toBatch)
  }
}
