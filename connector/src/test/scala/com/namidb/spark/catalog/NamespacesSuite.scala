package com.namidb.spark.catalog

import java.nio.file.Files
import java.time.{Clock, Instant, ZoneOffset}

import scala.jdk.CollectionConverters._

import com.namidb.format.engine.Engines
import com.namidb.format.error.{InvalidOptionException, ValidationFailedException}
import com.namidb.spark.{Graph, Place, Places}

class NamespacesSuite extends NamespacesTests(Places.Local)

class BucketNamespacesSuite extends NamespacesTests(Places.Bucket)

class NamespacesTests(override val places: Places) extends CatalogFixture {
  private def facts(namespace: String) = rows(s"DESCRIBE NAMESPACE EXTENDED $namespace").map(r => r.getString(0) -> r.getString(1)).toMap

  private def files(g: Graph): Seq[String] = files(g.place, g.ns)

  private def files(p: Place, ns: String): Seq[String] = p.keys(s"$ns/").map(_.drop(ns.length + 1))

  private def pin(g: Graph, expires: Instant): Unit =
    g.place.put(g.key("manifest/pins/0194aaaa-0000-4000-8000-000000000001.json"),
      s"""{"version":${version(g)},"expires_at_unix":${expires.getEpochSecond},"owner":"a reader"}""")

  test("the graphs below a root, and their parts") {
    val g = golden("time-travel")
    g.place.put("no-graph/data/x", "x")
    val c = catalog(g)
    assert(first(s"SHOW NAMESPACES IN $c") === Seq(g.ns))
    assert(first(s"SHOW NAMESPACES IN $c.${g.ns}") === Seq(s"${g.ns}.nodes", s"${g.ns}.edges"))
    assert(first(s"SHOW NAMESPACES IN $c.${g.ns}.nodes").isEmpty)
    assert(refusal(s"SHOW NAMESPACES IN $c.no-graph").nonEmpty)
    val tables = rows(s"SHOW TABLES IN $c.${g.ns}").map(_.getString(1))
    assert(Seq("nodes", "edges", "snapshots", "pins").forall(tables.contains))
    tables.foreach(t => sql(s"SELECT * FROM $c.${g.ns}.$t").collect())
    assert(refusal(s"SHOW TABLES IN $c.${g.ns}.nope").contains("SCHEMA_NOT_FOUND"))
  }

  test("DESCRIBE NAMESPACE tells the version and the place") {
    val g = golden("wal-and-sst")
    val c = catalog(g)
    val f = facts(s"$c.${g.ns}")
    assert(f("Comment").contains(s"snapshot ${version(g)},"))
    assert(f("Location") === s"${g.place.base}/${g.ns}/")
    assert(f("Properties").contains("committed-at") && f("Properties").contains("epoch"))
  }

  test("a graph is made, filled and dropped") {
    val c = catalog(places.fresh())
    assert(rows(s"SHOW NAMESPACES IN $c").isEmpty)
    sql(s"CREATE NAMESPACE $c.fresh")
    assert(first(s"SHOW NAMESPACES IN $c") === Seq("fresh"))
    assert(refusal(s"CREATE NAMESPACE $c.fresh").contains("SCHEMA_ALREADY_EXISTS"))
    sql(s"CREATE NAMESPACE IF NOT EXISTS $c.fresh")
    assert(rows(s"SELECT * FROM $c.fresh.nodes").isEmpty)
    assert(facts(s"$c.fresh")("Properties").contains("(nodes,0)"))
    sql(s"DROP NAMESPACE $c.fresh")
    assert(rows(s"SHOW NAMESPACES IN $c").isEmpty)
    sql(s"CREATE NAMESPACE $c.fresh")
    sql(s"CREATE TABLE $c.fresh.nodes.City OPTIONS (key 'name') AS SELECT 'Oslo' AS name")
    assert(refusal(s"DROP NAMESPACE $c.fresh").contains("CASCADE deletes everything below"))
    sql(s"DROP NAMESPACE $c.fresh CASCADE")
    assert(rows(s"SHOW NAMESPACES IN $c").isEmpty)
    assert(refusal(s"SELECT * FROM $c.fresh.nodes").contains("no namespace"))
    // What is made anew knows nothing of what was.
    sql(s"CREATE NAMESPACE $c.fresh")
    assert(rows(s"SHOW TABLES IN $c.fresh.nodes").isEmpty)
    assert(rows(s"SELECT version FROM $c.fresh.snapshots").map(_.getLong(0)) === Seq(0))
  }

