package com.namidb.spark.write

import com.namidb.format.error._
import com.namidb.format.stage.{JobPhase, StagedJob}
import com.namidb.spark.{Place, Places}
import com.namidb.spark.job.Jobs
import com.namidb.spark.options.OpenNamespace
import com.namidb.spark.options.WriteOptions
import org.apache.spark.sql.functions._
import org.apache.spark.sql.{DataFrame, Row, SaveMode}

import java.time.Clock
import scala.jdk.CollectionConverters._
import scala.util.Random

class NamedModesSuite extends NamedModesTests(Places.Local)

/** Whatever an unnamed write does, one with a job id does once: patches, overwrites, detaching, quarantine. */
class NamedModesTests(override val places: Places) extends Writing {
  override def conf: Map[String, String] = super.conf ++ tiny

  private type Options = Seq[(String, String)]

  /** A write, the rows it has, and what its kind of foreign commit is that makes its staged files wrong. */
  private case class Kind(name: String, df: DataFrame, mode: SaveMode, options: Options, after: Place => Unit, harmless: Place => Unit,
      harm: Place => Unit, again: Place => Unit) {
    def run(p: Place, rows: DataFrame = df): Unit = save(rows, uri(p), mode, options :+ ("job-id" -> "j"): _*)
    def overwrites: Boolean = mode == SaveMode.Overwrite
  }

  private val Patch = "write-mode" -> "patch"
  private val Delete = "write-mode" -> "delete"
  private val Detach = "on-incident-edges" -> "detach"
  private val named = Node.fieldNames.take(2).toSeq

  private def start(): Place = {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    write(edges((1, 2), (2, 3), (5, 5)), p, "type" -> "T")
    p
  }

  private def names(p: Place): Map[Int, String] =
    read(p, "label" -> "P").select("_id", "name").collect().map(r => Integer.parseInt(r.getString(0).takeRight(12), 16) -> r.getString(1)).toMap

  private def old(gone: Int*) = (1 to 6).filterNot(gone.contains).map(n => n -> s"v$n").toMap

  private def foreignNode(p: Place): Unit = write(nodes(Seq(20)), p, "label" -> "P")
  private def foreignEdge(p: Place): Unit = write(edges((6, 1)), p, "type" -> "U")
  private def change(n: Int)(p: Place): Unit = write(nodes(Seq(n), "theirs"), p, "label" -> "P", "write-mode" -> "upsert")

  private val kinds = Seq(
    Kind("patch", nodes(1 to 3, "new").select(named.map(col): _*), SaveMode.Append, Seq("label" -> "P", Patch),
      p => {
        assert(names(p) == old() ++ Map(1 -> "new1", 2 -> "new2", 3 -> "new3"))
        assert(read(p, "label" -> "P").where("n is null").isEmpty)
      },
      foreignEdge, change(2), p => assert(names(p) == old() ++ Map(1 -> "new1", 2 -> "new2", 3 -> "new3"))),
    Kind("patch, snapshot", nodes(1 to 3, "new").select(named.map(col): _*), SaveMode.Append, Seq("label" -> "P", Patch, "isolation" -> "snapshot"),
      p => assert(names(p) - 20 == old() ++ Map(1 -> "new1", 2 -> "new2", 3 -> "new3")),
      foreignNode, change(2), p => assert(names(p) - 20 == old() ++ Map(1 -> "new1", 2 -> "new2", 3 -> "new3"))),
    Kind("overwrite", nodes(Seq(1, 2, 9), "o"), SaveMode.Overwrite, Seq("label" -> "P", Detach, "isolation" -> "snapshot"),
      p => assert(names(p) - 20 == Map(1 -> "o1", 2 -> "o2", 9 -> "o9") && pairs(p, "T") == Set((1, 2))),
      foreignNode, change(5), p => assert(names(p) - 20 == Map(1 -> "o1", 2 -> "o2", 9 -> "o9") && pairs(p, "T") == Set((1, 2)))),
    Kind("overwrite, serializable", nodes(Nil), SaveMode.Overwrite, Seq("label" -> "P", "on-incident-edges" -> "leave"),
      p => assert(read(p, "label" -> "*").isEmpty && pairs(p, "T").size == 3),
      foreignEdge, foreignNode, p => assert(read(p, "label" -> "*").isEmpty)),
    Kind("overwrite of edges", edges((3, 4)), SaveMode.Overwrite, Seq("type" -> "T"),
      p => assert(pairs(p, "T") == Set((3, 4))),
      foreignNode, p => write(edges((6, 6)), p, "type" -> "T"), p => assert(pairs(p, "T") == Set((3, 4)))),
    Kind("detach", ids(2, 5), SaveMode.Append, Seq("label" -> "P", Delete, Detach),
      p => assert(names(p) - 20 == old(2, 5) && pairs(p, "T").isEmpty),
      foreignNode, p => write(edges((4, 5)), p, "type" -> "U"), p => assert(names(p) == old(2, 5) && pairs(p, "U").isEmpty)),
    Kind("dangling edges aside", edges((3, 4), (4, 77)), SaveMode.Append, Seq("type" -> "T", "on-dangling" -> "quarantine"),
      p => assert(pairs(p, "T") == Set((1, 2), (2, 3), (5, 5), (3, 4)) && aside(p) == Map("the destination missing" -> 1L)),
      foreignNode, p => write(edges((3, 4)), p, "type" -> "T"), p => fail("the edge exists"))
  )

