package com.namidb.spark.engine

import java.time.{Instant, LocalDate}

import scala.collection.mutable

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.Canon
import com.namidb.format.Canon._
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.types._
import org.scalatest.Assertions

/** Compares what Spark shows with what the engine answered: values, presence, and the type of each column. */
object Answers extends Assertions {
  private val Ours = Set("_id", "_labels", "_src", "_dst", "_type")
  /** Names a property cannot be shown under: reachable through `_json` only. */
  private val Reserved =
    Ours ++ Set("_lsn", "_sst", "_level", "_snapshot_id", "_json", "_change", "_deleted", "_schema_version")

  def nodes(df: DataFrame, want: Seq[Node], clue: String): Unit = {
    val got = df.collect()
    val byId = mutable.LinkedHashMap.empty[String, Row]
    for (r <- got) {
      val id = r.getAs[String]("_id")
      assert(byId.put(id, r).isEmpty, s"$clue: node $id twice")
    }
    val ids = want.map(_.id).toSet
    assert(byId.keySet == ids, s"$clue: too many ${byId.keySet.diff(ids)}, missing ${ids.diff(byId.keySet)}")
    columns(df.schema, want.map(_.properties), clue)
    for (n <- want) {
      val r = byId(n.id)
      assert(r.getAs[scala.collection.Seq[String]]("_labels").toSeq == n.labels, s"$clue: labels of ${n.id}")
      properties(r, n.properties, s"$clue: node ${n.id}")
    }
  }

  /** `df` holds the edges of one type. */
  def edges(df: DataFrame, want: Seq[Edge], clue: String): Unit = {
    val byKey = mutable.LinkedHashMap.empty[(String, String), Row]
    for (r <- df.collect()) {
      val k = (r.getAs[String]("_src"), r.getAs[String]("_dst"))
      assert(byKey.put(k, r).isEmpty, s"$clue: edge $k twice")
    }
    val keys = want.map(e => (e.src, e.dst)).toSet
    assert(byKey.keySet == keys, s"$clue: too many ${byKey.keySet.diff(keys)}, missing ${keys.diff(byKey.keySet)}")
    columns(df.schema, want.map(_.properties), clue)
    for (e <- want) properties(byKey((e.src, e.dst)), e.properties, s"$clue: edge ${e.src} -> ${e.dst}")
  }

  /** The type rules of the contract: ints and floats make DOUBLE, any other mix STRING. */
  private def columns(schema: StructType, rows: Seq[Map[String, Canon]], clue: String): Unit = {
    val kinds = mutable.Map.empty[String, mutable.Set[String]]
    for (r <- rows; (k, v) <- r if !Reserved(k)) {
      val s = kinds.getOrElseUpdate(k, mutable.Set.empty)
      if (v != CNull) s += v.getClass.getSimpleName
    }
    val names = schema.fieldNames.toSet
    assert(kinds.keySet.subsetOf(names), s"$clue: properties without a column: ${kinds.keySet.diff(names)}")
    for ((k, s) <- kinds) {
      val dt = schema(k).dataType
      val ok = s.toSet match {
        case x if x.isEmpty => true
        case x if x == Set("CInt") => dt == LongType
        case x if x == Set("CFloat") || x == Set("CInt", "CFloat") => dt == DoubleType
        case x if x == Set("CBool") => dt == BooleanType
        case x if x == Set("CBytes") => dt == BinaryType
        case x if x == Set("CDate") => dt == DateType
        case x if x == Set("CDateTime") => dt == TimestampType
        case x if x == Set("CSeq") => dt.isInstanceOf[ArrayType] || dt == StringType
        case x if x == Set("CMap") => dt.isInstanceOf[MapType] || dt == StringType
        case _ => dt == StringType
      }
      assert(ok, s"$clue: column $k holds $s but is $dt")
    }
  }

  private def properties(r: Row, want: Map[String, Canon], clue: String): Unit =
    for (f <- r.schema.fields if !Ours(f.name)) {
      val got = r.get(r.fieldIndex(f.name))
      val w = want.getOrElse(f.name, CNull)
      assert(same(got, f.dataType, w), s"$clue: property ${f.name} is $got, expected $w")
    }

  def same(got: Any, dt: DataType, want: Canon): Boolean = (got, want) match {
    case (null, CNull) => true
    case (null, _) | (_, CNull) => false
    case (s: String, CStr(w)) => s == w
    case (s: String, w) if dt == StringType => w == stored(Canon.mapper.readTree(s)) || closeText(s, w)
    case (l: Long, CInt(w)) => l == w
    case (d: Double, CFloat(w)) => close(d, w)
    case (d: Double, CInt(w)) => d == w.toDouble
    case (f: Float, CFloat(w)) => f.toDouble == w || close(f.toDouble, w)
    case (f: Float, CInt(w)) => f.toDouble == w.toDouble
    case (b: Boolean, CBool(w)) => b == w
    case (b: Array[Byte], CBytes(w)) => b.toSeq == w
    case (d: LocalDate, CDate(w)) => d.toEpochDay == w
    case (i: Instant, CDateTime(w)) => Canon.micros(i) == w
    case (s: scala.collection.Seq[_], CSeq(w)) =>
      val et = dt.asInstanceOf[ArrayType].elementType
      s.size == w.size && s.zip(w).forall { case (g, x) => same(g, et, x) }
    case (m: scala.collection.Map[_, _], CMap(w)) =>
      val vt = dt.asInstanceOf[MapType].valueType
      m.size == w.size && m.forall { case (k, g) => w.get(k.toString).exists(same(g, vt, _)) }
    case _ => false
  }

  /** The engine's JSON parser may be one or two units off (values §1.5). */
  private def close(a: Double, b: Double): Boolean =
    a == b || (a.isNaN && b.isNaN) || math.abs(a - b) <= 1e-14 * math.max(math.abs(a), math.abs(b))

  private def closeText(s: String, w: Canon): Boolean = w match {
    case CFloat(x) => s.toDoubleOption.exists(close(_, x))
    case _ => false
  }

  /** A value in its stored, tagged form: what a column of mixed types shows. */
  private def stored(n: JsonNode): Canon =
    if (n.isObject && n.size == 1 && n.fieldNames.next.startsWith("$")) {
      val tag = n.fieldNames.next
      val v = n.get(tag)
      import scala.jdk.CollectionConverters._
      tag match {
        case "$bytes" => CBytes(v.elements.asScala.map(_.intValue.toByte).toSeq)
        case "$list" => CSeq(v.elements.asScala.map(stored).toSeq)
        case "$map" => CMap(v.properties.asScala.map(e => e.getKey -> stored(e.getValue)).toMap)
        case _ => Canon.value(n, base64 = false)
      }
    } else if (n.isArray) {
      import scala.jdk.CollectionConverters._
      CSeq(n.elements.asScala.map(x => CFloat(x.doubleValue.toFloat.toDouble)).toSeq)
    } else Canon.value(n, base64 = false)
}
