package com.namidb.format.log

import java.util.Optional

import scala.collection.immutable.TreeMap
import scala.jdk.CollectionConverters._

import com.namidb.format.store.{ByteRange, ListPage, ObjectMeta, ObjectStore, ObjectUpload, PutResult, StoredObject}

/** A map of objects that writes down every request, and can do something just before one. */
class RecordingStore extends ObjectStore {
  var objects: TreeMap[String, StoredObject] = TreeMap.empty
  var requests: Vector[String] = Vector.empty
  var now: Long = 1767326646000L
  var before: String => Unit = _ => ()
  private var writes = 0

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
    objects += key -> new StoredObject(new ObjectMeta(key, bytes.length, "e" + writes, now), bytes.clone())
  }

  def set(key: String, text: String): Unit = set(key, text.getBytes("UTF-8"))

  def remove(key: String): Unit = objects -= key

  override def head(key: String): Optional[ObjectMeta] = {
    sent("HEAD", key)
    Optional.ofNullable(objects.get(key).map(_.meta).orNull)
  }
  override def get(key: String): Optional[StoredObject] = {
    sent("GET", key)
    Optional.ofNullable(objects.get(key).orNull)
  }
  override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] = {
    sent("RANGE", key)
    Optional.ofNullable(
      objects.get(key).map(_.bytes).filter(_.length >= range.end).map(_.slice(range.offset.toInt, range.end.toInt)).orNull)
  }
  override def putIfAbsent(key: String, body: Array[Byte]): PutResult = {
    sent("PUT", key)
    if (objects.contains(key)) new PutResult.Refused() else { set(key, body); new PutResult.Written("e" + writes) }
  }
  override def put(key: String, body: Array[Byte]): PutResult = {
    sent("PUT", key)
    set(key, body)
    new PutResult.Written("e" + writes)
  }
  override def list(prefix: String, after: Optional[String]): ListPage = {
    sent("LIST", prefix)
    val hits = objects.iteratorFrom(prefix).takeWhile(_._1.startsWith(prefix)).map(_._2.meta)
      .filter(m => after.isEmpty || m.key > after.get).take(3).toSeq
    new ListPage(hits.asJava, if (hits.size < 3) Optional.empty() else Optional.of(hits.last.key))
  }
  override def delete(key: String): Unit = {
    sent("DELETE", key)
    remove(key)
  }
  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = throw new IllegalStateException
  override def upload(key: String): ObjectUpload = throw new IllegalStateException
  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage = throw new IllegalStateException
  override def close(): Unit = ()
}
