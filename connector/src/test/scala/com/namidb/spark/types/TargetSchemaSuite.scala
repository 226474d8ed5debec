package com.namidb.spark.types

import java.util
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.manifest.GraphSchema
import com.namidb.format.manifest.GraphSchema.{EdgeTypeDef, PropertyDef}
import com.namidb.format.scan.ScanRequest
import com.namidb.format.value.{TypeSummary, ValueType}
import com.namidb.format.value.ValueType._
import org.scalatest.funsuite.AnyFunSuite

class TargetSchemaSuite extends AnyFunSuite {
  private def Seen(kinds: ValueType*): TypeSummary = Samples.seen(kinds.map(Samples.json): _*)
  private def defs(d: (String, String)*): util.List[PropertyDef] =
    d.map { case (n, t) => new PropertyDef(n, t, 0) }.asJava
  private val schema = new GraphSchema(
    Map(
      "Person" -> defs("name" -> "Utf8", "age" -> "Int32", "_json" -> "Utf8"),
      "Alien" -> defs("age" -> "Float64", "eyes" -> "Int64")).asJava,
    Map("KNOWS" -> new EdgeTypeDef("KNOWS", "Person", "Person", defs("since" -> "Date32"))).asJava)
  private val person = new ScanRequest.Nodes(Optional.of("Person"))

  private def columns(target: ScanRequest.Target, seen: (String, TypeSummary)*): String = {
    val s = TargetSchema.of(schema, target, seen.toMap.asJava)
    assert(s.fields.forall(_.nullable))
    s.fields.map(f => f.name + " " + f.dataType.sql).mkString(", ")
  }

  test("declared properties come first in their order, the others by UTF-8 bytes of their names") {
    assert(columns(person, "z" -> Seen(INT64), "𝄞" -> Seen(BOOL), "\uffee" -> Seen(BOOL), "B" -> Seen(DATE), "age" -> Seen(INT64)) ==
      "name STRING, age BIGINT, B DATE, z BIGINT, \uffee BOOLEAN, 𝄞 BOOLEAN")
  }

  test("what was seen decides on the type, the declaration only where no value was seen") {
    assert(columns(person, "age" -> Seen(STRING)) == "name STRING, age STRING")
    assert(columns(person, "age" -> Seen(NULL), "x" -> Seen(NULL)) == "name STRING, age BIGINT, x STRING")
    assert(columns(person, "age" -> Seen(INT64, FLOAT64)) == "name STRING, age DOUBLE")
  }

  test("properties named like our columns are left out, case twins are not") {
    assert(columns(person, "_id" -> Seen(STRING), "_type" -> Seen(STRING), "Name" -> Seen(INT64), "name" -> Seen(STRING)) ==
      "name STRING, age BIGINT, Name BIGINT")
    assert(columns(person, GraphColumns.RESERVED.asScala.toSeq.map(_ -> Seen(INT64)): _*) == "name STRING, age BIGINT")
  }

  test("all nodes have the declarations of every label, edges those of their type") {
    assert(columns(new ScanRequest.Nodes(Optional.empty())) == "age DOUBLE, eyes BIGINT, name STRING")
    assert(columns(new ScanRequest.Edges("KNOWS"), "w" -> Seen(FLOAT64)) == "since DATE, w DOUBLE")
    assert(columns(new ScanRequest.Edges("OTHER")) == "")
    assert(columns(new ScanRequest.Nodes(Optional.of("Nobody"))) == "")
  }
}
