package com.namidb.spark.write

import com.namidb.format.error._
import com.namidb.spark.{Place, Places, SparkSuite}
import com.namidb.spark.options.{OpenNamespace, WriteOptions}
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory, TaskReport}
import com.namidb.format.snapshot.SnapshotSelector
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.unsafe.types.UTF8String

import java.util.Optional
import scala.jdk.CollectionConverters._

class WriteSuite extends WriteTests(Places.Local)

class SingleObjectWriteSuite extends WriteTests(Places.SingleObject)

class BucketWriteSuite extends WriteTests(Places.Bucket)

class SingleObjectBucketWriteSuite extends WriteTests(Places.SingleObjectBucket)

/** Whole writes: what becomes visible, and what does not. */
class WriteTests(override val places: Places) extends SparkSuite {
  private def place(): Place = places.fresh()

  private def uri(p: Place) = p.uri()

  private def write(df: DataFrame, p: Place, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode("append").save(uri(p))

  private def read(p: Place, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(uri(p))

  private def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"

  private def nodes(ns: Range, extra: String = "v"): DataFrame =
    spark.createDataFrame(ns.map(n => Row(id(n), s"$extra$n", n.toLong)).asJava,
      new StructType().add("_id", StringType).add("name", StringType).add("n", LongType))

  private def edges(es: (Int, Int)*): DataFrame =
    spark.createDataFrame(es.map { case (a, b) => Row(id(a), id(b), (a * 100 + b).toLong) }.asJava,
      new StructType().add("_src", StringType).add("_dst", StringType).add("w", LongType))

  private def rows(df: DataFrame): Set[Seq[Any]] = df.collect().map(_.toSeq).toSet

  private def staged(p: Place): Seq[String] = p.keys("g/bulk/")

  private def version(p: Place): Long = read(p, "metadata" -> "snapshots").agg(max("version")).head().getLong(0)

  private def unchanged(p: Place)(body: => Unit): Unit = {
    val before = version(p)
    body
    assert(version(p) == before, "something was committed")
  }

  test("a new namespace, nodes, then edges: one commit each") {
    val p = place()
    write(nodes(1 to 100).repartition(4), p, "label" -> "P")
    assert(version(p) == 1)
    assert(rows(read(p, "label" -> "P").select("_id", "name", "n")) == (1 to 100).map(n => Seq(id(n), s"v$n", n.toLong)).toSet)
    assert(read(p, "label" -> "P").select(col("_labels")(0)).distinct().collect().map(_.getString(0)).toSeq == Seq("P"))
    write(edges((1 to 50).map(n => (n, 101 - n)): _*), p, "type" -> "T")
    assert(version(p) == 2)
    val e = read(p, "type" -> "T")
    assert(rows(e.select("_src", "_dst", "w")) == (1 to 50).map(n => Seq(id(n), id(101 - n), n * 100L + 101 - n)).toSet)
    assert(e.where(col("_dst") === id(60)).select("_src").collect().map(_.getString(0)).toSeq == Seq(id(41)))
    assert(staged(p).count(_.endsWith("receipt.json")) == 2)
  }

  test("insert refuses ids that exist, and nothing of the job becomes visible") {
    val p = place()
    write(nodes(1 to 10), p, "label" -> "P")
    unchanged(p) {
      val e = failure[ValidationFailedException](write(nodes(10 to 20), p, "label" -> "Q"))
      assert(e.getMessage.contains(id(10)) && e.getMessage.contains("exists already"), e.getMessage)
    }
    write(nodes(11 to 20), p, "label" -> "P")
    write(edges((1, 2)), p, "type" -> "T")
    unchanged(p)(failure[ValidationFailedException](write(edges((1, 3), (1, 2)), p, "type" -> "T")))
    write(edges((1, 3), (2, 1)), p, "type" -> "T")
    // A deleted id is free again.
    write(nodes(20 to 20), p, "label" -> "P", "write-mode" -> "delete")
    write(nodes(20 to 20, "again"), p, "label" -> "P")
    assert(read(p, "label" -> "P").where(col("_id") === id(20)).select("name").head().getString(0) == "again20")
  }

  test("upsert replaces whole records") {
    val p = place()
    write(nodes(1 to 10), p, "label" -> "P")
    write(nodes(5 to 12, "new").drop("n"), p, "label" -> "P", "write-mode" -> "upsert")
    val want = (1 to 12).map(n => if (n < 5) Seq(id(n), s"v$n", n.toLong) else Seq(id(n), s"new$n", null)).toSet
    assert(rows(read(p, "label" -> "P").select("_id", "name", "n")) == want)
    assert(rows(read(p, "label" -> "P", "versionAsOf" -> "1").select("_id")).size == 10)
  }

  test("deleting nodes follows Cypher's rule for their edges") {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    write(edges((1, 2), (3, 3)), p, "type" -> "T")
    for (n <- Seq(1, 2, 3)) unchanged(p) {
      val e = failure[ValidationFailedException](write(nodes(n to n), p, "label" -> "P", "write-mode" -> "delete"))
      assert(e.getMessage.contains(s"node ${id(n)} still has edges"), e.getMessage)
    }
    write(nodes(4 to 4).select("_id"), p, "label" -> "P", "write-mode" -> "delete")
    write(edges((3, 3)), p, "type" -> "T", "write-mode" -> "delete")
    write(nodes(3 to 3), p, "label" -> "P", "write-mode" -> "delete")
    write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "leave")
    assert(ids(read(p, "label" -> "P")) == Seq(2, 5, 6).map(id))
    assert(rows(read(p, "type" -> "T").select("_src", "_dst")) == Set(Seq(id(1), id(2))))
  }

  test("edges need both ends, unless that is allowed") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    for ((a, b) <- Seq((1, 9), (9, 1))) unchanged(p) {
      val e = failure[ValidationFailedException](write(edges((1, 2), (a, b)), p, "type" -> "T"))
      assert(e.getMessage.contains(id(9)) && e.getMessage.contains("does not exist"), e.getMessage)
    }
    write(edges((1, 2), (1, 9), (9, 1)), p, "type" -> "T", "on-dangling" -> "allow")
    assert(read(p, "type" -> "T").count() == 3)
    write(nodes(2 to 2), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "leave")
    unchanged(p)(failure[ValidationFailedException](write(edges((3, 2)), p, "type" -> "T")))
  }

