package com.namidb.spark

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.Optional
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

import com.namidb.format.Golden
import com.namidb.format.log.Converted
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.store.local.LocalStore
import com.namidb.format.store.open.StoreOpener
import com.namidb.format.store.s3.S3Server
import com.namidb.format.store.{ObjectMeta, ObjectStore, StoreConfig, TempDirs}

/** Where the graphs of a suite are, and in which layout new ones are made: what the instances of a suite differ in. */
case class Places(bucket: Boolean, single: Boolean) {
  /** A new place without graphs. */
  def fresh(): Place = if (bucket) Place.inBucket() else Place.of(TempDirs.lasting("graphs-"))

  /** A copy of its own of an engine-made namespace, to read, write and damage. */
  def copied(c: Golden.Case): Graph = copied(c, fresh())

  def copied(c: Golden.Case, place: Place): Graph = {
    Place.of(c.store).copyTo(place, c.ns)
    if (single) Converted(place.store, place.paths(c.ns))
    Graph(c, place)
  }

  override def toString: String = s"${if (bucket) "bucket" else "local"}, ${if (single) "single-object" else "versioned"}"
}

object Places {
  val Local: Places = Places(bucket = false, single = false)
  val SingleObject: Places = Places(bucket = false, single = true)
  val Bucket: Places = Places(bucket = true, single = false)
  val SingleObjectBucket: Places = Places(bucket = true, single = true)
  val all: Seq[Places] = Seq(Local, SingleObject, Bucket, SingleObjectBucket)
}

/**
 * A root of graphs, and its raw objects. Keys begin with the namespace.
 *
 * @param base the URI without its query
 * @param query what reaches the store, as a URI has it
 */
final class Place private (val base: String, query: Seq[String], val store: ObjectStore, below: String, folder: Option[Path]) {
  private val prefix = NamespacePaths.below(below)

  /** What a catalog takes. */
  def root: String = base + (if (query.isEmpty) "" else query.mkString("?", "&", ""))

  def uri(ns: String = "g"): String = base + (s"ns=$ns" +: query).mkString("?", "&", "")

  /** The folder of a local place. */
  def dir: Path = folder.getOrElse(throw new IllegalStateException(s"$base is no folder"))

  def paths(ns: String): NamespacePaths = new NamespacePaths(below, ns)

  def metas(under: String = ""): Seq[ObjectMeta] =
    Iterator.unfold(Option(Optional.empty[String]))(_.map { token =>
      val page = store.list(prefix + under, token)
      page.objects.asScala -> Option.when(page.next.isPresent)(page.next)
    }).flatten.toSeq

  def keys(under: String = ""): Seq[String] = metas(under).map(_.key.stripPrefix(prefix))

  def exists(key: String): Boolean = store.head(prefix + key).isPresent

  def size(key: String): Long = store.head(prefix + key).get.size

  def bytes(key: String): Array[Byte] = store.get(prefix + key).get.bytes

  /** The object, if it is there. */
  def found(key: String): Option[Array[Byte]] = store.get(prefix + key).map[Option[Array[Byte]]](o => Some(o.bytes)).orElse(None)

  def text(key: String): String = new String(bytes(key), UTF_8)

  def put(key: String, bytes: Array[Byte]): Unit = store.put(prefix + key, bytes): Unit

  def put(key: String, text: String): Unit = put(key, text.getBytes(UTF_8))

  def delete(key: String): Unit = store.delete(prefix + key)

  /** What errors and tables call an object: its key in the store. */
  def path(key: String): String = prefix + key

  /** Everything of a namespace as it is now; a lease may end meanwhile. */
  def copyTo(other: Place, ns: String = "g"): Unit = for (key <- keys(s"$ns/"); bytes <- found(key)) other.put(key, bytes)

  /** Keys of the leases on a namespace. */
  def leases(ns: String = "g"): Seq[String] = keys(s"$ns/manifest/pins/")

  /** A folder that Spark can read by itself, with what is under a prefix now. */
  def fetched(under: String): String = {
    val to = TempDirs.lasting("fetched-")
    for (key <- keys(under)) Files.write(to.resolve(key.drop(under.length).replace('/', '_')), bytes(key))
    to.toString
  }

  /** What another process needs to reach it. */
  def environment: Map[String, String] = if (folder.isDefined) Map.empty
    else Map("AWS_ACCESS_KEY_ID" -> S3Server.AccessKey, "AWS_SECRET_ACCESS_KEY" -> S3Server.SecretKey)

  def remove(): Unit = folder.foreach(TempDirs.remove)

  override def toString: String = base
}

object Place {
  private val count = new AtomicInteger

  /** One for all, because a store is probed once per bucket. */
  private lazy val shared = S3Server.shared.bucket()

  def of(dir: Path): Place = new Place(s"file://$dir", Nil, LocalStore.open(dir), "", Some(dir))

  def inBucket(): Place = {
    val root = s"graphs/place-${count.incrementAndGet()}"
    of(shared, s"/$root", root)
  }

  /**
   * A place in a bucket. Its keys come to Spark as those of a user who gives none.
   *
   * @param path what follows the bucket in the URI
   * @param root where its objects are, as URLs have it; encoded once more it begins their keys
   */
  def of(bucket: StoreConfig, path: String, root: String): Place = {
    sys.props ++= Seq("aws.accessKeyId" -> S3Server.AccessKey, "aws.secretAccessKey" -> S3Server.SecretKey)
    val query = Seq("region=us-east-1", s"endpoint=${bucket.options.get("s3.endpoint")}", "allow_http=true")
    new Place(s"s3://${bucket.place}$path", query, StoreOpener.open(bucket), root, None)
  }
}

/** A copy of an engine-made namespace, and what the engine answered of it. */
case class Graph(made: Golden.Case, place: Place) {
  def name: String = made.name
  def ns: String = made.ns
  def uri: String = place.uri(ns)
  def recorded: Seq[Golden.At] = made.recorded
  def leases: Seq[String] = place.leases(ns)

  /** What a path in the namespace is as a key of the place. */
  def key(relative: String): String = s"$ns/$relative"
}
