package com.namidb.format

import java.time.{Instant, LocalDate}
import java.util.{Base64, HexFormat}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{DeserializationFeature, JsonNode, ObjectMapper}

/** A property value as the engine answered it. Vectors and lists look alike, as in its client. */
sealed trait Canon

object Canon {
  case object CNull extends Canon
  case class CBool(v: Boolean) extends Canon
  case class CInt(v: Long) extends Canon
  case class CFloat(v: Double) extends Canon
  case class CStr(v: String) extends Canon
  case class CBytes(v: Seq[Byte]) extends Canon
  case class CDate(days: Int) extends Canon
  case class CDateTime(micros: Long) extends Canon
  case class CSeq(items: Seq[Canon]) extends Canon
  case class CMap(entries: Map[String, Canon]) extends Canon

  case class Node(id: String, labels: Seq[String], properties: Map[String, Canon], lsn: Option[Long])
  case class Edge(tpe: String, src: String, dst: String, properties: Map[String, Canon], lsn: Option[Long])

  val mapper: ObjectMapper =
    new ObjectMapper().enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)

  /**
   * Reads the two spellings of the goldens: times as numbers or ISO text, bytes in hex or, where the
   * file says so, in base64.
   */
  def value(n: JsonNode, base64: Boolean): Canon =
    if (n.isNull) CNull
    else if (n.isBoolean) CBool(n.booleanValue)
    else if (n.isIntegralNumber) CInt(n.bigIntegerValue.longValueExact)
    else if (n.isNumber) CFloat(n.doubleValue)
    else if (n.isTextual) CStr(n.textValue)
    else if (n.isArray) CSeq(n.elements.asScala.map(value(_, base64)).toSeq)
    else {
      val (tag, v) = { val e = n.properties.asScala.head; (e.getKey, e.getValue) }
      tag match {
        case "$bytes" if base64 => CBytes(Base64.getDecoder.decode(v.textValue).toSeq)
        case "$bytes" => CBytes(HexFormat.of.parseHex(v.textValue).toSeq)
        case "$date" if v.isTextual => CDate(LocalDate.parse(v.textValue).toEpochDay.toInt)
        case "$date" => CDate(v.intValue)
        case "$datetime" if v.isTextual =>
          CDateTime(micros(Instant.parse(v.textValue)))
        case "$datetime" => CDateTime(v.longValue)
        case "$vector" => value(v, base64)
        case "$map" => CMap(properties(v, base64))
      }
    }

  def properties(n: JsonNode, base64: Boolean): Map[String, Canon] =
    n.properties.asScala.map(e => e.getKey -> value(e.getValue, base64)).toMap

  def node(n: JsonNode, base64: Boolean = false): Node =
    Node(n.get("id").textValue, n.get("labels").elements.asScala.map(_.textValue).toSeq.sorted,
      properties(n.get("properties"), base64), lsn(n))

  def edge(n: JsonNode, base64: Boolean = false): Edge =
    Edge(n.get("type").textValue, n.get("src").textValue, n.get("dst").textValue,
      properties(n.get("properties"), base64), lsn(n))

  /** Microseconds since 1970; `ChronoUnit.between` overflows for early years. */
  def micros(i: Instant): Long = Math.addExact(Math.multiplyExact(i.getEpochSecond, 1000000L), i.getNano / 1000L)

  private def lsn(n: JsonNode): Option[Long] =
    Option(n.get("lsn")).filterNot(_.isNull).map(_.longValue)
}
