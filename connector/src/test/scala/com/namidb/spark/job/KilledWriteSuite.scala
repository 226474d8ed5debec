package com.namidb.spark.job

import scala.jdk.CollectionConverters._

import com.namidb.format.KilledJvm
import com.namidb.format.commit.Verdict
import com.namidb.format.stage.JobPhase
import org.apache.spark.sql.functions._

/** A driver is killed in the middle of a write with a job id; another one runs it again. */
class KilledWriteSuite extends JobFixture {
  // While rows are staged: computed again. Between staging and publishing: the staged rows are published.
  for ((phase, computed) <- Seq(JobPhase.OPEN -> true, JobPhase.SEALED -> false))
    test(s"killed while its job is $phase: the rerun ${if (computed) "computes" else "publishes"} its rows, once") {
      withPlace { p =>
        write(nodes(1 to 5), p, "label" -> "P")
        KilledJvm.kill("com.namidb.spark.job.KilledWrite", Seq("-Xmx1g"), p.toString, phase.name)
        assert(version(p) == 1 && names(p, "P") == (1 to 5).map(n => s"v$n"))
        val left = jobs(p).staged().asScala.toSeq
        assert(left.map(s => (s.name, s.isStage, s.phase, s.nodes)) == Seq((KilledWrite.Job, false, phase, if (computed) 0L else 20L)))
        assert(jobs(p).verifyCommit(KilledWrite.Job).isInstanceOf[Verdict.NotCommitted])

        val seen = spark.sparkContext.longAccumulator
        val touch = udf { (s: String) => seen.add(1); s }.asNondeterministic()
        val rows = spark.createDataFrame(spark.sparkContext.parallelize(KilledWrite.Rows.map(n => (id(n), s"v$n")), 2)).toDF("_id", "name")
        for (_ <- 1 to 2) rows.withColumn("name", touch(col("name"))).write.format("namidb").options(KilledWrite.options(p)).mode("append").save()
        assert((seen.value > 0) == computed)
        assert(version(p) == 2 && names(p, "P") == (1 to 25).map(n => s"v$n").sorted)
        assert(jobs(p).verifyCommit(KilledWrite.Job) == new Verdict.CommittedAt(2))
      }
    }
}
