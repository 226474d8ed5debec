package com.namidb.format.store.s3

import java.io.ByteArrayInputStream
import java.net.{InetAddress, InetSocketAddress, URI}
import java.util.concurrent.{ConcurrentLinkedQueue, CopyOnWriteArrayList, CountDownLatch, Executors, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.sun.net.httpserver.{HttpExchange, HttpServer}
import software.amazon.awssdk.http.apache5.Apache5HttpClient
import software.amazon.awssdk.http.{HttpExecuteRequest, SdkHttpFullRequest, SdkHttpMethod}

/**
 * Stands between a client and an HTTP server and misbehaves as scripted. The first rule that matches a request and is not
 * used up applies; a request without one passes.
 */
final class FaultProxy(target: String, signed: Boolean = false, view: FaultProxy.View = FaultProxy.Unchanged) extends AutoCloseable {
  import FaultProxy._

  def this(server: S3Server) = this(server.endpoint, server.signed)

  private val rules = new CopyOnWriteArrayList[Rule]
  private val log = new ConcurrentLinkedQueue[String]
  private val closing = new CountDownLatch(1)
  private val threads = Executors.newCachedThreadPool()
  // Sends as the stores themselves do: servers are not all alike with bodies that come in a packet of their own.
  private val http = Apache5HttpClient.builder().expectContinueEnabled(false).maxConnections(64).build()
  // Else heads wait for the acknowledgement of what was sent before, 40 ms each.
  System.setProperty("sun.net.httpserver.nodelay", "true")
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

  def heal(): Unit = {
    rules.clear()
    chance = NoChance
  }

  /** What befalls requests that no rule matches. */
  @volatile var chance: Chance = NoChance

  /** Methods and paths of all requests since the last [[forget]], as they came in. */
  def lines: Seq[String] = log.asScala.toSeq

  def forget(): Unit = log.clear()

  /** Methods and paths of all requests that came in and match. */
  def seen(request: String): Int = log.asScala.count(_.matches(request))

  private def serve(x: HttpExchange): Unit =
    try {
      val line = s"${x.getRequestMethod} ${x.getRequestURI}"
      log.add(line)
      val body = x.getRequestBody.readAllBytes()
      val conditional = Seq("If-Match", "If-None-Match").exists(x.getRequestHeaders.containsKey)
      rules.asScala.find(_.takes(line)).map(_.fault).orElse(chance.next(line, conditional)) match {
        case None => answer(x, forward(x, body))
        case Some(Answer(status, code)) => say(x, status, code)
        case Some(Says(status, body)) => answer(x, Reply(status, Seq("Content-Type" -> "application/xml"), body.getBytes("UTF-8")))
        case Some(DoneThenAnswer(status, code)) => forward(x, body); say(x, status, code)
        case Some(LostRequest) => ()
        case Some(LostReply) => forward(x, body)
        case Some(Silence) => forward(x, body); closing.await(1, TimeUnit.MINUTES): Unit
        case Some(CutBody(bytes)) =>
          val r = forward(x, body)
          if (r.body.isEmpty) answer(x, r)
          else {
            r.show(x)
            x.sendResponseHeaders(r.status, r.body.length.toLong)
            x.getResponseBody.write(r.body, 0, math.min(bytes, r.body.length - 1))
            x.getResponseBody.flush()
          }
        case Some(OtherRange(from, until)) => answer(x, forward(x, body, Set("range"), Map("Range" -> s"bytes=$from-${until - 1}")))
        case Some(Without(headers @ _*)) => answer(x, forward(x, body, headers.toSet))
        case Some(late: Late) => late.keep(resend(x, body))
        case Some(Twice(late)) =>
          late.keep(resend(x, body))
          answer(x, forward(x, body))
        case Some(Before(action)) => action(); answer(x, forward(x, body))
        case Some(After(action)) =>
          val r = forward(x, body)
          action()
          answer(x, r)
      }
    } finally x.close()

  private def forward(x: HttpExchange, body: Array[Byte], left: Set[String] = Set.empty, more: Map[String, String] = Map.empty): Reply = {
    val headers = sent(x).filterNot(h => left(h._1)) ++ more
    send(x.getRequestMethod, x.getRequestURI, headers, body)
  }

  private def sent(x: HttpExchange): Seq[(String, String)] =
    x.getRequestHeaders.asScala.toSeq.flatMap { case (name, values) => values.asScala.map(name.toLowerCase -> _) }.filterNot(h => Hop(h._1))

  /** The exchange is over by the time it is called. */
  private def resend(x: HttpExchange, body: Array[Byte]): () => Int = {
    val (method, uri, headers) = (x.getRequestMethod, x.getRequestURI, sent(x))
    () => send(method, uri, headers, body).status
  }

  private def send(method: String, uri: URI, headers: Seq[(String, String)], body: Array[Byte]): Reply = {
    val to = URI.create(target + uri)
    val request = SdkHttpFullRequest.builder().uri(to).method(SdkHttpMethod.fromValue(method))
    // A signature names the host.
    for ((name, v) <- if (signed) Signed(method, to, headers, body) else headers) request.appendHeader(name, v)
    if (body.nonEmpty || method == "PUT" || method == "POST") request.putHeader("Content-Length", body.length.toString)
    val sent = HttpExecuteRequest.builder().request(request.build())
    if (body.nonEmpty) sent.contentStreamProvider(() => new ByteArrayInputStream(body))
    val r = http.prepareRequest(sent.build()).call()
    val answered = r.responseBody.map[Array[Byte]](in => try in.readAllBytes() finally in.close()).orElse(Array.emptyByteArray)
    val kept = r.httpResponse.headers.asScala.toSeq.flatMap { case (name, values) => values.asScala.map(name -> _) }
      .filterNot { case (name, _) => Hop(name.toLowerCase) && !name.equalsIgnoreCase("content-length") }
    view.of(method, uri, Reply(r.httpResponse.statusCode, kept, answered))
  }

  private def answer(x: HttpExchange, r: Reply): Unit = {
    r.show(x)
    if (x.getRequestMethod == "HEAD") r.headers.find(_._1.equalsIgnoreCase("content-length")).foreach(h => x.getResponseHeaders.set("Content-Length", h._2))
    x.sendResponseHeaders(r.status, if (r.body.isEmpty) -1 else r.body.length.toLong)
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
    http.close()
    threads.shutdownNow(): Unit
  }
}

object FaultProxy {
  private val Hop = Set("host", "connection", "content-length", "expect", "upgrade", "transfer-encoding")

  /** What the server answered. */
  final case class Reply(status: Int, headers: Seq[(String, String)], body: Array[Byte]) {
    private[FaultProxy] def show(x: HttpExchange): Unit =
      for ((name, v) <- headers if !name.equalsIgnoreCase("content-length")) x.getResponseHeaders.add(name, v)
  }

  /** How the client sees answers. */
  trait View {
    def of(method: String, uri: URI, reply: Reply): Reply
  }

  val Unchanged: View = (_, _, reply) => reply

  trait Chance {
    /** @param conditional whether it is a write with a condition */
    def next(request: String, conditional: Boolean): Option[Fault]
  }

  val NoChance: Chance = (_, _) => None

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

  /** The server never hears of the request; the answer is this one. */
  final case class Says(status: Int, body: String) extends Fault

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

  /** It is done and answered, and arrives once more when it is released. */
  final case class Twice(copy: Late) extends Fault

  /** Something else happens before the server hears of it. */
  final case class Before(action: () => Unit) extends Fault

  /** Something else happens after it is done, before the client hears of it. */
  final case class After(action: () => Unit) extends Fault
}
