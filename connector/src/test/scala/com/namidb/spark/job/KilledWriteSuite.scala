package com.namidb.spark.job

import java.nio.file.Path

import scala.jdk.CollectionConverters._

import com.namidb.format.KilledJvm
import com.namidb.format.commit.Verdict
import com.namidb.format.stage.JobPhase
import com.namidb.format.store.TempDirs
import com.namidb.spark.Place
import org.apache.spark.sql.functions._

/** A driver is killed in the middle of writes with a job id; another one runs them again. */
class KilledWriteSuite extends JobFixture {
  override def conf: Map[String, String] = super.conf ++ tiny

  private val old = (1 to 5).map(n => s"v$n")

  /** Names of the nodes and number of edges that each kind leaves. */
  private val after = Map(
    "insert" -> ((1 to 25).map(n => s"v$n"), 2), "patch" -> ((1 to 4).map(n => s"new$n") :+ "v5", 2),
    "overwrite" -> ((2 to 6).map(n => s"o$n"), 1), "detach" -> (Seq("v5"), 0), "dangling" -> (old, 3))

  /** One driver that dies over all of them. */
  private lazy val root: Path = {
    import spark.implicits._
    val dir = TempDirs.lasting("killed-")
    val first = Place.of(dir.resolve("first"))
    write((1 to 5).map(n => (n.toString, s"v$n")).toDF("k", "name"), first, "label" -> "P", "key" -> "k")
    write(Seq("1" -> "2", "2" -> "3").toDF("a", "b"), first, "type" -> "T", "src-key" -> "a", "src-label" -> "P", "dst-key" -> "b", "dst-label" -> "P")
    for ((phase, kind) <- KilledWrite.Stops) first.copyTo(Place.of(KilledWrite.place(dir, phase, kind)))
    KilledJvm.kill("com.namidb.spark.job.KilledWrite", Seq("-Xmx1g"), dir.toString)
    dir
  }

  // While rows are staged: computed again. Between staging and publishing: the staged rows are published.
  for ((name, kind) <- KilledWrite.Stops; phase = JobPhase.valueOf(name); computed = phase == JobPhase.OPEN)
    test(s"killed while its job is $phase: the rerun ${if (computed) "computes" else "publishes"} its rows, once ($kind)") {
      val p = Place.of(KilledWrite.place(root, name, kind))
      assert(version(p) == 2 && names(p, "P") == old && pairs(p, "T").size == 2)
      val left = jobs(p).staged().asScala.toSeq
      assert(left.map(s => (s.name, s.isStage, s.phase)) == Seq((KilledWrite.Job, false, phase)))
      assert(jobs(p).verifyCommit(KilledWrite.Job).isInstanceOf[Verdict.NotCommitted])

      val seen = spark.sparkContext.longAccumulator
      val touch = udf { (s: String) => seen.add(1); s }.asNondeterministic()
      val k = KilledWrite.Kinds(kind)
      val rows = spark.createDataFrame(spark.sparkContext.parallelize(k.rows, 2)).toDF("c1", "c2")
      val touched = rows.select(k.columns.zipWithIndex.map { case (c, i) => touch(col(s"c${i + 1}")).as(c) }: _*)
      for (_ <- 1 to 2) KilledWrite.write(touched, p.dir, kind)
      assert((seen.value > 0) == computed)
      assert(version(p) == 3 && names(p, "P") == after(kind)._1.sorted && pairs(p, "T").size == after(kind)._2)
      assert(jobs(p).verifyCommit(KilledWrite.Job) == new Verdict.CommittedAt(3))
    }
}
