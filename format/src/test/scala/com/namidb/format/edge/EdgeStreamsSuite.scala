package com.namidb.format.edge

import java.nio.charset.StandardCharsets.UTF_8

import com.github.luben.zstd.Zstd
import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.edge.EdgeFiles._
import com.namidb.format.edge.EdgeWriterSuite.{assertSame, small}
import com.namidb.format.edge.RawEdgeFile._
import com.namidb.format.edge.SectionKind._
import com.namidb.format.error.{CorruptObjectException, UnsupportedFormatException}
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}

/** Property streams of every codec, alone and joined; older generations. */
class EdgeStreamsSuite extends AnyFunSuite {
  private def plain(n: Int): Seq[Row] =
    for (i <- 0 until n) yield Row(new NodeId(5, (i / 4).toLong), new NodeId(9, i.toLong), 100L + i, dead = false, None)

  private def withTexts(rows: Seq[Row], texts: Seq[Option[String]]): Seq[Row] =
    rows.zip(texts).map { case (r, t) => r.copy(json = t) }

  private def opened(f: RawEdgeFile, declared: Seq[String] = Nil, sizes: ReadSizes = small) =
    open(f.bytes, f.rows.size, declared = declared, sizes = sizes)

  private val arrowTexts: Seq[Option[String]] = (0 until 40).map(i =>
    if (i % 3 == 1) None else Some(s"""{"i":$i,"t":"${"é" * (i % 5)}"}"""))

  for (minor <- 0 to 2; codec <- 0 to 1; name <- Seq("one-batch", "batches", "old-framing", "two-columns"))
    test(s"minor $minor reads the Arrow stream '$name' with codec $codec") {
      val raw = resource(s"arrow-$name.arrow")
      val stored = if (codec == 0) raw else Zstd.compress(raw, 3)
      val f = RawEdgeFile(plain(40), minor, streams = Seq(Raw(PROPERTY_STREAM, stored, codec, Overflow)))
      val expected = withTexts(plain(40), arrowTexts)
      for (sizes <- Seq(ReadSizes.DEFAULT, tiny)) {
        assertSame(read(opened(f, sizes = sizes)), expected)
        val range = new KeyRange(new NodeId(5, 3), new NodeId(5, 6))
        assertSame(within(read(opened(f, sizes = sizes), KeyRanges.of(range)), range), within(expected, range))
      }
    }

  test("an Arrow stream may come as several zstd frames and without validity bits") {
    val raw = resource("arrow-no-nulls.arrow")
    val stored = Zstd.compress(raw.take(300), 3) ++ Zstd.compress(raw.drop(300), 1)
    val f = RawEdgeFile(plain(40), 0, streams = Seq(Raw(PROPERTY_STREAM, stored, 1, Overflow)))
    assertSame(read(opened(f)), withTexts(plain(40), (0 until 40).map(i => Some(s"""{"i":$i}"""))))
  }

  test("other Arrow streams are told as unsupported") {
    for (name <- Seq("large", "dictionary", "compressed")) {
      val f = RawEdgeFile(plain(40), 0, streams = Seq(Raw(PROPERTY_STREAM, resource(s"arrow-$name.arrow"), 0, Overflow)))
      intercept[UnsupportedFormatException](read(opened(f)))
    }
    val f = RawEdgeFile(plain(40), 0, streams = Seq(Raw(PROPERTY_STREAM, Array.emptyByteArray, 4, Overflow)))
    intercept[UnsupportedFormatException](read(opened(f)))
  }

  test("an Arrow stream with damage under a right checksum never leaks another exception") {
    val raw = resource("arrow-batches.arrow")
    def outcome(bytes: Array[Byte]): Unit = {
      val f = RawEdgeFile(plain(40), 0, streams = Seq(Raw(PROPERTY_STREAM, bytes, 0, Overflow)))
      try read(opened(f, sizes = ReadSizes.DEFAULT))
      catch { case _: CorruptObjectException | _: UnsupportedFormatException => }
      ()
    }
    for (i <- raw.indices; x <- Seq(1, 0x80, 0xFF)) {
      val bad = raw.clone
      bad(i) = (bad(i) ^ x).toByte
      outcome(bad)
    }
    for (n <- raw.indices) {
      val f = RawEdgeFile(plain(40), 0, streams = Seq(Raw(PROPERTY_STREAM, raw.take(n), 0, Overflow)))
      try assertSame(read(opened(f)), withTexts(plain(40), arrowTexts))
      catch { case _: CorruptObjectException => }
    }
    val fewer = RawEdgeFile(plain(41), 0, streams = Seq(Raw(PROPERTY_STREAM, raw, 0, Overflow)))
    intercept[CorruptObjectException](read(opened(fewer)))
    val more = RawEdgeFile(plain(39), 0, streams = Seq(Raw(PROPERTY_STREAM, raw, 0, Overflow)))
    intercept[CorruptObjectException](read(opened(more)))
  }

