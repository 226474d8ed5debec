package com.namidb.spark.engine

import java.nio.file.{Files, Path, StandardCopyOption}

import scala.jdk.CollectionConverters._
import scala.reflect.ClassTag

import com.namidb.format.Crafted._
import com.namidb.format.error._
import com.namidb.format.wal.WalBytes
import com.namidb.format.{Crafted, Golden}
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.{DataFrame, Row}

/** What is wrong with the input is said in a typed error that tells what, where and what to do. */
class BadInputSuite extends SparkSuite {
  private def df(uri: String, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(uri)

  private val Bare = Seq(classOf[NullPointerException], classOf[IndexOutOfBoundsException],
    classOf[IllegalArgumentException], classOf[NegativeArraySizeException], classOf[OutOfMemoryError],
    classOf[ClassCastException], classOf[ArithmeticException], classOf[IllegalStateException])

  /** Like `failure`, and the message names all of `words`; no bare bug stands in front of it. */
  private def refused[E <: NamiException: ClassTag](clue: String, words: String*)(body: => Any): E = {
    val thrown = withClue(clue)(intercept[Throwable](body))
    val chain = Iterator.iterate(thrown)(_.getCause).takeWhile(_ != null).toSeq
    val before = chain.takeWhile(!_.isInstanceOf[NamiException])
    for (t <- before; b <- Bare) assert(!b.isInstance(t), s"$clue: $t")
    val typed = chain.collectFirst { case e: E => e }
    assert(typed.isDefined, s"$clue: ${chain.mkString(" <- ")}")
    val m = typed.get.getMessage
    for (w <- words) assert(m.contains(w), s"$clue: '$w' is not in: $m")
    assert(m.count(c => c == '.' || c == '?') >= 2, s"$clue: what to do? $m")
    typed.get
  }

  private def files(g: Golden.Case): Seq[Path] = {
    val all = Files.walk(g.folder)
    try all.iterator.asScala.filter(Files.isRegularFile(_)).toSeq.sorted finally all.close()
  }

  private def named(g: Golden.Case, pattern: String): Path = {
    val s = g.folder.toString.length + 1
    files(g).filter(_.toString.drop(s).matches(pattern)).last
  }

  /** A graph small enough to be taken apart: every kind of file the reader opens. */
  private def small(bloom: Boolean = false): Crafted = {
    val c = new Crafted
    c.nodes((1L to 40L).map(i => N(id(i), i, Seq(0), Some(s"""{"n":$i,"s":"x$i"}"""))), bloom = bloom)
    c.edges("T", (1L to 30L).map(i => E(id(i), id(i + 1), 100 + i, Some(s"""{"w":$i}"""))), bloom = bloom)
    c.wal(WalBytes.node(id(50), 200, document("""{"n":50}""", 0)), WalBytes.edge("T", id(2), id(50), 201, edgeDocument("{}")))
    c.commit()
  }

  private def readAll(c: Crafted): Unit = {
    df(c.uri, "label" -> "*").collect()
    df(c.uri, "type" -> "*").collect()
  }

  test("the crafted graph is fine as it is") {
    val c = small(bloom = true)
    assert(df(c.uri, "label" -> "A").count() == 41 && df(c.uri, "type" -> "T").count() == 31)
    assert(df(c.uri, "label" -> "A").filter(s"_id = '${id(7)}'").select("n").collect().map(_.getLong(0)).toSeq == Seq(7))
  }

  test("options: unknown ones, bad values, contradictions") {
    val c = small()
    for ((typo, meant) <- Seq("lable" -> "label", "on-missmatch" -> "on-mismatch", "versionasoff" -> "versionAsOf", "slpit-size" -> "split-size"))
      refused[InvalidOptionException](typo, typo, s"'$meant'")(df(c.uri, "label" -> "*", typo -> "1"))
    for ((k, v) <- Seq("wal" -> "maybe", "pin" -> "1", "split-size" -> "-5", "split-size" -> "big", "versionAsOf" -> "one",
        "versionAsOf" -> "-1", "timestampAsOf" -> "yesterday", "id-format" -> "hex", "vectorized" -> "da"))
      refused[InvalidOptionException](s"$k=$v", k, v)(df(c.uri, "label" -> "*", k -> v).collect())
    refused[InvalidOptionException]("two tables", "exactly one")(df(c.uri, "label" -> "*", "type" -> "*"))
    refused[InvalidOptionException]("no table", "exactly one")(df(c.uri))
    refused[InvalidOptionException]("two versions")(df(c.uri, "label" -> "*", "versionAsOf" -> "0", "timestampAsOf" -> "2030-01-01"))
    refused[InvalidOptionException]("WAL", "'ns'", "1 WAL segment", "version 0")(df(c.uri, "label" -> "*", "wal" -> "require-empty").collect())
  }

  test("a namespace that is not there, and places that are no namespace") {
    val c = small()
    refused[NamespaceNotFoundException]("missing", s"'file://${c.store}/other/'", "'other'", "other/manifest/current.json")(df(s"file://${c.store}?ns=other", "label" -> "*"))
    refused[NamespaceNotFoundException]("missing store", s"'file://${c.store}/nothing/t/ns/'", "'ns'")(df(s"file://${c.store}/nothing?ns=ns", "root" -> "t", "label" -> "*"))
    for (uri <- Seq(s"file://${c.store}?ns=other", "ftp://x?ns=a", "file:/x?ns=a")) {
      val e = refused[NamiException](uri)(df(uri, "label" -> "*"))
      assert(!e.getMessage.contains("memory"), e.getMessage)
    }
    refused[InvalidOptionException]("mistyped", "'nss'", "'ns'")(df(s"file://${c.store}?ns=ns&nss=other", "label" -> "*"))
    assert(df(s"file://${c.store}?ns=ns&foo=1", "label" -> "*").count() == 41)
    for (bad <- Seq("..", "../ns", "a/b", ".", "", "a\\b\u0000"))
      refused[NamiException](s"namespace '$bad'")(df(s"file://${c.store}", "namespace" -> bad, "label" -> "*"))
    for (uri <- Seq("ftp://x?ns=a", "file://", "nothing at all", "file:///x?ns=a&ns=b", "s3://?ns=a", "file:///%zz?ns=a"))
      refused[NamiException](uri)(df(uri, "label" -> "*"))
  }

  test("a version that is gone and one that never was") {
    val c = small()
    c.commit().commit()
    for (v <- 0 to 0) {
      Files.delete(c.path(f"manifest/v$v%016x.json"))
      Files.delete(c.path(f"manifest/pointer/p$v%016x.json"))
    }
    refused[SnapshotGoneException]("gone", "'ns'", "ersion 0", "versions 1 to 2", "pin")(df(c.uri, "label" -> "*", "versionAsOf" -> "0"))
    refused[SnapshotGoneException]("never", "'ns'", "ersion 9", "never committed", "2")(df(c.uri, "label" -> "*", "versionAsOf" -> "9"))
    refused[SnapshotGoneException]("2^64-1", "18446744073709551615")(df(c.uri, "label" -> "*", "versionAsOf" -> "18446744073709551615"))
  }

  private def kinds(g: Crafted): Map[String, (Path, () => Any)] = {
    def one(pattern: String) = {
      val all = Files.walk(g.folder)
      try all.iterator.asScala.filter(_.toString.matches(pattern)).toSeq.sorted.last finally all.close()
    }
    val inverse = () => df(g.uri, "type" -> "T").filter(s"_dst = '${id(7)}'").collect()
    Map(
      "Node SST" -> (one(".*nodes\\.parquet"), () => df(g.uri, "label" -> "*").collect()),
      "forward edge SST" -> (one(".*-fwd-.*csr"), () => df(g.uri, "type" -> "T").collect()),
      "inverse edge SST" -> (one(".*-inv-.*csr"), inverse),
      "WAL" -> (one(".*wal"), () => df(g.uri, "label" -> "*").collect()),
      "node id filter" -> (one(".*nodes-\\.bloom"), () => df(g.uri, "label" -> "*").filter(s"_id = '${id(7)}'").collect()),
      "edge id filter" -> (one(".*-fwd-.*bloom"), () => df(g.uri, "type" -> "T").filter(s"_src = '${id(7)}'").collect()))
  }

  for (kind <- Seq("Node SST", "forward edge SST", "inverse edge SST", "WAL", "node id filter", "edge id filter"))
    test(s"$kind: missing, truncated, one byte flipped") {
      val c = small(bloom = true)
      val (file, read) = kinds(c)(kind)
      val good = Files.readAllBytes(file)
      val key = "ns/" + c.folder.relativize(file)
      def bad(clue: String) = refused[CorruptObjectException](s"$kind $clue", "'ns'", "version 0", key)(read())
      // Inside a page that is read: the first bytes of a node SST, the middle of anything else.
      val where = if (kind == "Node SST") 60 else good.length / 2
      Files.delete(file)
      bad("missing")
      Files.write(file, good.take(good.length * 2 / 3))
      bad("truncated")
      Files.write(file, Array.emptyByteArray)
      bad("empty")
      Files.write(file, good :+ 1.toByte)
      // A node SST is read from where the manifest says that it ends.
      if (kind != "Node SST") bad("longer")
      Files.write(file, good.updated(where, (good(where) ^ 0x40).toByte))
      bad("flipped")
      Files.write(file, good)
      read()
    }

  test("a missing or damaged id filter does not matter to a scan") {
    val c = small(bloom = true)
    val all = kinds(c)
    for (k <- Seq("node id filter", "edge id filter")) Files.delete(all(k)._1)
    assert(df(c.uri, "label" -> "*").count() == 41 && df(c.uri, "type" -> "T").count() == 31)
  }

  test("manifest body: missing, truncated, another version, members of the wrong form") {
    def body(c: Crafted) = c.path("manifest/v0000000000000000.json")
    val gone = small()
    Files.delete(body(gone))
    refused[CorruptObjectException]("missing", "'ns'", "version 0", "manifest/v0000000000000000.json")(df(gone.uri, "label" -> "*"))
    val edits = Seq[(String, String => String)](
      "truncated" -> (_.dropRight(30)),
      "no JSON" -> (_ => "hello"),
      "empty" -> (_ => ""),
      "array" -> (_ => "[]"),
      "other version" -> (_.replace("\"version\":0,", "\"version\":5,")),
      "ssts a text" -> (_.replaceFirst("\"ssts\":\\[.*?\\],\"wal_segments\"", "\"ssts\":\"x\",\"wal_segments\"")),
      "negative size" -> (_.replaceAll("\"size_bytes\":\\d+", "\"size_bytes\":-1")),
      "size a text" -> (_.replaceAll("\"size_bytes\":(\\d+)", "\"size_bytes\":\"$1\"")),
      "huge rows" -> (_.replaceAll("\"row_count\":\\d+", "\"row_count\":99999999999999999999999")),
      "level -1" -> (_.replace("\"level\":0", "\"level\":-1")),
      "bad id" -> (_.replaceAll("\"id\":\"[0-9a-f]{8}", "\"id\":\"zzzzzzzz")),
      "short key" -> (_.replaceAll("\"min_key\":\"[^\"]+\"", "\"min_key\":\"AAAA\"")),
      "bad base64" -> (_.replaceAll("\"min_key\":\"[^\"]+\"", "\"min_key\":\"!!!!\"")),
      "min above max" -> (_.replaceAll("\"min_key\":\"[^\"]+\"", "\"min_key\":\"/////////////////////w==\"")),
      "unknown kind" -> (_.replace("\"kind\":\"Nodes\",\"scope\"", "\"kind\":\"Hypernodes\",\"scope\"")),
      "numbers of another kind" -> (_.replace("\"kind_specific\":{\"kind\":\"Nodes\"", "\"kind_specific\":{\"kind\":\"TextIndex\"")),
      "path of nothing" -> (_.replaceAll("\"path\":\"sst[^\"]+\"", "\"path\":\"../..\"")),
      "path a slash" -> (_.replaceAll("\"path\":\"sst[^\"]+\"", "\"path\":\"/\"")),
      "folder" -> (_.replaceAll("\"path\":\"sst[^\"]+\"", "\"path\":\"sst/level0/\"")),
      "path empty" -> (_.replaceAll("\"path\":\"sst[^\"]+\"", "\"path\":\"\"")),
      "labels numbers" -> (_.replace("\"label_dict\":[\"A\"", "\"label_dict\":[1")),
      "null ssts" -> (_.replaceFirst("\"ssts\":\\[.*\\],\"wal", "\"ssts\":null,\"wal")),
      "deep" -> (_.replace("\"constraints\":[]", "\"constraints\":" + "[" * 50000 + "]" * 50000)),
      "twice" -> (t => t + t),
      "control characters" -> (_.replace("\"A\"", "\"A\u0001\"")),
      "lone surrogate" -> (_.replace("\"A\"", "\"\\ud800\"")))
    for ((clue, edit) <- edits) {
      val c = small()
      val text = Files.readString(body(c))
      val bad = edit(text)
      assert(bad != text, clue)
      Files.writeString(body(c), bad)
      val named = clue.startsWith("path")
      val where = if (named) "of SST 0" else if (clue == "folder") "ns/sst/level0" else "manifest/v0000000000000000.json"
      val e = refused[NamiException](clue, "'ns'", "version 0", where)(readAll(c))
      assert(!named || !e.getMessage.contains("ns/"), e.getMessage)
    }
  }

  test("descriptors that lie about their files") {
    val edits = Seq[(String, String => String)](
      "size too small" -> (_.replaceAll("\"size_bytes\":(\\d+)\\d,\"row", "\"size_bytes\":$11,\"row")),
      "size too large" -> (_.replaceAll("\"size_bytes\":(\\d+),\"row", "\"size_bytes\":9$1,\"row")),
      "huge size" -> (_.replaceAll("\"size_bytes\":(\\d+),\"row", "\"size_bytes\":9223372036854775807,\"row")),
      "rows too many" -> (_.replaceAll("\"row_count\":\\d+", "\"row_count\":1000000000000")),
      "rows too few" -> (_.replaceAll("\"row_count\":\\d+", "\"row_count\":3")))
    for ((clue, edit) <- edits; target <- Seq("label", "type")) {
      val c = small()
      c.commit(edit = edit)
      refused[CorruptObjectException](s"$clue $target", "'ns'", "version 1", "ns/sst/level0/")(df(c.uri, target -> "*").collect())
    }
  }

  test("keys and paths that try to leave the namespace") {
    // The descriptor's path is resolved below the namespace, whatever it says.
    val c = small()
    val aside = Files.createDirectories(c.store.resolve("other/sst/level0"))
    val node = kinds(small(bloom = true))("Node SST")._1
    Files.copy(node, aside.resolve("x.parquet"))
    c.commit(edit = _.replaceAll("\"path\":\"sst[^\"]+parquet\"", "\"path\":\"../../other/../other/sst/level0/x.parquet\""))
    refused[CorruptObjectException]("path", "'ns'", "ns/")(df(c.uri, "label" -> "*").collect())
    // A pointer may name the place of writing, but nothing outside the store.
    for (place <- Seq("../../../../etc/hostname", "/etc/hostname", "..", "ns/../../x", "ns/manifest/pointer/p0000000000000000.json")) {
      val p = small()
      Files.delete(p.path("manifest/v0000000000000000.json"))
      val pointer = s"""{"version":0,"epoch":1,"manifest_path":"$place"}"""
      Files.writeString(p.path("manifest/pointer/p0000000000000000.json"), pointer)
      Files.writeString(p.path("manifest/current.json"), pointer)
      refused[NamiException](place, "'ns'")(df(p.uri, "label" -> "*"))
    }
  }

  test("unknown format versions: edge files, WAL, id filters") {
    def patched(kind: String)(f: Array[Byte] => Unit) = {
      val c = small(bloom = true)
      val (file, read) = kinds(c)(kind)
      val bytes = Files.readAllBytes(file)
      f(bytes)
      Files.write(file, bytes)
      (c, "ns/" + c.folder.relativize(file), read)
    }
    for ((what, at, value) <- Seq(("major 2", 8, 2), ("minor 3", 9, 3), ("major 0", 8, 0))) {
      val (_, key, read) = patched("forward edge SST")(b => b(at) = value.toByte)
      refused[NamiException](what, "'ns'", "version 0", key)(read())
    }
    val (_, key, read) = patched("edge id filter")(_(8) = 2)
    refused[NamiException]("filter", "'ns'", "version 0", key)(read())
    val c = new Crafted
    val wal = c.segment(WalBytes.framed(Seq(5L -> WalBytes.envelope(WalBytes.node(id(1), 5, document("{}", 0)))), version = 2), 5)
    c.commit()
    val e = refused[UnsupportedFormatException]("WAL", "'ns'", "version 0", s"ns/$wal", "2")(df(c.uri, "label" -> "*").collect())
    assert(e.getMessage.contains("release"), e.getMessage)
  }

  private val Broken = Set("text", "surrogate", "tag", "bytes")

  test("JSON the engine would reject: the error names the record, and the property") {
    for ((clue, json, property) <- Seq(
        ("number", """{"a":1,"n":01}""", Some("n")),
        ("text", """{"a":1,"n":"x\q"}""", Some("n")),
        ("range", """{"a":1,"n":1e999}""", Some("n")),
        ("surrogate", "{\"a\":1,\"n\":\"\\ud800\"}", Some("n")),
        ("tag", """{"a":1,"n":{"$date":"x"}}""", Some("n")),
        ("bytes", """{"a":1,"n":{"$bytes":[256]}}""", Some("n")),
        ("cut", """{"a":1,"n":""", None),
        ("array", "[1]", None),
        ("nothing", "", None));
        vectorized <- Seq("true", "false")) {
      val c = new Crafted
      c.nodes(Seq(N(id(1), 1, Seq(0), Some("""{"a":1,"n":1}""")), N(id(2), 2, Seq(0), Some(json)), N(id(3), 3, Seq(0), Some("""{"a":3,"n":3}"""))))
      c.edges("T", Seq(E(id(1), id(2), 4, Some(json)), E(id(2), id(3), 5, Some("""{"a":1,"n":2}"""))))
      c.commit()
      val (row, edge) = (id(2).toString, id(1).toString)
      def asked(target: String, mode: String) = spark.read.format("namidb").schema("a LONG, n LONG").option(target, "*")
        .option("vectorized", vectorized).option("on-mismatch", mode).load(c.uri)
      for ((target, who) <- Seq("label" -> row, "type" -> edge)) {
        val name = property.map(p => s"'$p'").toSeq
        refused[InvalidValueException](s"$clue $target", (Seq("'ns'", "version 0", who) ++ name): _*)(asked(target, "fail").collect())
        refused[NamiException](s"$clue $target inferred", "'ns'", "version 0", who)(
          df(c.uri, target -> "*", "vectorized" -> vectorized).collect())
        val nulled = asked(target, "null")
        val rows = nulled.collect()
        assert(rows.count(_.isNullAt(1)) == 1, s"$clue $target")
        assert(scans(nulled).head.metrics("valuesNulled").value >= 1, s"$clue $target")
        val inferred = df(c.uri, target -> "*", "on-mismatch" -> "null", "vectorized" -> vectorized)
        // A value that is broken behind its start still counts as one of its kind.
        assert(inferred.schema("n").dataType.typeName == (if (Broken(clue)) "string" else "long"), clue)
        assert(inferred.select("n").collect().count(_.isNullAt(0)) == 1, clue)
        // Other columns do not need it at all.
        assert(df(c.uri, target -> "*", "on-mismatch" -> "null").select(if (target == "label") "_id" else "_src").collect().length == rows.length)
      }
    }
  }

  test("JSON the engine would reject, in a WAL record") {
    val c = new Crafted
    c.wal(WalBytes.node(id(1), 1, document("""{"n":1}""", 0)), WalBytes.node(id(2), 2, document("""{"n":tru}""", 0)))
    c.commit()
    refused[NamiException]("WAL", "'ns'", "version 0", id(2).toString)(df(c.uri, "label" -> "*").collect())
  }

  test("a value that does not fit its column: fail names everything, null counts it") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), 1, Seq(0), Some("""{"n":1}""")), N(id(2), 2, Seq(0), Some("""{"n":"two"}""")), N(id(3), 3, Seq(0), Some("""{"n":3000000000}"""))))
    c.commit()
    for (v <- Seq("true", "false")) {
      def read(tpe: String, mode: String) = spark.read.format("namidb").schema(s"_id STRING, n $tpe").option("label", "*")
        .option("vectorized", v).option("on-mismatch", mode).load(c.uri)
      refused[InvalidValueException]("text", "'ns'", "version 0", id(2).toString, "'n'", "STRING", "on-mismatch=null")(read("LONG", "fail").collect())
      refused[InvalidValueException]("int", "'ns'", id(3).toString, "'n'")(read("INT", "fail").filter(s"_id = '${id(3)}'").collect())
      val n = read("INT", "null")
      assert(n.collect().count(_.isNullAt(1)) == 2)
      assert(scans(n).head.metrics("valuesNulled").value == 2)
    }
  }

  test("ids of the wrong length in a file, and as a literal") {
    val c = small()
    // A WAL record with an id of 15 bytes.
    val good = WalBytes.envelope(WalBytes.node(id(1), 300, document("{}", 0)))
    val short = good.take(4) ++ WalBytes.le(8, 15) ++ good.slice(12, 27) ++ good.drop(28)
    c.segment(WalBytes.framed(Seq(300L -> short)), 300)
    c.commit()
    refused[CorruptObjectException]("WAL", "'ns'", "version 1", "ns/wal/")(df(c.uri, "label" -> "*").collect())
    // Literals that are no id match nothing, pushed or not.
    for (text <- Seq("x", "", "00000000", "00000000-0000-0000-0000-00000000000", "zz" * 18); p <- Seq("true", "false"))
      assert(df(c.uri, "label" -> "*", "versionAsOf" -> "0", "pushdown" -> p).filter(s"_id = '$text'").count() == 0, text)
    for (hex <- Seq("00", "00" * 15, "00" * 17); p <- Seq("true", "false"))
      assert(df(c.uri, "label" -> "*", "versionAsOf" -> "0", "id-format" -> "binary", "pushdown" -> p).filter(s"_id = X'$hex'").count() == 0, hex)
  }

  test("properties that differ only in case") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), 1, Seq(0), Some("""{"name":1,"Name":"x"}"""))))
    c.commit()
    refused[InvalidOptionException]("twins", "'ns'", "version 0", "'Name' and 'name'", "spark.sql.caseSensitive=true")(df(c.uri, "label" -> "*"))
    spark.conf.set("spark.sql.caseSensitive", "true")
    try {
      val r = df(c.uri, "label" -> "*").select("name", "Name").head()
      assert(r.getLong(0) == 1 && r.getString(1) == "x")
    } finally spark.conf.unset("spark.sql.caseSensitive")
  }

  test("properties that differ from our hidden columns only in case must not stand for them") {
    val c = new Crafted
    c.nodes(Seq(N(id(1), 5, Seq(0), Some("""{"_Json":"mine","_LSN":77,"v":1}"""))))
    c.commit()
    refused[InvalidOptionException]("hidden", "'_lsn' and '_LSN'", "'_json' and '_Json'", "spark.sql.caseSensitive=true")(df(c.uri, "label" -> "*"))
    val chosen = spark.read.format("namidb").schema("_id STRING, v LONG").option("label", "*").load(c.uri)
    assert(chosen.select("_lsn", "v").head() == Row(5L, 1L))
    for ((schema, word) <- Seq("_id STRING, _id STRING" -> "'_id' and '_id'", "a STRING, A STRING" -> "'a' and 'A'",
        "_ID STRING, v LONG" -> "'_id' and '_ID'", "_LSN LONG" -> "'_lsn' and '_LSN'"))
      refused[InvalidOptionException](schema, word)(
        spark.read.format("namidb").schema(schema).option("label", "*").load(c.uri).collect())
    spark.conf.set("spark.sql.caseSensitive", "true")
    try {
      val r = df(c.uri, "label" -> "*").select("_lsn", "_LSN", "_Json").head()
      assert(r == Row(5L, 77L, "mine"))
      assert(spark.read.format("namidb").schema("a STRING, A STRING, _ID STRING").option("label", "*").load(c.uri).head() == Row(null, null, null))
    } finally spark.conf.unset("spark.sql.caseSensitive")
  }

  test("missing files of an engine-made namespace, each kind") {
    for ((pattern, read) <- Seq(
        (".*nodes\\.parquet", "label" -> "*"), (".*edges-fwd-.*csr", "type" -> "*"), ("wal/.*", "label" -> "*"))) {
      val g = Golden("wal-and-sst").copied()
      val file = named(g, pattern)
      Files.move(file, g.store.resolve("aside"), StandardCopyOption.REPLACE_EXISTING)
      refused[CorruptObjectException](pattern, "'ns'", "version 7", g.folder.relativize(file).toString)(load(g, read).collect())
    }
  }
}
