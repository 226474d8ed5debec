package com.namidb.format.store.s3

import java.nio.charset.StandardCharsets.UTF_8
import java.time.{Duration, Instant}
import java.util.{Arrays, Optional, UUID}

import scala.jdk.CollectionConverters._
import scala.util.Random

import com.namidb.format.error.StoreException
import com.namidb.format.log.{CommitProbe, PublishResult, Publishing}
import com.namidb.format.store.PutResult.{Refused, Unclear, Written}
import com.namidb.format.store.{ByteRange, ObjectStore, PutResult, StoreConfig}
import org.scalatest.funsuite.AnyFunSuite

/** What becomes of requests when the network or the server fails: every write gets the right result, no read wrong bytes. */
class S3FaultsSuite extends AnyFunSuite {
  import FaultProxy._

  private val timing = new S3Timing(Duration.ofSeconds(2), Duration.ofMillis(400), Duration.ofSeconds(2), Duration.ofSeconds(20), 4, Duration.ofMillis(2))

  /** A store through the proxy, and one beside it that sees the truth. */
  private case class Setting(proxy: FaultProxy, store: ObjectStore, truth: ObjectStore) {
    def text(key: String): Option[String] = {
      val o = truth.get(key)
      if (o.isPresent) Some(new String(o.get.bytes, UTF_8)) else None
    }
  }

  private def open(config: StoreConfig) = S3Store.open(config, new S3Store.Paging(1000, 5 << 20), timing)

  private def faulty(name: String)(body: Setting => Unit): Unit = test(name) {
    val direct = S3Server.shared.bucket()
    val proxy = new FaultProxy(S3Server.shared)
    val store = open(S3Server.shared.through(proxy, direct))
    val truth = open(direct)
    try body(Setting(proxy, store, truth))
    finally { proxy.close(); store.close(); truth.close() }
  }

  private def bytes(text: String) = text.getBytes(UTF_8)

  private def unclear(result: PutResult, clue: Any): Unit = assert(result.isInstanceOf[Unclear], s"$clue: $result")

  private val conditional: Seq[(String, (ObjectStore, String, String) => PutResult)] = Seq(
    "create" -> ((s, key, body) => s.putIfAbsent(key, bytes(body))),
    "replace" -> ((s, key, body) => s.putIfMatch(key, bytes(body), s.head(key).get.etag)))

  for ((kind, put) <- conditional) {
    faulty(s"$kind: sent once, and unclear whenever the answer does not say what happened") { s =>
      val faults = Seq[(Fault, Boolean)](LostRequest -> false, LostReply -> true, Silence -> true,
        Answer(409, "ConditionalRequestConflict") -> false, Answer(409, "OperationAborted") -> false,
        Answer(500, "InternalError") -> false, DoneThenAnswer(500, "InternalError") -> true, Answer(502, "BadGateway") -> false,
        Answer(503, "SlowDown") -> false, DoneThenAnswer(503, "ServiceUnavailable") -> true, DoneThenAnswer(504, "GatewayTimeout") -> true,
        Answer(429, "TooManyRequests") -> false, Answer(400, "RequestTimeout") -> false, Answer(408, "Timeout") -> false)
      for (((fault, done), i) <- faults.zipWithIndex) {
        val key = s"ns/$i"
        if (kind == "replace") s.truth.put(key, bytes("before"))
        s.proxy.on(s"PUT .*/$key", fault)
        unclear(put(s.store, key, "ours"), fault)
        assert(s.proxy.seen(s"PUT .*/$key") == 1, fault)
        assert(s.text(key) == (if (done) Some("ours") else if (kind == "replace") Some("before") else None), fault)
        // The next try tells a create that was done before from one that was not; the caller compares.
        if (kind == "create") assert(s.store.putIfAbsent(key, bytes("ours")) == new Refused == done, fault)
        assert(s.proxy.seen(s"PUT .*/$key") == (if (kind == "create") 2 else 1))
      }
    }

    faulty(s"$kind: certain failures are errors, conditions that do not hold are refusals") { s =>
      for ((status, code) <- Seq(403 -> "AccessDenied", 403 -> "InvalidAccessKeyId", 404 -> "NoSuchBucket", 400 -> "InvalidRequest",
          405 -> "MethodNotAllowed", 301 -> "PermanentRedirect")) {
        s.truth.put("ns/a", bytes("before"))
        if (kind == "create") s.truth.delete("ns/a")
        s.proxy.on("PUT .*/ns/a", Answer(status, code))
        val e = intercept[StoreException](put(s.store, "ns/a", "x"))
        assert(e.getMessage.contains(s"HTTP $status $code") && e.getMessage.contains("object ns/a"), e.getMessage)
        assert(!e.getMessage.contains(S3Server.SecretKey))
      }
      s.truth.put("ns/b", bytes("theirs"))
      s.proxy.on("PUT .*/ns/b", Answer(412, "PreconditionFailed"))
      assert(put(s.store, "ns/b", "ours") == new Refused)
      val etag = s.store.head("ns/b").get.etag
      s.truth.delete("ns/b")
      if (kind == "replace") assert(s.store.putIfMatch("ns/b", bytes("ours"), etag) == new Refused)
    }
  }

