package com.namidb.format.store

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Optional
import java.util.concurrent.{Callable, CyclicBarrier, Executors, TimeUnit}

import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._
import scala.util.Random

import com.namidb.format.error.StoreException
import com.namidb.format.store.PutResult.{Refused, Written}
import org.scalatest.funsuite.AnyFunSuite

/** What every store promises; a suite of a store supplies the store and gets all of it. */
trait ObjectStoreContract extends AnyFunSuite {

  /** Runs a test with an empty store whose listings have pages of this size. */
  def withStore(pageSize: Int)(test: ObjectStore => Unit): Unit

  /** Another client of the same objects, as another process would have. */
  def again(store: ObjectStore): ObjectStore = store

  private def contract(name: String, pageSize: Int = 1000)(body: ObjectStore => Unit): Unit =
    test(name)(withStore(pageSize)(body))

  protected def bytes(text: String): Array[Byte] = text.getBytes(UTF_8)

  protected def text(store: ObjectStore, key: String): Option[String] =
    store.get(key).toScala.map(o => new String(o.bytes, UTF_8))

  protected def keys(store: ObjectStore, prefix: String): Seq[String] = pages(store, prefix).flatten

  protected def pages(store: ObjectStore, prefix: String): Seq[Seq[String]] = {
    def from(after: Optional[String]): LazyList[Seq[String]] = {
      val page = store.list(prefix, after)
      val keys = page.objects.asScala.map(_.key).toSeq
      if (page.next.isPresent) keys #:: from(page.next) else LazyList(keys)
    }
    from(Optional.empty).toList
  }

  private def folders(store: ObjectStore, prefix: String): Seq[String] = {
    def from(after: Optional[String]): Seq[String] = {
      val page = store.listFolders(prefix, after)
      page.names.asScala.toSeq ++ (if (page.next.isPresent) from(page.next) else Nil)
    }
    from(Optional.empty)
  }

  /** Runs the same work in many threads that start together; returns what each got. */
  protected def together[T](threads: Int)(work: Int => T): Seq[T] = {
    val pool = Executors.newFixedThreadPool(threads)
    try {
      val barrier = new CyclicBarrier(threads)
      val tasks = (0 until threads).map(i => pool.submit((() => { barrier.await(); work(i) }): Callable[T]))
      tasks.map(_.get(60, TimeUnit.SECONDS))
    } finally pool.shutdownNow()
  }

  private def written(result: PutResult): String = result match {
    case w: Written => w.etag
    case other => fail(s"not written: $other")
  }

  contract("an object that is not there is empty, everywhere") { store =>
    assert(store.head("ns/a").isEmpty && store.get("ns/a").isEmpty)
    assert(store.getRange("ns/a", new ByteRange(0, 1)).isEmpty)
    assert(keys(store, "") == Nil && keys(store, "ns/") == Nil && folders(store, "") == Nil)
    store.delete("ns/a")
    assert(store.putIfMatch("ns/a", bytes("x"), "0123456789abcdef") == new Refused)
    assert(store.get("ns/a").isEmpty && keys(store, "") == Nil)
  }

  contract("an object comes back with its bytes, size, tag and time") { store =>
    val before = System.currentTimeMillis() - 2000
    val etag = written(store.putIfAbsent("ns/dir/a", bytes("hello")))
    val object1 = store.get("ns/dir/a").get
    assert(new String(object1.bytes, UTF_8) == "hello")
    assert(object1.meta == store.head("ns/dir/a").get)
    assert(object1.meta.key == "ns/dir/a" && object1.meta.size == 5 && object1.meta.etag == etag)
    assert(object1.meta.modifiedMillis >= before)
    assert(object1.meta.modifiedMillis <= System.currentTimeMillis() + 2000)
    val listed = store.list("ns/", Optional.empty[String]).objects.asScala
    assert(listed.map(m => (m.key, m.size)) == Seq(("ns/dir/a", 5)))
    assert(listed.forall(m => m.etag.isEmpty || m.etag == etag))
    assert(listed.head.modifiedMillis == object1.meta.modifiedMillis)
  }

  contract("an empty object is an object") { store =>
    assert(store.putIfAbsent("ns/empty", Array.empty).isInstanceOf[Written])
    assert(text(store, "ns/empty").contains("") && store.head("ns/empty").get.size == 0)
    assert(store.getRange("ns/empty", new ByteRange(0, 1)).isEmpty)
    assert(store.putIfAbsent("ns/empty", bytes("x")) == new Refused)
  }

