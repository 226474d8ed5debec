package com.namidb.spark.metadata

import com.namidb.format.error.InvalidOptionException
import com.namidb.spark.{Places, SparkSuite}
import org.apache.spark.sql.Row

class MetadataTablesSuite extends MetadataTablesTests(Places.Local)

class SingleObjectBucketMetadataTablesSuite extends MetadataTablesTests(Places.SingleObjectBucket)

class MetadataTablesTests(override val places: Places) extends SparkSuite {
  private lazy val g = golden("time-travel")

  test("snapshots: newest first, one of them current, a limit reads less") {
    val rows = load(g, "metadata" -> "snapshots").collect()
    assert(rows.map(_.getAs[Long]("version")).toSeq == (10L to 0L by -1L))
    assert(rows.filter(_.getAs[Boolean]("is_current")).map(_.getAs[Long]("version")).toSeq == Seq(10L))
    assert(rows.forall(_.getAs[Boolean]("readable")))
    assert(rows.last.getAs[String]("operation") == "create")
    assert(load(g, "metadata" -> "snapshots").limit(2).collect().map(_.getAs[Long]("version")).toSeq == Seq(10L, 9L))
    assert(load(g, "metadata" -> "snapshots").limit(0).collect().isEmpty)
    assert(load(g, "metadata" -> "snapshots").filter("version = 4").limit(1).count() == 1)
    failure[InvalidOptionException](load(g, "metadata" -> "snapshots", "versionAsOf" -> "4"))
  }

  test("ssts: kinds, ranges, and overlaps as comparing each pair gives them") {
    for (h <- Seq(g, golden("many-ssts"), golden("edge-heavy"))) {
      val rows = load(h, "metadata" -> "ssts").collect()
      assert(rows.nonEmpty)
      def text(r: Row, c: String) = r.getAs[String](c)
      for (r <- rows) {
        assert(Set("nodes", "edges_fwd", "edges_inv")(text(r, "kind")))
        assert(text(r, "min_key") <= text(r, "max_key"))
        assert(r.getAs[java.math.BigDecimal]("min_lsn").compareTo(r.getAs[java.math.BigDecimal]("max_lsn")) <= 0)
        val overlaps = rows.count(o => (o ne r) && text(o, "kind") == text(r, "kind") &&
          (text(o, "kind") == "nodes" || text(o, "scope") == text(r, "scope")) &&
          text(o, "min_key") <= text(r, "max_key") && text(r, "min_key") <= text(o, "max_key"))
        assert(r.getAs[Long]("overlaps") == overlaps)
        assert(h.place.size(h.key(text(r, "path"))) == r.getAs[Long]("bytes"))
      }
    }
    assert(load(g, "metadata" -> "ssts", "versionAsOf" -> "0").count() == 0)
  }

  test("wal, labels, edge types, properties") {
    val w = golden("wal-only")
    val a = w.recorded.head
    assert(load(w, "metadata" -> "wal").count() >= 1)
    val types = load(w, "metadata" -> "edge_types").select("type").collect().map(_.getString(0)).toSet
    assert(a.edges.map(_.tpe).toSet.subsetOf(types), "types that are only in the WAL are there")
    val labels = load(w, "metadata" -> "labels").select("label").collect().map(_.getString(0)).toSet
    assert(a.nodes.flatMap(_.labels).toSet.subsetOf(labels))
    assert(load(w, "metadata" -> "properties").columns.toSeq == Seq("kind", "scope", "property", "data_type", "dim"))
    load(w, "metadata" -> "properties").collect()
  }

  test("pins: leases as they stand, of whatever writer") {
    val w = golden("wal-only")
    assert(load(w, "metadata" -> "pins").count() == 0)
    w.place.put(w.key("manifest/pins/x.json"), """{"version":1,"expires_at_unix":1767326646}""")
    val pin = load(w, "metadata" -> "pins").head()
    assert(pin.getAs[String]("lease_id") == "x" && pin.getAs[Long]("version") == 1)
    assert(pin.getAs[java.sql.Timestamp]("expires_at").toInstant.getEpochSecond == 1767326646L)
  }
}
