package com.namidb.format.store.s3

import scala.jdk.CollectionConverters._

import com.namidb.format.error.{StoreException, StoreUnsafeException}
import com.namidb.format.store.PutResult.Written
import com.namidb.format.store.{ProvenStores, StoreConfig}
import org.scalatest.funsuite.AnyFunSuite

/** A server that checks signatures lets in whoever has the right keys, and nobody else. */
class S3SignatureSuite extends AnyFunSuite {
  private def signed(): S3Server = {
    assume(S3Server.shared.signed, s"${S3Server.kind} looks at no signature; bin/test-s3 versitygw")
    S3Server.shared
  }

  private def body = "x".getBytes("UTF-8")

  test("right keys are let in, wrong ones get an error that says so and shows none of them") {
    val right = signed().bucket()
    val store = S3Store.open(right)
    assert(store.putIfAbsent("ns/a", body).isInstanceOf[Written] && store.get("ns/a").isPresent)
    for (wrong <- Seq(Map("s3.secret-access-key" -> "hush/wrong"), Map("s3.access-key-id" -> "AKIANOBODY"))) {
      val other = S3Store.open(new StoreConfig("s3", right.place, (right.options.asScala ++ wrong).asJava))
      for (call <- Seq[() => Any](() => other.get("ns/a"), () => other.putIfAbsent("ns/b", body), () => other.put("ns/b", body), () => other.delete("ns/a"),
          () => other.list("", java.util.Optional.empty[String]))) {
        val e = intercept[StoreException](call())
        // One of them has never heard of the other id.
        assert("HTTP (403|404 XAdminUserNotFound)".r.unanchored.matches(e.getMessage) && !e.getMessage.contains("hush") && e.getMessage.contains("Check the keys"), e.getMessage)
      }
      other.close()
    }
    assert(store.get("ns/a").isPresent && store.head("ns/b").isEmpty)
    store.close()
  }

  test("commits are safe there") {
    val config = signed().bucket()
    val store = S3Store.open(config)
    try ProvenStores.require(config, store, "ns/bulk/")
    catch { case e: StoreUnsafeException => fail(e) }
    store.close()
  }
}
