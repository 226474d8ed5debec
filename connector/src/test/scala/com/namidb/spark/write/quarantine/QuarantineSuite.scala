package com.namidb.spark.write.quarantine

import com.namidb.format.commit.CommitReceipt
import com.namidb.format.error._
import com.namidb.spark.{Place, Places, SparkSuite}
import com.namidb.spark.engine.ChildJvm
import com.namidb.spark.options.{OpenNamespace, WriteOptions}
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory, TaskReport}
import com.namidb.format.snapshot.SnapshotSelector
import com.namidb.format.store.TempDirs
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}

import java.nio.file.Files
import java.sql.Date
import java.util.Optional
import scala.jdk.CollectionConverters._

/** Rows that cannot be stored are set aside as they came, and the rest is committed. */
trait QuarantineFixture extends SparkSuite {
  /** Locally in a folder whose name means something in URIs. */
  def place(): Place =
    if (places.bucket) places.fresh() else Place.of(Files.createDirectory(TempDirs.lasting("quarantine-").resolve("a b+c")))

  def write(df: DataFrame, p: Place, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode("append").save(p.uri())

  def read(p: Place, options: (String, String)*): DataFrame =
    spark.read.format("namidb").options(options.toMap).load(p.uri())

  def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"

  def frame(schema: StructType, rows: Row*): DataFrame = spark.createDataFrame(rows.asJava, schema)

  def version(p: Place): Long = read(p, "metadata" -> "snapshots").agg(max("version")).head().getLong(0)

  /** What a job left, or wrote. */
  case class Job(place: Place, folder: String) {
    def keys(under: String = ""): Seq[String] = place.keys(folder + under)
  }

  def jobs(p: Place): Set[Job] = p.keys("g/bulk/").map(k => Job(p, k.split('/').take(3).mkString("", "/", "/"))).toSet

  /** Writes, and gives what the job that did it left. */
  def job(p: Place)(body: => Unit): Job = {
    val before = jobs(p)
    body
    val more = jobs(p) -- before
    assert(more.size == 1, more)
    more.head
  }

  def aside(job: Job): DataFrame = spark.read.parquet(job.place.fetched(job.folder + "quarantine/"))

  def receipt(job: Job): CommitReceipt = CommitReceipt.parse("receipt", job.place.bytes(job.folder + "receipt.json"))

  /** Rows as values that compare, with how often each is there. */
  def multiset(df: DataFrame): Map[Seq[Any], Int] = {
    def plain(v: Any): Any = v match {
      case b: Array[Byte] => b.toSeq
      case r: Row => r.toSeq.map(plain)
      case s: collection.Seq[_] => s.map(plain).toList
      case m: collection.Map[_, _] => m.map { case (k, x) => plain(k) -> plain(x) }.toMap
      case d: Double => java.lang.Double.doubleToLongBits(d)
      case f: Float => java.lang.Float.floatToIntBits(f)
      case x => x
    }
    df.collect().map(_.toSeq.map(plain)).groupBy(identity).map { case (k, v) => k -> v.length }
  }

  /** The receipt balances, the folder holds what it lists, and nothing that only served the job is left. */
  def balanced(df: DataFrame, job: Job, quarantined: Long): CommitReceipt = {
    val r = receipt(job)
    assert(r.balance.holds && r.balance.source == df.count() && r.balance.quarantined == quarantined)
    assert(r.quarantine.rows == quarantined)
    assert(r.quarantine.reasons.asScala.values.map(_.longValue).sum == quarantined)
    val files = job.keys("quarantine/").map(_.split('/').last).sorted
    assert(files == r.quarantine.files.asScala.map(_.path.split('/').last).toSeq.sorted)
    assert(job.keys("rows/").isEmpty)
    val staged = job.keys().filter(k => k.drop(job.folder.length).matches("[^/]*\\.(parquet|csr)"))
    assert(staged.size == r.files.size + r.folded.size, "replaced candidates stay behind")
    r
  }
}

class QuarantineSuite extends QuarantineTests(Places.Local)

class SingleObjectBucketQuarantineSuite extends QuarantineTests(Places.SingleObjectBucket)

class QuarantineTests(override val places: Places) extends QuarantineFixture {
  private val On = "on-invalid" -> "quarantine"

