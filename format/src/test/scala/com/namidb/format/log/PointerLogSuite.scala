package com.namidb.format.log

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.{CorruptObjectException, NamespaceNotFoundException, SnapshotGoneException, StoreErrors, StoreException}
import com.namidb.format.manifest.{ManifestPointer, NamespacePaths}
import com.namidb.format.store.StoreConfig

class PointerLogSuite extends AnyFunSuite {
  import Histories._

  private def log(store: RecordingStore) = new PointerLog(Paths, store)
  private def version(l: ManifestLog): Long = l.current().ref.version
  private val lengths = Seq(1L, 10L, 1000L)

  test("opening the newest version costs the same at any length of history, and no LIST") {
    for (n <- lengths) {
      val store = upTo(n)
      val l = log(store)
      assert(store.bill(assert(version(l) == n)) == Seq(
        s"GET ${Paths.currentHint}", s"GET ${Paths.body(n)}", s"HEAD ${Paths.pointer(n)}", s"HEAD ${Paths.pointer(n + 1)}").sorted)
      for (_ <- 1 to 2) {
        assert(store.bill(assert(version(l) == n)) == Seq(s"HEAD ${Paths.pointer(n)}", s"HEAD ${Paths.pointer(n + 1)}"))
      }
      commit(store, n + 1, time(n + 1))
      assert(store.bill(assert(version(l) == n + 1)) == Seq(
        s"GET ${Paths.body(n + 1)}", s"HEAD ${Paths.pointer(n + 1)}", s"HEAD ${Paths.pointer(n + 2)}"))
    }
  }

  test("opening a version by number costs HEAD pointer and GET body, or one request once known") {
    for (n <- lengths; v <- Seq(0L, n / 2, n).distinct) {
      val store = upTo(n)
      val l = log(store)
      assert(store.bill(assert(l.at(v).ref.version == v)) == Seq(s"GET ${Paths.body(v)}", s"HEAD ${Paths.pointer(v)}"))
      assert(store.bill(assert(l.at(v).ref.version == v)) == Seq(s"HEAD ${Paths.pointer(v)}"))
      val warm = log(store)
      warm.current()
      val one = if (v == n) s"HEAD ${Paths.pointer(v)}" else s"GET ${Paths.body(v)}"
      assert(store.bill(assert(warm.at(v).ref.version == v)) == Seq(one))
    }
  }

  test("the ref names version, epoch, writer and time") {
    val store = upTo(3)
    commit(store, 4, "2026-05-06T07:08:09.123456789Z", epoch = 9)
    assert(log(store).current().ref == new ManifestRef(4, 9, "0198c0de-0000-7000-8000-0000000000ff",
      java.time.Instant.parse("2026-05-06T07:08:09Z").getEpochSecond * 1000000 + 123456))
  }

  test("a hint that lags, is ahead of the family, missing or garbage never changes the answer") {
    val garbage = Seq("", "{", "{\"version\":3}", "null", "{\"version\":-1,\"epoch\":0,\"manifest_path\":\"\"}", "\u0000")
    for (n <- Seq(0L, 5L, 40L)) {
      for (h <- 0L to n) {
        val store = upTo(n)
        store.set(Paths.currentHint, pointer(h))
        assert(version(log(store)) == n)
        assert(!store.requests.exists(_.startsWith("LIST")))
      }
      for (text <- garbage) {
        val store = upTo(n)
        store.set(Paths.currentHint, text)
        assert(version(log(store)) == n)
      }
      val none = upTo(n)
      none.remove(Paths.currentHint)
      assert(none.bill(assert(version(log(none)) == n)).count(_.startsWith("LIST")) == (n + 3) / 3)
      val ahead = upTo(n)
      ahead.set(Paths.currentHint, pointer(n + 7))
      assert(version(log(ahead)) == n)
    }
  }

  test("a hint above the newest pointer is told once: a committed version may be lost") {
    def newest(store: RecordingStore) = {
      val told = scala.collection.mutable.Buffer.empty[String]
      new CurrentVersion(Paths, store, "place", told += _) -> told
    }
    val store = upTo(5)
    store.remove(Paths.pointer(5))
    val (lost, told) = newest(store)
    for (_ <- 1 to 3) {
      assert(lost.resolve().version == 4)
      lost.forget()
    }
    assert(told.size == 1 && Seq("version 5", "version 4", Paths.currentHint, Paths.pointer(5)).forall(told.head.contains), told)
    store.set(Paths.currentHint, pointer(-1))
    assert(lost.resolve().version == 4 && told.size == 2 && told(1).contains("version 18446744073709551615"), told)
    // Lagging, collected, garbage or missing hints say nothing.
    val quiet = upTo(30)
    collect(quiet, 20)
    val (other, nothing) = newest(quiet)
    for (hint <- Seq(pointer(4), pointer(25), pointer(30), "{".getBytes)) {
      quiet.set(Paths.currentHint, hint)
      assert(other.resolve().version == 30)
      other.forget()
    }
    quiet.remove(Paths.currentHint)
    assert(other.resolve().version == 30 && nothing.isEmpty)
  }