  contract("what caller and reader do to their arrays does not reach the store") { store =>
    val body = bytes("abc")
    store.putIfAbsent("ns/a", body)
    body(0) = 'x'
    store.get("ns/a").get.bytes()(1) = 'x'
    store.getRange("ns/a", new ByteRange(0, 3)).get()(2) = 'x'
    assert(text(store, "ns/a").contains("abc"))
  }

  contract("creation succeeds once and leaves the first body") { store =>
    assert(store.putIfAbsent("ns/a", bytes("one")).isInstanceOf[Written])
    assert(store.putIfAbsent("ns/a", bytes("two")) == new Refused)
    assert(store.putIfAbsent("ns/a", bytes("one")) == new Refused)
    assert(text(store, "ns/a").contains("one"))
    store.delete("ns/a")
    assert(store.putIfAbsent("ns/a", bytes("two")).isInstanceOf[Written])
    assert(text(store, "ns/a").contains("two"))
  }

  contract("replacement needs the tag of what is there") { store =>
    val first = written(store.putIfAbsent("ns/a", bytes("one")))
    val second = written(store.putIfMatch("ns/a", bytes("two"), first))
    assert(first != second)
    assert(store.putIfMatch("ns/a", bytes("three"), first) == new Refused)
    assert(store.putIfMatch("ns/a", bytes("three"), "") == new Refused)
    assert(text(store, "ns/a").contains("two"))
    for (tag <- Seq(store.head("ns/a").get.etag, store.get("ns/a").get.meta.etag)) assert(tag == second)
    assert(store.putIfMatch("ns/a", bytes("three"), second).isInstanceOf[Written])
    store.delete("ns/a")
    assert(store.putIfMatch("ns/a", bytes("four"), second) == new Refused)
    assert(store.get("ns/a").isEmpty)
  }

  contract("an unconditional write replaces whatever is there and gives a tag to build on") { store =>
    written(store.put("ns/a", bytes("one")))
    val tag = written(store.put("ns/a", bytes("two")))
    assert(text(store, "ns/a").contains("two") && store.head("ns/a").get.etag == tag)
    assert(store.putIfMatch("ns/a", bytes("three"), tag).isInstanceOf[Written])
  }

  contract("of many creators of one key one wins, and its body is what stands there") { store =>
    for (round <- 0 until 20) {
      val key = s"ns/race/$round"
      val results = together(8)(i => (if (i % 2 == 0) store else again(store)).putIfAbsent(key, bytes(s"writer $i")))
      val winners = results.zipWithIndex.collect { case (_: Written, i) => i }
      assert(winners.size == 1, results)
      assert(results.count(_ == new Refused) == 7)
      assert(text(store, key).contains(s"writer ${winners.head}"))
    }
  }

  contract("a counter raised by many with replace-if-match loses nothing") { store =>
    store.putIfAbsent("ns/counter", bytes("0"))
    val raised = together(6) { i =>
      val own = if (i % 2 == 0) store else again(store)
      (0 until 15).foreach { _ =>
        Iterator.continually {
          val now = own.get("ns/counter").get
          own.putIfMatch("ns/counter", bytes((new String(now.bytes, UTF_8).toInt + 1).toString), now.meta.etag)
        }.find(_.isInstanceOf[Written])
      }
      15
    }.sum
    assert(text(store, "ns/counter").contains(raised.toString))
    assert(keys(store, "") == Seq("ns/counter"))
  }

  contract("a reader sees one whole body while it is being replaced") { store =>
    val bodies = Seq('a', 'b').map(c => Array.fill(200000)(c.toByte))
    store.put("ns/a", bodies.head)
    together(3) {
      case 0 => (0 until 30).foreach(i => store.put("ns/a", bodies(i % 2)))
      case _ => (0 until 60).foreach { _ =>
        val seen = store.get("ns/a").get
        assert(seen.bytes.length == 200000 && seen.bytes.forall(_ == seen.bytes.head))
        assert(seen.meta.size == 200000)
      }
    }
  }

