package com.namidb.spark.catalog

import com.namidb.format.error.{InvalidOptionException, NamespaceNotFoundException}
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.types.StructType

class NamiCatalogSuite extends NamiCatalogTests(Places.Local)

class NamiCatalogTests(override val places: Places) extends CatalogFixture {
  override def conf: Map[String, String] = Map("spark.sql.caseSensitive" -> "true")

  private def shape(s: StructType) = s.fields.map(f => (f.name, f.dataType, f.nullable)).toSeq

  private def content(df: DataFrame) = df.select("*", "_lsn", "_json").collect().map(_.toString).toSeq.sorted

  /** A name in back-ticks. */
  private def quoted(name: String) = "`" + name.replace("`", "``") + "`"

  for (name <- Seq("time-travel", "updates-and-deletes", "names", "wal-and-sst", "empty", "banca-aml"))
    test(s"every table of $name is that of the path form") {
      val g = golden(name)
      val c = catalog(g)
      val graph = s"$c.${quoted(g.ns)}"
      def same(table: String, option: (String, String)): Unit = {
        val (a, b) = (sql(s"SELECT * FROM $graph.$table"), load(g, option))
        assert(shape(a.schema) === shape(b.schema), table)
        assert(content(a) === content(b), table)
      }
      same("nodes", "label" -> "*")
      same("edges", "type" -> "*")
      val labels = first(s"SELECT label FROM $graph.labels")
      assert(rows(s"SHOW TABLES IN $graph.nodes").map(_.getString(1)).sorted === labels.sorted)
      // No row of the engine's answers is out of reach.
      assert(g.recorded.head.nodes.flatMap(_.labels).toSet.subsetOf(labels.toSet))
      val types = first(s"SELECT type FROM $graph.edge_types")
      assert(rows(s"SHOW TABLES IN $graph.edges").map(_.getString(1)).sorted === types.sorted)
      labels.take(6).foreach(l => same(s"nodes.${quoted(l)}", "label" -> l))
      types.take(4).foreach(t => same(s"edges.${quoted(t)}", "type" -> t))
    }

  test("versions and times, in SQL and by options, for metadata too") {
    val g = golden("time-travel")
    val graph = s"${catalog(g)}.${g.ns}"
    val newest = version(g)
    def seen(df: DataFrame) = df.selectExpr("max(_snapshot_id)").head().getLong(0)
    assert(seen(sql(s"SELECT _snapshot_id FROM $graph.nodes VERSION AS OF ${newest - 1}")) === newest - 1)
    assert(seen(sql(s"SELECT _snapshot_id FROM $graph.nodes.P VERSION AS OF '4'")) === 4)
    val at = rows(s"SELECT committed_at FROM $graph.snapshots WHERE version = 4").head.getTimestamp(0)
    assert(seen(sql(s"SELECT _snapshot_id FROM $graph.nodes TIMESTAMP AS OF '$at'")) === 4)
    assert(seen(spark.read.option("versionAsOf", 4).table(s"$graph.nodes.P")) === 4)
    assert(seen(spark.read.option("timestampAsOf", at.toString).table(s"$graph.nodes")) === 4)
    val ssts = rows(s"SELECT count(*) FROM $graph.ssts VERSION AS OF 4").head.getLong(0)
    assert(ssts === load(g, "metadata" -> "ssts", "versionAsOf" -> "4").count())
    assert(refusal(s"SELECT * FROM $graph.pins VERSION AS OF 4").contains("about all versions"))
    failure[com.namidb.format.error.SnapshotGoneException](sql(s"SELECT * FROM $graph.nodes VERSION AS OF 9999").collect())
  }

  test("options of a query change how rows are fetched, not what they are") {
    val g = golden("wal-and-sst")
    val t = s"${catalog(g)}.${g.ns}.nodes.N"
    val all = rows(s"SELECT * FROM $t").size
    assert(rows(s"SELECT * FROM $t WITH (`split-size` = '1k', pushdown = 'false', vectorized = 'false')").size === all)
    val stored = spark.read.option("wal", "ignore").table(t).count()
    assert(stored === load(g, "label" -> "N", "wal" -> "ignore").count() && stored != all)
    assert(spark.read.option("snapshot-id", version(g)).table(t).count() === all)
    for ((option, word) <- Seq("id-format" -> "spark.namidb.id-format", "label" -> "name say where", "snapshot-id" -> "VERSION AS OF"))
      assert(failure[InvalidOptionException](spark.read.option(option, "1").table(t).count()).getMessage.contains(word), option)
    assert(refusal(s"SELECT * FROM $t WITH (`splt-size` = '1m')").contains("Did you mean 'split-size'"))
  }

  test("SQL tells names that look alike, programs are told that there is no table") {
    val g = golden("updates-and-deletes")
    val c = catalog(g)
    val n = s"$c.${g.ns}"
    assert(failure[InvalidOptionException](sql(s"SELECT * FROM $n.nodes.Persn")).getMessage.contains("Did you mean 'Person'"))
    assert(failure[InvalidOptionException](sql(s"SELECT * FROM $n.edges.knows")).getMessage.contains("Did you mean 'KNOWS'"))
    assert(failure[InvalidOptionException](sql(s"SELECT * FROM $n.snapshot")).getMessage.contains("Did you mean 'snapshots'"))
    failure[NamespaceNotFoundException](sql(s"SELECT * FROM $c.nope.nodes"))
    assert(refusal(s"SELECT * FROM $n.nodes.Person.x").contains("TABLE_OR_VIEW_NOT_FOUND"))
    for (t <- Seq("nodes", "edges", "nodes.Person", "edges.KNOWS", "snapshots")) assert(spark.catalog.tableExists(s"$n.$t"), t)
    for (t <- Seq("nodes.Persn", "nodes.person", "edges.x", "foo", "nodes.`*`", "a.b")) assert(!spark.catalog.tableExists(s"$n.$t"), t)
    assert(!spark.catalog.tableExists(s"$c.nope.nodes"))
    assert(intercept[Exception](spark.table(s"$n.nodes.Persn")).getMessage.contains("TABLE_OR_VIEW_NOT_FOUND"))
  }