  faulty("keys that a store does not take are named, whatever its status") { s =>
    for ((status, code) <- Seq(404 -> "XAdminUserNotFound", 400 -> "InvalidToken", 400 -> "ExpiredToken", 403 -> "InvalidAccessKeyId", 403 -> "Other")) {
      s.proxy.on("(GET|PUT) .*/ns/a", Answer(status, code), 2)
      for (call <- Seq[() => Any](() => s.store.get("ns/a"), () => s.store.put("ns/a", bytes("x")))) {
        val said = intercept[StoreException](call()).getMessage
        assert(said.contains("Check the keys") && said.contains("token"), said)
      }
    }
    for ((status, code, advice) <- Seq((404, "NoSuchBucket", "Check the bucket's name"), (400, "InvalidRequest", "Check s3.region"))) {
      s.proxy.on("PUT .*/ns/a", Answer(status, code))
      val said = intercept[StoreException](s.store.put("ns/a", bytes("x"))).getMessage
      assert(said.contains(advice), said)
    }
  }

  faulty("an answer that breaks off is a doubt, whatever it was about to say") { s =>
    s.truth.put("ns/a", bytes("theirs"))
    for (n <- Seq(0, 1, 40, 100000)) {
      s.proxy.on("PUT .*", CutBody(n), 2)
      val refused = s.store.putIfAbsent("ns/a", bytes("ours"))
      assert(refused == new Refused || refused.isInstanceOf[Unclear], refused)
      s.store.putIfMatch("ns/a", bytes("ours"), "\"0123\"") match {
        case _: Refused | _: Unclear => ()
        case other => fail(other.toString)
      }
      s.proxy.heal()
      s.proxy.on("GET .*", CutBody(n), Always)
      val missing = () => s.store.get("ns/nothing")
      try assert(missing().isEmpty) catch { case _: StoreException => () }
      s.proxy.heal()
    }
    assert(s.text("ns/a").contains("theirs"))
  }

  faulty("a request that never left is an error, not a doubt") { s =>
    s.proxy.close()
    for (put <- Seq[() => PutResult](() => s.store.putIfAbsent("a", bytes("x")), () => s.store.putIfMatch("a", bytes("x"), "e"), () => s.store.put("a", bytes("x"))))
      assert(intercept[StoreException](put()).getMessage.contains("bucket 'bucket-"))
    intercept[StoreException](s.store.get("a"))
    val nobody = open(new StoreConfig("s3", "b", Map("s3.endpoint" -> S3Server.shared.endpoint, "s3.region" -> "x",
      "s3.credentials-provider" -> classOf[NoKeys].getName).asJava))
    try {
      val e = intercept[StoreException](nobody.putIfAbsent("a", bytes("x")))
      assert(e.getMessage.contains("no keys today"), e.getMessage)
    } finally nobody.close()
  }