  private def jobs(p: Place) = Jobs.at(java.util.Map.of("uri", uri(p)))

  private def phase(p: Place): JobPhase = jobs(p).staged().asScala.find(_.name == "j").get.phase

  /** What the receipt and the quarantine folder say, which must be the same. */
  private def aside(p: Place): Map[String, Long] = {
    val report = jobs(p).publish("j").quarantine
    val folder = "g/bulk/j/quarantine/"
    if (p.keys(folder).nonEmpty) assert(spark.read.parquet(p.fetched(folder)).count() == report.rows)
    else assert(report.rows == 0)
    report.reasons.asScala.map { case (k, v) => k -> v.longValue }.toMap
  }

  /** Leases of reads that ended go a little later. */
  private def objects(p: Place): Set[(String, Long)] =
    p.metas().filterNot(_.key.contains("/pins/")).map(m => m.key -> m.modifiedMillis).toSet

  /** Rows nobody may compute. */
  private def untouchable(df: DataFrame): DataFrame = {
    val touch = udf { (s: String) => if (s != null) throw new IllegalStateException("the rows were computed"); s }.asNondeterministic()
    val rdd = spark.createDataFrame(spark.sparkContext.parallelize(nodes(1 to 2).collect().toSeq, 2), Node)
    rdd.select(df.schema.fields.map(f => touch(col("name")).cast(f.dataType).as(f.name)).toSeq: _*)
  }

  /** The job as a driver leaves it that dies after sealing it. */
  private def leave(k: Kind, p: Place): Unit = {
    val options = k.options :+ ("job-id" -> "j")
    val job = begin(p, k.df.schema, k.overwrites, options: _*)
    job.stage(java.util.List.of(attempt(job, k.df.collect().map(_.toSeq).toSeq: _*)))
    val at = OpenNamespace.at(WriteOptions.of((options.toMap + ("uri" -> uri(p))).asJava, _ => null, k.overwrites).location)
    StagedJob.find(at.location.paths, at.store, "j", Clock.systemUTC).get.seal()
    assert(phase(p) == JobPhase.SEALED)
  }

  for (k <- kinds) {
    test(s"${k.name}: once, however often it runs") {
      val p = start()
      k.run(p)
      k.after(p)
      val (v, before) = (version(p), objects(p))
      k.run(p, untouchable(k.df))
      assert(version(p) == v && v == 3 && objects(p) == before)
    }

    test(s"${k.name}: what a dead driver had sealed is published if it still is right") {
      val p = start()
      leave(k, p)
      k.harmless(p)
      val v = version(p)
      k.run(p, untouchable(k.df))
      assert(version(p) == v + 1 && phase(p) == JobPhase.PUBLISHED)
      k.after(p)
    }

    test(s"${k.name}: else it is given up, and the next run computes it on what is there then") {
      val p = start()
      leave(k, p)
      k.harm(p)
      unchanged(p) {
        val e = intercept[Exception](k.run(p, untouchable(k.df)))
        assert(causes(e).exists(c => c.isInstanceOf[CommitConflictException] || c.isInstanceOf[ValidationFailedException]), e)
      }
      assert(phase(p) == JobPhase.DISCARDED)
      if (k.name.startsWith("dangling")) failure[ValidationFailedException](k.run(p))
      else {
        k.run(p)
        k.again(p)
      }
    }
  }