  test("ids that come twice are found within a task and between tasks") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    unchanged(p) {
      val e = failure[InvalidValueException](write(nodes(4 to 9).union(nodes(7 to 7)), p, "label" -> "P"))
      assert(e.getMessage.contains(id(7)) && e.getMessage.contains("twice"), e.getMessage)
      assert(staged(p).count(_.endsWith(".parquet")) == 1, "files of failed tasks stay behind")
    }
    // Spellings that Spark sorts far apart.
    val many = (0 until 200).map(n => f"ab000000-0000-0000-0000-$n%012x")
    val both = (many ++ many.take(1).map(_.toUpperCase)).toDF
    unchanged(p) {
      val e = failure[NamiException](write(both, p, "label" -> "P"))
      assert(e.getMessage.contains(many.head) && e.getMessage.contains("twice"), e.getMessage)
    }
    unchanged(p)(failure[NamiException](write(edges((1, 2), (1, 3), (1, 2)), p, "type" -> "T")))
  }

  private implicit class Texts(s: Seq[String]) {
    def toDF: DataFrame = spark.createDataFrame(s.map(Row(_)).asJava, new StructType().add("_id", StringType))
  }

  test("ids derived from keys connect nodes and edges without a lookup") {
    val p = place()
    val people = spark.range(500).select(concat(lit("p"), col("id")).as("email"), (col("id") % 7).cast("int").as("country"))
    write(people, p, "label" -> "Person", "key" -> "country,email")
    val knows = people.select(col("country").as("c1"), col("email").as("e1"), lit(0).as("c2"), lit("p0").as("e2"), lit(1.5).as("w"))
    val o = Seq("type" -> "KNOWS", "src-key" -> "c1,e1", "src-label" -> "Person", "dst-key" -> "c2,e2", "dst-label" -> "Person")
    write(knows, p, o: _*)
    val n = read(p, "label" -> "Person")
    val e = read(p, "type" -> "KNOWS")
    assert(e.columns.toSeq == Seq("_src", "_dst", "w"))
    assert(n.columns.toSet == Set("_id", "_labels", "email", "country"))
    assert(n.join(e, n("_id") === e("_src")).count() == 500)
    assert(e.select("_dst").distinct().count() == 1)
    // The same job again changes nothing that can be seen.
    write(people, p, "label" -> "Person", "key" -> "country,email", "write-mode" -> "upsert")
    assert(rows(read(p, "label" -> "Person").select("_id")) == rows(n.select("_id")))
    unchanged(p)(failure[NamiException](write(people.union(people.limit(1)), p, "label" -> "Person", "key" -> "country,email",
      "write-mode" -> "upsert")))
  }

  test("labels nobody knew yet may come in the rows, differently in each task") {
    val p = place()
    write(nodes(1 to 2), p, "label" -> "P")
    val df = spark.range(10, 210).select(
      concat(lit("00000000-0000-0000-0000-0000000000"), lower(lpad(hex(col("id")), 2, "0"))).as("_id"),
      when(col("id") % 3 === 0, array(lit("P"), lit("A"))).when(col("id") % 3 === 1, array(lit("B"), lit("P"), lit("C")))
        .otherwise(array(lit("Z"), lit("P"))).as("_labels"))
    write(df.repartition(3), p, "label" -> "P", "file-size" -> "64")
    val got = read(p, "label" -> "*").where(col("_labels") =!= array(lit("P"))).select(col("_id"), col("_labels")).collect()
      .map(r => r.getString(0) -> r.getSeq[String](1)).toMap
    val want = df.select(col("_id"), sort_array(col("_labels"))).collect().map(r => r.getString(0) -> r.getSeq[String](1)).toMap
    assert(got == want)
    assert(read(p, "label" -> "Z").count() == want.count(_._2.contains("Z")))
  }

  test("files are as large as asked and do not overlap") {
    val p = place()
    write(nodes(1 to 300).repartition(3), p, "label" -> "P", "file-size" -> "500")
    val ssts = read(p, "metadata" -> "ssts").select("min_key", "max_key").collect().map(r => (r.getString(0), r.getString(1))).sorted
    assert(ssts.length > 5)
    for (Array(a, b) <- ssts.sliding(2)) assert(a._2 < b._1)
    assert(read(p, "label" -> "P").count() == 300)
    write(edges((for (a <- 1 to 20; b <- 1 to 20) yield (a, b)): _*), p, "type" -> "T", "file-size" -> "300")
    assert(read(p, "type" -> "T").where(col("_src") === id(3)).count() == 20)
    assert(read(p, "type" -> "T").where(col("_dst") === id(3)).count() == 20)
  }

  test("what was expected is compared before anything is published") {
    val p = place()
    write(nodes(1 to 5), p, "label" -> "P", "expected-rows" -> "5")
    unchanged(p) {
      failure[ValidationFailedException](write(nodes(6 to 9), p, "label" -> "P", "expected-rows" -> "5"))
      failure[ValidationFailedException](write(nodes(6 to 9), p, "label" -> "P", "expected-key-checksum" -> "4-0-0"))
    }
    val told = failure[ValidationFailedException](write(nodes(6 to 9), p, "label" -> "P", "expected-key-checksum" -> "x"))
    val digest = "4-[0-9a-f]{16}-[0-9a-f]{16}".r.findFirstIn(told.getMessage).get
    write(nodes(6 to 9), p, "label" -> "P", "expected-key-checksum" -> digest)
    assert(read(p, "label" -> "P").count() == 9)
  }

  test("a row that cannot be stored fails the job and names itself; its files go") {
    val p = place()
    write(nodes(1 to 1), p, "label" -> "P")
    val before = staged(p).toSet
    unchanged(p) {
      val df = nodes(2 to 200).withColumn("x", when(col("n") === 77, lit(Double.NaN)).otherwise(lit(1.0)))
      val e = failure[InvalidValueException](write(df, p, "label" -> "P"))
      assert(e.getMessage.contains(id(77)) && e.getMessage.contains("'x'"), e.getMessage)
    }
    assert(staged(p).toSet == before)
  }

  test("no rows, no commit") {
    val p = place()
    write(nodes(1 to 1), p, "label" -> "P")
    unchanged(p)(write(nodes(1 to 1).where("n > 5"), p, "label" -> "P"))
  }

  test("columns that mean nothing are refused before anything runs") {
    val p = place()
    def refused(df: DataFrame, word: String, options: (String, String)*) = {
      val e = failure[InvalidOptionException](write(df, p, options: _*))
      assert(e.getMessage.contains(word), e.getMessage)
    }
    refused(nodes(1 to 1).withColumn("_lsn", lit(1L)), "reserved", "label" -> "P")
    refused(nodes(1 to 1).withColumn("_src", lit("x")), "reserved", "label" -> "P")
    refused(nodes(1 to 1).withColumn("d", lit(1).cast("decimal(5,2)")), "decimals=", "label" -> "P")
    refused(nodes(1 to 1), "given twice", "label" -> "P", "key" -> "n")
    refused(nodes(1 to 1).drop("_id"), "no key column 'nn'", "label" -> "P", "key" -> "nn")
    refused(nodes(1 to 1).drop("_id").withColumn("f", lit(1.0)), "'f'", "label" -> "P", "key" -> "f")
    refused(nodes(1 to 1), "'_src'", "type" -> "T")
    refused(edges((1, 2)), "janitor", "type" -> "per%cent", "on-dangling" -> "allow")
    refused(nodes(1 to 1), "vector-columns", "label" -> "P", "vector-columns" -> "name")
    assert(p.keys().isEmpty, "a refused write made a namespace")
    failure[NamespaceNotFoundException](write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete"))
    write(nodes(1 to 1), p, "label" -> "P")
    refused(nodes(1 to 1).drop("_id"), "'_id'", "label" -> "P", "write-mode" -> "delete")
  }

  // One write, step by step, so that others can come in between.

  private val Schema = new StructType().add("_id", StringType).add("n", LongType)

  private def options(p: Place, o: (String, String)*) =
    WriteOptions.of((o.toMap + ("uri" -> uri(p))).asJava, _ => null)

  private def begin(p: Place, o: (String, String)*): WriteJob = {
    val w = options(p, o: _*)
    val at = OpenNamespace.at(w.location).namespace.snapshot(new SnapshotSelector.Latest)
    WriteJob.begin(w, Schema, Optional.of(at))
  }

  private def attempt(job: WriteJob, ns: Int*): TaskReport = {
    val w = new CandidateWriterFactory(job.forTasks).createWriter(0, 0)
    try {
      ns.foreach(n => w.write(InternalRow(UTF8String.fromString(id(n)), n.toLong)))
      w.commit().asInstanceOf[CandidateMessage].report
    } finally w.close()
  }

  test("others may commit between planning and publishing, but not the same keys") {
    val p = place()
    write(nodes(1 to 10), p, "label" -> "P")
    val job = begin(p, "label" -> "P", "write-mode" -> "upsert")
    val staged = attempt(job, 3, 4)
    write(nodes(20 to 21), p, "label" -> "P")
    write(nodes(5 to 5), p, "label" -> "P", "write-mode" -> "delete")
    val receipt = job.publish(java.util.List.of(staged)).get
    assert(receipt.version == 4 && receipt.base == 3)
    assert(read(p, "label" -> "P").count() == 11)

    for (other <- Seq("upsert", "delete")) {
      val late = begin(p, "label" -> "P", "write-mode" -> "upsert")
      val mine = attempt(late, 3, 30)
      write(nodes(3 to 3), p, "label" -> "P", "write-mode" -> other)
      unchanged(p) {
        val e = intercept[CommitConflictException](late.publish(java.util.List.of(mine)))
        assert(e.getMessage.contains(id(3)), e.getMessage)
      }
    }
    val insert = begin(p, "label" -> "P")
    val mine = attempt(insert, 40)
    write(nodes(40 to 40), p, "label" -> "Q")
    unchanged(p)(intercept[ValidationFailedException](insert.publish(java.util.List.of(mine))))
  }

  test("serializable: any other write of nodes is a conflict") {
    val p = place()
    write(nodes(1 to 2), p, "label" -> "P")
    val job = begin(p, "label" -> "P", "write-mode" -> "upsert", "isolation" -> "serializable")
    val mine = attempt(job, 1)
    write(nodes(9 to 9), p, "label" -> "Q")
    unchanged(p)(intercept[CommitConflictException](job.publish(java.util.List.of(mine))))
  }

  test("a second attempt of a task leaves an orphan and no row twice; nothing staged is seen before the commit") {
    val p = place()
    write(nodes(1 to 2), p, "label" -> "P")
    val job = begin(p, "label" -> "P")
    val first = attempt(job, 3, 4)
    val second = attempt(job, 3, 4)
    assert(first.files.asScala.map(_.sst.path).intersect(second.files.asScala.map(_.sst.path)).isEmpty)
    assert(read(p, "label" -> "P").count() == 2)
    job.publish(java.util.List.of(second))
    assert(rows(read(p, "label" -> "P").select("_id")) == (1 to 4).map(n => Seq(id(n))).toSet)
    assert(read(p, "metadata" -> "ssts").count() == 2)
  }

  test("rows written twice while as many were lost are found") {
    val p = place()
    write(nodes(1 to 2), p, "label" -> "P")
    val job = begin(p, "label" -> "P")
    val messages = java.util.List.of(attempt(job, 3, 6), attempt(job, 4, 6))
    val e = intercept[ValidationFailedException](job.publish(messages))
    assert(e.getMessage.contains(id(6)) && e.getMessage.contains("twice"), e.getMessage)
  }

  test("abort: before publishing own files go, afterwards none") {
    val p = place()
    write(nodes(1 to 2), p, "label" -> "P")
    val w = options(p, "label" -> "P")
    def batch() = new NamiBatchWrite(w, Schema,
      Optional.of(OpenNamespace.at(w.location).namespace.snapshot(new SnapshotSelector.Latest)), _ => ())
    def task(b: NamiBatchWrite, n: Int) = {
      val writer = b.createBatchWriterFactory(null).createWriter(0, 0)
      writer.write(InternalRow(UTF8String.fromString(id(n)), n.toLong))
      try writer.commit() finally writer.close()
    }
    val before = staged(p).toSet
    val failed = batch()
    val message = task(failed, 7)
    assert(staged(p).toSet != before)
    failed.abort(Array(message, null))
    assert(staged(p).toSet == before)

    val clash = batch()
    val kept = task(clash, 1)
    intercept[ValidationFailedException](clash.commit(Array(kept)))
    val files = staged(p).toSet
    clash.abort(Array(kept))
    assert(staged(p).toSet == files && files != before)

    val good = batch()
    val seen = task(good, 8)
    good.commit(Array(seen), null)
    good.abort(Array(seen))
    assert(read(p, "label" -> "P").where(col("_id") === id(8)).count() == 1)
    assert(!good.useCommitCoordinator)
  }

  test("a reader of a new label with a schema of its own gets the read's error") {
    val p = place()
    write(nodes(1 to 2), p, "label" -> "P")
    val df = spark.read.format("namidb").schema("name STRING").option("label", "Q").load(uri(p))
    assert(failure[InvalidOptionException](df.collect()).getMessage.contains("'Q'"))
  }
}