  test("declared streams are joined over the overflow, whatever their pages and codecs") {
    val n = 2500
    val rows = plain(n)
    val overflow = (0 until n).map(i => i % 5 match {
      case 0 => None
      case 1 => Some(s"""{"a":"old","z":$i}""")
      case 2 => Some(s"""{"b":[1,{"a":2},"}"],"a":{"$$map":{"a":"\\"}"}}}""")
      case 3 => Some("{ }")
      case _ => Some(s""" { "\\u0061" : "old" , "c" : "x\\\\" } """)
    })
    val a = (0 until n).map(i => if (i % 3 == 0) Some(s"$i") else None)
    val q = (0 until n).map(i => if (i % 7 == 0) Some("null") else None)
    val hidden = (0 until n).map(i => Some(s"$i"))
    for (codec <- Seq(2, 3)) {
      val f = RawEdgeFile(rows, streams = Seq(
        pages("hidden", hidden, codec, 10), pages("a", a, codec, 300), pages(Overflow, overflow, codec, 1024),
        pages("q\"\n", q, codec, 7), pages("a", hidden, codec, 10)))
      val got = read(opened(f, Seq("a", "q\"\n", "never", "a")))
      val expected = (0 until n).map { i =>
        val byStream = a(i).map(v => s""""a":$v""").toSeq ++ q(i).map(v => s""""q\\"\\u000a":$v""")
        val kept = i % 5 match {
          case 1 => (if (a(i).isEmpty) Seq("\"a\":\"old\"") else Nil) :+ s""""z":$i"""
          case 2 => Seq("\"b\":[1,{\"a\":2},\"}\"]") ++ (if (a(i).isEmpty) Seq("\"a\":{\"$map\":{\"a\":\"\\\"}\"}}") else Nil)
          case 4 => (if (a(i).isEmpty) Seq("\"\\u0061\" : \"old\" ") else Nil) :+ "\"c\" : \"x\\\\\" "
          case _ => Nil
        }
        val all = kept ++ byStream
        if (all.isEmpty) None else Some(all.mkString("{", ",", "}"))
      }
      assertSame(got, withTexts(rows, expected))
      // Undeclared streams are invisible; the overflow text then comes as it is.
      assertSame(read(opened(f)), withTexts(rows, overflow))
      val range = new KeyRange(new NodeId(5, 200), new NodeId(5, 301))
      assertSame(within(read(opened(f, Seq("a", "q\"\n")), KeyRanges.of(range)), range), within(withTexts(rows, expected), range))
    }
  }

  test("a declared stream needs no overflow; an explicit null is not an absent property") {
    val f = RawEdgeFile(plain(3), streams = Seq(pages("p", Seq(Some("null"), None, Some("{\"$list\":[]}")), 2, 2)))
    assertSame(read(opened(f, Seq("p"))),
      withTexts(plain(3), Seq(Some("{\"p\":null}"), None, Some("{\"p\":{\"$list\":[]}}"))))
    assertSame(read(opened(f)), plain(3))
  }

  test("an overflow object that cannot be cut into members is damage, not a wrong row") {
    for (bad <- Seq("", "x", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":}", "{\"a\":1}x", "{\"a\":\"", "[1]", "{a:1}",
        "{\"a\":1,}", "{\"\\x\":1}", "{\"\\u00g1\":1}", "{\"\\u00\":1}", "{\"a\":\"\\")) {
      val f = RawEdgeFile(plain(1), streams = Seq(
        pages(Overflow, Seq(Some(bad)), 2, 1), pages("a", Seq(Some("1")), 2, 1)))
      withClue(bad)(intercept[CorruptObjectException](read(opened(f, Seq("a")))))
    }
  }

  test("a tombstone has no properties, whatever is stored") {
    val rows = plain(20).zipWithIndex.map { case (r, i) => r.copy(dead = i % 2 == 0) }
    val f = RawEdgeFile(rows, streams = Seq(pages(Overflow, rows.map(_ => Some("{\"a\":1}")), 2, 6)))
    assertSame(read(opened(f)), rows.map(r => r.copy(json = if (r.dead) None else Some("{\"a\":1}"))))
  }

