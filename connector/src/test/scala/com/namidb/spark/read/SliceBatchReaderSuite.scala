package com.namidb.spark.read

import scala.jdk.CollectionConverters._
import scala.util.{Random, Try}

import com.namidb.format.error.InvalidValueException
import com.namidb.format.id.NodeId
import com.namidb.format.scan.SliceReader
import com.namidb.format.value.{InvalidJsonException, Value}
import com.namidb.spark.types.OnMismatch
import org.apache.spark.sql.types._
import org.scalatest.funsuite.AnyFunSuite

class SliceBatchReaderSuite extends AnyFunSuite with ReadFixture {
  private def id(n: Int) = new NodeId(0x8000000000000000L + n, 0xf0000000000000ffL - n)
  private def str(s: String): Value = new Value.Str(s)
  private def int(n: Long): Value = new Value.Int64(n)
  private def list(v: Value*): Value = new Value.ListOf(v.asJava)
  private def ddl(s: String): StructType = StructType.fromDDL(s)

  private def node(n: Int, props: (String, Value)*): Rec = Rec(id(n), Some(props))

  private def read(schema: StructType, recs: Rec*): Seq[Seq[Any]] =
    columnar(reader(spec(schema), new FakeSlice(recs, 100)), schema)

  private def fails(schema: StructType, recs: Rec*): String =
    intercept[InvalidValueException](read(schema, recs: _*)).getMessage

  test("random schemas over random records give what the rules say, by batches and by rows") {
    val seed = 11
    val r = new Random(seed)
    for (round <- 0 until 300) withClue(s"seed $seed round $round: ") {
      val names = Seq("p", "q", "é", "x.y")
      val schema = StructType(names.take(1 + r.nextInt(4)).map(StructField(_, Expected.randomType(r, 2))))
      val recs = for (n <- 0 until r.nextInt(60)) yield {
        val props =
          if (r.nextInt(8) == 0) None
          else
            Some(Seq.fill(r.nextInt(6))((names :+ "other")(r.nextInt(5)) -> {
              // mostly values that fit, so that both outcomes are common
              val t = schema.fields(r.nextInt(schema.size)).dataType
              Iterator.continually(Expected.random(r, 3)).take(30)
                .find(v => Try(Expected(t, v)).isSuccess).getOrElse(Expected.random(r, 3))
            }))
        Rec(id(n), props, live = r.nextInt(5) > 0)
      }
      var misfits = 0
      val expected = recs.filter(_.live).map(rec =>
        schema.fields.toSeq.map { f =>
          rec.props.getOrElse(Nil).filter(_._1 == f.name).lastOption.map { case (_, v) =>
            try Expected(f.dataType, v)
            catch { case Expected.Misfit => misfits += 1; null }
          }.orNull
        })
      val s = spec(schema, OnMismatch.NULL)
      val size = 1 + r.nextInt(20)
      val byBatch = reader(s, new FakeSlice(recs, size))
      assert(columnar(byBatch, schema) == expected)
      assert(byBatch.mismatches == misfits)
      assert(rows(reader(s, new FakeSlice(recs, size)), schema) == expected)
    }
  }

  test("batches above the vectors' capacity are cut without losing or repeating a row") {
    val schema = ddl("_id STRING, n BIGINT, s STRING")
    val recs = (0 until 10000).map(n => node(n, "n" -> int(n), "s" -> str("v" + n)).copy(live = n % 7 != 3))
    val expected = recs.filter(_.live).map(r => Seq(r.key.toString, r.key.hi - Long.MinValue, "v" + (r.key.hi - Long.MinValue)))
    assert(columnar(reader(spec(schema), new FakeSlice(recs, 9500)), schema) == expected)
    assert(rows(reader(spec(schema), new FakeSlice(recs, 9500)), schema) == expected)
  }

  test("without columns only row counts come, whole batches at a time") {
    val schema = new StructType
    val r = reader(spec(schema), new FakeSlice((0 until 9000).map(node(_)), 9000))
    assert(r.next() && r.get().numRows == 9000 && r.get().numCols == 0 && !r.next() && !r.next())
    assert(rows(reader(spec(schema), new FakeSlice((0 until 50).map(node(_)), 7)), schema).size == 50)
  }

  test("ids are lower-case text or 16 bytes, also from 0x80 up; runs of one source share a text") {
    val edges = Seq((1, 9), (1, 3), (2, 9), (1, 1)).map { case (a, b) => Rec(id(a), partner = id(b)) }
    val text = ddl("_src STRING, _dst STRING")
    assert(columnar(reader(spec(text), new FakeSlice(edges, 3, edges = true), "KNOWS"), text) ==
      edges.map(e => Seq(e.key.toString, e.partner.toString)))
    val binary = ddl("_dst BINARY, _src BINARY")
    assert(columnar(reader(spec(binary), new FakeSlice(edges, 3, edges = true), "KNOWS"), binary) ==
      edges.map(e => Seq(e.partner.toBytes.toSeq, e.key.toBytes.toSeq)))
    assert(columnar(reader(spec(text), new FakeSlice(edges, 3, edges = true), "KNOWS"), text).head.head ==
      "80000000-0000-0001-f000-0000000000fe")
  }

