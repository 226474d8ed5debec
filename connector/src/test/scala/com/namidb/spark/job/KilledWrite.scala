package com.namidb.spark.job

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.{ConcurrentHashMap, CountDownLatch}

import com.namidb.format.KilledJvm
import org.apache.spark.TaskContext
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, SparkPlugin}
import org.apache.spark.sql.{DataFrame, SparkSession}

/** A Spark application that does every kind of write under a job id, each in a place of its own, and waits for its death when every job is in its phase. */
object KilledWrite {
  val Job = "night"
  val Rows: Range = 6 to 25

  /** A write over nodes with the keys 1 to 5 and the edges 1->2, 2->3. */
  case class Kind(columns: Seq[String], rows: Seq[(String, String)], overwrite: Boolean, options: (String, String)*)

  private def keyed(ns: Range, name: String) = ns.map(n => (n.toString, s"$name$n"))
  private val Keyed = Seq("k", "name")

  val Kinds: Map[String, Kind] = Map(
    "insert" -> Kind(Keyed, keyed(Rows, "v"), false, "label" -> "P", "key" -> "k"),
    "patch" -> Kind(Keyed, keyed(1 to 4, "new"), false, "label" -> "P", "key" -> "k", "write-mode" -> "patch"),
    "overwrite" -> Kind(Keyed, keyed(2 to 6, "o"), true, "label" -> "P", "key" -> "k", "on-incident-edges" -> "detach"),
    "detach" -> Kind(Seq("k"), keyed(1 to 4, ""), false, "label" -> "P", "key" -> "k", "write-mode" -> "delete", "on-incident-edges" -> "detach"),
    "dangling" -> Kind(Seq("a", "b"), Seq("4" -> "5", "5" -> "77"), false, "type" -> "T", "src-key" -> "a", "src-label" -> "P", "dst-key" -> "b",
      "dst-label" -> "P", "on-dangling" -> "quarantine"))

  /** Where each kind can be stopped: patches and detaching check nothing with Spark once they are sealed. */
  val Stops: Seq[(String, String)] =
    Kinds.keys.toSeq.sorted.map("OPEN" -> _) ++ Seq("insert", "overwrite", "dangling").map("SEALED" -> _)

  def place(root: Path, phase: String, kind: String): Path = root.resolve(s"$phase-$kind")

  /** Runs it. */
  def write(rows: DataFrame, p: Path, kind: String): Unit = {
    val k = Kinds(kind)
    rows.write.format("namidb").options(Map("uri" -> s"file://$p?ns=g", "job-id" -> Job) ++ k.options)
      .mode(if (k.overwrite) "overwrite" else "append").save()
  }

  def main(args: Array[String]): Unit = {
    val root = Paths.get(args(0))
    // Every write that waits holds up to two threads.
    val spark = SparkSession.builder().master(s"local[${2 * Stops.size + 2}]").config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2").config("spark.sql.adaptive.enabled", "false")
      .config("spark.plugins", classOf[StopInPhase].getName).getOrCreate()
    for ((phase, kind) <- Stops) {
      val one: Runnable = () => {
        val p = place(root, phase, kind)
        spark.sparkContext.setLocalProperty(StopInPhase.State, p.resolve(s"g/bulk/$Job/state.json").toString)
        spark.sparkContext.setLocalProperty(StopInPhase.Phase, phase)
        val k = Kinds(kind)
        val rows = spark.createDataFrame(spark.sparkContext.parallelize(k.rows, 2))
        try write(rows.toDF("c1", "c2").selectExpr(k.columns.zipWithIndex.map { case (c, i) => s"c${i + 1} as $c" }: _*), p, kind)
        finally {
          println(s"$phase of $kind was never reached")
          Runtime.getRuntime.halt(3)
        }
      }
      new Thread(one).start()
    }
  }
}

/** Holds every task that starts while its job is in its phase; Spark calls it in the task's thread. */
class StopInPhase extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = null

  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    override def onTaskStart(): Unit = {
      val name = TaskContext.get().getLocalProperty(StopInPhase.State)
      val state = Option(name).map(Paths.get(_)).filter(Files.exists(_))
      if (state.exists(Files.readString(_).contains(s""""phase":"${TaskContext.get().getLocalProperty(StopInPhase.Phase)}""""))) {
        StopInPhase.arrived.add(name)
        if (StopInPhase.arrived.size == KilledWrite.Stops.size) KilledJvm.arrive()
        new CountDownLatch(1).await()
      }
    }
  }
}

object StopInPhase {
  val State = "stop.state"
  val Phase = "stop.phase"
  private val arrived = ConcurrentHashMap.newKeySet[String]()
}