  private val Wide = new StructType().add("_id", StringType).add("_labels", ArrayType(StringType)).add("name", StringType)
    .add("x", DoubleType).add("v", ArrayType(FloatType)).add("big", ArrayType(DoubleType)).add("day", DateType)
    .add("deep", MapType(StringType, StringType)).add("raw", BinaryType)
    .add("rec", new StructType().add("a", IntegerType).add("b", ArrayType(StringType))).add("f", FloatType).add("b", BooleanType)
    .add("t", TimestampType).add("sh", ShortType)

  private def wide(n: Int, id: Any): Array[Any] = Array[Any](id, Seq("P"), s"n$n", n * 0.5, Seq(1f, 2f), Seq(1.0), Date.valueOf("2026-11-30"),
    Map("k" -> "v"), Array[Byte](1, n.toByte), Row(n, Seq("x", null)), 1.5f, true, java.sql.Timestamp.valueOf("2026-11-30 01:02:03"), n.toShort)

  private def but(n: Int, change: (Int, Any)*): Row = {
    val r = wide(n, id(n))
    change.foreach { case (i, v) => r(i) = v }
    Row.fromSeq(r.toSeq)
  }

  /** Bytes that are no text, as a cell of type string. */
  private def badText(df: DataFrame, column: String, n: Int): DataFrame =
    df.withColumn(column, when(col("sh") === n.toShort, expr("cast(X'C328' as string)")).otherwise(col(column)))

  private def wrong: Seq[(String, Row)] = Seq(
    "column '_id' is null" -> but(200, 0 -> null),
    "column '_id' holds no UUID" -> but(201, 0 -> "nonsense"),
    "_labels lacks the label 'P'" -> but(202, 1 -> Seq("Q")),
    "_labels holds a null" -> but(203, 1 -> Seq("P", null)),
    "_labels holds an empty name" -> but(204, 1 -> Seq("P", "")),
    "'x': not finite" -> but(205, 3 -> Double.NaN),
    "'x': not finite" -> but(206, 3 -> Double.NegativeInfinity),
    "'f': not finite" -> but(207, 10 -> Float.PositiveInfinity),
    "'v': a vector with a null component" -> but(208, 4 -> Seq(1f, null)),
    "'v': not finite" -> but(209, 4 -> Seq(1f, Float.NaN)),
    "'big': not finite" -> but(210, 5 -> Seq(1e39)),
    "'day': date range" -> but(211, 6 -> Date.valueOf("0001-01-01").toLocalDate.minusDays(400)),
    "'deep': key length" -> but(212, 7 -> Map("k" * 1025 -> "v")))

  private def input: DataFrame = {
    val fixed = wrong.map(_._2).map(r => if (r.get(6).isInstanceOf[java.time.LocalDate]) Row.fromSeq(r.toSeq.updated(6, null)) else r)
    val good = (1 to 60).map(n => but(n))
    val twice = Seq(but(90), but(90, 2 -> "other"), but(91), but(91), but(91))
    val df = frame(Wide, good ++ fixed ++ twice ++ Seq(but(213)): _*)
    val dated = df.withColumn("day", when(col("sh") === 211, expr("date_from_unix_date(-800000)"))
      .when(col("sh") === 1, lit(Date.valueOf("1400-02-03"))).otherwise(col("day")))
    badText(dated, "name", 213)
  }

