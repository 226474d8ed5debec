package com.namidb.spark.write.row

import com.namidb.spark.options.ValueRules
import org.apache.spark.sql.catalyst.CatalystTypeConverters
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType

import scala.jdk.CollectionConverters._

/** What a write stores of a row's properties. */
object StoredText {
  private val Strict = new ValueRules(false, ValueRules.Decimals.FAIL, false, java.util.List.of)

  /** The JSON object, as bytes. */
  def of(schema: StructType, values: Any*): Array[Byte] = {
    val columns = schema.zipWithIndex.map { case (f, i) => new PropertyColumn(f.name, i, f.dataType, false, 0, false) }
    val row = CatalystTypeConverters.createToCatalystConverter(schema)(Row(values: _*)).asInstanceOf[InternalRow]
    val e = new PropertyEncoder(columns.asJava, Strict)
    val n = e.encode(row)
    java.util.Arrays.copyOf(e.buffer, n)
  }
}
