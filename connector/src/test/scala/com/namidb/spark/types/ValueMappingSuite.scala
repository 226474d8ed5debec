package com.namidb.spark.types

import java.util

import scala.jdk.CollectionConverters._

import com.namidb.format.error.InvalidOptionException
import com.namidb.format.value.{TypeSummary, ValueType}
import com.namidb.format.value.ValueType._
import org.apache.spark.sql.types._
import org.scalatest.funsuite.AnyFunSuite

class ValueMappingSuite extends AnyFunSuite {
  private def sql(jsons: String*): String = ValueMapping.of(Samples.seen(jsons: _*)).sql
  private def of(kinds: ValueType*): String = sql(kinds.map(Samples.json): _*)
  private def list(items: String*): String = items.mkString("{\"$list\":[", ",", "]}")
  private def map(values: String*): String =
    values.zipWithIndex.map { case (v, i) => s"\"k$i\":$v" }.mkString("{\"$map\":{", ",", "}}")

  test("each stored type has its Spark type, nulls beside it change nothing") {
    val expected = Seq(BOOL -> "BOOLEAN", INT64 -> "BIGINT", FLOAT64 -> "DOUBLE", STRING -> "STRING",
      BYTES -> "BINARY", DATE -> "DATE", DATETIME -> "TIMESTAMP", VECTOR -> "ARRAY<FLOAT>",
      INT8_VECTOR -> "ARRAY<FLOAT>", LIST -> "ARRAY<STRING>", MAP -> "MAP<STRING, STRING>", NULL -> "STRING")
    assert(expected.map(_._1).toSet == ValueType.values().toSet)
    for ((k, t) <- expected) {
      assert(of(k) == t)
      assert(of(k, NULL) == t)
    }
    assert(ValueMapping.of(new TypeSummary).sql == "STRING")
    assert(ValueMapping.of(Samples.seen("[1]")) == ArrayType(FloatType, containsNull = false))
  }

  test("integers and floats widen to DOUBLE, vectors of both kinds stay vectors, other mixes are STRING") {
    assert(of(INT64, FLOAT64) == "DOUBLE")
    assert(of(NULL, FLOAT64, INT64) == "DOUBLE")
    assert(of(VECTOR, INT8_VECTOR) == "ARRAY<FLOAT>")
    for (mix <- Seq(Seq(INT64, STRING), Seq(INT64, FLOAT64, BOOL), Seq(DATE, DATETIME), Seq(VECTOR, MAP), Seq(LIST, MAP)))
      assert(of(mix: _*) == "STRING")
  }

  test("lists hold what their elements need") {
    assert(sql(list("1", "null"), list()) == "ARRAY<BIGINT>")
    assert(ValueMapping.of(Samples.seen(list("1"))) == ArrayType(LongType, containsNull = true))
    assert(sql(list("1"), list("2.5")) == "ARRAY<DOUBLE>")
    assert(sql(list("1", "\"a\"")) == "ARRAY<STRING>")
    assert(sql(list("null")) == "ARRAY<STRING>")
    assert(sql(list(list("{\"$date\":1}"))) == "ARRAY<ARRAY<DATE>>")
    assert(sql(list("[1]")) == "ARRAY<ARRAY<FLOAT>>")
    assert(sql(list(map("true"))) == "ARRAY<MAP<STRING, BOOLEAN>>")
  }

  test("empty lists beside vectors keep the vector type, lists with elements do not") {
    assert(sql(list(), "[1]") == "ARRAY<FLOAT>")
    assert(sql(list("1.5"), "[1]") == "STRING")
    assert(sql(list("null"), "[1]") == "STRING")
    assert(sql(list(), "[1]", "\"a\"") == "STRING")
  }

  test("maps whose values share a type are maps, others are JSON text") {
    assert(sql(map("\"a\"", "null"), map()) == "MAP<STRING, STRING>")
    assert(sql(map("1"), map("2.5")) == "MAP<STRING, DOUBLE>")
    assert(sql(map("1", "\"a\"")) == "STRING")
    assert(sql(map(list("1", "\"a\""))) == "MAP<STRING, ARRAY<STRING>>")
    assert(sql(list(map("1", "\"a\""))) == "ARRAY<STRING>")
  }

  test("schemas of several tables join by name: equal types stay, numbers widen, the rest is STRING") {
    val merged = SchemaMerge.merge(Seq("a BIGINT, b STRING, c DATE, v ARRAY<BIGINT>", "d BIGINT, a DOUBLE, c TIMESTAMP",
      "b STRING, a BIGINT, v ARRAY<DOUBLE>").map(StructType.fromDDL).asJava)
    assert(merged.toDDL.replace(" NOT NULL", "") == "a DOUBLE,b STRING,c STRING,v ARRAY<DOUBLE>,d BIGINT")
    assert(SchemaMerge.merge(util.List.of()).isEmpty)
  }

  test("declared types map as in values 6.3") {
    val expected = Map("Bool" -> "BOOLEAN", "Int32" -> "BIGINT", "Int64" -> "BIGINT", "Float32" -> "DOUBLE",
      "Float64" -> "DOUBLE", "Utf8" -> "STRING", "LargeUtf8" -> "STRING", "Json" -> "STRING", "Binary" -> "BINARY",
      "Date32" -> "DATE", "TimestampMicrosUtc" -> "TIMESTAMP", "FloatVector" -> "ARRAY<FLOAT>", "Int8Vector" -> "ARRAY<FLOAT>")
    for ((d, t) <- expected) assert(SparkSchemas.declared(d).sql == t)
  }

  test("a user's schema is made nullable, and refused by column where nothing stored can be read so") {
    val s = SparkSchemas.readable(new StructType().add("_id", StringType, false).add("n", IntegerType, false)
      .add("l", ArrayType(LongType, containsNull = false), false))
    assert(s("_id").nullable == false && s("n").nullable && s("l").nullable)
    assert(s("l").dataType == ArrayType(LongType, containsNull = false))
    for ((ddl, column) <- Seq("d DECIMAL(10,2)" -> "'d'", "l ARRAY<STRUCT<x: DECIMAL(3,1)>>" -> "'l.element.x'",
        "m MAP<INT, STRING>" -> "'m'", "i INTERVAL DAY TO SECOND" -> "'i'", "_id BIGINT" -> "'_id'",
        "_labels STRING" -> "'_labels'", "_lsn STRING" -> "'_lsn'", "_deleted BOOLEAN" -> "'_deleted'")) {
      val e = intercept[InvalidOptionException](SparkSchemas.readable(StructType.fromDDL(ddl)))
      assert(e.getMessage.contains(column), ddl)
      assert(e.getMessage.contains("reserved name") == column.contains("deleted"), e.getMessage)
    }
    assert(SparkSchemas.readable(StructType.fromDDL("_id BINARY, _labels ARRAY<STRING>, a STRUCT<b: MAP<STRING, TIMESTAMP_NTZ>>")).size == 3)
  }
}
