package com.namidb.spark.engine

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.Canon
import com.namidb.format.manifest.KeyEncoding
import com.namidb.format.store.ObjectMeta
import com.namidb.spark.Place

/**
 * Deletes of a namespace what a server of the engine would: manifest §6.2. A server that publishes the current version
 * and serves no reader of its own.
 *
 * @param minAgeMillis nothing younger is deleted, but for leases that are over
 */
class Sweeper(place: Place, ns: String, minAgeMillis: Long = 0) {
  private val Body = "manifest/v([0-9a-f]{16})\\.json".r
  private val Pointer = "manifest/pointer/p([0-9a-f]{16})\\.json".r
  private val Sst = "sst/level[0-9]+/[^/]+".r
  private val Wal = "wal/([0-9a-f]+)\\.wal".r

  /** What was deleted, relative to the namespace; nothing if a lease on something older came meanwhile. */
  def sweep(nowMillis: Long): Set[String] = {
    def old(m: ObjectMeta) = minAgeMillis == 0 || nowMillis - m.modifiedMillis >= minAgeMillis
    val pointers = keys("manifest/pointer/").collect { case (k @ Pointer(hex), m) => (number(hex), k, m) }
    val current = pointers.map(_._1).max
    val leases = this.leases()
    def held = leases.collect { case (_, Some((version, ends))) if ends >= nowMillis / 1000 => version }
    val horizon = (held :+ current).min
    val bodies = keys("manifest/v").collect { case (k @ Body(hex), m) => (number(hex), k, m) }
    val live = mutable.Set.empty[String]
    // Others sweep as well: what only a lease keeps may be missing, but without the newest one nothing is deleted.
    val texts = for ((v, k, _) <- bodies if v >= horizon && v <= current; text <- place.found(s"$ns/$k")) yield v -> text
    texts.foreach { case (_, text) => collect(Canon.mapper.readTree(text), live) }
    val doomed = keys("sst/").collect { case (k, m) if Sst.matches(k) && !live(k) && old(m) => k } ++
      keys("wal/").collect { case (k, m) if Wal.matches(k) && !live(k) && old(m) => k } ++
      (bodies ++ pointers).collect { case (v, k, m) if v < horizon && old(m) => k } ++
      leases.collect { case (k, Some((_, ends))) if ends < nowMillis / 1000 => k }
    val late = this.leases().exists { case (_, l) => l.exists { case (version, ends) => ends >= nowMillis / 1000 && version < horizon } }
    if (late || !texts.exists(_._1 == current)) Set.empty
    else {
      doomed.foreach(k => place.delete(s"$ns/$k"))
      doomed.toSet
    }
  }

  private def keys(under: String): Seq[(String, ObjectMeta)] = {
    val root = place.path(s"$ns/")
    place.metas(s"$ns/$under").map(m => m.key.stripPrefix(root) -> m)
  }

  private def number(hex: String): Long = java.lang.Long.parseUnsignedLong(hex, 16)

  /** Those that are there, with version and end; a lease that does not parse is as none. */
  private def leases(): Seq[(String, Option[(Long, Long)])] =
    keys("manifest/pins/").map(_._1).flatMap(k => place.found(s"$ns/$k").map { bytes =>
      val t = Canon.mapper.readTree(bytes)
      k -> Option.when(t.path("version").isIntegralNumber && t.path("expires_at_unix").isIntegralNumber)(
        (t.get("version").longValue, t.get("expires_at_unix").longValue))
    })

  /** Every path of a body, and what some of them promise. */
  private def collect(t: JsonNode, live: mutable.Set[String]): Unit = {
    if (t.isTextual) {
      val text = t.textValue
      if (text.startsWith("sst/")) {
        live += KeyEncoding.encode(text)
        if (text.endsWith(".ep.csr")) live += KeyEncoding.encode(text.stripSuffix(".ep.csr") + ".epidx")
      }
    }
    Option(t.get("wal_segments")).foreach(_.forEach(s => live += f"wal/${s.get("seq").longValue}%016x.wal"))
    t.elements.asScala.foreach(collect(_, live))
  }
}
