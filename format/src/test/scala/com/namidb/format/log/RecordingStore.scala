package com.namidb.format.log

import java.time.{Clock, Instant, ZoneId, ZoneOffset}
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.store.{ByteRange, ListPage, ObjectMeta, ObjectStore, ObjectUpload, PutResult, StoredObject}
import com.namidb.format.store.memory.MemoryStore

/** A memory store that writes down every request, and can do something just before one. */
class RecordingStore extends ObjectStore {
  var requests: Vector[String] = Vector.empty
  var now: Long = 1767326646000L
  var before: String => Unit = _ => ()

  // Every write is a millisecond later than the one before.
  private var writes = 0
  private val clock = new Clock {
    override def millis(): Long = now + writes
    override def instant(): Instant = Instant.ofEpochMilli(millis())
    override def getZone: ZoneId = ZoneOffset.UTC
    override def withZone(z: ZoneId): Clock = this
  }
  private var inner = new MemoryStore(clock, 3)

  private def sent(kind: String, key: String): Unit = {
    val request = s"$kind $key"
    requests :+= request
    before(request)
  }

  /** The requests of an action, sorted. */
  def bill(action: => Any): Seq[String] = {
    requests = Vector.empty
    action
    requests.sorted
  }

  def set(key: String, bytes: Array[Byte]): Unit = {
    writes += 1
    inner.put(key, bytes)
  }

  def set(key: String, text: String): Unit = set(key, text.getBytes("UTF-8"))

  def bytes(key: String): Array[Byte] = inner.get(key).get.bytes

  def has(key: String): Boolean = inner.head(key).isPresent

  def keys: Seq[String] = {
    val pages = Iterator.unfold(Option(Optional.empty[String]())) {
      case None => None
      case Some(after) =>
        val page = inner.list("", after)
        Some((page.objects.asScala.map(_.key), if (page.next.isPresent) Some(page.next) else None))
    }
    pages.flatten.toSeq
  }

  def remove(key: String): Unit = inner.delete(key)

  def clear(): Unit = inner = new MemoryStore(clock, 3)

  def copy(): RecordingStore = {
    val out = new RecordingStore
    keys.foreach(k => out.set(k, bytes(k)))
    out
  }

  override def head(key: String): Optional[ObjectMeta] = {
    sent("HEAD", key)
    inner.head(key)
  }
  override def get(key: String): Optional[StoredObject] = {
    sent("GET", key)
    inner.get(key)
  }
  override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] = {
    sent("RANGE", key)
    inner.getRange(key, range)
  }
  override def putIfAbsent(key: String, body: Array[Byte]): PutResult = {
    sent("PUT", key)
    inner.putIfAbsent(key, body)
  }
  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = {
    sent("PUT", key)
    inner.putIfMatch(key, body, etag)
  }
  override def put(key: String, body: Array[Byte]): PutResult = {
    sent("PUT", key)
    inner.put(key, body)
  }
  override def list(prefix: String, after: Optional[String]): ListPage = {
    sent("LIST", prefix)
    inner.list(prefix, after)
  }
  override def delete(key: String): Unit = {
    sent("DELETE", key)
    inner.delete(key)
  }
  override def upload(key: String): ObjectUpload = inner.upload(key)
  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage = inner.listFolders(prefix, after)
  override def close(): Unit = ()
}
