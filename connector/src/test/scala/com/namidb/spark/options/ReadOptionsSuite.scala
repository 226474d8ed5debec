package com.namidb.spark.options

import com.namidb.format.error.{InvalidOptionException, NearestName}
import com.namidb.format.scan.ScanRequest
import com.namidb.format.snapshot.{SnapshotSelector, WalPolicy}
import com.namidb.spark.types.{IdFormat, OnMismatch}
import org.scalatest.funsuite.AnyFunSuite

import java.time.ZoneId
import java.util.Optional
import scala.jdk.CollectionConverters._

class ReadOptionsSuite extends AnyFunSuite {
  private val Base = Map("path" -> "file:///data/graphs?ns=social", "label" -> "Person")

  private def parse(options: Map[String, String], conf: Map[String, String] = Map.empty, zone: String = "UTC") =
    ReadOptions.of(options.asJava, k => conf.getOrElse(k, null), ZoneId.of(zone))

  private def of(more: (String, String)*) = parse(Base ++ more)

  private def fails(options: Map[String, String], words: String*): Unit = {
    val e = intercept[InvalidOptionException](parse(options))
    for (w <- words) assert(e.getMessage.contains(w), s"'$w' in: ${e.getMessage}")
  }

  test("defaults") {
    val o = of()
    assert(o.location.paths.namespace == "social")
    assert(o.target == new TableTarget.NodesOf(Optional.of("Person")))
    assert(o.selector == new SnapshotSelector.Latest)
    assert(o.reading == new Reading(IdFormat.TEXT, OnMismatch.FAIL, false, WalPolicy.REPLAY, true,
      new ScanRequest.Sizing(128L << 20, false), true, true))
  }

  test("every option has its say") {
    val o = of("id-format" -> "binary", "on-mismatch" -> "null", "infer" -> "sample", "wal" -> "require-empty",
      "pin" -> "off", "split-size" -> "64m", "combine-small" -> "true", "vectorized" -> "false", "pushdown" -> "false")
    assert(o.reading == new Reading(IdFormat.BINARY, OnMismatch.NULL, true, WalPolicy.REQUIRE_EMPTY, false,
      new ScanRequest.Sizing(64L << 20, true), false, false))
    assert(of("wal" -> "ignore").reading.wal == WalPolicy.IGNORE)
    assert(of("versionAsOf" -> "42").selector == new SnapshotSelector.AtVersion(42))
    assert(of("snapshot-id" -> "42").selector == new SnapshotSelector.AtVersion(42))
    assert(of("versionAsOf" -> "18446744073709551615").selector == new SnapshotSelector.AtVersion(-1L))
  }

  test("names ignore case, values of switches too") {
    val o = of("SPLIT-SIZE" -> "1K", "Vectorized" -> "FALSE", "VERSIONASOF" -> "7")
    assert(o.reading.sizing.splitBytes == 1024)
    assert(!o.reading.vectorized)
    assert(o.selector == new SnapshotSelector.AtVersion(7))
  }

  test("one of label, type and metadata") {
    val place = Base - "label"
    assert(parse(place + ("label" -> "*")).target == new TableTarget.NodesOf(Optional.empty[String]))
    assert(parse(place + ("type" -> "*")).target == new TableTarget.EdgesOf(Optional.empty[String]))
    assert(parse(place + ("type" -> "KNOWS")).target == new TableTarget.EdgesOf(Optional.of("KNOWS")))
    assert(parse(place + ("metadata" -> "ssts")).target == new TableTarget.MetadataOf("ssts"))
    fails(place, "none of the options 'label', 'type', 'metadata'", "exactly one")
    fails(Base + ("type" -> "KNOWS"), "More than one")
    fails(Base + ("metadata" -> "ssts"), "More than one")
    fails(place + ("label" -> ""), "'label'")
  }

  test("labels with dots, quotes and spaces stay as they are") {
    for (name <- Seq("a.b`c", "two words", "\"q\"", "Ünï", "*x", " Person"))
      assert(of("label" -> name).target == new TableTarget.NodesOf(Optional.of(name)))
  }

  test("an unknown option names the nearest known one") {
    fails(Base + ("verisonAsOf" -> "3"), "Unknown read option 'verisonAsOf'", "Did you mean 'versionAsOf'?")
    fails(Base + ("snapshotid" -> "3"), "'snapshot-id'")
    fails(Base + ("lable" -> "x"), "'label'")
    fails(Base + ("s3.secret-acces-key" -> "hush"), "'s3.secret-access-key'")
    fails(Base + ("header" -> "true"), "Unknown read option 'header'")
    fails(Base + ("zzzzzzzzzzzz" -> "true"), "Options of a read are: uri, path, ", "pin, split-size, combine-small, vectorized, pushdown.")
    for ((given, shown) <- Seq("verisonAsOf" -> false, "zzzzzzzzzzzz" -> true)) {
      val said = intercept[InvalidOptionException](parse(Base + (given -> "3"))).getMessage
      assert(said.contains("combine-small") == shown && !said.contains("s3") && !said.contains("write-mode"), said)
    }
  }

  test("a wrong value is shown with what is expected") {
    fails(Base + ("wal" -> "reply"), "Option 'wal' has the value 'reply'", "ignore, replay, require-empty")
    fails(Base + ("vectorized" -> "yes"), "false, true")
    fails(Base + ("pin" -> "on"), "auto, off")
    for (v <- Seq("", "-1", "0", "x", "1.5m", "1x", "9999999999999999999", "9000000000g"))
      fails(Base + ("split-size" -> v), "'split-size'", "64m")
    for (v <- Seq("", "-1", "x", "1.0", "18446744073709551616", "0x10", "+1"))
      fails(Base + ("versionAsOf" -> v), "'versionAsOf'", "42")
  }