  faulty("a write that arrives late is refused where its condition no longer holds") { s =>
    val late = new Late
    s.proxy.on("PUT .*", late, times = 2)
    unclear(s.store.putIfAbsent("ns/a", bytes("late")), "create")
    s.truth.put("ns/b", bytes("one"))
    val tag = s.truth.head("ns/b").get.etag
    unclear(s.store.putIfMatch("ns/b", bytes("late"), tag), "replace")
    assert(s.text("ns/a").isEmpty && s.text("ns/b").contains("one"))
    assert(s.store.putIfAbsent("ns/a", bytes("other")).isInstanceOf[Written])
    assert(s.store.putIfMatch("ns/b", bytes("two"), tag).isInstanceOf[Written])
    assert(late.release() == Seq(412, 412))
    assert(s.text("ns/a").contains("other") && s.text("ns/b").contains("two"))
  }

  faulty("an unconditional write is repeated") { s =>
    s.proxy.on("PUT .*", Answer(503, "SlowDown"), times = 2)
    s.proxy.on("PUT .*", LostReply)
    assert(s.store.put("ns/a", bytes("x")).isInstanceOf[Written])
    assert(s.proxy.seen("PUT .*") == 4 && s.text("ns/a").contains("x"))
    s.proxy.on("PUT .*", Answer(500, "InternalError"), times = Always)
    unclear(s.store.put("ns/a", bytes("y")), "all fail")
  }

  private def filled(s: Setting, key: String, size: Int): Array[Byte] = {
    val body = new Array[Byte](size)
    new Random(size).nextBytes(body)
    s.truth.put(key, body)
    body
  }

  faulty("reads are repeated until they are whole") { s =>
    val body = filled(s, "ns/a", 300000)
    val range = new ByteRange(1000, 200000)
    val part = body.slice(1000, 201000)
    for (fault <- Seq[Fault](Answer(503, "SlowDown"), Answer(500, "InternalError"), Answer(429, "TooManyRequests"), LostRequest, LostReply, Silence,
        CutBody(0), CutBody(100), CutBody(199999))) {
      for (times <- Seq(1, 2)) {
        s.proxy.on("GET .*/ns/a", fault, times)
        assert(Arrays.equals(s.store.getRange("ns/a", range).get, part), fault)
        s.proxy.on("GET .*/ns/a", fault, times)
        assert(Arrays.equals(s.store.get("ns/a").get.bytes, body), fault)
      }
    }
    s.proxy.heal()
    for (fault <- Seq[Fault](Answer(503, "SlowDown"), LostReply)) {
      s.proxy.on("HEAD .*", fault, 2)
      assert(s.store.head("ns/a").get.size == 300000)
    }
    for (fault <- Seq[Fault](Answer(503, "SlowDown"), LostReply, CutBody(0), CutBody(1), CutBody(30), CutBody(200))) {
      s.proxy.on("GET .*list-type.*", fault, 2)
      assert(s.store.list("ns/", Optional.empty[String]).objects.size == 1, fault)
    }
    s.proxy.on("DELETE .*", LostReply)
    s.store.delete("ns/a")
    assert(s.store.get("ns/a").isEmpty)
  }

  faulty("what stays broken is an error, never other bytes") { s =>
    filled(s, "ns/a", 300000)
    val range = new ByteRange(1000, 200000)
    for (fault <- Seq[Fault](Answer(503, "SlowDown"), CutBody(1000), LostReply, Answer(403, "AccessDenied"), OtherRange(2000, 202000),
        Answer(404, "NoSuchBucket"))) {
      s.proxy.heal()
      s.proxy.on("GET .*/ns/a", fault, Always)
      intercept[StoreException](s.store.getRange("ns/a", range))
      fault match { case _: OtherRange => case _ => intercept[StoreException](s.store.get("ns/a")) }
    }
    s.proxy.heal()
    s.proxy.on("GET .*/ns/a", OtherRange(1000, 200999), Always)
    assert(s.store.getRange("ns/a", range).isEmpty, "one byte is missing")
    s.proxy.heal()
    s.proxy.on("HEAD .*", Answer(403, "AccessDenied"), Always)
    assert(intercept[StoreException](s.store.head("ns/a")).getMessage.contains("HTTP 403"))
  }

