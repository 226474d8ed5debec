package com.namidb.format.store.s3

import java.util.Optional
import java.util.concurrent.locks.LockSupport

import scala.jdk.CollectionConverters._

import com.namidb.format.error.{StoreException, StoreUnsafeException}
import com.namidb.format.store._
import com.namidb.format.store.FaultyStore.{Always, Fault, Op}
import com.namidb.format.store.local.LocalStore
import com.namidb.format.store.memory.MemoryStore
import org.scalatest.funsuite.AnyFunSuite

/** A store that keeps its promises is found safe, one that does not is found out, and nothing is written to it. */
class CapabilityProbeSuite extends AnyFunSuite {
  private def probe(store: ObjectStore, rounds: Int = 20): StoreCapabilities = new CapabilityProbe(store, "ns/bulk/").run(rounds)

  /** A store with some writes of its own. */
  private class Own(inner: ObjectStore) extends ObjectStore {
    override def head(key: String): Optional[ObjectMeta] = inner.head(key)
    override def get(key: String): Optional[StoredObject] = inner.get(key)
    override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] = inner.getRange(key, range)
    override def putIfAbsent(key: String, body: Array[Byte]): PutResult = inner.putIfAbsent(key, body)
    override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = inner.putIfMatch(key, body, etag)
    override def put(key: String, body: Array[Byte]): PutResult = inner.put(key, body)
    override def upload(key: String): ObjectUpload = inner.upload(key)
    override def list(prefix: String, after: Optional[String]): ListPage = inner.list(prefix, after)
    override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage = inner.listFolders(prefix, after)
    override def delete(key: String): Unit = inner.delete(key)
    override def close(): Unit = inner.close()
  }

  private def empty(store: ObjectStore): Unit = assert(store.list("", Optional.empty[String]).objects.isEmpty)

  test("stores that keep their promises are safe, and nothing is left behind") {
    TempDirs.withDir { dir =>
      for (store <- Seq(new MemoryStore, LocalStore.open(dir), S3Store.open(S3Server.shared.bucket()))) {
        val found = probe(store)
        assert(found.isSafe && found.createIfAbsent && found.replaceIfMatch && found.flaws.isEmpty, found)
        assert(found.checks.size == 7 && found.checks.asScala.forall(_.honoured))
        empty(store)
        store.close()
      }
    }
  }

  test("ignored conditions are found without a contest") {
    val over = new MemoryStore
    val noCreate = probe(new Own(over) { override def putIfAbsent(key: String, body: Array[Byte]): PutResult = over.put(key, body) })
    assert(!noCreate.createIfAbsent && noCreate.replaceIfMatch && noCreate.flaws.contains("create-if-absent, one that exists"), noCreate)
    val noMatch = probe(new Own(over) { override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = over.put(key, body) })
    assert(noMatch.createIfAbsent && !noMatch.replaceIfMatch && noMatch.flaws.contains("with an older tag"), noMatch)
    // Says the right thing and does another.
    val lies = probe(new Own(over) {
      override def putIfAbsent(key: String, body: Array[Byte]): PutResult =
        if (over.head(key).isPresent) { over.put(key, body); new PutResult.Refused } else over.putIfAbsent(key, body)
    })
    assert(!lies.createIfAbsent, lies)
    val never = probe(new Own(over) { override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = new PutResult.Refused })
    assert(!never.replaceIfMatch && never.flaws.contains("with the current tag"), never)
    val makes = probe(new Own(over) {
      override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult =
        if (over.head(key).isPresent) over.putIfMatch(key, body, etag) else over.put(key, body)
    })
    assert(!makes.replaceIfMatch && makes.flaws.contains("of what is not there"), makes)
    empty(over)
  }

  test("conditions checked in one step and written in another are found in a contest") {
    val inner = new MemoryStore
    val create = probe(new Own(inner) {
      override def putIfAbsent(key: String, body: Array[Byte]): PutResult =
        if (inner.head(key).isPresent) new PutResult.Refused else { LockSupport.parkNanos(100000); inner.put(key, body) }
    })
    assert(!create.createIfAbsent && create.replaceIfMatch && create.flaws.contains("8 writers at once"), create)
    val replace = probe(new Own(inner) {
      override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult =
        if (inner.head(key).filter(_.etag == etag).isEmpty) new PutResult.Refused else { LockSupport.parkNanos(100000); inner.put(key, body) }
    })
    assert(replace.createIfAbsent && !replace.replaceIfMatch && replace.flaws.contains("all told that they had won"), replace)
    empty(inner)
  }

  test("answers that are not clear are asked for again, and without any there is no verdict") {
    for (fault <- Seq(Fault.Conflict409, Fault.LostReply)) {
      val store = new FaultyStore(new MemoryStore)
      store.on(Op.AnyWrite, ".*", fault, times = 3)
      assert(probe(store).isSafe, fault)
      // In a contest nobody may win then.
      store.on(Op.PutIfAbsent, ".*contest-3", fault, times = 8)
      store.on(Op.PutIfMatch, ".*contested", fault, times = 5, skip = 1 + 3 * 8)
      assert(probe(store).isSafe, fault)
    }
    val store = new FaultyStore(new MemoryStore)
    store.on(Op.AnyWrite, ".*", Fault.Conflict409, Always)
    intercept[StoreException](probe(store))
  }

  test("a real server that loses races is found") {
    val store = S3Store.open(S3Server.racy.bucket())
    try {
      // It loses few: what one probe of a few seconds misses, the next one finds.
      val found = Iterator.continually(probe(store, CapabilityProbe.THOROUGH_ROUNDS)).take(5).find(!_.isSafe)
      assert(found.exists(_.flaws.contains("8 writers at once")), found)
      info(found.get.flaws)
    } finally store.close()
  }

  test("writing is refused to a server that ignores a condition, and asked once of one that does not") {
    for ((header, named) <- Seq("if-none-match" -> "create-if-absent", "if-match" -> "replace-if-match")) {
      val proxy = new FaultProxy(S3Server.shared)
      try {
        proxy.on("PUT .*", FaultProxy.Without(header), FaultProxy.Always)
        val bucket = S3Server.shared.bucket().place
        val config = new StoreConfig("s3", bucket, S3Server.options(proxy.endpoint).asJava)
        val store = S3Store.open(config)
        for (_ <- 1 to 2) {
          val e = intercept[StoreUnsafeException](ProvenStores.require(config, store, "ns/bulk/"))
          assert(e.getMessage.contains(named) && e.getMessage.contains(s"s3://$bucket") && !e.getMessage.contains("hush"), e.getMessage)
        }
        if (header == "if-match") {
          proxy.heal()
          ProvenStores.require(config, store, "ns/bulk/")
          val asked = proxy.seen(".*")
          ProvenStores.require(config, store, "other/bulk/")
          assert(proxy.seen(".*") == asked)
        }
        empty(store)
        store.close()
      } finally proxy.close()
    }
  }
}