  test("every reason sets its row aside as it came, and the rest is committed") {
    val p = place()
    val df = input.repartition(3).cache()
    val folder = job(p)(write(df, p, "label" -> "P", On, "vector-columns" -> "big"))
    val r = balanced(df, folder, 13 + 1 + 5)
    val q = aside(folder)
    assert(q.columns.toSeq == df.columns.toSeq ++ Seq("_reason", "_key"))
    assert(q.schema.fields.take(df.columns.length).map(f => f.name -> f.dataType.sql.replace(" NOT NULL", "")).toSeq ==
      df.schema.fields.map(f => f.name -> f.dataType.sql.replace(" NOT NULL", "")).toSeq)
    // Nothing is lost and nothing is there twice.
    val stored = read(p, "label" -> "P").select("_id").collect().map(_.getString(0)).toSet
    assert(stored == (1 to 60).map(id).toSet)
    assert(multiset(q.drop("_reason", "_key").union(df.where(col("_id").isin(stored.toSeq: _*)))) == multiset(df))
    val reasons = q.select("sh", "_reason", "_key").collect().map(x => x.getShort(0).toInt -> (x.getString(1), x.getString(2))).toMap
    for ((word, row) <- wrong) assert(r.quarantine.reasons.asScala.keys.exists(_.contains(word)), word)
    assert(reasons(213)._1.contains("UTF-8") && reasons(205)._1.contains("NaN") && reasons(201)._1.contains("nonsense"))
    assert(reasons(90)._1.contains("twice") && reasons(205)._2 == s"node ${id(205)}" && reasons(200)._2 == "a node without id")
    assert(r.quarantine.reasons.get("it is in the job twice") == 5)
    assert(r.version == 1 && version(p) == 1)
    df.unpersist()
  }

  test("read the folder, correct the rows, write them again") {
    val p = place()
    val folder = job(p)(write(input, p, "label" -> "P", On, "vector-columns" -> "big"))
    val fixed = aside(folder).drop("_reason", "_key").dropDuplicates("sh")
      .withColumn("_id", concat(lit("00000000-0000-0000-0000-"), lpad(lower(hex(col("sh"))), 12, "0")))
      .withColumn("_labels", array(lit("P"))).withColumn("x", lit(0.0)).withColumn("f", lit(0f)).withColumn("v", lit(null).cast("array<float>"))
      .withColumn("big", lit(null).cast("array<double>")).withColumn("day", lit(null).cast("date"))
      .withColumn("deep", lit(null).cast("map<string,string>")).withColumn("name", concat(lit("fixed"), col("sh")))
    val again = job(p)(write(fixed, p, "label" -> "P", On))
    balanced(fixed, again, 0)
    assert(read(p, "label" -> "P").count() == 60 + 16)
    assert(read(p, "label" -> "P").where(s"_id = '${id(205)}'").select("name").head().getString(0) == "fixed205")
  }

  test("the example of docs/writing.md") {
    val p = place()
    val people = frame(new StructType().add("_id", StringType).add("name", StringType),
      (1 to 8).map(n => Row(id(n), s"n$n")) ++ Seq(Row(s" ${id(171)} ".toUpperCase, "a"), Row(s"${id(172)} ", "b")): _*)
    val folder = job(p)(write(people, p, "label" -> "Person", On))
    val bad = aside(folder)
    assert(bad.groupBy("_reason").count().count() == 2)
    val fixed = bad.drop("_reason", "_key").withColumn("_id", lower(trim(col("_id"))))
    write(fixed, p, "label" -> "Person")
    assert(ids(read(p, "label" -> "Person")) == ((1 to 8) ++ Seq(171, 172)).map(id))
  }

  test("a duplicate that another task has, in another spelling, is set aside too") {
    val p = place()
    val s = new StructType().add("_id", StringType).add("n", IntegerType)
    def at(n: Int) = f"ab000000-0000-0000-0000-$n%012x"
    val rows = (0 until 200).map(n => Row(at(n), n)) ++ Seq(Row(at(5).toUpperCase, 1005), Row(at(7), 1007), Row(at(7).toUpperCase, 2007),
      Row(s"{${at(9)}}", 1009), Row(at(11), 1011))
    val df = frame(s, rows: _*).repartition(4)
    val folder = job(p)(write(df, p, "label" -> "P", On))
    balanced(df, folder, 2 + 3 + 2 + 2)
    assert(aside(folder).select("n").collect().map(_.getInt(0)).toSet == Set(5, 1005, 7, 1007, 2007, 9, 1009, 11, 1011))
    assert(read(p, "label" -> "P").count() == 196)
  }

