package com.namidb.format.node

import java.nio.file.Files
import java.util.{Set => JSet}

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.CorruptObjectException
import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import com.namidb.format.record.Column
import org.scalatest.funsuite.AnyFunSuite

class NodeSstReaderSuite extends AnyFunSuite {
  import NodeRows._

  private val golden = Seq("compacted", "many", "types", "updates")

  for (name <- golden) {
    test(s"golden $name reads as another Parquet reader says") {
      val rows = expected(s"$name.tsv")
      assert(rows.size > 5)
      assert(read(resource(s"$name.parquet"), rows) == rows)
    }

    test(s"golden $name: every subset of columns gives those columns") {
      val rows = expected(s"$name.tsv")
      for (k <- 0 to 5; subset <- Column.values().toSeq.combinations(k)) {
        val c: JSet[Column] = JSet.of(subset: _*)
        val want = rows.map(r =>
          PlainRow(
            if (c.contains(Column.KEY)) r.id else NodeId.MIN,
            c.contains(Column.TOMBSTONE) && r.tombstone,
            if (c.contains(Column.LSN)) r.lsn else 0,
            if (c.contains(Column.LABELS)) r.labels else Nil,
            if (c.contains(Column.PAYLOAD)) r.json else None
          )
        )
        assert(read(resource(s"$name.parquet"), rows, c) == want, subset)
      }
    }
  }

  test("every node file of every golden namespace reads as the library reads it") {
    val walk = Files.walk(com.namidb.format.Golden.root)
    val files =
      try walk.iterator.asScala.filter(_.toString.matches(".*-nodes[^/]*\\.parquet")).toSeq
      finally walk.close()
    assert(files.size > 40)
    for (f <- files) {
      val bytes = Files.readAllBytes(f)
      val rows = ForeignFiles.read(bytes)
      assert(read(bytes, rows) == rows, f)
    }
  }

  test("a small file is one read") {
    val rows = expected("types.tsv")
    val bytes = resource("types.parquet")
    val s = store(bytes)
    assert(scan(NodeSstReader.open(s, describe(bytes, rows))) == rows)
    assert(s.reads.size == 1)
  }

  test("a bigger file is one read per row group beside the footer, and only what is asked") {
    val rows = random(new Random(11), 9000, 3, repeat = false)
    val (bytes, _) = write(rows, 3000, 1000)
    val s = store(bytes)
    val reader = NodeSstReader.open(s, describe(bytes, rows))
    assert(s.reads.size == 1)
    scan(reader)
    assert(s.reads.size == 3 || s.reads.size == 4, s.reads)
    s.reads.clear()
    scan(reader, JSet.of(Column.LABELS))
    assert(s.reads.map(_.length.toLong).sum < 9000 * 4)
  }

  test("row groups are pruned by key and the rest stays whole") {
    val rows = random(new Random(5), 4000, 2, repeat = true)
    val (bytes, _) = write(rows, 1000, 300)
    val s = store(bytes)
    val reader = NodeSstReader.open(s, describe(bytes, rows))
    val groups = reader.rowGroups().asScala.toSeq
    assert(groups.map(_.rows) == Seq(1000, 1000, 1000, 1000))
    assert(groups.map(_.keys.min) == Seq(0, 1000, 2000, 3000).map(rows(_).id))
    assert(groups.map(_.keys.max) == Seq(999, 1999, 2999, 3999).map(rows(_).id))
    assert(groups.map(_.bytes).sum < bytes.length)

    val r = new Random(6)
    for (_ <- 0 until 50) {
      val Seq(a, z) = Seq(r.nextInt(4000), r.nextInt(4000)).sorted
      val range = new KeyRange(rows(a).id, rows(z).id)
      val found = scan(reader, All, KeyRanges.of(range))
      val inside = rows.slice(a, z + 1)
      assert(found.filter(x => range.contains(x.id)) == inside)
      val bounds = (a / 1000 * 1000, (z / 1000 + 1) * 1000)
      assert(rows.slice(bounds._1, bounds._2).containsSlice(found))
    }
    assert(scan(reader, All, KeyRanges.NONE).isEmpty)
    val between = new KeyRange(rows(10).id.next(), rows(11).id.previous())
    assert(scan(reader, All, KeyRanges.of(between)).forall(x => !between.contains(x.id)))
  }

  test("tombstones are not read where the descriptor or the statistics exclude them") {
    val live = random(new Random(8), 3000, 2, repeat = true).map(_.copy(tombstone = false))
    val (bytes, _) = write(live, 1000, 1000)
    val s = store(bytes)
    val f = describe(bytes, live)
    val claims =
      new NodeSstFile(f.`object`, f.sizeBytes, f.rows, true, f.keys, f.minLsn, f.maxLsn, null)
    val reader = NodeSstReader.open(s, claims)
    s.reads.clear()
    assert(scan(reader, JSet.of(Column.TOMBSTONE)).size == 3000)
    assert(s.reads.isEmpty)
  }

  test("missing and resized objects are told apart") {
    val rows = expected("many.tsv")
    val bytes = resource("many.parquet")
    val s = store(bytes)
    s.delete(Key)
    val gone = intercept[CorruptObjectException](NodeSstReader.open(s, describe(bytes, rows)))
    assert(gone.getMessage.contains("not in the store") && gone.`object`().get == Key)
    s.put(Key, bytes.take(100))
    val cut = intercept[CorruptObjectException](NodeSstReader.open(s, describe(bytes, rows)))
    assert(cut.getMessage.contains(s"it has 100 bytes, the manifest promises ${bytes.length}"))
  }

  test("what the descriptor promises is checked") {
    val rows = expected("many.tsv")
    val bytes = resource("many.parquet")
    val f = describe(bytes, rows)
    def open(rows: Long, keys: KeyRange, min: Long, max: Long) = scan(
      NodeSstReader.open(
        store(bytes),
        new NodeSstFile(Key, bytes.length, rows, true, keys, min, max, null)
      )
    )
    assert(open(f.rows, f.keys, f.minLsn, f.maxLsn) == rows)
    def refuses(what: String)(body: => Any): Unit = {
      val e = intercept[CorruptObjectException](body)
      assert(e.getMessage.contains(what))
    }
    refuses("rows, the manifest promises")(open(f.rows + 1, f.keys, f.minLsn, f.maxLsn))
    val wide = new KeyRange(f.keys.min.previous(), f.keys.max)
    refuses("its ids are")(open(f.rows, wide, f.minLsn, f.maxLsn))
    val narrow = new KeyRange(f.keys.min, f.keys.max.previous())
    refuses("its ids are")(open(f.rows, narrow, f.minLsn, f.maxLsn))
    refuses("a row has LSN")(open(f.rows, f.keys, f.minLsn + 1, f.maxLsn))
    refuses("a row has LSN")(open(f.rows, f.keys, f.minLsn, f.maxLsn - 1))
  }
}
