package com.namidb.format.node

import java.util.{List => JList, Optional}

import scala.collection.mutable

import com.namidb.format.store._

/** Objects in a map, every read counted. */
final class BytesStore extends ObjectStore {
  val objects = mutable.Map[String, Array[Byte]]()
  val reads = mutable.Buffer[ByteRange]()

  private def meta(key: String) = objects.get(key).map(b => new ObjectMeta(key, b.length, "e", 0))
  private def optional[T](o: Option[T]): Optional[T] = o.map(Optional.of[T]).getOrElse(Optional.empty[T])

  override def head(key: String): Optional[ObjectMeta] = optional(meta(key))
  override def get(key: String): Optional[StoredObject] =
    optional(meta(key).map(m => new StoredObject(m, objects(key))))
  override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] = {
    reads += range
    optional(
      objects
        .get(key)
        .filter(_.length >= range.end)
        .map(_.slice(range.offset.toInt, range.end.toInt))
    )
  }
  override def putIfAbsent(key: String, body: Array[Byte]): PutResult = put(key, body)
  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = put(key, body)
  override def put(key: String, body: Array[Byte]): PutResult = {
    objects(key) = body
    new PutResult.Written("e")
  }
  override def upload(key: String): ObjectUpload = throw new UnsupportedOperationException
  override def list(prefix: String, after: Optional[String]): ListPage =
    new ListPage(JList.of(), Optional.empty())
  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage =
    new ObjectStore.NamePage(JList.of(), Optional.empty())
  override def delete(key: String): Unit = objects.remove(key)
  override def close(): Unit = ()
}