  test("a hint whose pointer is collected falls back to the listing") {
    val store = upTo(30)
    collect(store, 20)
    store.set(Paths.currentHint, pointer(4))
    assert(version(log(store)) == 30)
    store.set(Paths.pointers + "junk.json", "x")
    store.set(Paths.pointers + "pzzzzzzzzzzzzzzzz.json", "x")
    store.set(Paths.pointers + "p1.json", "x")
    assert(version(log(store)) == 30)
  }

  test("a listing that lags is corrected by asking for the following pointers") {
    val store = upTo(6)
    store.remove(Paths.currentHint)
    val late = Seq(5L, 6L)
    late.foreach(v => store.remove(Paths.pointer(v)))
    store.before = r => if (r.startsWith("HEAD")) late.foreach(v => store.set(Paths.pointer(v), pointer(v)))
    assert(version(log(store)) == 6)
  }

  test("a held version survives neither collection nor a restore that starts over") {
    val store = upTo(5)
    val l = log(store)
    assert(version(l) == 5)
    for (v <- 6L to 60L) commit(store, v, time(v))
    collect(store, 50)
    assert(version(l) == 60)
    store.clear()
    for (v <- 0L to 2L) commit(store, v, time(1000 + v))
    assert(version(l) == 2)
    assert(l.current().ref.createdAtMicros == micros(1002))
    // The same number again, with another content.
    store.clear()
    for (v <- 0L to 2L) commit(store, v, time(2000 + v))
    assert(l.current().ref.createdAtMicros == micros(2002))
    assert(l.at(1).ref.createdAtMicros == micros(2001))
  }

  test("a holder left far behind asks the hint instead of walking all the way") {
    val store = upTo(3)
    val l = log(store)
    version(l)
    for (v <- 4L to 500L) commit(store, v, time(v))
    assert(store.bill(assert(version(l) == 500)).size <= 10)
  }

  test("an old namespace with nothing but the advisory copy") {
    val store = upTo(4)
    for (v <- 0L to 4L) store.remove(Paths.pointer(v))
    val l = log(store)
    assert(version(l) == 4 && l.at(2).ref.version == 2 && l.at(4).ref.version == 4)
    assert(intercept[SnapshotGoneException](l.at(5)).getMessage.contains("never committed"))
    // The next commit starts the family.
    commit(store, 5, time(5))
    assert(version(l) == 5 && l.at(2).ref.version == 2)
    assert(l.oldest().getAsLong == 0)
  }

  test("a copied namespace is read at its own place, a moved body through its pointer") {
    val other = new NamespacePaths("old", "home")
    val store = upTo(2)
    for (k <- Seq(Paths.pointer(2), Paths.currentHint)) store.set(k, pointer(2, other))
    store.set(other.body(2), "{\"diverged\":true}")
    assert(version(log(store)) == 2)
    store.set(other.body(2), store.bytes(Paths.body(2)))
    store.remove(Paths.body(2))
    assert(version(log(store)) == 2 && log(store).at(2).ref.version == 2)
    store.remove(Paths.currentHint)
    assert(version(log(store)) == 2)
  }

  test("a body without pointer is not committed") {
    val store = upTo(3)
    body(store, 4, time(4))
    val l = log(store)
    assert(version(l) == 3)
    val e = intercept[SnapshotGoneException](l.at(4))
    assert(e.getMessage.contains("never committed") && e.getMessage.contains("without a pointer") && e.version.getAsLong == 4)
    val far = intercept[SnapshotGoneException](l.at(5))
    assert(!far.getMessage.contains("pointer") && far.getMessage.contains("current version is 3"))
    intercept[SnapshotGoneException](log(store).at(4))
  }

  test("a collected version names itself, the oldest readable one, the current one and pins") {
    val store = upTo(50)
    collect(store, 33)
    for (l <- Seq(log(store), { val w = log(store); w.current(); w })) {
      val e = intercept[SnapshotGoneException](l.at(7))
      for (part <- Seq("Version 7", "33", "50", "pin", "'acme'")) assert(e.getMessage.contains(part), e.getMessage)
      assert(l.at(33).ref.version == 33)
    }
    // The pointer is still there, the body is not.
    store.set(Paths.pointer(32), pointer(32))
    assert(intercept[SnapshotGoneException](log(store).at(32)).getMessage.contains("collected"))
    // The pointer is gone already, the body is still there.
    body(store, 32, time(32))
    store.remove(Paths.pointer(32))
    assert(log(store).at(32).ref.version == 32)
  }

