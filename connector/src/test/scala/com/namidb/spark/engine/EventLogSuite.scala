package com.namidb.spark.engine

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import com.namidb.format.store.TempDirs
import com.namidb.format.store.s3.S3Server
import org.scalatest.funsuite.AnyFunSuite

/** What Spark keeps of an application for its history server, and what the application prints, show no key. */
class EventLogSuite extends AnyFunSuite {
  test("no key shows in the event log or on the console, however it is given") {
    val events = TempDirs.lasting("events-")
    val bucket = S3Server.shared.bucket()
    // Nothing but what the program sets knows the keys.
    val console = ChildJvm.run("com.namidb.spark.engine.LoggedEvents", Seq("-Xmx1g"), events.toString, s"s3://${bucket.place}/x?ns=made",
      s"s3://${bucket.place}/x", S3Server.shared.endpoint, S3Server.AccessKey, S3Server.SecretKey)
    assert(console.contains("rows=15") || console.contains("rows=5"), console.takeRight(3000))
    assert(console.contains("plain=18") && console.contains("InvalidOptionException") && console.contains("StoreException"), console.takeRight(3000))
    val files = Files.walk(events)
    val log = try files.iterator.asScala.filter(Files.isRegularFile(_)).map(Files.readString).mkString("\n") finally files.close()
    for (seen <- Seq("SparkListenerSQLExecutionStart", "SparkListenerEnvironmentUpdate", "SparkListenerTaskEnd", "made nodes.P",
        "spark.sql.catalog.start.s3.secret-access-key")) {
      val found = log.contains(seen)
      assert(found, s"nothing was logged of $seen")
    }
    for ((where, text) <- Seq("event log" -> log, "console" -> console); secret <- Seq(S3Server.SecretKey, "hush", LoggedEvents.Token)) {
      val at = text.indexOf(secret)
      assert(at < 0, s"$where: ${text.slice(at - 500, at + 100)}")
    }
  }
}
