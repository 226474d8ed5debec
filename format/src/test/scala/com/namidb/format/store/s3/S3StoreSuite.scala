package com.namidb.format.store.s3

import java.util.Random

import com.namidb.format.store.PutResult.{Refused, Written}
import com.namidb.format.store.{ByteRange, ObjectStore, ObjectStoreContract, StoreConfig}

/** The contract of stores against a real server, and what only S3 has. */
class S3StoreSuite extends S3StoreTests(S3Server.shared)

abstract class S3StoreTests(server: => S3Server) extends ObjectStoreContract {
  private var config: StoreConfig = _

  private def open(pageSize: Int): S3Store =
    S3Store.open(config, new S3Store.Paging(pageSize, 5 << 20), S3Timing.DEFAULT)

  def withStore(pageSize: Int)(test: ObjectStore => Unit): Unit = {
    config = server.bucket()
    val store = open(pageSize)
    try test(store) finally store.close()
  }

  override def again(store: ObjectStore): ObjectStore = open(1000)

  test("a large upload goes in parts and appears whole, once") {
    withStore(1000) { store =>
      val body = new Array[Byte](12000001)
      new Random(5).nextBytes(body)
      def upload(key: String) = {
        val u = store.upload(key)
        for (i <- body.indices by 1000003) u.write(body, i, math.min(1000003, body.length - i))
        u
      }
      val first = upload("ns/big")
      val second = upload("ns/big")
      assert(store.head("ns/big").isEmpty && keys(store, "") == Nil)
      val etag = first.finish() match { case w: Written => w.etag; case other => fail(other.toString) }
      assert(second.finish() == new Refused)
      assert(java.util.Arrays.equals(store.get("ns/big").get.bytes, body))
      assert(store.head("ns/big").get.etag == etag && store.get("ns/big").get.meta.etag == etag)
      // Across the border of two parts.
      val border = new ByteRange((5 << 20) - 7L, 20)
      assert(java.util.Arrays.equals(store.getRange("ns/big", border).get, body.slice((5 << 20) - 7, (5 << 20) + 13)))
      first.close()
      second.close()
      val dropped = upload("ns/dropped")
      dropped.close()
      assertThrows[IllegalStateException](dropped.finish())
      assert(keys(store, "") == Seq("ns/big"))
    }
  }
}