  test("labels come sorted by UTF-8 bytes, once each, without ids the dictionary lacks") {
    val schema = ddl("_labels ARRAY<STRING>")
    val names = Seq("b", "\uffff", "𝄞", "a", "b")
    val recs = Seq(Seq(0, 3), Nil, Seq(2, 1, 0), Seq(7, -1, 3), Seq(4, 0), Seq(0, 3)).zipWithIndex.map {
      case (l, n) => Rec(id(n), labels = l)
    }
    val r = reader(spec(schema, labels = names), new FakeSlice(recs, 4))
    assert(columnar(r, schema).map(_.head) ==
      Seq(Seq("a", "b"), Nil, Seq("b", "\uffff", "𝄞"), Seq("a"), Seq("b"), Seq("a", "b")))
  }

  test("storage columns tell LSN, SST, level and snapshot; WAL rows have neither SST nor level") {
    val schema = ddl("_sst STRING, _level INT, _lsn BIGINT, _snapshot_id BIGINT, _type STRING, _json STRING")
    val recs = Seq(
      Rec(id(1), Some(Seq("a" -> int(1))), lsn = 5, origin = new SliceReader.Origin("s1", 2)),
      Rec(id(2), None, lsn = Long.MaxValue, origin = new SliceReader.Origin(null, -1)),
      Rec(id(3), Some(Nil), lsn = 7, origin = new SliceReader.Origin("s2", 0)))
    assert(columnar(reader(spec(schema), new FakeSlice(recs, 9), "KNOWS"), schema) == Seq(
      Seq("s1", 2, 5L, 42L, "KNOWS", "{\"a\":1}"),
      Seq(null, null, Long.MaxValue, 42L, "KNOWS", "{}"),
      Seq("s2", 0, 7L, 42L, "KNOWS", "{}")))
  }

  test("an LSN from 2^63 up fails loudly, but only if the column is asked for") {
    val recs = Seq(node(1, "n" -> int(1)), node(2, "n" -> int(2)).copy(lsn = Long.MinValue))
    val e = intercept[InvalidValueException](read(ddl("n BIGINT, _lsn BIGINT"), recs: _*))
    assert(e.getMessage.contains("9223372036854775808") && e.getMessage.contains("node " + id(2)))
    assert(e.namespace.get == "social" && e.version.getAsLong == 42)
    assert(read(ddl("n BIGINT"), recs: _*) == Seq(Seq(1L), Seq(2L)))
  }

  test("a value that does not fit fails the query, naming row, property, stored type and column type") {
    val m = fails(ddl("age INT"), node(1, "age" -> int(3)), node(2, "age" -> str("three")))
    for (part <- Seq("'age'", "node " + id(2), "STRING", "INT", "on-mismatch=null", "namespace 'social'", "version 42"))
      assert(m.contains(part), part)
    assert(fails(ddl("age INT"), node(1, "age" -> int(1L << 40))).contains("INT64"))
    assert(fails(ddl("x ARRAY<BIGINT>"), node(1, "x" -> list(int(1), str("a")))).contains("LIST"))
    assert(fails(ddl("x FLOAT"), node(1, "x" -> new Value.Float64(1e39))).contains("FLOAT64"))
    assert(fails(ddl("x BIGINT"), node(1, "x" -> new Value.Float64(1.0))).contains("FLOAT64"))
  }

  test("an edge in an error is named by both ends and its type") {
    val schema = ddl("w BIGINT")
    val e = Rec(id(1), Some(Seq("w" -> str("heavy"))), partner = id(2))
    val m = intercept[InvalidValueException](
      columnar(reader(spec(schema), new FakeSlice(Seq(e), 1, edges = true), "KNOWS"), schema)).getMessage
    assert(m.contains(s"edge ${id(1)} -[KNOWS]-> ${id(2)}"))
  }

  test("an error finds the row's id although the query reads no keys") {
    val schema = ddl("n BIGINT")
    val recs = (0 until 100).map(n => node(n, "n" -> (if (n == 83) str("x") else int(n))).copy(live = n % 5 != 0))
    val keyless = new FakeSlice(recs.map(_.copy(key = NodeId.MIN)), 9)
    val keyed = new FakeSlice(recs, 31)
    val e = intercept[InvalidValueException](
      columnar(reader(spec(schema), keyless, reopen = () => keyed), schema))
    assert(e.getMessage.contains("node " + id(83)))
    assert(keyed.closed == 1)
  }

