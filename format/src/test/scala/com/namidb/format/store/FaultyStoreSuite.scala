package com.namidb.format.store

import java.util.Optional
import java.util.concurrent.{CompletableFuture, TimeUnit}

import com.namidb.format.error.StoreException
import com.namidb.format.store.FaultyStore.{Always, Fault, Op}
import com.namidb.format.store.PutResult.{Refused, Unclear, Written}
import com.namidb.format.store.memory.MemoryStore

class UnfaultyStoreSuite extends ObjectStoreContract {
  def withStore(pageSize: Int)(test: ObjectStore => Unit): Unit =
    test(new FaultyStore(new MeteredStore(new MemoryStore(java.time.Clock.systemUTC, pageSize))))
}

class FaultyStoreSuite extends org.scalatest.funsuite.AnyFunSuite {
  private def stores() = { val inner = new MemoryStore(); (inner, new FaultyStore(inner)) }
  private val body = Array[Byte](1, 2, 3, 4)

  test("fail before has no effect, fail after and lost replies have it") {
    for ((fault, done) <- Seq(Fault.FailBefore -> false, Fault.FailAfter -> true)) {
      val (inner, store) = stores()
      store.on(Op.AnyWrite, "ns/.*", fault, times = 3)
      intercept[StoreException](store.putIfAbsent("ns/a", body))
      intercept[StoreException](store.put("ns/b", body))
      val upload = store.upload("ns/c")
      upload.write(body, 0, 4)
      intercept[StoreException](upload.finish())
      for (key <- Seq("ns/a", "ns/b", "ns/c")) assert(inner.head(key).isPresent == done, key)
      assert(store.put("ns/b", body).isInstanceOf[Written], "the rule is used up")
    }
    val (inner, store) = stores()
    store.on(Op.PutIfAbsent, ".*", Fault.LostReply)
    assert(store.putIfAbsent("a", body).isInstanceOf[Unclear] && inner.head("a").isPresent)
    assert(store.putIfAbsent("a", body) == new Refused)
    store.on(Op.Delete, ".*", Fault.FailAfter)
    intercept[StoreException](store.delete("a"))
    assert(inner.head("a").isEmpty)
  }

  test("a 409 and a wrong refusal have no effect") {
    val (inner, store) = stores()
    store.on(Op.PutIfAbsent, "a", Fault.Conflict409)
    store.on(Op.PutIfAbsent, "a", Fault.Refuse)
    assert(store.putIfAbsent("a", body).isInstanceOf[Unclear] && store.putIfAbsent("a", body) == new Refused)
    assert(inner.head("a").isEmpty && store.putIfAbsent("a", body).isInstanceOf[Written])
  }

  test("rules count: skipped calls pass, other keys and operations do not count") {
    val (_, store) = stores()
    val rule = store.on(Op.Put, "a", Fault.FailBefore, times = 2, skip = 1)
    store.put("a", body)
    store.put("b", body)
    store.get("a")
    intercept[StoreException](store.put("a", body))
    intercept[StoreException](store.put("a", body))
    store.put("a", body)
    assert(rule.met == 2)
    assert(store.calls.count(_ == (Op.Put -> "a")) == 4 && store.calls.contains(Op.Get -> "a"))
    store.on(Op.Anything, ".*", Fault.FailBefore, Always)
    intercept[StoreException](store.list("", Optional.empty))
    store.heal()
    store.list("", Optional.empty)
  }

  test("reads can be wrong in one bit, short, or find nothing; the object itself is whole") {
    val (inner, store) = stores()
    inner.put("a", body)
    store.on(Op.AnyRead, "a", Fault.FlipBit(17), times = 3)
    assert(store.get("a").get.bytes.toSeq == Seq(1, 2, 1, 4))
    assert(store.getRange("a", new ByteRange(2, 2)).get.toSeq == Seq(1, 4))
    assert(store.getRange("a", new ByteRange(0, 2)).get.toSeq == Seq(1, 2))
    store.on(Op.Anything, "a", Fault.Truncate(3), times = 4)
    assert(store.get("a").get.bytes.toSeq == Seq(1, 2, 3) && store.head("a").get.size == 3)
    assert(store.getRange("a", new ByteRange(1, 2)).isPresent && store.getRange("a", new ByteRange(1, 3)).isEmpty)
    store.on(Op.Anything, "a", Fault.Hide, times = 3)
    assert(store.get("a").isEmpty && store.head("a").isEmpty && store.getRange("a", new ByteRange(0, 1)).isEmpty)
    store.on(Op.List, ".*", Fault.HideKeys("a"))
    assert(store.list("", Optional.empty[String]).objects.isEmpty)
    assert(store.get("a").get.bytes.toSeq == body.toSeq && store.list("", Optional.empty[String]).objects.size == 1)
  }

  test("a stalled call waits without effect until it is released") {
    val (inner, store) = stores()
    val stall = new Fault.Stall
    store.on(Op.PutIfAbsent, "a", stall)
    val call = CompletableFuture.supplyAsync(() => store.putIfAbsent("a", body))
    stall.awaitArrival()
    assert(inner.head("a").isEmpty && !call.isDone)
    inner.put("a", Array[Byte](9))
    stall.release()
    assert(call.get(20, TimeUnit.SECONDS) == new Refused)
  }

  test("something else can happen just before or just after a call") {
    val (inner, store) = stores()
    store.on(Op.PutIfAbsent, "a", Fault.Before(() => { inner.put("a", Array[Byte](9)); () }))
    assert(store.putIfAbsent("a", body) == new Refused)
    store.on(Op.Put, "b", Fault.After(() => inner.delete("b")))
    assert(store.put("b", body).isInstanceOf[Written] && inner.head("b").isEmpty)
  }

  test("a fault that makes no sense for a call is a mistake of the test") {
    val (_, store) = stores()
    store.on(Op.Head, ".*", Fault.Conflict409)
    assertThrows[IllegalArgumentException](store.head("a"))
  }
}
