package com.namidb.format.store.memory

import java.time.{Clock, Instant, ZoneOffset}

import com.namidb.format.store.{ObjectStore, ObjectStoreContract}

class MemoryStoreSuite extends ObjectStoreContract {
  def withStore(pageSize: Int)(test: ObjectStore => Unit): Unit =
    test(new MemoryStore(Clock.systemUTC, pageSize))

  test("a name is one store for the whole JVM; a store without one is its own") {
    MemoryStore.named("suite-shared").put("a", bytes("x"))
    assert(text(MemoryStore.named("suite-shared"), "a").contains("x"))
    assert(MemoryStore.named("suite-other").get("a").isEmpty && new MemoryStore().get("a").isEmpty)
    MemoryStore.named("suite-shared").close()
    assert(text(MemoryStore.named("suite-shared"), "a").contains("x"))
  }

  test("the time of an object is the clock's") {
    val store = new MemoryStore(Clock.fixed(Instant.ofEpochMilli(1234567), ZoneOffset.UTC), 10)
    store.put("a", bytes("x"))
    assert(store.head("a").get.modifiedMillis == 1234567)
  }
}