  test("edges: ids, keys and duplicates") {
    val p = place()
    write(frame(new StructType().add("_id", StringType), (1 to 9).map(n => Row(id(n))): _*), p, "label" -> "P")
    val s = new StructType().add("_src", StringType).add("_dst", StringType).add("w", DoubleType)
    val df = frame(s, Row(id(1), id(2), 1.0), Row(null, id(2), 2.0), Row(id(1), null, 3.0), Row("x", id(1), 4.0), Row(id(3), id(4), Double.NaN),
      Row(id(5), id(6), 6.0), Row(id(5), id(6), 7.0), Row(id(5), id(7), 8.0))
    val folder = job(p)(write(df, p, "type" -> "T", On))
    balanced(df, folder, 6)
    assert(read(p, "type" -> "T").select("w").collect().map(_.getDouble(0)).toSet == Set(1.0, 8.0))
    val keys = aside(folder).select("w", "_key").collect().map(r => r.getDouble(0) -> r.getString(1)).toMap
    assert(keys(2.0) == "an edge without source" && keys(3.0) == s"an edge of ${id(1)} without destination")
    assert(keys(7.0) == s"edge ${id(5)} -> ${id(6)}")

    val derived = frame(new StructType().add("a", StringType).add("b", IntegerType), Row("x", 1), Row(null, 1), Row("x", null), Row("y", 1), Row("y", 1))
    val o = Seq("type" -> "K", "src-key" -> "a", "src-label" -> "P", "dst-key" -> "b", "dst-label" -> "Q", "on-dangling" -> "allow", On)
    val keyed = job(p)(write(derived, p, o: _*))
    assert(balanced(derived, keyed, 4).quarantine.reasons.asScala.keySet ==
      Set("key column 'a' is null", "key column 'b' is null", "it is in the job twice"))
  }

  test("deletes and binary ids") {
    val p = place()
    write(frame(new StructType().add("_id", StringType), (1 to 9).map(n => Row(id(n))): _*), p, "label" -> "P")
    val s = new StructType().add("_id", BinaryType).add("note", StringType)
    def b(n: Int) = com.namidb.format.id.NodeId.parse(id(n)).toBytes
    val df = frame(s, Row(b(1), "a"), Row(Array[Byte](1, 2), "b"), Row(null, "c"), Row(b(2), "d"), Row(b(2), "e"))
    val folder = job(p)(write(df, p, "label" -> "P", On, "write-mode" -> "delete"))
    balanced(df, folder, 4)
    assert(aside(folder).select("note").collect().map(_.getString(0)).toSet == Set("b", "c", "d", "e"))
    assert(ids(read(p, "label" -> "P")) == (2 to 9).map(id))
  }

  test("if every row is set aside nothing is committed, and the rows are there") {
    val p = place()
    val s = new StructType().add("_id", StringType).add("n", IntegerType)
    write(frame(s, Row(id(1), 1)), p, "label" -> "P")
    val before = version(p)
    val folder = job(p)(write(frame(s, Row(null, 1), Row("x", 2), Row(id(3), 3), Row(id(3), 4)), p, "label" -> "P", On))
    assert(version(p) == before && aside(folder).count() == 4)
    failure[ValidationFailedException](write(frame(s, Row(null, 1)), p, "label" -> "P", On, "expected-rows" -> "1"))
  }

  test("columns a quarantine file cannot hold are refused when the write is planned") {
    val p = place()
    val df = frame(new StructType().add("_id", StringType), Row(id(1)))
    for ((c, n) <- Seq(lit(null) -> "v", expr("named_struct('a', null)") -> "s", lit("x") -> "_reason", lit("x") -> "_key")) {
      val e = failure[InvalidOptionException](write(df.withColumn(n, c), p, "label" -> "P", On))
      assert(e.getMessage.contains(s"'$n'") && e.getMessage.contains("uarantine"), e.getMessage)
    }
    assert(p.keys().isEmpty)
    val deleted = df.withColumn("i", expr("interval 1 month"))
    write(df, p, "label" -> "P")
    failure[InvalidOptionException](write(deleted, p, "label" -> "P", "write-mode" -> "delete", On))
    write(deleted, p, "label" -> "P", "write-mode" -> "delete")
  }

