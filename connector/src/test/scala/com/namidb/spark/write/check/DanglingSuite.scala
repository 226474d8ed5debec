package com.namidb.spark.write.check

import com.namidb.format.error._
import com.namidb.format.snapshot.SnapshotSelector
import com.namidb.format.engine.Engines
import com.namidb.format.stage.{PartRules, StagedPart}
import com.namidb.spark.Places
import com.namidb.spark.options.{OpenNamespace, WriteOptions}
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.quarantine.QuarantineFixture
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import java.util.Optional
import scala.jdk.CollectionConverters._

class DanglingSuite extends DanglingTests(Places.Local)

class BucketDanglingSuite extends DanglingTests(Places.Bucket)

/** Edges without an end are set aside as they came; the rest is committed. */
class DanglingTests(override val places: Places) extends QuarantineFixture {
  private val On = "on-dangling" -> "quarantine"
  private val Edge = new StructType().add("_src", StringType).add("_dst", StringType).add("w", LongType)
    .add("note", new StructType().add("a", StringType))

  private def edges(es: (Int, Int)*): DataFrame =
    frame(Edge, es.map { case (a, b) => Row(id(a), id(b), a * 1000L + b, Row(s"$a-$b")) }: _*)

  private def nodes(ns: Range): DataFrame = frame(new StructType().add("_id", StringType), ns.map(n => Row(id(n))): _*)

  private def pairs(df: DataFrame): Set[(Int, Int)] =
    df.select("w").collect().map(_.getLong(0)).map(w => (w / 1000).toInt -> (w % 1000).toInt).toSet

  test("edges whose source, destination or both are missing") {
    val p = place()
    write(nodes(1 to 20), p, "label" -> "P")
    write(nodes(21 to 22), p, "label" -> "Q")
    write(nodes(20 to 20), p, "label" -> "P", "write-mode" -> "delete")
    val all = (for (a <- 1 to 19; b <- Seq(a % 19 + 1, 21)) yield (a, b)) ++ Seq((20, 1), (1, 20), (99, 98), (99, 3), (4, 99), (22, 22), (97, 97))
    val df = edges(all: _*).repartition(3)
    val bad = Set((20, 1), (1, 20), (99, 98), (99, 3), (4, 99), (97, 97))
    val folder = job(p)(write(df, p, "type" -> "T", On, "file-size" -> "700"))
    val r = balanced(df, folder, bad.size)
    assert(r.files.size > 4)
    assert(multiset(aside(folder).drop("_reason", "_key").union(edges((all.toSet -- bad).toSeq: _*))) == multiset(df))
    assert(pairs(read(p, "type" -> "T")) == all.toSet -- bad)
    for (n <- 1 to 22) assert(pairs(read(p, "type" -> "T").where(s"_dst = '${id(n)}'")) == (all.toSet -- bad).filter(_._2 == n))
    val why = aside(folder).select("w", "_reason", "_key").collect().map(x => x.getLong(0) -> (x.getString(1), x.getString(2))).toMap
    assert(why(99098)._1.contains(id(99)) && why(99098)._1.contains(id(98)) && why(99098)._1.contains("both ends"))
    assert(why(99003)._1 == s"the source missing: node ${id(99)}" && why(4099)._1 == s"the destination missing: node ${id(99)}")
    assert(why(20001)._2 == s"edge ${id(20)} -> ${id(1)}")
    assert(r.quarantine.reasons.asScala.map { case (k, n) => k -> n.longValue }.toMap ==
      Map("both ends missing" -> 2L, "the source missing" -> 2L, "the destination missing" -> 2L))
  }