  test("of a repeated name the last value counts, also for whether it fits") {
    val schema = ddl("a BIGINT, t ARRAY<STRING>")
    assert(read(schema, node(1, "a" -> str("no"), "a" -> int(2))) == Seq(Seq(2L, null)))
    assert(read(schema, node(1, "a" -> str("no"), "a" -> new Value.Null)) == Seq(Seq(null, null)))
    assert(read(schema, node(1, "t" -> list(str("x"), str("y")), "a" -> int(1), "t" -> list(str("z")))) ==
      Seq(Seq(1L, Seq("z"))))
    assert(fails(schema, node(1, "a" -> int(2), "a" -> str("no"))).contains("STRING"))
    val nulled = reader(spec(schema, OnMismatch.NULL),
      new FakeSlice(Seq(node(1, "a" -> int(2), "a" -> str("no")), node(2, "a" -> int(5))), 5))
    assert(columnar(nulled, schema) == Seq(Seq(null, null), Seq(5L, null)) && nulled.mismatches == 1)
  }

  test("broken JSON fails with id and property, or leaves what came before it") {
    val schema = ddl("a BIGINT, b BIGINT, c BIGINT")
    val broken: OpenSlice.Decoder = (_, _) => (_, _, _, sink) => {
      sink.int64(0, 1)
      sink.int64(1, 2)
      throw new InvalidJsonException("b", "unexpected byte 7")
    }
    val recs = Seq(node(1, "a" -> int(1)))
    val e = intercept[InvalidValueException](
      columnar(reader(spec(schema), new FakeSlice(recs, 1), decoder = Some(broken)), schema))
    for (part <- Seq("'b'", "node " + id(1), "unexpected byte 7")) assert(e.getMessage.contains(part), part)
    val r = reader(spec(schema, OnMismatch.NULL), new FakeSlice(recs, 1), decoder = Some(broken))
    assert(columnar(r, schema) == Seq(Seq(1L, null, null)) && r.mismatches == 1)
  }

  test("text in the payload buffer is not copied, text elsewhere is") {
    val schema = ddl("s STRING, t STRING")
    val slice = new FakeSlice(Seq(node(1, "s" -> str("in place"))), 1)
    val scratch = "scratch".getBytes
    val r = reader(spec(schema), slice, decoder = Some((_, _) => (json, offset, _, sink) => {
      sink.string(0, json, offset + 6, 8)
      sink.string(1, scratch, 0, 7)
    }))
    assert(r.next())
    java.util.Arrays.fill(scratch, '!'.toByte)
    assert(r.get().column(0).getUTF8String(0).getBaseObject eq slice.batch().payload())
    assert(row(r.get().getRow(0), schema) == Seq("in place", "scratch"))
  }

  test("rows without values do not show those of an earlier batch") {
    val schema = ddl("s STRING, l ARRAY<BIGINT>, m MAP<STRING,BIGINT>, st STRUCT<a: BIGINT>")
    val map = new Value.MapOf(java.util.Map.of("a", int(1)))
    val full = node(1, "s" -> str("x"), "l" -> list(int(1), new Value.Null), "m" -> map, "st" -> map)
    val values = Seq("x", Seq(1L, null), Seq("a" -> 1L), Seq(1L))
    val none = Seq(null, null, null, null)
    val recs = Seq(full, Rec(id(2)), full, node(3), Rec(id(4)), full)
    assert(columnar(reader(spec(schema), new FakeSlice(recs, 2)), schema) ==
      Seq(values, none, values, none, none, values))
  }

  test("a vector of many dimensions and a very long string come through") {
    val schema = ddl("v ARRAY<FLOAT>, d ARRAY<DOUBLE>, s STRING")
    val v = (0 until 20000).map(_ * 0.5f)
    val long = "é" * 3000000
    val vec = new Value.Vector(v.map(Float.box).asJava)
    assert(read(schema, node(1, "v" -> vec, "d" -> vec, "s" -> str(long))) ==
      Seq(Seq(v, v.map(_.toDouble), long)))
  }

  test("metrics add up rows of the slice and nulled values; closing twice closes once") {
    val schema = ddl("a BIGINT")
    val slice = new FakeSlice(Seq(node(1, "a" -> str("x")), node(2, "a" -> int(1))), 2)
    val r = reader(spec(schema, OnMismatch.NULL), slice)
    columnar(r, schema)
    r.close()
    assert(slice.closed == 1)
    val metrics = r.currentMetricsValues().map(m => m.name -> m.value).toMap
    assert(metrics("rowsRead") == 2 && metrics("rowsHiddenByNewer") == 2 &&
      metrics("rowsHiddenByTombstone") == 3 && metrics("valuesNulled") == 1 &&
      metrics("storeRequests") == 0 && metrics("storeBytes") == 0)
  }

  test("a slice delivers what the asked columns need and nothing more") {
    import com.namidb.format.record.Column._
    def needed(s: String) = SliceReaderFactory.neededColumns(ddl(s)).asScala.toSet
    assert(SliceReaderFactory.neededColumns(new StructType).isEmpty)
    assert(needed("_type STRING, _snapshot_id BIGINT, _sst STRING, _level INT") == Set.empty)
    assert(needed("_id STRING, age INT") == Set(KEY, PAYLOAD))
    assert(needed("_json STRING") == Set(PAYLOAD))
    assert(needed("_dst BINARY, _lsn BIGINT, _labels ARRAY<STRING>") == Set(KEY, LSN, LABELS))
  }
}
