package com.namidb.format.scan

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}
import java.nio.charset.StandardCharsets.UTF_8

import com.namidb.format.id.Hex
import com.namidb.format.log.ManifestRef
import com.namidb.format.manifest.{ManifestJson, NamespacePaths}
import com.namidb.format.snapshot.{Location, Snapshot}
import com.namidb.format.store.{StoreConfig, Xxh3}
import com.namidb.format.wal.{HeldObjects, WalBytes}

/** Snapshots made from descriptors and WAL records. */
object Snapshots {
  private val writer = "0198c0de-0000-7000-8000-0000000000ff"

  /**
   * @param place names the store, so that no two tests share cached WALs
   * @param firstSeq number of the first WAL segment
   */
  def apply(
      place: String,
      ssts: Seq[FakeSst],
      wal: Seq[Seq[WalBytes.Rec]] = Nil,
      labels: Seq[String] = Seq("A", "B", "C"),
      version: Long = 7,
      firstSeq: Long = 1
  ): (Snapshot, HeldObjects) = {
    val segments = wal.map(WalBytes.segment)
    val listed = segments.zip(wal).zipWithIndex.map { case ((bytes, records), i) =>
      s"""{"seq":${firstSeq + i},"path":"elsewhere","last_lsn":${java.lang.Long.toUnsignedString(records.lastOption.fold(0L)(_.lsn))},""" +
        s""""xxh3":${java.lang.Long.toUnsignedString(Xxh3.hash(bytes))}}"""
    }
    val json = s"""{"version":$version,"epoch":1,"writer_id":"$writer","created_at":"2026-01-02T03:04:06Z",""" +
      """"schema":{"version":0,"labels":{},"edge_types":{},"constraints":[]},""" +
      s""""ssts":[${ssts.map(_.json).mkString(",")}],"wal_segments":[${listed.mkString(",")}],""" +
      s""""label_dict":[${labels.map("\"" + _ + "\"").mkString(",")}]}"""
    val manifest = ManifestJson.versioned().read(s"ns/manifest/v$version.json", json.getBytes(UTF_8))
    val location = new Location(new StoreConfig("memory", place, java.util.Map.of()), new NamespacePaths("", "ns"))
    val objects = segments.zipWithIndex.map { case (b, i) => s"ns/wal/${Hex.h16(firstSeq + i)}.wal" -> b }.toMap
    (new Snapshot(location, new ManifestRef(version, 1, writer, 0), manifest), new HeldObjects(objects))
  }

  /** Through Java serialisation and back, as to a task. */
  def shipped[T](value: T): T = {
    val bytes = new ByteArrayOutputStream
    val out = new ObjectOutputStream(bytes)
    out.writeObject(value)
    out.close()
    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject().asInstanceOf[T]
  }
}
