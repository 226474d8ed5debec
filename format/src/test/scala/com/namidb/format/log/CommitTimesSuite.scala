package com.namidb.format.log

import java.util.{Optional, OptionalLong}

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class CommitTimesSuite extends AnyFunSuite {
  private class FakeLog(times: IndexedSeq[Long], oldest: Int) extends ManifestLog {
    override def layout(): com.namidb.format.manifest.Layout = throw new IllegalStateException
    override def key(version: Long): String = throw new IllegalStateException
    override def unfinished(version: Long): Optional[com.namidb.format.manifest.Manifest] = throw new IllegalStateException
    override def base(): Committed = ???
    override def stored(): StoredVersions = ???
    override def fresh(): java.util.Optional[Committed] = java.util.Optional.empty()
    override def publish(base: Committed, next: com.namidb.format.manifest.Manifest, probe: CommitProbe): PublishResult =
      throw new UnsupportedOperationException
    override def createIfAbsent(writer: java.util.UUID, now: java.time.Instant): Committed =
      throw new UnsupportedOperationException
    var reads = 0
    override def createdAtMicros(v: Long): OptionalLong = {
      reads += 1
      if (v < oldest || v >= times.size) OptionalLong.empty() else OptionalLong.of(times(v.toInt))
    }
    override def current(): Committed = throw new IllegalStateException
    override def at(version: Long): Committed = throw new IllegalStateException
    override def find(version: Long): Optional[Committed] = throw new IllegalStateException
    override def oldest(): OptionalLong = throw new IllegalStateException
  }

  private def runningMax(times: IndexedSeq[Long], oldest: Int, v: Int): Long = times.slice(oldest, v + 1).max

  /** The slow answer: the newest version whose running maximum is not after the time. */
  private def linear(times: IndexedSeq[Long], oldest: Int, at: Long): OptionalLong =
    times.indices.reverse.find(v => v >= oldest && runningMax(times, oldest, v) <= at) match {
      case Some(v) => OptionalLong.of(v.toLong)
      case None => OptionalLong.empty()
    }

  /** Times that mostly rise; a clock that is ahead is caught up with after fewer than WINDOW versions. */
  private def local(r: Random, n: Int): IndexedSeq[Long] = {
    val base = Iterator.iterate(0L)(_ + r.nextInt(3)).take(n).toIndexedSeq
    base.indices.map { i =>
      if (r.nextInt(4) == 0) {
        // As late as a version up to 31 further on, at most.
        base(math.min(n - 1, i + r.nextInt(CommitTimes.WINDOW)))
      } else base(i)
    }
  }

  test("both directions equal the linear oracle where clocks differ by up to 31 versions") {
    val r = new Random(20261129)
    for (_ <- 0 until 400) {
      val n = 1 + r.nextInt(300)
      val times = local(r, n)
      val oldest = r.nextInt(n)
      val question = new CommitTimes(new FakeLog(times, oldest))
      for (v <- oldest until n) {
        assert(question.committedAtMicros(v.toLong).getAsLong == runningMax(times, oldest, v))
      }
      for (at <- (-1L to times.max + 1)) {
        val found = new CommitTimes(new FakeLog(times, oldest)).newestAt(at, oldest.toLong, n - 1L)
        assert(found == linear(times, oldest, at), s"$times from $oldest at $at")
      }
    }
  }

  test("what the table shows can be passed back: the answer is that version or a newer one of equal time") {
    val r = new Random(5)
    for (_ <- 0 until 100) {
      val times = local(r, 200)
      for (v <- 0 until 200 by 7) {
        val c = new CommitTimes(new FakeLog(times, 0))
        val shown = c.committedAtMicros(v.toLong).getAsLong
        val back = c.newestAt(shown, 0, 199).getAsLong
        assert(back >= v && c.committedAtMicros(back).getAsLong == shown)
      }
    }
  }

  test("with clocks gone wild the answer still is not after the time, and its successor is") {
    val r = new Random(6)
    for (_ <- 0 until 500) {
      val n = 1 + r.nextInt(200)
      val times = IndexedSeq.fill(n)(r.nextInt(50).toLong)
      for (at <- -1 to 50) {
        val c = new CommitTimes(new FakeLog(times, 0))
        val found = c.newestAt(at.toLong, 0, n - 1L)
        if (found.isPresent) {
          val v = found.getAsLong
          assert(c.committedAtMicros(v).getAsLong <= at)
          assert(v == n - 1 || c.committedAtMicros(v + 1).getAsLong > at)
        } else {
          assert(times(0) > at)
        }
      }
    }
  }

  test("one clock far ahead does not hide what follows for ever") {
    val times = (0L until 500L).map(i => if (i == 100) 1000000L else i)
    val c = new CommitTimes(new FakeLog(times, 0))
    assert(c.newestAt(400, 0, 499).getAsLong == 400)
    assert(c.newestAt(99, 0, 499).getAsLong == 99)
  }

  test("a search reads about log2(versions) + 32 commit times") {
    val times = (0L until 100000L).toIndexedSeq
    for (at <- Seq(0L, 5L, 70000L, 99999L, 1L << 40)) {
      val log = new FakeLog(times, 0)
      assert(new CommitTimes(log).newestAt(at, 0, 99999).getAsLong == math.min(at, 99999))
      assert(log.reads <= 18 + CommitTimes.WINDOW)
    }
  }
}
