package com.namidb.format.store.open

import scala.jdk.CollectionConverters._

import com.namidb.format.error.InvalidOptionException
import com.namidb.format.store.{StoreConfig, TempDirs}
import org.scalatest.funsuite.AnyFunSuite

class StoreOpenerSuite extends AnyFunSuite {
  private def open(scheme: String, place: String, options: (String, String)*) =
    StoreOpener.open(new StoreConfig(scheme, place, options.toMap.asJava))

  test("file and memory stores open by their configuration") {
    TempDirs.withDir { dir =>
      open("file", dir.toString).put("ns/a", Array[Byte](1))
      assert(java.nio.file.Files.exists(dir.resolve("ns/a")))
      assert(open("file", dir.resolve("none").toString).get("ns/a").isEmpty)
      assert(!java.nio.file.Files.exists(dir.resolve("none")))
    }
    open("memory", "opener-suite").put("ns/a", Array[Byte](1))
    assert(open("memory", "opener-suite").head("ns/a").isPresent && open("memory", "opener-suite2").head("ns/a").isEmpty)
  }

  test("an S3 store opens without a request, and not with options that have no sense") {
    open("s3", "bucket", "s3.secret-access-key" -> "hush", "s3.access-key-id" -> "id", "s3.region" -> "eu-west-1").close()
    for (options <- Seq(Map("s3.secret-access-key" -> "hush"), Map("s3.regoin" -> "hush"), Map("s3.endpoint" -> "ftp://hush"),
        Map("s3.endpoint" -> "http://hush:hush@host"), Map("s3.path-style" -> "hush"), Map("s3.session-token" -> "hush"),
        Map("s3.endpoint" -> "http://h", "s3.allow-http" -> "false"), Map("s3.server-side-encryption" -> "hush"), Map("s3.kms-key-id" -> "hush"),
        Map("s3.credentials-provider" -> "java.lang.String"), Map("s3.credentials-provider" -> "no.such.Class"))) {
      val e = intercept[InvalidOptionException](open("s3", "bucket", options.toSeq: _*))
      assert(!e.getMessage.contains("hush"), e.getMessage)
    }
    assert(intercept[InvalidOptionException](open("s3", "b", "s3.regoin" -> "x")).getMessage.contains("Did you mean 's3.region'?"))
  }

  test("other schemes are errors that name what there is and no secret") {
    for ((scheme, said) <- Seq("gs" -> "Unknown URI scheme 'gs'", "FILE" -> "'FILE'")) {
      val e = intercept[InvalidOptionException](open(scheme, "bucket"))
      assert(e.getMessage.contains(said) && e.getMessage.contains("Use file://<folder>?ns=<namespace>"))
      assert(!e.getMessage.contains("hush") && !e.getMessage.contains("memory"))
    }
    assert(intercept[InvalidOptionException](open("file", "a\u0000b")).getMessage.contains("cannot be used"))
  }
}
