package com.namidb.spark.source

import com.namidb.format.error.{InvalidOptionException, NamespaceNotFoundException, SnapshotGoneException}
import com.namidb.spark.{Places, SparkSuite}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.types.{DataTypes, StructType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import scala.jdk.CollectionConverters._

class SnapshotReadSuite extends SnapshotReadTests(Places.Local)

class SingleObjectSnapshotReadSuite extends SnapshotReadTests(Places.SingleObject)

class BucketSnapshotReadSuite extends SnapshotReadTests(Places.Bucket)

class SingleObjectBucketSnapshotReadSuite extends SnapshotReadTests(Places.SingleObjectBucket)

/** Which version a DataFrame shows, whatever happens around it. */
class SnapshotReadTests(override val places: Places) extends SparkSuite {
  private lazy val g = golden("time-travel")

  private def at(v: Long) = g.recorded.find(_.version.contains(v)).get

  private def current = g.recorded.find(_.version.isEmpty).get

  test("every recorded version by number, all spellings") {
    for (a <- g.recorded; v <- a.version; name <- Seq("versionAsOf", "snapshot-id", "VERSIONASOF")) {
      val df = load(g, "label" -> "*", name -> v.toString)
      assert(ids(df) == a.nodes.map(_.id).sorted)
      assert(df.select("_snapshot_id").distinct().collect().map(_.getLong(0)).toSeq == Seq(v))
    }
    assert(ids(load(g, "label" -> "*")) == current.nodes.map(_.id).sorted)
  }

  test("two versions in one query give two answers") {
    val (old, now) = (load(g, "label" -> "P", "versionAsOf" -> "1"), load(g, "label" -> "P"))
    val (oldIds, nowIds) = (ids(old), ids(now))
    assert(oldIds != nowIds)
    val both = old.select(lit(1).as("w"), col("_id")).union(now.select(lit(2).as("w"), col("_id"))).collect()
    assert(both.filter(_.getInt(0) == 1).map(_.getString(1)).toSeq.sorted == oldIds)
    assert(both.filter(_.getInt(0) == 2).map(_.getString(1)).toSeq.sorted == nowIds)
    // The same shape of exchange on both sides: one must not be reused for the other.
    val joined = old.groupBy("_id").count().as("a").join(now.groupBy("_id").count().as("b"), Seq("_id"), "full")
    assert(joined.count() == (oldIds ++ nowIds).distinct.size)
    assert(joined.filter("a.count is null").count() == (nowIds.toSet -- oldIds).size)
  }

  test("caching one version does not answer for another") {
    val old = load(g, "label" -> "P", "versionAsOf" -> "1").cache()
    try {
      assert(old.count() == at(1).nodes.count(_.labels.contains("P")))
      assert(load(g, "label" -> "P").count() == current.nodes.count(_.labels.contains("P")))
    } finally old.unpersist()
  }

  test("a commit after loading changes nothing, a new load sees it") {
    val h = golden("time-travel")
    val commit = rewind(h, 4)
    val df = load(h, "label" -> "*")
    val edges = load(h, "type" -> "*")
    val self = df.as("a").join(df.as("b"), col("a._id") === col("b._id"))
    assert(ids(df) == at(4).nodes.map(_.id).sorted)
    commit()
    assert(ids(df) == at(4).nodes.map(_.id).sorted)
    assert(edges.count() == at(4).edges.size)
    assert(self.count() == at(4).nodes.size)
    val versions = self.select(col("a._snapshot_id"), col("b._snapshot_id")).distinct().collect()
    assert(versions.map(r => (r.getLong(0), r.getLong(1))).toSeq == Seq((4L, 4L)))
    assert(ids(load(h, "label" -> "*")) == current.nodes.map(_.id).sorted)
  }

  test("schema and table are of one version even if a commit comes in between") {
    val h = golden("time-travel")
    val commit = rewind(h, 1)
    val source = new NamiDataSource
    val options = new CaseInsensitiveStringMap(Map("path" -> h.uri, "label" -> "*").asJava)
    val schema = source.inferSchema(options)
    commit()
    val table = source.getTable(schema, Array.empty[Transform], options.asCaseSensitiveMap)
    assert(table.name.endsWith("@ 1"), table.name)
    // The next load is another question.
    val next = source.getTable(source.inferSchema(options), Array.empty[Transform], options.asCaseSensitiveMap)
    assert(next.name.endsWith("@ 10"), next.name)
  }

  test("times: each version's own commit time finds it") {
    val rows = load(g, "metadata" -> "snapshots").select("version", "committed_at").collect()
    val newestAt = rows.groupBy(_.getTimestamp(1)).map { case (t, rs) => t -> rs.map(_.getLong(0)).max }
    for ((t, v) <- newestAt) {
      val df = load(g, "label" -> "*", "timestampAsOf" -> t.toInstant.toString)
      assert(scans(df).head.table.name.endsWith(s"@ $v"), t)
    }
    assert(ids(load(g, "label" -> "*", "timestampAsOf" -> "2999-01-01")) == current.nodes.map(_.id).sorted)
    val e = failure[SnapshotGoneException](load(g, "label" -> "*", "timestampAsOf" -> "1999-01-01"))
    assert(e.getMessage.contains("version 0"), e.getMessage)
  }

  test("a version that never was, and a namespace that is not there") {
    val e = failure[SnapshotGoneException](load(g, "label" -> "*", "versionAsOf" -> "99"))
    assert(e.version.getAsLong == 99 && e.getMessage.contains("never committed") && e.getMessage.contains("10"))
    val n = failure[NamespaceNotFoundException](
      spark.read.format("namidb").option("label", "*").load(g.uri.replace("ns=ns", "ns=nowhere")))
    assert(n.namespace.get == "nowhere")
  }

  // What stands there in place of bodies is found by number, and gone only with the floor.
  if (!places.single) test("a version whose body is gone: the error names what can be read") {
    val h = golden("time-travel")
    for (v <- 0 to 3) {
      h.place.delete(h.key(f"manifest/v$v%016x.json"))
      h.place.delete(h.key(f"manifest/pointer/p$v%016x.json"))
    }
    val e = failure[SnapshotGoneException](load(h, "label" -> "*", "versionAsOf" -> "2"))
    for (w <- Seq("ersion 2", "4", "10")) assert(e.getMessage.contains(w), e.getMessage)
    assert(ids(load(h, "label" -> "*", "versionAsOf" -> "4")) == at(4).nodes.map(_.id).sorted)
  }

  test("typing errors: near names of labels and types, the nearest option") {
    val e = failure[InvalidOptionException](load(golden("names"), "label" -> "plain"))
    assert(e.getMessage.contains("no label 'plain'") && e.getMessage.contains("Did you mean 'Plain'"), e.getMessage)
    val t = failure[InvalidOptionException](load(g, "type" -> "EE"))
    assert(t.getMessage.contains("no edge type 'EE'") && t.getMessage.contains("'E'"), t.getMessage)
    assert(failure[InvalidOptionException](load(g, "label" -> "P", "verisonAsOf" -> "1")).getMessage.contains("'versionAsOf'"))
    assert(failure[InvalidOptionException](load(g, "metadata" -> "snapshot")).getMessage.contains("'snapshots'"))
    assert(failure[InvalidOptionException](load(g, "label" -> "NothingAlike")).getMessage.contains("It has 'P'"))
  }

  test("labels and types with dots, quotes, slashes and blanks") {
    val h = golden("names")
    val a = h.recorded.head
    for (l <- a.nodes.flatMap(_.labels).distinct)
      assert(ids(load(h, "label" -> l)) == a.nodes.filter(_.labels.contains(l)).map(_.id).sorted, l)
    for ((t, es) <- a.edges.groupBy(_.tpe)) assert(load(h, "type" -> t).count() == es.size, t)
  }

  test("a label or type without live rows is an empty table") {
    val h = golden("updates-and-deletes")
    val a = h.recorded.head
    for (l <- load(h, "metadata" -> "labels").select("label").collect().map(_.getString(0)))
      assert(load(h, "label" -> l).count() == a.nodes.count(_.labels.contains(l)), l)
    for (t <- load(h, "metadata" -> "edge_types").select("type").collect().map(_.getString(0)))
      assert(load(h, "type" -> t).count() == a.edges.count(_.tpe == t), t)
  }

  test("with wal=ignore, what only the WAL has is an empty table") {
    val h = golden("wal-only")
    for (o <- Seq("label" -> "City", "type" -> "ROAD")) {
      assert(load(h, o).count() > 0, o)
      assert(load(h, o, "wal" -> "ignore").count() == 0, o)
    }
  }

  test("an empty namespace has empty tables of everything") {
    val h = golden("empty")
    val nodes = load(h, "label" -> "*")
    assert(nodes.columns.toSeq == Seq("_id", "_labels") && nodes.count() == 0)
    val edges = load(h, "type" -> "*")
    assert(edges.columns.toSeq == Seq("_src", "_dst", "_type") && edges.count() == 0)
    assert(h.leases.isEmpty)
  }

  test("columns: ours, then the properties; hidden ones only when asked for") {
    val nodes = load(g, "label" -> "*")
    assert(nodes.columns.toSeq == Seq("_id", "_labels", "i", "v"))
    assert(load(g, "type" -> "E").columns.toSeq == Seq("_src", "_dst", "v"))
    assert(load(g, "type" -> "*").columns.toSeq == Seq("_src", "_dst", "_type", "v"))
    val hidden = nodes.select("_lsn", "_sst", "_level", "_snapshot_id", "_json")
    assert(hidden.schema.map(f => (f.name, f.dataType, f.nullable)) == Seq(
      ("_lsn", DataTypes.LongType, false), ("_sst", DataTypes.StringType, true), ("_level", DataTypes.IntegerType, true),
      ("_snapshot_id", DataTypes.LongType, false), ("_json", DataTypes.StringType, true)))
    val withV = hidden.filter(col("_json").contains("\"v\":")).count()
    assert(withV == current.nodes.count(_.properties.contains("v")))
  }

  test("binary ids are the sixteen bytes") {
    val rows = load(g, "label" -> "*", "id-format" -> "binary").select("_id").collect()
    val hex = rows.map(_.getAs[Array[Byte]](0).map("%02x".format(_)).mkString).toSeq.sorted
    assert(hex == current.nodes.map(_.id.replace("-", "")).sorted)
  }

  test("a schema given by the user wins") {
    val schema = new StructType().add("v", "int").add("_id", "binary").add("nope", "string").add("_lsn", "long")
    val df = spark.read.format("namidb").schema(schema).option("label", "*").load(g.uri)
    assert(df.columns.toSeq == Seq("v", "_id", "nope", "_lsn"))
    val rows = df.collect()
    assert(rows.length == current.nodes.size)
    assert(rows.forall(r => r.isNullAt(2) && r.getAs[Array[Byte]](1).length == 16))
    for (bad <- Seq("_src STRING", "_id INT", "_labels STRING", "v DECIMAL(3,1)"))
      failure[InvalidOptionException](spark.read.format("namidb").schema(bad).option("label", "*").load(g.uri).collect())
    failure[InvalidOptionException](spark.read.format("namidb").schema("_id STRING").option("type", "*").load(g.uri))
  }

  test("properties that differ only in case need a case-sensitive session, or a schema with one of them") {
    val h = golden("types")
    val e = failure[InvalidOptionException](load(h, "label" -> "M\u00e9trica \u00f1"))
    assert(e.getMessage.contains("'A' and 'a'") && e.getMessage.contains("spark.sql.caseSensitive=true"), e.getMessage)
    val one = spark.read.format("namidb").schema("a STRING").option("label", "M\u00e9trica \u00f1").load(h.uri)
    assert(one.columns.toSeq == Seq("a") && one.filter("a is not null").count() > 0)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try {
      val names = load(h, "label" -> "M\u00e9trica \u00f1").columns
      assert(names.contains("a") && names.contains("A"))
    } finally spark.conf.unset("spark.sql.caseSensitive")
  }
}
