package com.namidb.format.store.s3

import java.net.{InetAddress, ServerSocket, URI}
import java.net.http.{HttpClient, HttpRequest, HttpResponse}
import java.nio.file.{Files, Path, Paths}
import java.time.Duration
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.LockSupport

import scala.jdk.CollectionConverters._
import scala.util.Try

import com.namidb.format.store.StoreConfig
import org.scalatest.Assertions

/**
 * A server that speaks S3, in a process of its own on a free port, for as long as this JVM runs.
 *
 * @param command program below the environment of S3 servers, and its arguments
 */
class S3Server private (command: Int => Seq[String], environment: Int => Map[String, String]) extends Assertions {
  private val port = {
    val socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress)
    try socket.getLocalPort finally socket.close()
  }
  private val log: Path = Files.createTempFile("s3-server", ".log")
  private val process: Process = {
    val program = Paths.get(sys.props("engine.venvs"), "s3", "bin", command(port).head)
    assert(Files.isExecutable(program), s"$program is not installed: run bin/setup-engines")
    val b = new ProcessBuilder((program.toString +: command(port).tail): _*)
    b.environment.putAll(environment(port).asJava)
    b.redirectErrorStream(true).redirectOutput(log.toFile)
    val p = b.start()
    sys.addShutdownHook {
      p.destroy()
      if (!p.waitFor(5, TimeUnit.SECONDS)) p.destroyForcibly().waitFor()
      Files.deleteIfExists(log): Unit
    }
    p
  }
  private val http = HttpClient.newBuilder.version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build()

  val endpoint: String = s"http://127.0.0.1:$port"

  locally {
    val end = System.nanoTime + 60000000000L
    while (Try(send("GET", "/")).toOption.forall(_ >= 500)) {
      assert(process.isAlive && System.nanoTime < end, s"no S3 server: ${Files.readString(log)}")
      LockSupport.parkNanos(100000000L)
    }
  }

  private def send(method: String, path: String): Int = {
    val request = HttpRequest.newBuilder(URI.create(endpoint + path)).timeout(Duration.ofSeconds(10))
      .method(method, HttpRequest.BodyPublishers.noBody())
      // Neither server looks at signatures; one wants to see which service is meant.
      .header("Authorization", "AWS4-HMAC-SHA256 Credential=local/20261129/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0")
    http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode
  }

  /** A new bucket, reached through `at`. */
  def bucket(options: (String, String)*): StoreConfig = {
    val name = s"bucket-${S3Server.buckets.incrementAndGet()}"
    val status = send("PUT", "/" + name)
    assert(status == 200, s"no bucket: HTTP $status")
    config(name, options: _*)
  }

  /** How to reach a bucket. */
  def config(name: String, options: (String, String)*): StoreConfig =
    new StoreConfig("s3", name, (S3Server.options(endpoint) ++ options).asJava)
}

object S3Server {
  private val buckets = new AtomicInteger

  /** Keys a test looks for where they must not be. */
  val AccessKey: String = "AKIATESTKEYID"
  val SecretKey: String = "hush/hush+secret"

  def options(endpoint: String): Map[String, String] = Map("s3.endpoint" -> endpoint, "s3.region" -> "us-east-1",
    "s3.access-key-id" -> AccessKey, "s3.secret-access-key" -> SecretKey)

  /** Honours conditions, under contention too. */
  lazy val shared: S3Server = new S3Server(_ => Seq("ministack"),
    port => Map("GATEWAY_PORT" -> port.toString, "BIND_HOST" -> "127.0.0.1", "SERVICES" -> "s3", "LOG_LEVEL" -> "WARNING"))

  // It looks first and writes then. Its threads take turns every 5 ms, far more seldom than it answers: on a quiet
  // machine it can be right for a thousand contests, and be wrong in the next.
  private val Moto = "import sys; sys.setswitchinterval(1e-6); from moto.server import main; main(sys.argv[1:])"

  /** Honours them only as long as nobody else writes. */
  lazy val racy: S3Server =
    new S3Server(port => Seq("python", "-c", Moto, "-H", "127.0.0.1", "-p", port.toString), _ => Map.empty)
}
