package com.namidb.spark.write

import java.io.{BufferedReader, InputStreamReader}
import java.net.{InetAddress, ServerSocket, Socket, SocketException}
import java.util.concurrent.{ConcurrentLinkedQueue, CountDownLatch}

import scala.jdk.CollectionConverters._

import org.apache.spark.TaskContext

/** A task attempt that asks whether it may go on. */
case class Arrival(point: String, partition: Int, stageAttempt: Int, attempt: Int, task: Long)

/** Decides on the driver, attempt by attempt, what happens to tasks wherever they run. */
class Doorman extends AutoCloseable {
  private val server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress)
  private val seen = new ConcurrentLinkedQueue[Arrival]
  @volatile private var rule: Arrival => String = _ => Doorman.Go
  private val thread = new Thread(() => loop(), "doorman")
  thread.setDaemon(true)
  thread.start()

  def port: Int = server.getLocalPort

  def arrivals: Seq[Arrival] = seen.asScala.toSeq

  /** From now on; forgets who came before. A rule may block. */
  def expect(rule: Arrival => String): Unit = {
    seen.clear()
    this.rule = rule
  }

  private def loop(): Unit =
    try while (true) {
      val s = server.accept()
      val t = new Thread(() => serve(s))
      t.setDaemon(true)
      t.start()
    } catch { case _: SocketException => () }

  private def serve(s: Socket): Unit =
    try {
      val Array(point, partition, stageAttempt, attempt, task) =
        new BufferedReader(new InputStreamReader(s.getInputStream, "UTF-8")).readLine().split(' ')
      val a = Arrival(point, partition.toInt, stageAttempt.toInt, attempt.toInt, task.toLong)
      seen.add(a)
      s.getOutputStream.write((rule(a) + "\n").getBytes("UTF-8"))
    } finally s.close()

  override def close(): Unit = server.close()
}

object Doorman {
  val Go = "go"
  /** The attempt fails. */
  val Fail = "fail"
  /** The process dies. */
  val Halt = "halt"
  /** The attempt waits until it is killed. */
  val Stay = "stay"

  /** Called by tasks. */
  def pass(port: Int, point: String): Unit = {
    val c = TaskContext.get()
    val s = new Socket(InetAddress.getLoopbackAddress, port)
    val verdict =
      try {
        s.getOutputStream.write(s"$point ${c.partitionId()} ${c.stageAttemptNumber()} ${c.attemptNumber()} ${c.taskAttemptId()}\n".getBytes("UTF-8"))
        new BufferedReader(new InputStreamReader(s.getInputStream, "UTF-8")).readLine()
      } finally s.close()
    verdict match {
      case Go => ()
      case Fail => throw new IllegalStateException(s"$point: told to fail")
      case Halt => Runtime.getRuntime.halt(17)
      case Stay => new CountDownLatch(1).await()
    }
  }
}
