package com.namidb.format.store.s3

import java.net.{InetAddress, InetSocketAddress, URI}
import java.net.http.{HttpClient, HttpRequest, HttpResponse}
import java.util.concurrent.{ConcurrentLinkedQueue, CopyOnWriteArrayList, CountDownLatch, Executors, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.sun.net.httpserver.{HttpExchange, HttpServer}

/**
 * Stands between a client and an HTTP server and misbehaves as scripted. The first rule that matches a request and is not
 * used up applies; a request without one passes.
 */
final class FaultProxy(target: String) extends AutoCloseable {
  import FaultProxy._

  private val rules = new CopyOnWriteArrayList[Rule]
  private val log = new ConcurrentLinkedQueue[String]
  private val closing = new CountDownLatch(1)
  private val threads = Executors.newCachedThreadPool()
  private val http = HttpClient.newBuilder.version(HttpClient.Version.HTTP_1_1).build()
  private val server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress, 0), 0)
  server.setExecutor(threads)
  server.createContext("/", exchange => serve(exchange))
  server.start()

  val endpoint: String = s"http://127.0.0.1:${server.getAddress.getPort}"

  /**
   * Adds a rule.
   *
   * @param request pattern of method, blank, path with query, as a whole
   */
  def on(request: String, fault: Fault, times: Int = 1, skip: Int = 0): Rule = {
    val rule = new Rule(request, fault, times, skip)
    rules.add(rule)
    rule
  }

  def heal(): Unit = rules.clear()

  /** Methods and paths of all requests that came in and match. */
  def seen(request: String): Int = log.asScala.count(_.matches(request))

  private def serve(x: HttpExchange): Unit =
    try {
      val line = s"${x.getRequestMethod} ${x.getRequestURI}"
      log.add(line)
      val body = x.getRequestBody.readAllBytes()
      rules.asScala.find(_.takes(line)).map(_.fault) match {
        case None => answer(x, forward(x, body))
        case Some(Answer(status, code)) => say(x, status, code)
        case Some(DoneThenAnswer(status, code)) => forward(x, body); say(x, status, code)
        case Some(LostRequest) => ()
        case Some(LostReply) => forward(x, body)
        case Some(Silence) => forward(x, body); closing.await(1, TimeUnit.MINUTES): Unit
        case Some(CutBody(bytes)) =>
          val r = forward(x, body)
          headers(x, r)
          x.sendResponseHeaders(r.statusCode, r.body.length.toLong)
          x.getResponseBody.write(r.body, 0, math.min(bytes, r.body.length - 1))
          x.getResponseBody.flush()
        case Some(OtherRange(from, until)) => answer(x, forward(x, body, Set("range"), Map("Range" -> s"bytes=$from-${until - 1}")))
        case Some(Without(headers @ _*)) => answer(x, forward(x, body, headers.toSet))
        case Some(late: Late) => late.keep(() => forward(x, body).statusCode)
      }
    } finally x.close()

  private def forward(x: HttpExchange, body: Array[Byte], left: Set[String] = Set.empty, more: Map[String, String] = Map.empty)
      : HttpResponse[Array[Byte]] = {
    val request = HttpRequest.newBuilder(URI.create(target + x.getRequestURI))
      .method(x.getRequestMethod, HttpRequest.BodyPublishers.ofByteArray(body))
    for ((name, values) <- x.getRequestHeaders.asScala if !Hop(name.toLowerCase) && !left(name.toLowerCase); v <- values.asScala)
      request.header(name, v)
    more.foreach { case (name, v) => request.header(name, v) }
    http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray())
  }

  private def headers(x: HttpExchange, r: HttpResponse[Array[Byte]]): Unit =
    for ((name, values) <- r.headers.map.asScala if !Hop(name.toLowerCase) && !name.startsWith(":"); v <- values.asScala)
      x.getResponseHeaders.add(name, v)

  private def answer(x: HttpExchange, r: HttpResponse[Array[Byte]]): Unit = {
    headers(x, r)
    if (x.getRequestMethod == "HEAD") r.headers.firstValue("content-length").ifPresent(n => x.getResponseHeaders.set("Content-Length", n))
    x.sendResponseHeaders(r.statusCode, if (r.body.isEmpty) -1 else r.body.length.toLong)
    if (r.body.nonEmpty) x.getResponseBody.write(r.body)
  }

  private def say(x: HttpExchange, status: Int, code: String): Unit = {
    val xml = s"""<?xml version="1.0" encoding="UTF-8"?><Error><Code>$code</Code><Message>scripted</Message></Error>""".getBytes("UTF-8")
    val head = x.getRequestMethod == "HEAD"
    x.getResponseHeaders.set("Content-Type", "application/xml")
    x.sendResponseHeaders(status, if (head) -1 else xml.length.toLong)
    if (!head) x.getResponseBody.write(xml)
  }

  override def close(): Unit = {
    closing.countDown()
    server.stop(0)
    threads.shutdownNow(): Unit
  }
}

object FaultProxy {
  private val Hop = Set("host", "connection", "content-length", "expect", "upgrade", "transfer-encoding")

  /** For rules that never run out. */
  val Always: Int = Int.MaxValue

  final class Rule private[FaultProxy] (request: String, val fault: Fault, times: Int, skip: Int) {
    private val met = new AtomicInteger

    private[FaultProxy] def takes(line: String): Boolean = line.matches(request) && {
      val n = met.getAndIncrement()
      n >= skip && n - skip < times
    }
  }

  sealed trait Fault

  /** The server never hears of the request. */
  final case class Answer(status: Int, code: String) extends Fault

  /** The server does it, the client is told otherwise. */
  final case class DoneThenAnswer(status: Int, code: String) extends Fault

  /** The connection breaks before the server hears of it. */
  case object LostRequest extends Fault

  /** The server does it, the connection breaks before the answer. */
  case object LostReply extends Fault

  /** The server does it, nothing comes back. */
  case object Silence extends Fault

  /** The connection breaks after so many bytes of the answer's body. */
  final case class CutBody(bytes: Int) extends Fault

  /** Other bytes are asked for than the client wants. */
  final case class OtherRange(from: Long, until: Long) extends Fault

  /** The server does not know these headers, in lower case. */
  final case class Without(headers: String*) extends Fault

  /** The connection breaks, and the server gets the request when it is released. */
  final class Late extends Fault {
    private val held = new ConcurrentLinkedQueue[() => Int]

    private[FaultProxy] def keep(request: () => Int): Unit = held.add(request): Unit

    /** Lets all of them arrive; the server's answers. */
    def release(): Seq[Int] = Iterator.continually(held.poll()).takeWhile(_ != null).map(r => Try(r()).getOrElse(-1)).toSeq
  }
}