  faulty("a server that knows no ranges sends too much, and the right part is taken") { s =>
    val body = filled(s, "ns/a", 300000)
    s.proxy.on("GET .*", Without("range"), Always)
    for ((offset, n) <- Seq((0, 300000), (0, 1), (299999, 1), (1000, 200000)))
      assert(Arrays.equals(s.store.getRange("ns/a", new ByteRange(offset.toLong, n)).get, body.slice(offset, offset + n)))
    for ((offset, n) <- Seq((0, 300001), (300000, 1))) assert(s.store.getRange("ns/a", new ByteRange(offset.toLong, n)).isEmpty)
  }

  faulty("under random faults every read is right or an error") { s =>
    val seed = new Random().nextLong()
    info(s"seed $seed")
    val r = new Random(seed)
    val body = filled(s, "ns/a", 100000)
    var right = 0
    for (_ <- 0 until 80) {
      s.proxy.heal()
      for (_ <- 0 until r.nextInt(5))
        s.proxy.on("GET .*", r.nextInt(5) match {
          case 0 => Answer(Seq(500, 502, 503).apply(r.nextInt(3)), "SlowDown")
          case 1 => LostRequest
          case 2 => LostReply
          case _ => CutBody(r.nextInt(100000))
        })
      val offset = r.nextInt(100000)
      val n = 1 + r.nextInt(100000 - offset)
      try {
        assert(Arrays.equals(s.store.getRange("ns/a", new ByteRange(offset.toLong, n)).get, body.slice(offset, offset + n)))
        right += 1
      } catch { case _: StoreException => () }
    }
    assert(right > 40, "most get through")
  }

  faulty("a batch of deletions is one request, repeated as a whole, and what stays is named") { s =>
    def fill(): java.util.List[String] = { val keys = (0 until 5).map(i => s"ns/$i"); keys.foreach(s.truth.put(_, bytes("x"))); keys.asJava }
    val batch = "POST .*delete.*"
    val keys = fill()
    for (fault <- Seq[Fault](LostRequest, LostReply, Answer(503, "SlowDown"), DoneThenAnswer(500, "InternalError"), CutBody(0), CutBody(20))) {
      fill()
      val before = s.proxy.seen(batch)
      s.proxy.on(batch, fault, times = 2)
      val report = s.store.deleteAll(keys)
      assert(report.failures.isEmpty && report.requests == 1 && s.proxy.seen(batch) - before == 3, fault)
      assert(s.truth.list("", Optional.empty[String]).objects.isEmpty, fault)
    }
    fill()
    s.proxy.on(batch, Answer(503, "SlowDown"), Always)
    assert(intercept[StoreException](s.store.deleteAll(keys)).getMessage.contains("HTTP 503"))
    s.proxy.heal()
    // A server that keeps some of them, or that says nothing about them.
    val some = """<?xml version="1.0" encoding="UTF-8"?><DeleteResult><Deleted><Key>ns/0</Key></Deleted><Error><Key>ns/1</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>"""
    s.proxy.on(batch, Says(200, some))
    assert(s.store.deleteAll(keys).failures.asScala.map(f => f.key -> f.reason.takeWhile(_ != ' ')) ==
      Seq("ns/1" -> "AccessDenied:", "ns/2" -> "the", "ns/3" -> "the", "ns/4" -> "the"))
    assert(s.proxy.seen("DELETE .*") == 0)
  }

  for (refusal <- Seq(Answer(501, "NotImplemented"), Answer(405, "MethodNotAllowed"), Answer(400, "MissingContentMD5"), Answer(403, "AccessDenied")))
    faulty(s"a server that does not take batches of deletions ($refusal) gets single ones from then on") { s =>
      val keys = (0 until 4).map(i => s"ns/$i")
      keys.foreach(s.truth.put(_, bytes("x")))
      s.proxy.on("POST .*delete.*", refusal, Always)
      s.proxy.on("DELETE .*/ns/1", Answer(403, "AccessDenied"))
      val report = s.store.deleteAll(keys.asJava)
      assert(report.failures.asScala.map(_.key) == keys.drop(1) && report.failures.get(0).reason.contains("HTTP 403") && report.requests == 2)
      assert(s.store.deleteAll(keys.asJava).failures.isEmpty && s.truth.list("", Optional.empty[String]).objects.isEmpty)
      assert(s.proxy.seen("POST .*") == 1 && s.proxy.seen("DELETE .*") == 6)
    }

