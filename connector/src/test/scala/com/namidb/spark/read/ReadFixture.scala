package com.namidb.spark.read

import com.namidb.format.scan.LiveBatches
import java.util

import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

import com.namidb.format.store.{MeteredStore, StoreConfig}
import com.namidb.format.store.open.StoreOpener
import com.namidb.spark.types.OnMismatch
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.apache.spark.sql.types._

/** Opens readers over fake slices and turns their rows into plain Scala values. */
trait ReadFixture {
  def spec(
      schema: StructType,
      onMismatch: OnMismatch = OnMismatch.FAIL,
      labels: Seq[String] = Nil): ReadSpec =
    new ReadSpec(
      new StoreConfig("memory", "test", util.Map.of[String, String]()),
      "social", 42L, new util.ArrayList(labels.asJava), schema, onMismatch)

  def reader(
      spec: ReadSpec,
      slice: FakeSlice,
      edgeType: String = null,
      reopen: () => LiveBatches = null,
      decoder: Option[OpenSlice.Decoder] = None): SliceBatchReader = {
    val again: java.util.function.Supplier[LiveBatches] = if (reopen == null) null else () => reopen()
    val names = new RowNames(slice, edgeType, again)
    val d: OpenSlice.Decoder = decoder.getOrElse((n, t) => slice.source(n, t))
    new SliceBatchReader(spec, new OpenSlice(edgeType, slice, names, d, new MeteredStore(StoreOpener.open(spec.store))))
  }

  /** All rows through the column vectors. */
  def columnar(r: SliceBatchReader, schema: StructType): Seq[Seq[Any]] = {
    val out = ArrayBuffer.empty[Seq[Any]]
    while (r.next()) {
      val b = r.get()
      assert(b.numRows > 0 && b.numCols == schema.size)
      for (i <- 0 until b.numRows) out += row(b.getRow(i), schema)
    }
    r.close()
    out.toSeq
  }

  /** All rows through the row reader, kept as copies. */
  def rows(r: SliceBatchReader, schema: StructType): Seq[Seq[Any]] = {
    val rr = new SliceRowReader(r)
    val out = ArrayBuffer.empty[InternalRow]
    while (rr.next()) out += rr.get().copy()
    rr.close()
    out.toSeq.map(row(_, schema))
  }

  def row(r: InternalRow, schema: StructType): Seq[Any] =
    schema.fields.toSeq.zipWithIndex.map { case (f, i) => value(r, i, f.dataType) }

  def value(g: SpecializedGetters, i: Int, t: DataType): Any =
    if (g.isNullAt(i)) null
    else
      t match {
        case BooleanType => g.getBoolean(i)
        case ByteType => g.getByte(i)
        case ShortType => g.getShort(i)
        case IntegerType | DateType => g.getInt(i)
        case LongType | TimestampType | TimestampNTZType => g.getLong(i)
        case FloatType => g.getFloat(i)
        case DoubleType => g.getDouble(i)
        case _: StringType => g.getUTF8String(i).toString
        case BinaryType => g.getBinary(i).toSeq
        case a: ArrayType =>
          val x = g.getArray(i)
          (0 until x.numElements()).map(value(x, _, a.elementType))
        case m: MapType =>
          val x = g.getMap(i)
          (0 until x.numElements()).map(j =>
            value(x.keyArray(), j, m.keyType) -> value(x.valueArray(), j, m.valueType))
        case s: StructType =>
          val x = g.getStruct(i, s.size)
          s.fields.toSeq.zipWithIndex.map { case (f, j) => value(x, j, f.dataType) }
      }
}