  // Of both layouts at once.
  if (!places.single) test("a catalog with layout=single-object makes, describes and drops such graphs; others see them") {
    val root = places.fresh()
    val c = catalog(root, "layout" -> "single-object")
    val any = catalog(root)
    def left(n: String) = files(root, n).filterNot(_.startsWith("."))
    sql(s"CREATE NAMESPACE $c.one")
    sql(s"CREATE NAMESPACE $any.two")
    assert(root.exists("one/manifest.json") && root.keys("one/manifest/").isEmpty)
    for (x <- Seq(c, any)) {
      assert(first(s"SHOW NAMESPACES IN $x") === Seq("one", "two"))
      assert(refusal(s"CREATE NAMESPACE $x.one").contains("SCHEMA_ALREADY_EXISTS"))
    }
    assert(facts(s"$c.one")("Properties").contains("(layout,single-object)"))
    assert(facts(s"$any.one")("Properties").contains("(layout,single-object)") && facts(s"$any.one")("Comment").contains("snapshot 0"))
    assert(facts(s"$any.two")("Properties").contains("(layout,versioned)"))
    // A layout that is asked for is a condition, also for dropping.
    for ((x, n) <- Seq(catalog(root, "layout" -> "versioned") -> "one", c -> "two"); cascade <- Seq("", " CASCADE")) {
      val before = left(n)
      assert(refusal(s"DROP NAMESPACE $x.$n$cascade").contains("exists in the layout") && left(n) === before)
    }
    sql(s"DROP NAMESPACE $any.one")
    assert(first(s"SHOW NAMESPACES IN $c") === Seq("two"))
    for (round <- 1 to 2) {
      sql(s"CREATE NAMESPACE $c.one")
      sql(s"CREATE TABLE $c.one.nodes.City OPTIONS (key 'name') AS SELECT 'Oslo' AS name")
      for (n <- Seq("Voss", "Bergen")) sql(s"INSERT INTO $c.one.nodes.City (_id, name) SELECT $c.system.node_id('City', '$n'), '$n'")
      assert(rows(s"SELECT version FROM $any.one.snapshots").map(_.getLong(0)).max === 3)
      assert(rows(s"SELECT * FROM $c.one.nodes.City").size === 3 && rows(s"SHOW TABLES IN $any.one.nodes").size === 1)
      assert(refusal(s"DROP NAMESPACE $any.one").contains("CASCADE deletes everything below"))
      sql(s"DROP NAMESPACE $c.one CASCADE")
      assert(left("one") === Nil && refusal(s"SELECT * FROM $any.one.nodes").contains("no namespace"))
    }
    assert(first(s"SHOW NAMESPACES IN $any") === Seq("two"))
  }

  test("properties, places and other shapes are refused") {
    val g = golden("time-travel")
    val c = catalog(g)
    for (t <- Seq(s"CREATE NAMESPACE $c.x COMMENT 'c'", s"CREATE NAMESPACE $c.x LOCATION '/tmp/x'",
      s"CREATE NAMESPACE $c.x WITH DBPROPERTIES ('a' = 'b')", s"ALTER NAMESPACE $c.${g.ns} SET PROPERTIES ('a' = 'b')",
      s"ALTER NAMESPACE $c.${g.ns} SET LOCATION '/tmp'", s"CREATE NAMESPACE $c.x.y", s"DROP NAMESPACE $c.${g.ns}.nodes CASCADE"))
      failure[InvalidOptionException](sql(t))
    assert(first(s"SHOW NAMESPACES IN $c") === Seq(g.ns))
    assert(refusal(s"DROP NAMESPACE $c.nope").contains("SCHEMA_NOT_FOUND"))
    sql(s"DROP NAMESPACE IF EXISTS $c.nope")
  }

  test("a graph that is read is not dropped") {
    val g = golden("time-travel")
    val c = catalog(g)
    pin(g, Instant.now().plusSeconds(600))
    val before = files(g)
    assert(failure[ValidationFailedException](sql(s"DROP NAMESPACE $c.${g.ns} CASCADE")).getMessage.contains("a reader"))
    assert(files(g) === before)
    pin(g, Instant.now().minusSeconds(600))
    sql(s"DROP NAMESPACE $c.${g.ns} CASCADE")
    assert(files(g).filterNot(_.startsWith(".")) === Nil)
  }

  test("a drop that was cut off shows no graph, keeps its name, and is finished by another") {
    val g = golden("time-travel")
    val c = catalog(g)
    val known = if (places.single) Seq("manifest.json") else "manifest/current.json" +: files(g).filter(_.startsWith("manifest/pointer/"))
    g.place.store.put(g.place.paths(g.ns).dropping, "{}".getBytes("UTF-8"))
    known.foreach(f => g.place.delete(g.key(f)))
    assert(refusal(s"SELECT * FROM $c.${g.ns}.nodes").contains("no namespace"))
    assert(facts(s"$c.${g.ns}")("Comment").contains("deleted graph"))
    assert(refusal(s"CREATE NAMESPACE $c.${g.ns}").contains("SCHEMA_ALREADY_EXISTS"))
    assert(refusal(s"DROP NAMESPACE $c.${g.ns}").contains("CASCADE"))
    sql(s"DROP NAMESPACE $c.${g.ns} CASCADE")
    assert(first(s"SHOW NAMESPACES IN $c").isEmpty)
    sql(s"CREATE NAMESPACE $c.${g.ns}")
    assert(rows(s"SELECT * FROM $c.${g.ns}.nodes").isEmpty)
  }

