package com.namidb.format.commit

import java.nio.file.Paths

import scala.io.StdIn
import scala.jdk.CollectionConverters._

import com.namidb.format.error.CommitConflictException
import com.namidb.format.store.local.LocalStore
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.store.{ObjectStore, StoreConfig}

/** Commits rows of its own to graphs it is told of, as fast as the others let it. */
object ContentionChild {
  /** A row of one writer. */
  def row(writer: Int, i: Int): N = N(Graph.id(1000L * (writer + 1) + i), Seq("P"), Some(s"""{"w":$writer,"i":$i}"""))

  def store(place: String, endpoint: String, keys: Map[String, String]): ObjectStore =
    if (endpoint == "-") LocalStore.open(Paths.get(place))
    else StoreOpener.open(new StoreConfig("s3", place, keys.asJava))

  def main(args: Array[String]): Unit = {
    val writer = args(0).toInt
    val commits = args(1).toInt
    val keys = args.drop(2).map(_.split("=", 2)).map(p => p(0) -> p(1)).toMap
    println("started")
    for (line <- Iterator.continually(StdIn.readLine()).takeWhile(_ != null)) {
      val Array(place, endpoint) = line.split(" ")
      val s = store(place, endpoint, keys)
      val g = Graph(s)
      g.latest()
      println("ready")
      StdIn.readLine()
      for (i <- 0 until commits) commit(g, writer, i)
      println("done")
      s.close()
    }
  }

  private def commit(g: Graph, writer: Int, i: Int): Unit = {
    val job = g.stage(g.unnamed(), Seq(row(writer, i)))
    val publisher = new Publisher(g.namespace, CommitSettings.standard())
    var gaveUp = 0
    var receipt: CommitReceipt = null
    while (receipt == null)
      try receipt = publisher.publish(job, g.target(job), PublishOrder.blind())
      catch { case _: CommitConflictException => gaveUp += 1 }
    println(s"acknowledged $i ${job.id} ${receipt.version} ${receipt.attempts} $gaveUp")
  }
}
