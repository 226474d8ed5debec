package org.apache.spark.deploy

import org.apache.spark.SparkConf
import org.apache.spark.deploy.master.Master
import org.apache.spark.deploy.worker.Worker

/**
 * A cluster of this machine under two names. Spark's own local-cluster has one name only, and a speculative attempt
 * never runs on the host of the first. Only Spark's packages may start it.
 */
class TwoHosts extends AutoCloseable {
  private val conf = new SparkConf(false).set("spark.master.rest.enabled", "false").set("spark.shuffle.service.enabled", "false")
  private val (master, _, _) = Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)
  val url: String = s"spark://127.0.0.1:${master.address.port}"
  private val workers = for ((host, n) <- Seq("127.0.0.1", "localhost").zipWithIndex)
    yield Worker.startRpcEnvAndEndpoint(host, 0, 0, 1, 1024, Array(url), null, Some(n + 1), conf)

  override def close(): Unit = for (env <- workers :+ master) {
    env.shutdown()
    env.awaitTermination()
  }
}
