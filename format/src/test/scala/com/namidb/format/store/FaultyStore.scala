package com.namidb.format.store

import java.util.Optional
import java.util.concurrent.{ConcurrentLinkedQueue, CopyOnWriteArrayList, CountDownLatch, TimeUnit}
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._
import scala.util.matching.Regex

import com.namidb.format.error.{StoreErrors, StoreException}

/**
 * Wraps a store and misbehaves as scripted: {{{
 *   val store = new FaultyStore(new MemoryStore())
 *   store.on(Op.PutIfAbsent, ".*pointer/p.*", Fault.LostReply)            // the first such call, once
 *   store.on(Op.Get, ".*", Fault.FlipBit(17), times = FaultyStore.Always) // every read
 * }}}
 * The first rule that matches a call and is not used up applies; a call without one passes. Keys of
 * listings are their prefixes, an upload's is its object's, met when it is finished. Patterns match the whole key.
 */
final class FaultyStore(inner: ObjectStore) extends ObjectStore {
  import FaultyStore._

  private val rules = new CopyOnWriteArrayList[Rule]
  private val log = new ConcurrentLinkedQueue[(Op, String)]

  /**
   * Adds a rule.
   *
   * @param skip matching calls that pass before the fault
   * @param times matching calls that get the fault
   */
  def on(op: Op, keyPattern: String, fault: Fault, times: Int = 1, skip: Int = 0): Rule = {
    val rule = new Rule(op, keyPattern.r, fault, times, skip)
    rules.add(rule)
    rule
  }

  /** Forgets all rules; calls that are stalled stay so until released. */
  def heal(): Unit = rules.clear()

  /** Every call so far, in the order of arrival. */
  def calls: Seq[(Op, String)] = log.asScala.toSeq

  private def next(op: Op, key: String): Option[Fault] = {
    log.add((op, key))
    rules.asScala.find(_.takes(op, key)).map(_.fault)
  }

  private def failed(op: Op, key: String): StoreException =
    StoreErrors.failed(op.toString, key, new java.io.IOException("scripted"))

  /** A call that is no conditional write: a lost reply is an exception. */
  private def call[T](op: Op, key: String)(pass: => T)(change: PartialFunction[Fault, T]): T = {
    val unchanged: PartialFunction[Fault, T] = {
      case Fault.FailBefore => throw failed(op, key)
      case Fault.FailAfter | Fault.LostReply => pass; throw failed(op, key)
      case Fault.Before(action) => action(); pass
      case Fault.After(action) => val result = pass; action(); result
      case stall: Fault.Stall => stall.hold(); pass
    }
    next(op, key) match {
      case None => pass
      case Some(fault) =>
        change.orElse(unchanged).applyOrElse(fault, (f: Fault) => throw new IllegalArgumentException(s"$f makes no sense for $op"))
    }
  }

  private def put(op: Op, key: String)(pass: => PutResult): PutResult = call(op, key)(pass) {
    case Fault.LostReply => pass; new PutResult.Unclear("scripted: done, reply lost")
    case Fault.Conflict409 => new PutResult.Unclear("scripted: 409, nothing done")
    case Fault.Refuse => new PutResult.Refused
  }

  override def head(key: String): Optional[ObjectMeta] = call(Op.Head, key)(inner.head(key)) {
    case Fault.Hide => Optional.empty[ObjectMeta]
    case Fault.Truncate(size) => inner.head(key).map(m => shorter(m, size))
  }

  override def get(key: String): Optional[StoredObject] = call(Op.Get, key)(inner.get(key)) {
    case Fault.Hide => Optional.empty[StoredObject]
    case Fault.FlipBit(bit) => inner.get(key).map(o => new StoredObject(o.meta, flip(o.bytes, 0, bit)))
    case Fault.Truncate(size) => inner.get(key).map(o => new StoredObject(shorter(o.meta, size), o.bytes.take(size)))
  }

