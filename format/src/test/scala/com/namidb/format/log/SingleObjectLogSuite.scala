package com.namidb.format.log

import java.time.Instant
import java.util.{OptionalLong, UUID}

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error._
import com.namidb.format.manifest.{Layout, ManifestEdit, ManifestFiles, SchemaObject, SingleObjectText}
import com.namidb.format.store.StoreConfig

/** Opening versions in the layout of one replaced object, and telling the layouts apart. */
class SingleObjectLogSuite extends AnyFunSuite {
  import Histories.Paths
  import SingleObjectPublishSuite.{commit, pass, upTo, Writer}

  private val config = new StoreConfig("memory", "x", java.util.Map.of())
  private def log(store: RecordingStore) = new SingleObjectLog(Paths, store)
  private def auto(store: RecordingStore, layout: Layout = null) = new LayoutLog(Paths, store, config, layout)
  private val m = s"GET ${Paths.manifest}"
  private val h = s"HEAD ${Paths.manifest}"

  test("the newest version: one GET, then a HEAD while nothing changes, at any length of history") {
    for (n <- Seq(1L, 100L, 1000L)) {
      val store = upTo(n)
      val l = log(store)
      assert(store.bill(assert(l.current().ref.version == n)) == Seq(m))
      for (_ <- 1 to 3) assert(store.bill(assert(l.current().ref.version == n)) == Seq(h))
      commit(new Writer(store))
      assert(store.bill(assert(l.current().ref.version == n + 1)) == Seq(m, h))
      // A version by number.
      for (v <- Seq(0L, n / 2, n)) {
        val fresh = log(store)
        assert(store.bill(assert(fresh.at(v).ref.version == v)) == Seq(s"GET ${Paths.archive(v)}"))
        assert(store.bill(assert(fresh.at(v).ref.version == v)) == Seq(s"HEAD ${Paths.archive(v)}"))
        assert(store.bill(assert(log(store).find(v).get.ref.version == v)) == Seq(s"GET ${Paths.archive(v)}"))
      }
      assert(store.bill(assert(log(store).at(n + 1).ref.version == n + 1)) == Seq(s"GET ${Paths.archive(n + 1)}", m).sorted)
      assert(store.bill(assert(l.at(n + 1).ref.version == n + 1)) == Seq(h))
      assert(store.bill(assert(l.oldest() == OptionalLong.of(0))) == Seq(h, s"HEAD ${Paths.archive(0)}").sorted)
    }
  }

  test("a version that was never committed, or is collected, says what can be read") {
    val store = upTo(5)
    val e = intercept[SnapshotGoneException](log(store).at(6))
    assert(e.getMessage.contains("never committed") && e.getMessage.contains("5"))
    pass(store, 12, 9)
    // The floor was raised by a commit of its own.
    assert(log(store).current().ref.version == 13 && log(store).oldest().getAsLong == 9)
    val warm = log(store)
    warm.current()
    for (l <- Seq(log(store), warm); v <- Seq(0L, 8L)) {
      val gone = intercept[SnapshotGoneException](l.at(v))
      assert(gone.getMessage.contains("versions 9 to 13"), gone.getMessage)
    }
    // Below the floor nothing is asked for any more, even where an archive is left.
    store.set(Paths.archive(8), store.bytes(Paths.archive(9)))
    assert(store.bill(assert(warm.find(8).isEmpty && warm.createdAtMicros(8).isEmpty)).isEmpty)
    assert(warm.find(9).isPresent && warm.at(9).ref.version == 9)
    val l = intercept[CorruptObjectException](log(store).at(8))
    assert(l.getMessage.contains("it is of version 9"))
  }

  test("a version is found while it becomes an archive") {
    val store = upTo(3)
    val l = log(store)
    var once = true
    store.before = r => if (once && r == m) { once = false; commit(new Writer(store)) }
    assert(l.at(3).ref.version == 3)
  }

  test("times come from the first bytes of an archive, or from all of it") {
    val store = upTo(3)
    val l = log(store)
    val at = l.at(2).ref.createdAtMicros
    assert(store.bill(assert(log(store).createdAtMicros(2).getAsLong == at)) == Seq(s"RANGE ${Paths.archive(2)}"))
    assert(log(store).createdAtMicros(3).getAsLong == at)
    store.set(Paths.archive(1), new String(store.bytes(Paths.archive(1)), "UTF-8").replaceFirst("\\{", "{\"x\":\"" + "y" * 500 + "\","))
    assert(log(store).createdAtMicros(1).getAsLong == at && log(store).createdAtMicros(9).isEmpty)
  }

  test("a schema is read once, checked against its id, and told of when it is missing") {
    val store = new RecordingStore
    val v = ManifestFiles.read(ManifestFiles.worked)
    val schema = SingleObjectText.schema(v)
    val key = Paths.schema(SchemaObject.id(schema))
    store.set(Paths.manifest, SingleObjectText.of(v))
    assert(intercept[CorruptObjectException](log(store).current()).`object`().get == key)
    store.set(key, "{}")
    assert(intercept[CorruptObjectException](log(store).current()).getMessage.contains("SHA-256"))
    store.set(key, schema)
    val l = log(store)
    assert(store.bill(assert(l.current().manifest.schema == v.schema)) == Seq(m, s"GET $key"))
    store.set(Paths.manifest, SingleObjectText.of(v) + " ")
    assert(store.bill(l.current()) == Seq(m, h))
  }