  test("data of another graph stops a creation") {
    val root = places.fresh()
    root.put("left/sst/level0/x.parquet", "x")
    val c = catalog(root)
    assert(failure[ValidationFailedException](sql(s"CREATE NAMESPACE $c.left")).getMessage.contains("x.parquet"))
    val names = new CatalogNamespaces(new CatalogOptions(c, Map("uri" -> root.root).asJava), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
    assert(!names.exists(Array("left")) && !names.exists(Array("a", "b", "c")) && !names.exists(Array.empty[String]))
  }

  for (engine <- Engines.versions if Engines.enabled && places == Places.Local)
    test(s"engine $engine opens a graph that Spark made, also under a name that was dropped") {
      val root = places.fresh()
      val c = catalog(root)
      def ask(query: String) = Engines.run(engine, "written.py", "ask", root.dir.toString, "made", query)
      sql(s"CREATE NAMESPACE $c.made")
      assert(ask("MATCH (n) RETURN count(n) AS n").contains("0"))
      sql(s"CREATE TABLE $c.made.nodes.City OPTIONS (key 'name') AS SELECT 'Oslo' AS name, 7 AS n")
      assert(ask("MATCH (c:City) RETURN c.name AS name, c.n AS n").contains("Oslo"))
      // The engine's own opening committed meanwhile.
      sql(s"INSERT INTO $c.made.nodes.City (_id, name) SELECT $c.system.node_id('City', 'Voss'), 'Voss'")
      sql(s"DROP NAMESPACE $c.made CASCADE")
      assert(ask("MATCH (n) RETURN count(n) AS n").contains("0"))
      sql(s"CREATE TABLE $c.made.nodes.Town OPTIONS (key 'name') AS SELECT 'Bergen' AS name")
      assert(ask("MATCH (c) RETURN c.name AS name").linesIterator.count(_.contains("Bergen")) === 1)
      assert(rows(s"SHOW TABLES IN $c.made.nodes").map(_.getString(1)) === Seq("Town"))
    }

  test("system holds procedures: no graph is made under this name, one that is there is read") {
    val root = places.fresh()
    val c = catalog(root)
    for (t <- Seq(s"CREATE NAMESPACE $c.system", s"CREATE NAMESPACE IF NOT EXISTS $c.system"))
      assert(failure[InvalidOptionException](sql(t)).getMessage.contains("holds procedures and functions"))
    assert(root.keys().isEmpty)
    val g = golden("updates-and-deletes")
    for (key <- g.place.keys(s"${g.ns}/")) root.put(s"system/${key.drop(g.ns.length + 1)}", g.place.bytes(key))
    assert(first(s"SHOW NAMESPACES IN $c") === Seq("system"))
    assert(rows(s"SELECT * FROM $c.system.nodes.Person").nonEmpty && rows(s"SHOW TABLES IN $c.system.nodes").nonEmpty)
    assert(rows(s"SELECT $c.system.node_id('P', 1)").size === 1 && rows(s"CALL $c.system.pins('system')").isEmpty)
    sql(s"DROP NAMESPACE $c.system CASCADE")
  }

  // A bucket has no folders.
  if (!places.bucket) test("a dropped graph leaves no empty folders, and whatever else lies there") {
    val place = places.fresh()
    val root = place.dir
    val c = catalog(place)
    def folders = {
      val s = Files.walk(root)
      try s.iterator.asScala.filter(p => Files.isDirectory(p) && p != root).map(p => root.relativize(p).toString).toSet finally s.close()
    }
    for (keep <- Seq(false, true)) {
      sql(s"CREATE NAMESPACE $c.g")
      sql(s"CREATE TABLE $c.g.nodes.City OPTIONS (key 'name') AS SELECT 'Oslo' AS name")
      if (keep) Files.createDirectories(root.resolve("g/notes/of")).resolve("mine.txt").toFile.createNewFile()
      sql(s"DROP NAMESPACE $c.g CASCADE")
      // A lock file of the local store may be left, and with it the graph's own folder.
      assert((folders - "g") === (if (keep) Set("g/notes", "g/notes/of") else Set.empty))
    }
    assert(Files.exists(root.resolve("g/notes/of/mine.txt")))
  }
}