  contract("ranges are exact, and empty when the object ends before they do") { store =>
    val body = new Array[Byte](3 << 20)
    new Random(11).nextBytes(body)
    store.putIfAbsent("ns/big", body)
    for ((offset, length) <- Seq((0, 1), (0, body.length), (1, body.length - 1), (body.length - 1, 1), (12345, 1 << 20)))
      assert(java.util.Arrays.equals(store.getRange("ns/big", new ByteRange(offset.toLong, length)).get,
        body.slice(offset, offset + length)))
    for (range <- Seq(new ByteRange(0, body.length + 1), new ByteRange(body.length.toLong, 1),
        new ByteRange(1L << 40, 1), new ByteRange(Long.MaxValue - 8, 8), new ByteRange(0, Int.MaxValue)))
      assert(store.getRange("ns/big", range).isEmpty)
    assert(java.util.Arrays.equals(store.get("ns/big").get.bytes, body))
  }

  contract("an upload appears whole when it is finished, or never") { store =>
    val body = new Array[Byte](1 << 20)
    new Random(12).nextBytes(body)
    val piece = new Array[Byte](70001)
    val upload = store.upload("ns/up/a")
    body.grouped(70000).foreach { part =>
      System.arraycopy(part, 0, piece, 1, part.length)
      upload.write(piece, 1, part.length)
    }
    assert(store.head("ns/up/a").isEmpty && keys(store, "") == Nil && folders(store, "ns/") == Nil)
    val etag = written(upload.finish())
    upload.close()
    assert(java.util.Arrays.equals(store.get("ns/up/a").get.bytes, body))
    assert(store.head("ns/up/a").get.etag == etag)

    val late = store.upload("ns/up/a")
    late.write(bytes("other"), 0, 5)
    assert(late.finish() == new Refused)
    late.close()
    assert(store.head("ns/up/a").get.size == body.length)

    val dropped = store.upload("ns/up/b")
    dropped.write(bytes("other"), 0, 5)
    dropped.close()
    dropped.close()
    assert(keys(store, "") == Seq("ns/up/a"))
    assertThrows[IllegalStateException](dropped.write(bytes("x"), 0, 1))
    assertThrows[IllegalStateException](dropped.finish())
    val empty = store.upload("ns/up/empty")
    assert(empty.finish().isInstanceOf[Written])
    assert(store.head("ns/up/empty").get.size == 0)
  }

  contract("of uploads and creators of one key one wins") { store =>
    val results = together(6) { i =>
      if (i % 2 == 0) store.putIfAbsent("ns/a", bytes(s"$i"))
      else {
        val upload = store.upload("ns/a")
        try { upload.write(bytes(s"$i"), 0, 1); upload.finish() } finally upload.close()
      }
    }
    val winners = results.zipWithIndex.collect { case (_: Written, i) => i }
    assert(winners.size == 1 && text(store, "ns/a").contains(winners.head.toString))
  }

  contract("keys keep every character they have; nothing is decoded or encoded on the way") { store =>
    val odd = Seq("ns/a%20b", "ns/a b", "ns/a+b", "ns/a%2Bb", "ns/%C3%BCn%C3%AF", "ns/per%2520cent", "ns/a:b&c=d@e,f;g'(h)!$",
      "ns/.hidden", "ns/a..b", "ns/...", "ns/%2E%2E/x", "ns/-", "ns/%23hash", "ns/A", "ns/a")
    odd.foreach(k => assert(store.putIfAbsent(k, bytes(k)).isInstanceOf[Written], k))
    odd.foreach(k => assert(text(store, k).contains(k)))
    assert(keys(store, "ns/") == odd.sorted)
    odd.foreach(k => store.delete(k))
    assert(keys(store, "") == Nil)
  }

  contract("keys that could leave the root are refused by a typed error, by every method") { store =>
    for (bad <- Seq("", "/", "/etc/passwd", "..", "../x", "ns/../x", "ns/..", ".", "ns/./x", "ns//x", "ns/x/", "ns/x\u0000y",
        "ns\\..\\x", "..\\x")) {
      val calls = Seq[() => Any](() => store.head(bad), () => store.get(bad), () => store.getRange(bad, new ByteRange(0, 1)),
        () => store.putIfAbsent(bad, bytes("x")), () => store.putIfMatch(bad, bytes("x"), "e"), () => store.put(bad, bytes("x")),
        () => store.upload(bad), () => store.delete(bad), () => store.deleteAll(Seq("ns/a", bad).asJava))
      for (call <- calls) {
        val e = intercept[StoreException](call())
        assert(e.getMessage.contains("not allowed") && !e.getMessage.contains('\u0000'))
      }
    }
    for (bad <- Seq("../", "ns/../", "/", "/ns", "ns//", "ns\\", "../x")) {
      intercept[StoreException](store.list(bad, Optional.empty))
      intercept[StoreException](store.listFolders(bad, Optional.empty))
    }
    assert(keys(store, "") == Nil)
  }

