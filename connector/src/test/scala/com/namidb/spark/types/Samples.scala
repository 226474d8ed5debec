package com.namidb.spark.types

import java.nio.charset.StandardCharsets.UTF_8

import com.namidb.format.value.{PropertyObserver, TypeSummary, ValueType}
import com.namidb.format.value.ValueType._

/** Summaries of given values. */
object Samples {
  /** What is seen of a property with these values. */
  def seen(jsons: String*): TypeSummary = {
    val observer = new PropertyObserver
    for (j <- jsons) {
      val b = s"{\"p\":$j}".getBytes(UTF_8)
      observer.observe(b, 0, b.length)
    }
    Option(observer.summaries.get("p")).getOrElse(new TypeSummary)
  }

  /** A stored value of a type; lists and maps are empty. */
  def json(kind: ValueType): String = kind match {
    case NULL => "null"
    case BOOL => "true"
    case INT64 => "1"
    case FLOAT64 => "1.5"
    case STRING => "\"a\""
    case BYTES => "{\"$bytes\":[1]}"
    case VECTOR => "[1.5]"
    case INT8_VECTOR => "{\"$i8vec\":[0.5,[1]]}"
    case DATE => "{\"$date\":1}"
    case DATETIME => "{\"$datetime\":1}"
    case LIST => "{\"$list\":[]}"
    case MAP => "{\"$map\":{}}"
  }
}