  private def causes(e: Throwable): Seq[Throwable] = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).toSeq

  test("rows found to be bad after staging are set aside, also by the driver that publishes what another one sealed") {
    val twice = frame(Node, Row(id(10), "a", 1L), Row(id(12).toUpperCase, "b", 2L), Row(id(12), "c", 3L), Row(null, "d", 4L))
    for (dead <- Seq(false, true)) {
      val p = start()
      val k = Kind("twice", twice, SaveMode.Append, Seq("label" -> "P", "on-invalid" -> "quarantine", "write-mode" -> "upsert"), _ => (), _ => (), _ => (), _ => ())
      if (dead) {
        val options = k.options :+ ("job-id" -> "j")
        val job = begin(p, Node, false, options: _*)
        // Two tasks, each with one spelling.
        val rows = twice.collect().map(_.toSeq).toSeq
        job.stage(java.util.List.of(attempt(job, rows.take(2): _*), attempt(job, rows.drop(2): _*)))
        val at = OpenNamespace.at(WriteOptions.of((options.toMap + ("uri" -> uri(p))).asJava, _ => null).location)
        StagedJob.find(at.location.paths, at.store, "j", Clock.systemUTC).get.seal()
      }
      k.run(p, if (dead) untouchable(twice) else twice.repartition(4))
      assert(names(p) == old() + (10 -> "a"))
      assert(aside(p).values.sum == 3, aside(p))
      assert(p.keys("g/bulk/j/rows/").isEmpty)
      val before = objects(p)
      k.run(p, untouchable(twice))
      assert(objects(p) == before)
    }
  }

  test("a job all of whose rows are set aside is committed without change, so that its rerun finds a receipt") {
    val p = start()
    val k = Kind("none", edges((3, 77)), SaveMode.Append, Seq("type" -> "T", "on-dangling" -> "quarantine"), _ => (), _ => (), _ => (), _ => ())
    k.run(p)
    assert(version(p) == 3 && pairs(p, "T").size == 3 && aside(p).values.sum == 1)
    k.run(p, untouchable(k.df))
    assert(version(p) == 3)
  }

  test("random writes under job ids, each run twice, against a model") {
    val seed = new Random().nextInt(1 << 30)
    val r = new Random(seed)
    val p = place()
    var live = (1 to 20).map(n => n -> s"v$n").toMap
    var tied = Set((1, 2))
    write(nodes(1 to 20), p, "label" -> "P")
    write(edges((1, 2)), p, "type" -> "T")
    def some(ns: Iterable[Int]) = r.shuffle(ns.toList).take(1 + r.nextInt(6))
    def ends() = Seq.fill(1 + r.nextInt(8))((1 + r.nextInt(30), 1 + r.nextInt(30))).distinct
    def apart(df: DataFrame) = df.repartition(1 + r.nextInt(3))
    for (step <- 1 to 12) {
      val id = "job-id" -> s"job-$step"
      val clue = s"seed $seed step $step"
      val isolation = "isolation" -> Seq("snapshot", "serializable")(r.nextInt(2))
      val write: () => Unit = r.nextInt(5) match {
        case 0 if live.nonEmpty =>
          val ns = some(live.keys)
          live ++= ns.map(n => n -> s"p$step.$n")
          () => save(apart(nodes(ns, s"p$step.").drop("n")), uri(p), SaveMode.Append, "label" -> "P", Patch, id, isolation)
        case 1 if live.nonEmpty =>
          val ns = some(live.keys)
          live --= ns
          tied = tied.filter { case (a, b) => live.contains(a) && live.contains(b) }
          () => save(apart(ids(ns: _*)), uri(p), SaveMode.Append, "label" -> "P", Delete, Detach, id, isolation)
        case 2 =>
          val ns = some(1 to 30) ++ live.keys.filter(_ => r.nextInt(4) > 0)
          live = ns.map(n => n -> s"o$step.$n").toMap
          tied = tied.filter { case (a, b) => live.contains(a) && live.contains(b) }
          () => save(apart(nodes(ns.distinct, s"o$step.")), uri(p), SaveMode.Overwrite, "label" -> "P", Detach, id, isolation)
        case 3 =>
          val es = ends()
          val whole = r.nextInt(3) == 0
          val good = es.filter { case (a, b) => live.contains(a) && live.contains(b) }
          tied = (if (whole) Set.empty[(Int, Int)] else tied) ++ good
          val mode = if (whole) SaveMode.Overwrite else SaveMode.Append
          () => save(apart(edges(es: _*)), uri(p), mode, Seq("type" -> "T", "on-dangling" -> "quarantine", id, isolation) ++
            Seq("write-mode" -> "upsert").filter(_ => !whole): _*)
        case _ =>
          val ns = some(1 to 30)
          val bad = some(1 to 30).take(2).filterNot(ns.contains)
          live ++= ns.map(n => n -> s"u$step.$n")
          val df = nodes(ns, s"u$step.").union(nodes(bad, "x")).union(nodes(bad, "y").withColumn("_id", upper(col("_id"))))
          () => save(apart(df), uri(p), SaveMode.Append, "label" -> "P", "write-mode" -> "upsert", "on-invalid" -> "quarantine", id, isolation)
      }
      write()
      val v = version(p)
      write()
      assert(version(p) == v && v == step + 2, clue)
      assert(names(p) == live, clue)
      assert(pairs(p, "T") == tied, clue)
    }
  }
}
