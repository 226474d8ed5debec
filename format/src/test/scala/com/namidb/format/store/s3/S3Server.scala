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

import com.namidb.format.store.{StoreConfig, TempDirs}
import org.scalatest.Assertions
import software.amazon.awssdk.auth.credentials.{AwsBasicCredentials, StaticCredentialsProvider}
import software.amazon.awssdk.http.apache5.Apache5HttpClient
import software.amazon.awssdk.regions.Region
import software.amazon.awssdk.services.s3.S3Client

/**
 * A server that speaks S3.
 *
 * @param signed whether it looks at signatures
 */
final class S3Server(val endpoint: String, val signed: Boolean) {
  private lazy val client = S3Client.builder().endpointOverride(URI.create(endpoint)).region(Region.US_EAST_1).forcePathStyle(true)
    .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(S3Server.AccessKey, S3Server.SecretKey)))
    .httpClient(Apache5HttpClient.builder().build()).build()

  /** A new bucket, reached through `at`. */
  def bucket(options: (String, String)*): StoreConfig = {
    val name = s"bucket-${S3Server.buckets.incrementAndGet()}"
    client.createBucket(b => b.bucket(name): Unit)
    config(name, options: _*)
  }

  /** How to reach a bucket. */
  def config(name: String, options: (String, String)*): StoreConfig =
    new StoreConfig("s3", name, (S3Server.options(endpoint) ++ options).asJava)

  /** The same bucket, reached through something in between. */
  def through(proxy: FaultProxy, bucket: StoreConfig): StoreConfig =
    new StoreConfig("s3", bucket.place, S3Server.options(proxy.endpoint).asJava)
}

object S3Server extends Assertions {
  private val buckets = new AtomicInteger

  /** Keys a test looks for where they must not be. */
  val AccessKey: String = "AKIATESTKEYID"
  val SecretKey: String = "hush/hush+secret"

  def options(endpoint: String): Map[String, String] = Map("s3.endpoint" -> endpoint, "s3.region" -> "us-east-1",
    "s3.access-key-id" -> AccessKey, "s3.secret-access-key" -> SecretKey)

  /** Which server the suites run on; see `bin/test-s3`. */
  val kind: String = sys.props.get("s3.server").filter(_.nonEmpty).getOrElse("ministack")

  /** Honours conditions, under contention too. */
  lazy val shared: S3Server = kind match {
    case "ministack" => started("s3", "ministack", signed = false, _ => Nil,
      port => Map("GATEWAY_PORT" -> port.toString, "BIND_HOST" -> "127.0.0.1", "SERVICES" -> "s3", "LOG_LEVEL" -> "WARNING"))
    case "versitygw" =>
      val data = TempDirs.lasting("versitygw").toString
      val keys = Seq("ACCESS_KEY" -> AccessKey, "SECRET_KEY" -> SecretKey, "ACCESS_KEY_ID" -> AccessKey, "SECRET_ACCESS_KEY" -> SecretKey)
      started("versitygw", "versitygw", signed = true, port => Seq("--port", s"127.0.0.1:$port", "posix", data),
        _ => keys.map { case (k, v) => s"ROOT_$k" -> v }.toMap)
    case "minio" => minio()
    case other => fail(s"-Ds3.server=$other: ministack, versitygw and minio are known")
  }

  /** MinIO in a container; the test is cancelled where no container engine is. */
  def minio(): S3Server = {
    Minio.assumeDocker()
    Minio.shared
  }

  // It looks first and writes then. Its threads take turns every 5 ms, far more seldom than it answers: on a quiet
  // machine it can be right for a thousand contests, and be wrong in the next.
  private val Moto = "import sys; sys.setswitchinterval(1e-6); from moto.server import main; main(sys.argv[1:])"

  /** Honours them only as long as nobody else writes. */
  lazy val racy: S3Server =
    started("s3", "python", signed = false, port => Seq("-c", Moto, "-H", "127.0.0.1", "-p", port.toString), _ => Map.empty)

  /** A process of its own on a free port, for as long as this JVM runs. */
  private def started(folder: String, program: String, signed: Boolean, arguments: Int => Seq[String], environment: Int => Map[String, String]): S3Server = {
    val port = {
      val socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress)
      try socket.getLocalPort finally socket.close()
    }
    val file = Paths.get(sys.props("engine.venvs"), folder, "bin", program)
    assert(Files.isExecutable(file), s"$file is not installed: run bin/setup-engines $folder")
    val log = Files.createTempFile("s3-server", ".log")
    val b = new ProcessBuilder((file.toString +: arguments(port)): _*)
    b.environment.putAll(environment(port).asJava)
    b.redirectErrorStream(true).redirectOutput(log.toFile)
    val process = b.start()
    sys.addShutdownHook {
      process.destroy()
      if (!process.waitFor(5, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
      Files.deleteIfExists(log): Unit
    }
    val endpoint = s"http://127.0.0.1:$port"
    awaited(endpoint, process, log)
    new S3Server(endpoint, signed)
  }

  private def awaited(endpoint: String, process: Process, log: Path): Unit = {
    val http = HttpClient.newBuilder.version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(2)).build()
    val request = HttpRequest.newBuilder(URI.create(endpoint + "/")).timeout(Duration.ofSeconds(10))
      // One of them wants to see which service is meant.
      .header("Authorization", "AWS4-HMAC-SHA256 Credential=local/20261129/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0").build()
    val end = System.nanoTime + 60000000000L
    while (Try(http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode).toOption.forall(_ >= 500)) {
      assert(process.isAlive && System.nanoTime < end, s"no S3 server: ${Files.readString(log)}")
      LockSupport.parkNanos(100000000L)
    }
  }
}