  override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] =
    call(Op.GetRange, key)(inner.getRange(key, range)) {
      case Fault.Hide => Optional.empty[Array[Byte]]
      case Fault.FlipBit(bit) => inner.getRange(key, range).map(b => flip(b, range.offset, bit))
      case Fault.Truncate(size) => if (range.end > size) Optional.empty[Array[Byte]] else inner.getRange(key, range)
    }

  override def putIfAbsent(key: String, body: Array[Byte]): PutResult =
    put(Op.PutIfAbsent, key)(inner.putIfAbsent(key, body))

  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult =
    put(Op.PutIfMatch, key)(inner.putIfMatch(key, body, etag))

  override def put(key: String, body: Array[Byte]): PutResult = put(Op.Put, key)(inner.put(key, body))

  override def upload(key: String): ObjectUpload = {
    val upload = inner.upload(key)
    new ObjectUpload {
      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = upload.write(bytes, offset, length)
      override def finish(): PutResult = FaultyStore.this.put(Op.Upload, key)(upload.finish())
      override def close(): Unit = upload.close()
    }
  }

  override def list(prefix: String, after: Optional[String]): ListPage =
    call(Op.List, prefix)(inner.list(prefix, after)) {
      case Fault.Hide => new ListPage(java.util.List.of[ObjectMeta](), Optional.empty[String])
      case Fault.HideKeys(pattern) =>
        val page = inner.list(prefix, after)
        new ListPage(page.objects.asScala.filterNot(m => pattern.r.matches(m.key)).asJava, page.next)
    }

  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage =
    call(Op.ListFolders, prefix)(inner.listFolders(prefix, after)) {
      case Fault.Hide => new ObjectStore.NamePage(java.util.List.of[String](), Optional.empty[String])
    }

  override def delete(key: String): Unit = call(Op.Delete, key)(inner.delete(key))(PartialFunction.empty)

  override def close(): Unit = inner.close()
}

object FaultyStore {

  /** For rules that never run out. */
  val Always: Int = Int.MaxValue

  private def flip(bytes: Array[Byte], offset: Long, bit: Long): Array[Byte] = {
    val at = bit / 8 - offset
    if (at < 0 || at >= bytes.length) bytes
    else {
      val out = bytes.clone()
      out(at.toInt) = (out(at.toInt) ^ (1 << (bit % 8).toInt)).toByte
      out
    }
  }

  private def shorter(meta: ObjectMeta, size: Int): ObjectMeta =
    new ObjectMeta(meta.key, math.min(meta.size, size.toLong), meta.etag, meta.modifiedMillis)

  /** One line of the script; `met` counts the calls that got the fault. */
  final class Rule private[FaultyStore] (op: Op, pattern: Regex, val fault: Fault, times: Int, skip: Int) {
    private val seen = new AtomicInteger

    private[FaultyStore] def takes(called: Op, key: String): Boolean =
      op.includes(called) && pattern.matches(key) && {
        val n = seen.getAndIncrement()
        n >= skip && n - skip < times
      }

    def met: Int = math.max(0, math.min(seen.get - skip, times))
  }

  sealed abstract class Op(members: Op*) {
    private[FaultyStore] def includes(called: Op): Boolean = called == this || members.contains(called)
  }

  object Op {
    case object Head extends Op
    case object Get extends Op
    case object GetRange extends Op
    case object PutIfAbsent extends Op
    case object PutIfMatch extends Op
    case object Put extends Op
    case object Upload extends Op
    case object List extends Op
    case object ListFolders extends Op
    case object Delete extends Op

    /** Whole objects and ranges. */
    case object AnyRead extends Op(Get, GetRange)
    case object AnyWrite extends Op(PutIfAbsent, PutIfMatch, Put, Upload)
    case object Anything
        extends Op(Head, Get, GetRange, PutIfAbsent, PutIfMatch, Put, Upload, List, ListFolders, Delete)
  }

  sealed trait Fault

  object Fault {

    /** Nothing done, `StoreException`. */
    case object FailBefore extends Fault

    /** Done, then `StoreException`: a reply that was lost and is taken for a failure. */
    case object FailAfter extends Fault

    /** Done; a write answers `Unclear`, anything else a `StoreException`. */
    case object LostReply extends Fault

    /** A write does nothing and answers `Unclear`, as S3 does under contention. */
    case object Conflict409 extends Fault

    /** A write does nothing and answers `Refused`, whatever is there. */
    case object Refuse extends Fault

    /** A read does not find the object; a listing is empty. */
    case object Hide extends Fault

    /** A listing leaves out the keys that match; its pages get shorter. */
    final case class HideKeys(keyPattern: String) extends Fault

    /** A read returns one bit wrong, counted from the object's start; the rest is right. */
    final case class FlipBit(bit: Long) extends Fault

    /** The object seems to end after `size` bytes. */
    final case class Truncate(size: Int) extends Fault

    /** Something else happens first, in the same thread: the way to interleave two writers. */
    final case class Before(action: () => Unit) extends Fault

    /** Something else happens after the effect, before the caller hears of it. */
    final case class After(action: () => Unit) extends Fault

    /** The call waits, without effect, until it is released; after half a minute it fails. */
    final class Stall extends Fault {
      private val arrival = new CountDownLatch(1)
      private val gate = new CountDownLatch(1)

      private[FaultyStore] def hold(): Unit = {
        arrival.countDown()
        if (!gate.await(30, TimeUnit.SECONDS)) throw new IllegalStateException("a stalled call was never released")
      }

      /** Waits until a call is held. */
      def awaitArrival(): Unit =
        if (!arrival.await(30, TimeUnit.SECONDS)) throw new IllegalStateException("no call came to be stalled")

      def release(): Unit = gate.countDown()
    }
  }
}