  test("sizes") {
    for ((text, bytes) <- Seq("1" -> 1L, "134217728" -> (128L << 20), "128m" -> (128L << 20), "128 MB" -> (128L << 20),
        "2g" -> (2L << 30), "1t" -> (1L << 40), "7b" -> 7L, "3kib" -> 3072L))
      assert(of("split-size" -> text).reading.sizing.splitBytes == bytes, text)
  }

  test("versions and times exclude each other") {
    fails(Base ++ Seq("versionAsOf" -> "1", "snapshot-id" -> "2"), "different versions")
    assert(of("versionAsOf" -> "2", "snapshot-id" -> "02").selector == new SnapshotSelector.AtVersion(2))
    fails(Base ++ Seq("versionAsOf" -> "1", "timestampAsOf" -> "2026-01-01"), "together")
    fails(Base ++ Seq("snapshot-id" -> "1", "timestampAsOf" -> "2026-01-01"), "together")
    fails(Base ++ Seq("versionAsOf" -> "1", "VersionAsOf" -> "2"), "two spellings")
  }

  test("times: text in the session's zone, or an epoch") {
    def micros(text: String, zone: String = "UTC") = parse(Base + ("timestampAsOf" -> text), zone = zone).selector match {
      case t: SnapshotSelector.AtTime => t.micros
      case other => fail(other.toString)
    }
    assert(micros("2026-11-29 08:30:00") == 1795941000000000L)
    assert(micros("2026-11-29T08:30:00Z", "Asia/Tokyo") == 1795941000000000L)
    assert(micros("2026-11-29 08:30:00", "Asia/Tokyo") == 1795941000000000L - 9L * 3600 * 1000000)
    assert(micros("2026-11-29 08:30:00.123456+02:00") == 1795941000123456L - 2L * 3600 * 1000000)
    assert(micros("2026-11-29") == 1795910400000000L)
    assert(micros("1795941000") == 1795941000000000L)
    assert(micros("1795941000123") == 1795941000123000L)
    assert(micros("1795941000123456") == 1795941000123456L)
    for (t <- Seq("", "yesterday-ish", "2026-13-01", "12345678"))
      fails(Base + ("timestampAsOf" -> t), "'timestampAsOf'")
  }

  test("option before Spark conf before default") {
    val conf = Map("spark.namidb.wal" -> "ignore", "spark.namidb.split-size" -> "1m", "spark.namidb.s3.region" -> "r")
    assert(parse(Base, conf).reading.wal == WalPolicy.IGNORE)
    assert(parse(Base + ("wal" -> "replay"), conf).reading.wal == WalPolicy.REPLAY)
    assert(parse(Base, conf).reading.sizing.splitBytes == 1L << 20)
    assert(parse(Base, conf).reading.vectorized)
  }

  test("table and version come from the read only") {
    val conf = Map("spark.namidb.versionAsOf" -> "3", "spark.namidb.type" -> "KNOWS", "spark.namidb.timestampAsOf" -> "2026-01-01")
    assert(parse(Base, conf).selector == new SnapshotSelector.Latest)
    assert(parse(Base, conf).target == new TableTarget.NodesOf(Optional.of("Person")))
  }

  test("the place: path, uri or conf") {
    val uri = "file:///data/graphs?ns=social"
    val here = parse(Base).location
    assert(parse(Map("uri" -> uri, "label" -> "Person")).location == here)
    assert(parse(Map("uri" -> uri, "path" -> uri, "label" -> "Person")).location == here)
    assert(parse(Map("label" -> "Person"), Map("spark.namidb.uri" -> uri)).location == here)
    assert(parse(Map("path" -> "file:///data/graphs", "namespace" -> "social", "label" -> "Person")).location == here)
    fails(Map("label" -> "Person"), "No place", "load")
    fails(Map("uri" -> uri, "path" -> "file:///elsewhere?ns=social", "label" -> "Person"), "differ")
    fails(Base + ("paths" -> "[\"a\",\"b\"]"), "one namespace at a time")
  }

  test("secrets never show") {
    val o = parse(Map("path" -> "s3://bucket/p?ns=social&region=r", "label" -> "Person",
      "s3.access-key-id" -> "AKIAHUSH", "s3.secret-access-key" -> "hush-hush", "s3.session-token" -> "token-hush"))
    assert(!o.toString.toLowerCase.contains("hush"), o)
    assert(o.location.store.options.get("s3.secret-access-key") == "hush-hush")
    val e = intercept[InvalidOptionException](parse(Map("path" -> "s3://bucket/p?ns=social", "label" -> "P",
      "s3.secret-access-key" -> "hush-hush", "S3.Secret-Access-Key" -> "hush-other")))
    assert(!e.getMessage.contains("hush"))
  }

  test("near names: swaps, case, length") {
    assert(NearestName.distance("verison", "version") == 1)
    assert(NearestName.distance("", "abc") == 3)
    assert(NearestName.distance("kitten", "sitting") == 3)
    assert(NearestName.of("PERSON", Seq("Person", "Persona", "City").asJava).asScala.head == "Person")
    assert(NearestName.of("x", Seq("y", "Company").asJava).isEmpty)
  }
}
