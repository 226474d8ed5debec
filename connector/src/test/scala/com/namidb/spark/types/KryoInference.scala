package com.namidb.spark.types

import java.util.Optional

import com.namidb.format.scan.ScanRequest
import com.namidb.format.snapshot._
import com.namidb.format.store.open.StoreOpener
import org.apache.spark.sql.SparkSession

/** Infers the schema of nodes and of edge types by Spark jobs in a session that serialises with Kryo. */
object KryoInference {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().master("local[2]")
      .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
      .config("spark.ui.enabled", "false").config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
      .getOrCreate()
    try {
      val location = LocationParser.parse(args.head, Optional.empty(), Optional.empty(), java.util.Map.of())
      val s = Namespace.open(location, StoreOpener.open(location.store)).snapshot(new SnapshotSelector.Latest)
      val targets = ("nodes" -> new ScanRequest.Nodes(Optional.empty[String]())) +: args.tail.toSeq.map(t => t -> new ScanRequest.Edges(t))
      for ((name, t) <- targets) {
        val scan = new PropertyScan(s, t, WalPolicy.REPLAY, OnMismatch.FAIL, _.run())
        val (driver, job) = (scan.run(false).byName, scan.run(false, -1).byName)
        println(if (driver == job) s"$name: driver and job agree on ${job.size} properties" else s"$name: $driver but $job")
      }
    } finally spark.stop()
  }
}