  contract("a listing is ascending by key bytes and follows the prefix as text", pageSize = 3) { store =>
    val all = Seq("n/a", "n/a!b", "n/a-b/c", "n/a.b", "n/a/b", "n/a/b!", "n/a0", "n/ab/c/d", "n/ab/c/e", "n/b", "na", "o/a")
    val r = new Random(13)
    r.shuffle(all.filterNot(_ == "n/a")).foreach(k => store.put(k, bytes(k)))
    val here = all.filterNot(_ == "n/a").sorted
    for (prefix <- Seq("", "n", "n/", "n/a", "n/a/", "n/a!", "n/ab/c/", "n/ab/c/d", "n/b", "o/", "p", "n/zz/", "na/", "n/b/"))
      assert(keys(store, prefix) == here.filter(_.startsWith(prefix)), prefix)
    assert(pages(store, "").init.forall(_.size == 3))
    assert(pages(store, "n/a").map(_.size) == Seq(3, 3, 2))
    assert(pages(store, "n/a/") == Seq(Seq("n/a/b", "n/a/b!")))
  }

  contract("a listing in pages is a listing, whatever the tree", pageSize = 7) { store =>
    val r = new Random(14)
    val parts = Seq("a", "b", "a-", "a0", "zz", "%C3%BC", "B")
    val all = Seq.fill(150)(Seq.fill(1 + r.nextInt(4))(parts(r.nextInt(parts.size))).mkString("d/") + ".x").distinct
    all.foreach(k => store.put(k, bytes(k)))
    val sorted = all.sorted
    for (prefix <- "" +: sorted.flatMap(k => Seq(k.take(k.indexOf('/') + 1), k.take(1 + r.nextInt(k.length)))).distinct) {
      assert(keys(store, prefix) == sorted.filter(_.startsWith(prefix)), prefix)
      val folder = prefix.take(prefix.lastIndexOf('/') + 1)
      val expected = sorted.filter(_.startsWith(prefix)).map(_.drop(folder.length))
        .filter(_.contains('/')).map(_.takeWhile(_ != '/')).distinct.sortBy(_ + "/")
      assert(folders(store, prefix) == expected, prefix)
    }
    all.filter(_.startsWith("a")).foreach(store.delete)
    assert(keys(store, "") == sorted.filterNot(_.startsWith("a")))
    assert(!folders(store, "").exists(_.startsWith("a")), "a folder without objects is none")
  }

  contract("what vanishes between two pages does not disturb the rest", pageSize = 2) { store =>
    ('a' to 'g').foreach(c => store.put(s"ns/$c/x", bytes("x")))
    val first = store.list("ns/", Optional.empty[String])
    Seq("a", "b", "c").foreach(c => store.delete(s"ns/$c/x"))
    store.put("ns/cc/x", bytes("x"))
    val second = store.list("ns/", first.next)
    assert(second.objects.asScala.map(_.key) == Seq("ns/cc/x", "ns/d/x"))
  }

  contract("deleting twice is deleting once") { store =>
    store.put("ns/a", bytes("x"))
    store.put("ns/b/c", bytes("x"))
    store.delete("ns/a")
    store.delete("ns/a")
    store.delete("ns/b/c/d")
    store.delete("ns/nothing/here")
    assert(keys(store, "") == Seq("ns/b/c"))
  }

  contract("a batch of deletions removes what it names, there or not, and nothing else") { store =>
    val odd = Seq("ns/a%20b", "ns/a b", "ns/a+b", "ns/%C3%BCn%C3%AF", "ns/a:b&c=d@e,f;g'(h)!$", "ns/x<y>", "ns/A")
    (odd ++ Seq("ns/a", "ns/b/c", "o")).foreach(k => store.put(k, bytes(k)))
    val report = store.deleteAll((odd ++ Seq("ns/a", "ns/nothing/here")).asJava)
    assert(report.failures.isEmpty && report.requests >= 1 && report.requests <= odd.size + 2)
    assert(keys(store, "") == Seq("ns/b/c", "o"))
    assert(store.deleteAll(java.util.List.of[String]()).failures.isEmpty && keys(store, "").size == 2)
    val many = (0 until ObjectStore.DELETE_BATCH).map(i => f"many/$i%04d")
    many.take(30).foreach(k => store.put(k, bytes("x")))
    assert(store.deleteAll(many.asJava).failures.isEmpty && keys(store, "many/") == Nil)
  }
}