  test("each layout is recognised, the engine's without a request more, and both are read without an option") {
    val single = upTo(3)
    val versioned = Histories.upTo(3)
    val hint = s"GET ${Paths.currentHint}"
    for (layout <- Seq(null, Layout.VERSIONED)) {
      val l = auto(versioned, layout)
      val plain = new PointerLog(Paths, versioned)
      assert(versioned.bill(l.current()) == versioned.bill(plain.current()))
      assert(versioned.bill(l.current()) == versioned.bill(plain.current()) && l.layout == Layout.VERSIONED)
      assert(versioned.bill(auto(versioned, layout).at(2)) == versioned.bill(new PointerLog(Paths, versioned).at(2)))
    }
    val l = auto(single)
    assert(single.bill(assert(l.current().ref.version == 3)) == Seq(m, hint) && single.bill(l.current()) == Seq(h))
    assert(l.layout == Layout.SINGLE_OBJECT && auto(single).layout == Layout.SINGLE_OBJECT && auto(versioned).layout == Layout.VERSIONED)
    assert(single.bill(assert(auto(single).at(2).ref.version == 2)) == Seq(s"GET ${Paths.archive(2)}", s"HEAD ${Paths.pointer(2)}"))
    assert(auto(single).at(3).ref.version == 3)
    val asked = auto(single, Layout.SINGLE_OBJECT)
    assert(single.bill(asked.current()) == Seq(m))
    assert(single.bill(auto(single, Layout.SINGLE_OBJECT).at(2)) == Seq(s"GET ${Paths.archive(2)}"))
    // A namespace that is deleted and made anew in the other layout is found.
    single.keys.foreach(single.remove)
    intercept[NamespaceNotFoundException](l.current())
    versioned.keys.foreach(k => single.set(k, versioned.bytes(k)))
    assert(l.current().ref.version == 3 && l.layout == Layout.VERSIONED)
    intercept[NamespaceNotFoundException](auto(new RecordingStore).at(3))
    intercept[NamespaceNotFoundException](auto(new RecordingStore).layout)
  }

  test("a layout that is asked for is made, and refused where the other one is") {
    val now = Instant.parse("2026-11-29T10:00:00Z")
    for ((asked, made) <- Seq[(Layout, Layout)]((null, Layout.VERSIONED), (Layout.VERSIONED, Layout.VERSIONED), (Layout.SINGLE_OBJECT, Layout.SINGLE_OBJECT))) {
      val store = new RecordingStore
      val first = auto(store, asked).createIfAbsent(new UUID(1, 1), now)
      assert(first.ref.version == 0 && auto(store).layout == made && store.has(Paths.manifest) == (made == Layout.SINGLE_OBJECT))
      assert(auto(store).createIfAbsent(new UUID(1, 2), now).ref == first.ref)
      val l = auto(store)
      val base = l.base()
      assert(l.publish(base, Publishing.next(base, 1), CommitProbe.NONE).isInstanceOf[PublishResult.Committed] && l.fresh().isPresent)
      for (other <- Layout.values if other != made; call <- Seq[LayoutLog => Any](_.current(), _.at(0), _.createIfAbsent(new UUID(1, 3), now))) {
        val e = intercept[NamiException](call(auto(store, other)))
        assert(e.isInstanceOf[InvalidOptionException] || e.isInstanceOf[SnapshotGoneException], e)
        assert(e.getMessage.contains(s"'${made.text}'") && e.getMessage.contains("'layout'"), e.getMessage)
      }
      assert(store.has(Paths.manifest) != store.has(Paths.currentHint))
    }
  }

  test("two that create the same namespace at once in both layouts are told") {
    for (layout <- Layout.values) {
      val store = new RecordingStore
      val other = if (layout == Layout.VERSIONED) Layout.SINGLE_OBJECT else Layout.VERSIONED
      val now = Instant.parse("2026-11-29T10:00:00Z")
      var once = true
      store.before = r => if (once && r.startsWith("PUT")) { once = false; auto(store, other).createIfAbsent(new UUID(2, 2), now) }
      intercept[CorruptObjectException](auto(store, layout).createIfAbsent(new UUID(1, 1), now))
    }
  }

  test("the history of a floor: raised in a commit of its own it never falls back") {
    val store = upTo(3)
    pass(store, 6, 4)
    val base = log(store).base()
    assert(base.manifest.floor.getAsLong == 3)
    val next = ManifestEdit.of(base.manifest).build(new UUID(3, 3), Instant.parse("2026-11-29T10:00:00Z"), "x")
    assert(next.floor.getAsLong == 3)
    intercept[IllegalStateException](ManifestEdit.of(base.manifest).floor(2).build(new UUID(3, 4), Instant.parse("2026-11-29T10:00:00Z"), "x"))
  }
}