  test("zstd pages of any valid frame are read: sized, unsized, several, empty texts") {
    val texts = Seq(Some("{}"), None, Some("{\"a\":\"" + "x" * 5000 + "\"}"))
    val unsized = (b: Array[Byte]) => {
      val out = new java.io.ByteArrayOutputStream
      val z = new com.github.luben.zstd.ZstdOutputStream(out)
      z.write(b)
      z.close()
      out.toByteArray
    }
    val two = (b: Array[Byte]) => Zstd.compress(b.take(9), 1) ++ Zstd.compress(b.drop(9), 9)
    for (encode <- Seq(unsized, two, Zstd.compress(_: Array[Byte], 1)))
      assertSame(read(opened(RawEdgeFile(plain(3), streams = Seq(pages(Overflow, texts, 3, 2, encode))))),
        withTexts(plain(3), texts))
  }

  test("property pages that lie under right checksums are damage") {
    val good = pages(Overflow, Seq(Some("{\"a\":1}"), None, Some("{\"b\":2}")), 2, 2)
    val e0 = 32
    val e1 = 32 + 44
    val body = 32 + 88
    val lies: Seq[(String, Int, Array[Byte])] = Seq(
      ("magic", 0, le(0, 1)), ("page count", 12, le(3, 4)), ("huge page count", 12, le(0xFFFFFFFFL, 4)),
      ("no pages", 12, le(0, 4)), ("row count", 16, le(4, 8)), ("entry length", 24, le(45, 4)), ("reserved", 28, le(1, 4)),
      ("first row", e1, le(1, 8)), ("zero rows", e0 + 8, le(0, 4)), ("too many rows", e1 + 8, le(5, 4)),
      ("offset", e0 + 12, le(121, 8)), ("negative offset", e0 + 12, le(-1, 8)),
      ("huge encoded length", e0 + 20, le(Long.MaxValue, 8)), ("negative encoded length", e0 + 20, le(-5, 8)),
      ("huge decoded length", e0 + 28, le(1L << 40, 8)), ("hash", e0 + 36, le(7, 8)))
    for ((name, at, bytes) <- lies) {
      val bad = good.copy(bytes = good.bytes.patch(at, bytes, bytes.length))
      for (range <- Seq(KeyRanges.ALL))
        withClue(name)(intercept[CorruptObjectException](read(opened(RawEdgeFile(plain(3), streams = Seq(bad))), range)))
    }
    // The pages' own contents, with their hashes made right again.
    for ((name, at, bytes) <- Seq(("inner rows", 0, le(1, 4)), ("marker", 4, le(2, 1)), ("length", 5, le(500, 4)),
        ("negative length", 5, le(-1, 4)), ("short length", 5, le(3, 4)))) {
      val first = good.bytes.slice(body, body + 17).patch(at, bytes, bytes.length)
      val bad = good.bytes.patch(body, first, 17)
        .patch(e0 + 36, le(com.namidb.format.store.Xxh3.hash(first), 8), 8)
      withClue(name)(intercept[CorruptObjectException](
        read(opened(RawEdgeFile(plain(3), streams = Seq(good.copy(bytes = bad)))))))
    }
    intercept[UnsupportedFormatException](read(opened(RawEdgeFile(plain(3), streams =
      Seq(good.copy(bytes = good.bytes.patch(8, le(2, 2), 2)))))))
    val noZstd = pages(Overflow, Seq(Some("{}")), 3, 1, b => b)
    intercept[CorruptObjectException](read(opened(RawEdgeFile(plain(1), streams = Seq(noZstd)))))
    val shortFrame = pages(Overflow, Seq(Some("{}")), 3, 1, b => Zstd.compress(b.dropRight(1), 3))
    intercept[CorruptObjectException](read(opened(RawEdgeFile(plain(1), streams = Seq(shortFrame)))))
    val longFrame = pages(Overflow, Seq(Some("{}")), 3, 1, b => Zstd.compress(b ++ b, 3))
    intercept[CorruptObjectException](read(opened(RawEdgeFile(plain(1), streams = Seq(longFrame)))))
  }

  test("a damaged page beyond the asked range does not matter, within it does") {
    val rows = plain(4000)
    val texts = rows.map(r => Some(s"""{"i":${r.lsn},"t":"${"y" * 100}"}"""))
    val f = RawEdgeFile(rows, streams = Seq(pages(Overflow, texts, 2, 100)))
    val bytes = f.bytes
    val needle = "\"i\":4050".getBytes(UTF_8)
    val at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf(new String(needle, UTF_8))
    bytes(at + 5) = 'X'
    val early = new KeyRange(new NodeId(5, 0), new NodeId(5, 50))
    val late = new KeyRange(new NodeId(5, 980), new NodeId(5, 999))
    val reader = open(bytes, 4000, sizes = small)
    assertSame(within(read(reader, KeyRanges.of(early)), early), within(withTexts(rows, texts), early))
    intercept[CorruptObjectException](read(reader, KeyRanges.of(late)))
  }
}
