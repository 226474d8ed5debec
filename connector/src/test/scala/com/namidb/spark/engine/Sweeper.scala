package com.namidb.spark.engine

import java.nio.file.{Files, Path}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.Canon
import com.namidb.format.manifest.KeyEncoding

/**
 * Deletes of a local namespace what a server of the engine would, with a minimum age of nothing: manifest §6.2. A
 * server that publishes the current version and serves no reader of its own.
 */
object Sweeper {
  private val Body = "v([0-9a-f]{16})\\.json".r
  private val Pointer = "p([0-9a-f]{16})\\.json".r
  private val Sst = "sst/level[0-9]+/[^/]+".r
  private val Wal = "wal/([0-9a-f]+)\\.wal".r

  /** What was deleted, relative to the namespace. */
  def sweep(namespace: Path, nowSeconds: Long): Set[String] = {
    val manifest = namespace.resolve("manifest")
    val bodies = names(manifest).collect { case n @ Body(hex) => java.lang.Long.parseUnsignedLong(hex, 16) -> manifest.resolve(n) }.toMap
    val pointers = names(manifest.resolve("pointer")).collect { case n @ Pointer(hex) => java.lang.Long.parseUnsignedLong(hex, 16) -> manifest.resolve("pointer").resolve(n) }.toMap
    val current = pointers.keys.max
    val leases = names(manifest.resolve("pins")).map(manifest.resolve("pins").resolve(_)).map(f => f -> lease(f))
    val horizon = (leases.collect { case (_, Some((version, ends))) if ends >= nowSeconds => version } :+ current).min
    val live = mutable.Set.empty[String]
    for (v <- horizon to current) bodies.get(v).foreach(b => collect(Canon.mapper.readTree(Files.readAllBytes(b)), live))
    val deleted = mutable.Set.empty[String]
    def drop(f: Path): Unit = { Files.delete(f); deleted += namespace.relativize(f).toString }
    for (f <- below(namespace.resolve("sst")); key = namespace.relativize(f).toString if Sst.matches(key) && !live(key)) drop(f)
    for (f <- below(namespace.resolve("wal")); key = namespace.relativize(f).toString if Wal.matches(key) && !live(key)) drop(f)
    for ((v, f) <- bodies.toSeq ++ pointers.toSeq if v < horizon) drop(f)
    for ((f, Some((_, ends))) <- leases if ends < nowSeconds) drop(f)
    deleted.toSet
  }

  /** A lease that does not parse is as none. */
  private def lease(f: Path): Option[(Long, Long)] = {
    val t = Canon.mapper.readTree(Files.readAllBytes(f))
    if (t.path("version").isIntegralNumber && t.path("expires_at_unix").isIntegralNumber) Some((t.get("version").longValue, t.get("expires_at_unix").longValue)) else None
  }

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

  private def names(folder: Path): Seq[String] =
    if (!Files.isDirectory(folder)) Nil
    else { val l = Files.list(folder); try l.iterator.asScala.filter(Files.isRegularFile(_)).map(_.getFileName.toString).toSeq finally l.close() }

  private def below(folder: Path): Seq[Path] =
    if (!Files.isDirectory(folder)) Nil
    else { val l = Files.walk(folder); try l.iterator.asScala.filter(Files.isRegularFile(_)).toSeq finally l.close() }
}
