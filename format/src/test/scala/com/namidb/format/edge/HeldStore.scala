package com.namidb.format.edge

import java.io.ByteArrayOutputStream
import java.util.Optional

import com.namidb.format.store._

/** Objects in a map; reads are counted. Only what the edge codec needs. */
class HeldStore extends ObjectStore {
  var objects: Map[String, Array[Byte]] = Map.empty
  var reads: Vector[(Long, Long)] = Vector.empty

  def bytesRead: Long = reads.map(_._2).sum

  override def head(key: String): Optional[ObjectMeta] =
    objects.get(key).fold(Optional.empty[ObjectMeta])(b =>
      Optional.of(new ObjectMeta(key, b.length, "e", 0)))

  override def get(key: String): Optional[StoredObject] =
    objects.get(key).fold(Optional.empty[StoredObject]) { b =>
      reads :+= (0L, b.length.toLong)
      Optional.of(new StoredObject(new ObjectMeta(key, b.length, "e", 0), b.clone))
    }

  override def getRange(key: String, r: ByteRange): Optional[Array[Byte]] =
    objects.get(key).filter(b => r.offset >= 0 && r.end <= b.length) match {
      case Some(b) =>
        reads :+= (r.offset, r.length.toLong)
        Optional.of(java.util.Arrays.copyOfRange(b, r.offset.toInt, r.end.toInt))
      case None => Optional.empty()
    }

  override def upload(key: String): ObjectUpload = new ObjectUpload {
    private val out = new ByteArrayOutputStream
    override def write(b: Array[Byte], offset: Int, length: Int): Unit = out.write(b, offset, length)
    override def finish(): PutResult = {
      objects += key -> out.toByteArray
      new PutResult.Written("e")
    }
    override def close(): Unit = ()
  }

  override def putIfAbsent(key: String, body: Array[Byte]): PutResult = ???
  override def putIfMatch(key: String, body: Array[Byte], etag: String): PutResult = ???
  override def put(key: String, body: Array[Byte]): PutResult = ???
  override def list(prefix: String, after: Optional[String]): ListPage = ???
  override def listFolders(prefix: String, after: Optional[String]): ObjectStore.NamePage = ???
  override def delete(key: String): Unit = ???
  override def close(): Unit = ()
}
