package com.namidb.spark.job

import java.nio.file.{Files, Path, Paths}

import com.namidb.format.KilledJvm
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, SparkPlugin}
import org.apache.spark.sql.SparkSession

/** A Spark application that writes under a job id and waits for its death when the job is in a phase. */
object KilledWrite {
  val Job = "night"
  val Rows: Range = 6 to 25

  def options(p: Path): Map[String, String] = Map("uri" -> s"file://$p?ns=g", "label" -> "P", "job-id" -> Job)
  def id(n: Int): String = f"00000000-0000-0000-0000-$n%012x"
  def state(p: Path): Path = p.resolve(s"g/bulk/$Job/state.json")

  def main(args: Array[String]): Unit = {
    val p = Paths.get(args(0))
    System.setProperty("stop.state", state(p).toString)
    System.setProperty("stop.phase", args(1))
    val spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2").config("spark.plugins", classOf[StopInPhase].getName).getOrCreate()
    spark.createDataFrame(Rows.map(n => (id(n), s"v$n"))).toDF("_id", "name")
      .write.format("namidb").options(options(p)).mode("append").save()
    sys.exit(3)
  }
}

/** Holds the first task that starts while the job is in the phase; Spark calls it in the task's thread. */
class StopInPhase extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = null

  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    override def onTaskStart(): Unit = {
      val state = Paths.get(sys.props("stop.state"))
      if (Files.exists(state) && Files.readString(state).contains(s""""phase":"${sys.props("stop.phase")}"""")) KilledJvm.arrive()
    }
  }
}