  test("body and pointer of different versions are damage") {
    val store = upTo(3)
    store.set(Paths.body(3), store.bytes(Paths.body(2)))
    for (f <- Seq[ManifestLog => Any](_.current(), _.at(3))) {
      val e = intercept[CorruptObjectException](f(log(store)))
      assert(e.getMessage.contains("version 2 instead of 3") && e.`object`().get == Paths.body(3))
    }
  }

  test("a pointer to nothing is damage, not an older version") {
    val store = upTo(3)
    store.remove(Paths.body(3))
    val e = intercept[CorruptObjectException](log(store).current())
    assert(e.`object`().get == Paths.body(3) && e.version.getAsLong == 3)
  }

  test("a version collected between two requests is resolved again") {
    val store = upTo(3)
    val l = log(store)
    var once = true
    store.before = r =>
      if (once && r == s"GET ${Paths.body(3)}") {
        once = false
        for (v <- 4L to 9L) commit(store, v, time(v))
        collect(store, 8)
      }
    assert(version(l) == 9)
  }

  test("no namespace: the error says what was looked for and where") {
    val store = new RecordingStore
    store.set("tenants/acmes/manifest/current.json", pointer(0))
    for (f <- Seq[ManifestLog => Any](_.current(), _.at(0), _.at(9), _.oldest())) {
      val e = intercept[NamespaceNotFoundException](f(log(store)))
      assert(e.getMessage.contains("tenants/acme/") && e.getMessage.contains("current.json") && e.namespace.get == "acme")
    }
    for ((config, hint) <- Seq(new StoreConfig("file", "/data", java.util.Map.of()) -> false, new StoreConfig("s3", "b", java.util.Map.of()) -> true)) {
      val said = intercept[NamespaceNotFoundException](new PointerLog(Paths, store, config).current()).getMessage
      assert(said.contains(s"no namespace at '$config/tenants/acme/'"), said)
      assert(said.contains("root 'tenants'") == hint && said.toLowerCase.contains("s3") == hint, said)
    }
    store.set(Paths.currentHint, "garbage")
    intercept[CorruptObjectException](log(store).current())
  }

  test("every prefix of a body, found through its pointer, is a typed error with the version") {
    val store = upTo(1)
    val whole = store.bytes(Paths.body(1))
    for (n <- whole.indices) {
      store.set(Paths.body(1), whole.take(n))
      val e = intercept[CorruptObjectException](log(store).current())
      assert(e.version.getAsLong == 1 && e.namespace.get == "acme")
    }
  }

  test("the oldest version is found without reading, in few requests") {
    val store = upTo(2000)
    val l = log(store)
    l.current()
    assert(store.bill(assert(l.oldest().getAsLong == 0)).size == 3)
    val r = new Random(3)
    for (below <- Seq(1L, 2L, 1000L, 1999L, 2000L) ++ Seq.fill(15)(1 + r.nextInt(2000).toLong)) {
      val s = store.copy()
      collect(s, below)
      val fresh = log(s)
      val bill = s.bill(assert(fresh.oldest().getAsLong == below))
      assert(bill.size <= 4 + 2 + 2 * 12 && bill.forall(x => !x.startsWith("LIST")))
    }
  }

  test("the commit time of a version is one small ranged GET") {
    val store = upTo(3)
    val l = log(store)
    assert(store.bill(assert(l.createdAtMicros(2).getAsLong == micros(2))) == Seq(s"RANGE ${Paths.body(2)}"))
    assert(l.createdAtMicros(9).isEmpty)
    val text = new String(store.bytes(Paths.body(2)), "UTF-8")
    store.set(Paths.body(2), "{\"pad\":\"" + "x" * 400 + "\"," + text.drop(1))
    assert(l.createdAtMicros(2).getAsLong == micros(2))
    store.set(Paths.body(2), text.replace("\"version\":2", "\"version\":1"))
    intercept[CorruptObjectException](l.createdAtMicros(2))
  }

  test("versions are unsigned") {
    val store = new RecordingStore
    for (v <- Seq(-3L, -2L)) commit(store, v, time(1))
    val l = log(store)
    assert(version(l) == -2L && l.at(-3).ref.version == -3)
    assert(intercept[SnapshotGoneException](l.at(5)).getMessage.contains("18446744073709551614"))
    assert(new ManifestPointer(-2, 0, "x").toBytes.sameElements("{\"version\":18446744073709551614,\"epoch\":0,\"manifest_path\":\"x\"}".getBytes))
  }

  test("a store that fails at any request fails the call, and the next call is right") {
    for (at <- 0 to 6) {
      val store = upTo(4)
      store.set(Paths.currentHint, pointer(2))
      val l = log(store)
      var left = at
      store.before = _ => { left -= 1; if (left < 0) throw StoreErrors.failed("answer", "k", null) }
      if (at < 6) intercept[StoreException](l.current()) else assert(version(l) == 4)
      store.before = _ => ()
      assert(version(l) == 4 && l.at(1).ref.version == 1)
    }
  }
}
