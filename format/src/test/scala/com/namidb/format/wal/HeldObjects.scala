package com.namidb.format.wal

import java.util.Optional

import com.namidb.format.store._

/** Objects by key, for reading only; counts GETs. */
class HeldObjects(val objects: Map[String, Array[Byte]]) extends ObjectStore {
  var gets: Seq[String] = Nil

  override def get(key: String): Optional[StoredObject] = {
    gets :+= key
    objects.get(key) match {
      case Some(b) => Optional.of(new StoredObject(new ObjectMeta(key, b.length.toLong, "", 0), b))
      case None => Optional.empty()
    }
  }

  private def no: Nothing = throw new IllegalStateException("only GET is expected")

  override def head(key: String): Optional[ObjectMeta] = no
  override def getRange(key: String, range: ByteRange): Optional[Array[Byte]] = no
  override def putIfAbsent(key: String, body: Array[Byte]): PutResult = no
  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = no
  override def put(key: String, body: Array[Byte]): PutResult = no
  override def upload(key: String): ObjectUpload = no
  override def list(prefix: String, after: Optional[String]): ListPage = no
  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage = no
  override def delete(key: String): Unit = no
  override def close(): Unit = ()
}
