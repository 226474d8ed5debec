package com.namidb.format.store

import java.util.Optional

/** Tells of every request before it is sent and after its effect, before the caller hears of it. */
final class WatchedStore(inner: ObjectStore, watch: WatchedStore.Watch) extends ObjectStore {
  private def told[T](op: String, key: String, body: Array[Byte] = Array.emptyByteArray)(request: => T): T = {
    watch(op, key, body, false)
    // A scripted failure has had its effect, or none, by then.
    try request
    finally watch(op, key, body, true)
  }

  override def head(key: String): Optional[ObjectMeta] = told("HEAD", key)(inner.head(key))
  override def get(key: String): Optional[StoredObject] = told("GET", key)(inner.get(key))
  override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] = told("GET", key)(inner.getRange(key, range))
  override def putIfAbsent(key: String, body: Array[Byte]): PutResult = told("PUT", key, body)(inner.putIfAbsent(key, body))
  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = told("PUT", key, body)(inner.putIfMatch(key, body, etag))
  override def put(key: String, body: Array[Byte]): PutResult = told("PUT", key, body)(inner.put(key, body))
  override def list(prefix: String, after: Optional[String]): ListPage = told("LIST", prefix)(inner.list(prefix, after))
  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage =
    told("LIST", prefix)(inner.listFolders(prefix, after))
  override def delete(key: String): Unit = told("DELETE", key)(inner.delete(key))
  override def close(): Unit = inner.close()

  override def upload(key: String): ObjectUpload = {
    val upload = inner.upload(key)
    new ObjectUpload {
      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = upload.write(bytes, offset, length)
      override def finish(): PutResult = told("UPLOAD", key)(upload.finish())
      override def close(): Unit = upload.close()
    }
  }
}

object WatchedStore {
  /** Gets the request's kind, its key, what it writes, and whether it has happened. */
  type Watch = (String, String, Array[Byte], Boolean) => Unit
}