  private def upload(store: ObjectStore, key: String, body: Array[Byte]) = {
    val u = store.upload(key)
    u.write(body, 0, body.length)
    u
  }

  private def body(mib: Int) = {
    val out = new Array[Byte](mib << 20)
    new Random(mib).nextBytes(out)
    out
  }

  faulty("an upload: parts are repeated, the end is not, and what failed is dropped") { s =>
    val big = body(11)
    s.proxy.on("PUT .*partNumber=2.*", LostReply)
    s.proxy.on("PUT .*partNumber=1.*", Answer(503, "SlowDown"), 2)
    s.proxy.on("POST .*uploads.*", Answer(503, "SlowDown"))
    val u = upload(s.store, "ns/a", big)
    assert(u.finish().isInstanceOf[Written] && Arrays.equals(s.truth.get("ns/a").get.bytes, big))
    assert(s.proxy.seen("DELETE .*uploadId.*") == 0)

    for (((fault, done), i) <- Seq[(Fault, Boolean)](LostReply -> true, LostRequest -> false, Answer(503, "SlowDown") -> false,
        Answer(409, "ConditionalRequestConflict") -> false, DoneThenAnswer(500, "InternalError") -> true, Answer(200, "InternalError") -> false).zipWithIndex) {
      val key = s"ns/u$i"
      s.proxy.on(s"POST .*/$key.uploadId.*", fault)
      unclear(upload(s.store, key, big).finish(), fault)
      assert(s.proxy.seen(s"POST .*/$key.uploadId.*") == 1 && s.truth.head(key).isPresent == done, fault)
      assert(s.proxy.seen(s"DELETE .*/$key.uploadId.*") == 1, fault)
    }

    s.proxy.on("PUT .*/ns/bad.*partNumber=2.*", Answer(500, "InternalError"), Always)
    val failing = s.store.upload("ns/bad")
    failing.write(big, 0, 6 << 20)
    val e = intercept[StoreException] { failing.write(big, 6 << 20, 5 << 20); failing.finish() }
    assert(e.getMessage.contains("a part of"))
    failing.close()
    assert(s.proxy.seen("DELETE .*/ns/bad.uploadId.*") == 1 && s.truth.head("ns/bad").isEmpty)
  }

  faulty("a commit with lost answers is found committed, once") { s =>
    val own = new Publishing(s.store)
    own.log.createIfAbsent(new UUID(1, 1), Instant.parse("2026-11-29T10:00:00Z"))
    for ((faults, i) <- Seq(Seq("v" -> LostReply), Seq("pointer/p" -> LostReply), Seq("v" -> LostReply, "pointer/p" -> DoneThenAnswer(500, "InternalError")),
        Seq("v" -> Answer(409, "ConditionalRequestConflict"), "pointer/p" -> Answer(503, "SlowDown")), Seq("current" -> LostReply)).zipWithIndex) {
      s.proxy.heal()
      faults.foreach { case (file, fault) => s.proxy.on(s"PUT .*/manifest/$file[^/]*", fault) }
      val base = own.log.base()
      val next = own.next(base, i + 1L)
      assert(own.log.publish(base, next, CommitProbe.NONE).isInstanceOf[PublishResult.Committed], faults)
      val seen = new Publishing(s.truth).log.current()
      assert(seen.ref.version == i + 1 && seen.ref.writerId == next.writerId, faults)
    }
  }
}

/** Supplies no keys. */
class NoKeys extends S3Credentials {
  override def keys(): S3Credentials.Keys = throw new IllegalStateException("no keys today")
}
