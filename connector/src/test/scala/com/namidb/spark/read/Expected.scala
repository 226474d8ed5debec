package com.namidb.spark.read

import java.util.HexFormat

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.value.Value
import com.namidb.spark.types.JsonText
import org.apache.spark.sql.types._

/** Slow, obvious rules of values §6.1: what a stored value is as a column type. */
object Expected {
  object Misfit extends Exception

  /** The value as plain Scala, or `Misfit`. */
  def apply(t: DataType, v: Value, nullable: Boolean = true): Any = (t, v) match {
    case (_, _: Value.Null) => if (nullable) null else throw Misfit
    case (_: StringType, _) => JsonText.of(v)
    case (BooleanType, x: Value.Bool) => x.value
    case (LongType, x: Value.Int64) => x.value
    case (IntegerType, x: Value.Int64) if x.value.isValidInt => x.value.toInt
    case (ShortType, x: Value.Int64) if x.value.isValidShort => x.value.toShort
    case (ByteType, x: Value.Int64) if x.value.isValidByte => x.value.toByte
    case (DoubleType, x: Value.Int64) => x.value.toDouble
    case (DoubleType, x: Value.Float64) => x.value
    case (FloatType, x: Value.Int64) => x.value.toFloat
    case (FloatType, x: Value.Float64) if !x.value.toFloat.isInfinite => x.value.toFloat
    case (DateType, x: Value.Date) => x.epochDays
    case (TimestampType | TimestampNTZType, x: Value.DateTime) => x.epochMicros
    case (BinaryType, x: Value.Bytes) => HexFormat.of.parseHex(x.hex).toSeq
    case (ArrayType(e, nulls), x: Value.ListOf) =>
      x.items.asScala.toSeq.map(apply(e, _, nulls))
    case (ArrayType(e, _), x: Value.Vector) => components(e, x.components.asScala.map(_.floatValue).toSeq)
    case (ArrayType(e, _), x: Value.Int8Vector) =>
      components(e, x.codes.asScala.map(_.byteValue * x.scale).toSeq)
    case (MapType(_, e, nulls), x: Value.MapOf) =>
      x.entries.asScala.toSeq.map { case (k, w) => k -> apply(e, w, nulls) }
    case (s: StructType, x: Value.MapOf) =>
      s.fields.toSeq.map(f =>
        apply(f.dataType, x.entries.asScala.getOrElse(f.name, new Value.Null), f.nullable))
    case _ => throw Misfit
  }

  private def components(e: DataType, c: Seq[Float]): Seq[Any] = e match {
    case _ if c.isEmpty => Nil
    case FloatType => c
    case DoubleType => c.map(_.toDouble)
    case _ => throw Misfit
  }

  /** A random value, containers up to a depth. */
  def random(r: Random, depth: Int): Value = r.nextInt(if (depth > 0) 16 else 11) match {
    case 0 => new Value.Null
    case 1 => new Value.Bool(r.nextBoolean())
    case 2 => new Value.Int64(r.nextLong())
    case 3 => new Value.Int64(Seq(0L, 127, 128, -129, 32768, -32768, 1L << 31, Int.MinValue)(r.nextInt(8)))
    case 4 => new Value.Float64(Seq(0.5, -0.0, 1e300, 3.4028235677973366e38, Double.MinPositiveValue)(r.nextInt(5)))
    case 5 | 6 => new Value.Str(Seq("", "plain", "ß→𝄞", "a\"b\\c\n\u0000", "x" * 300)(r.nextInt(5)))
    case 7 =>
      val b = new Array[Byte](r.nextInt(4))
      r.nextBytes(b)
      new Value.Bytes(HexFormat.of.formatHex(b))
    case 8 => new Value.Date(r.nextInt())
    case 9 => new Value.DateTime(r.nextLong())
    case 10 => new Value.Vector(Seq.fill(r.nextInt(4))(Float.box(r.nextFloat())).asJava)
    case 11 =>
      new Value.Int8Vector(0.25f, Seq.fill(r.nextInt(4))(Byte.box(r.nextInt().toByte)).asJava)
    case 12 | 13 =>
      val proto = random(r, depth - 1)
      new Value.ListOf(Seq.fill(r.nextInt(4))(if (r.nextInt(4) > 0) proto else random(r, depth - 1)).asJava)
    case _ =>
      val m = new java.util.LinkedHashMap[String, Value]
      for (k <- Seq("a", "b", "é", "$date").take(r.nextInt(5))) m.put(k, random(r, depth - 1))
      new Value.MapOf(m)
  }

  /** A random column type, containers up to a depth. */
  def randomType(r: Random, depth: Int): DataType = r.nextInt(if (depth > 0) 16 else 12) match {
    case 0 => BooleanType
    case 1 => ByteType
    case 2 => ShortType
    case 3 => IntegerType
    case 4 => LongType
    case 5 => FloatType
    case 6 => DoubleType
    case 7 => StringType
    case 8 => BinaryType
    case 9 => DateType
    case 10 => TimestampType
    case 11 => TimestampNTZType
    case 12 | 13 => ArrayType(randomType(r, depth - 1), r.nextBoolean())
    case 14 => MapType(StringType, randomType(r, depth - 1), r.nextBoolean())
    case _ =>
      StructType(Seq("a", "é", "zz").map(StructField(_, randomType(r, depth - 1), r.nextInt(4) > 0)))
  }
}