  test("rows are missing or counted twice: nothing is published") {
    val p = place()
    val s = new StructType().add("_id", StringType).add("n", LongType)
    write(frame(s, Row(id(1), 1L)), p, "label" -> "P")
    val before = version(p)
    val w = WriteOptions.of(Map("uri" -> p.uri(), "label" -> "P", On).asJava, _ => null)
    def begin() = WriteJob.begin(w, s, Optional.of(OpenNamespace.at(w.location).namespace.snapshot(new SnapshotSelector.Latest)))
    def staged(j: WriteJob) = {
      val t = new CandidateWriterFactory(j.forTasks).createWriter(0, 0)
      try {
        for (x <- Seq(id(2), "x"))
          t.write(org.apache.spark.sql.catalyst.InternalRow(org.apache.spark.unsafe.types.UTF8String.fromString(x), 1L))
        t.commit().asInstanceOf[CandidateMessage].report
      } finally t.close()
    }
    for (wrong <- Seq[com.namidb.format.stage.Balance => com.namidb.format.stage.Balance](
        b => new com.namidb.format.stage.Balance(b.source, b.accepted, b.quarantined - 1),
        b => new com.namidb.format.stage.Balance(b.source + 1, b.accepted, b.quarantined))) {
      val j = begin()
      val t = staged(j)
      failure[ValidationFailedException](j.publish(java.util.List.of(new TaskReport(t.files, wrong(t.balance), t.accepted, t.quarantine, t.kept))))
      val k = begin()
      val u = staged(k)
      failure[ValidationFailedException](k.publish(java.util.List.of(
        new TaskReport(java.util.List.of, wrong(new com.namidb.format.stage.Balance(1, 0, 1)), u.accepted.minus(u.accepted), u.quarantine, java.util.List.of))))
    }
    assert(version(p) == before)
    val j = begin()
    val lost = staged(j)
    assert(j.publish(java.util.List.of(staged(j))).get.balance.quarantined == 1)
    // What the lost attempt had set aside is not in the folder.
    assert(p.keys("g/bulk/").exists(_.contains("/quarantine/")) && !p.exists("g/" + lost.quarantine.files.get(0).path))
  }

  test("values above the engine's limits") {
    val p = place()
    val deep = (1 to 34).foldLeft(lit(1L))((c, _) => array(c))
    val df = spark.range(4).select(concat(lit("00000000-0000-0000-0000-00000000000"), col("id")).as("_id"), col("id").as("n"),
      when(col("id") === 1, deep).as("deep"), when(col("id") === 2, expr("sequence(1, 1000000)")).as("many"))
    val folder = job(p)(write(df, p, "label" -> "P", On))
    val reasons = balanced(df, folder, 2).quarantine.reasons.asScala.keySet
    assert(reasons == Set("property 'deep': nesting", "property 'many': elements"))
    assert(aside(folder).where("size(many) = 1000000").count() == 1 && read(p, "label" -> "P").count() == 2)
  }

  test("tasks that are lost and run again set nothing aside twice, whatever serialises") {
    val p = place()
    val out = ChildJvm.run("com.namidb.spark.write.quarantine.RetriedQuarantine", Seq("-Xmx1g"), p.environment, p.uri())
    assert(out.contains("the task is lost"))
    val live = (0 until 200).filter(_ % 10 != 3).toSet
    val whole = (0 until 200).filter(n => live(n) && live(n / 2))
    assert(out.contains(s"nodes=${live.size}") && out.contains(s"edges=${whole.size}"), out.takeRight(2000))
    val done = jobs(p).map(j => receipt(j) -> j).toSeq.sortBy(_._1.version)
    for (((r, folder), wrong) <- done.zip(Seq(20, 200 - whole.size))) {
      assert(r.balance.holds && r.balance.source == 200 && r.balance.quarantined == wrong && r.quarantine.rows == wrong)
      assert(aside(folder).count() == wrong && aside(folder).select("n").distinct().count() == wrong)
    }
  }
}