  test("a known name without rows is an empty table") {
    val g = golden("updates-and-deletes")
    val n = s"${catalog(g)}.${g.ns}"
    assert(rows(s"SELECT * FROM $n.nodes.Temp").isEmpty)
    assert(rows(s"SELECT * FROM $n.edges.NEVER").isEmpty)
  }

  test("a table tells what it is") {
    val g = golden("indexes")
    val c = catalog(g)
    val n = s"$c.${g.ns}"
    val facts = rows(s"SHOW TBLPROPERTIES $n.nodes.Doc").map(r => r.getString(0) -> r.getString(1)).toMap
    assert(facts("snapshot-id").toLong === version(g))
    assert(facts("layout") === (if (places.single) "single-object" else "versioned"))
    assert(facts.get("rows").forall(_.toLong === load(g, "label" -> "Doc").count()))
    assert(facts("committed-at").startsWith("20"))
    val declared = rows(s"SELECT property, data_type FROM $n.properties WHERE scope = 'Doc'")
    declared.foreach(d => assert(facts("declared." + d.getString(0)).startsWith(d.getString(1))))
    val described = rows(s"DESCRIBE TABLE EXTENDED $n.nodes.Doc").map(_.toString).mkString("\n")
    assert(described.contains("the node's id") && described.contains(g.place.base) && described.contains("_json"))
    assert(rows(s"SHOW COLUMNS IN $n.nodes.Doc").map(_.getString(0)) === load(g, "label" -> "Doc").columns.toSeq)
    assert(first(s"SHOW CREATE TABLE $n.nodes.Doc").head.contains("snapshot-id"))
  }

  test("secrets of a catalog never show") {
    val g = golden("time-travel")
    val c = catalog(g.place, "s3.access-key-id" -> "AKIAANY", "s3.secret-access-key" -> "hush-hush")
    val shown = Seq(s"DESCRIBE TABLE EXTENDED $c.${g.ns}.nodes.P", s"SHOW TBLPROPERTIES $c.${g.ns}.nodes.P",
      s"DESCRIBE NAMESPACE EXTENDED $c.${g.ns}", s"EXPLAIN EXTENDED SELECT * FROM $c.${g.ns}.nodes.P",
      s"EXPLAIN EXTENDED INSERT INTO $c.${g.ns}.nodes.P (_id) VALUES ('x')")
      .flatMap(t => rows(t).map(_.toString))
    assert(!shown.exists(_.contains("hush-hush")))
  }

  // Of folders: a bucket has none to leave.
  if (!places.bucket) test("names cannot leave their place") {
    val g = golden("updates-and-deletes")
    val c = catalog(Place.of(g.place.dir.resolve(g.ns)))
    val graph = s"${catalog(g)}.${g.ns}"
    for (name <- Seq("..", "../x", "%2e%2e", "..%2f", "a/b", "a\\\\b", "a'b", "a\"b", "a;b", "A", "", " ", "ns?ns=x", "ns#x")) {
      val q = quoted(name)
      intercept[Exception](sql(s"SELECT * FROM $c.$q.nodes").collect())
      assert(!spark.catalog.tableExists(s"$c.$q.nodes"), name)
      intercept[Exception](sql(s"CREATE NAMESPACE $c.$q").collect())
      intercept[Exception](sql(s"DROP NAMESPACE $c.$q CASCADE").collect())
    }
    for (name <- Seq("../manifest", "%2e%2e", "x\u0000y", "'; DROP", "\"", "`", "*"))
      intercept[Exception](sql(s"SELECT * FROM $graph.nodes.${quoted(name)}").collect())
    assert(rows(s"SELECT * FROM $graph.nodes").size === load(g, "label" -> "*").count())
    for (name <- Seq("../escaped", "..%2fescaped")) intercept[Exception](sql(s"CREATE NAMESPACE $c.`$name`").collect())
    assert(!java.nio.file.Files.exists(g.place.dir.resolve("escaped")))
  }

  test("a catalog's uri names the root and nothing below it") {
    val g = golden("time-travel")
    val c = catalog(g)
    spark.conf.set(s"spark.sql.catalog.${c}x", "com.namidb.spark.NamiCatalog")
    assert(refusal(s"SHOW NAMESPACES IN ${c}x").contains(s"spark.sql.catalog.${c}x.uri"))
    spark.conf.set(s"spark.sql.catalog.${c}y", "com.namidb.spark.NamiCatalog")
    spark.conf.set(s"spark.sql.catalog.${c}y.uri", g.uri)
    assert(refusal(s"SHOW NAMESPACES IN ${c}y").contains("Leave ?ns"))
  }

  test("after USE, names are shorter, but not below nodes and edges") {
    val g = golden("updates-and-deletes")
    val c = catalog(g)
    try {
      sql(s"USE $c.${g.ns}")
      assert(rows("SELECT * FROM nodes").size === load(g, "label" -> "*").count())
      assert(refusal("SELECT * FROM nodes.Person").contains("after USE"))
      sql(s"USE $c")
      assert(rows(s"SELECT * FROM ${g.ns}.nodes.Person").size === load(g, "label" -> "Person").count())
    } finally sql("USE spark_catalog.default")
  }
}