  test("together with invalid rows, and when nothing is left") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    val before = version(p)
    val none = job(p)(write(edges((8, 9), (1, 9)), p, "type" -> "T", On))
    assert(version(p) == before && pairs(aside(none)) == Set((8, 9), (1, 9)))
    val df = edges((1, 2), (2, 9), (3, 1), (3, 1)).union(frame(Edge, Row("?", id(1), 7007L, null)))
    failure[InvalidValueException](write(df, p, "type" -> "T", On))
    val folder = job(p)(write(df, p, "type" -> "T", On, "on-invalid" -> "quarantine", "expected-rows" -> "1"))
    balanced(df, folder, 4)
    assert(pairs(read(p, "type" -> "T")) == Set((1, 2)))
    failure[ValidationFailedException](write(edges((2, 3), (2, 9)), p, "type" -> "T", On, "expected-rows" -> "2"))
    val clean = job(p)(write(edges((2, 3)), p, "type" -> "T", On))
    balanced(edges((2, 3)), clean, 0)
  }

  // The engine goes on with it.
  if (places == Places.Local) test("ends in the WAL only, and ends deleted there") {
    val p = place()
    val dir = p.dir.toString
    Engines.run("2.6.19", "constraints.py", "start", dir, "g")
    // 1 to 4 are in SSTs, 6 to 9 in the WAL; 5 is deleted in the WAL, 50 has another label.
    val df = edges((1, 6), (7, 9), (50, 4), (5, 1), (1, 5), (10, 1))
    val folder = job(p)(write(df, p, "type" -> "T", On))
    balanced(df, folder, 3)
    assert(pairs(read(p, "type" -> "T")) == Set((1, 6), (7, 9), (50, 4)))
    assert(Engines.run("2.6.19", "constraints.py", "ask", dir, "g", "MATCH (a)-[r:T]->(b) RETURN r.w").linesIterator.toSet ==
      Set("[1006]", "[7009]", "[50004]"))
  }

  test("several bases in a row: each sets aside what it finds, out of what is left") {
    val p = place()
    write(nodes(1 to 9), p, "label" -> "P")
    val w = WriteOptions.of(Map("uri" -> p.uri(), "type" -> "T", On).asJava, _ => null)
    val schema = new StructType().add("_src", StringType).add("_dst", StringType)
    val opened = OpenNamespace.at(w.location)
    def now = opened.namespace.snapshot(new SnapshotSelector.Latest)
    val tasks = WriteJob.begin(w, schema, Optional.of(now)).forTasks
    val t = new CandidateWriterFactory(tasks).createWriter(0, 0)
    val report = try {
      for ((a, b) <- Seq((1, 2), (3, 4), (5, 6), (7, 99))) t.write(InternalRow(UTF8String.fromString(id(a)), UTF8String.fromString(id(b))))
      t.commit().asInstanceOf[CandidateMessage].report
    } finally t.close()
    val staged = com.namidb.format.stage.StagedJob.unnamed(w.location.paths, opened.store, java.time.Clock.systemUTC)
    staged.plan(_ => tasks.plan)
    staged.addPart(new StagedPart(report.files, report.balance, PartRules.BLIND, report.quarantine, tasks.quarantine.rules(w.quarantine, report.kept)))
    staged.seal()
    val checks = new RowChecks(w.location.store, w.location.paths, opened.store)
    def keys = staged.candidates.asScala.filter(_.partner != null).map(_.digest.count).toSeq
    for ((gone, left) <- Seq(0 -> 3L, 4 -> 2L, 0 -> 2L, 5 -> 1L)) {
      if (gone > 0) write(nodes(gone to gone), p, "label" -> "P", "write-mode" -> "delete")
      assert(checks.problems(now, staged).isEmpty)
      assert(keys == Seq(left, left) && staged.balance.accepted == left && staged.balance.holds)
      assert(staged.quarantine.rows == 4 - left)
    }
    write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete")
    intercept[NothingLeftException](checks.problems(now, staged))
    assert(staged.balance.quarantined == 4 && staged.candidates.isEmpty)
    val found = staged.quarantine.files.asScala.map(f => "g/" + f.path).toSet
    val folder = found.head.take(found.head.lastIndexOf('/') + 1)
    assert(found == p.keys(folder).toSet)
    assert(spark.read.parquet(p.fetched(folder)).select("_src").collect().map(_.getString(0)).toSet == Set(1, 3, 5, 7).map(id))
    // The old files and the kept rows are all that is left over.
    assert(checks.leftovers(staged).size == 1 + 2 * 4)
  }

  test("a lost race: ends are looked for again on the newer base, and nothing comes back") {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    val w = WriteOptions.of(Map("uri" -> p.uri(), "type" -> "T", On).asJava, _ => null)
    val schema = new StructType().add("_src", StringType).add("_dst", StringType)
    val j = WriteJob.begin(w, schema, Optional.of(OpenNamespace.at(w.location).namespace.snapshot(new SnapshotSelector.Latest)))
    val t = new CandidateWriterFactory(j.forTasks).createWriter(0, 0)
    val report = try {
      for ((a, b) <- Seq((1, 2), (3, 4), (5, 9)))
        t.write(InternalRow(UTF8String.fromString(id(a)), UTF8String.fromString(id(b))))
      t.commit().asInstanceOf[CandidateMessage].report
    } finally t.close()
    // Another commit comes between: 4 goes, and the job was planned when it was there.
    write(nodes(4 to 4), p, "label" -> "P", "write-mode" -> "delete")
    val r = j.publish(java.util.List.of(report)).get
    assert(r.balance.accepted == 1 && r.balance.quarantined == 2 && r.balance.holds)
    assert(ids(read(p, "type" -> "T").withColumnRenamed("_src", "_id")) == Seq(id(1)))
  }
}
