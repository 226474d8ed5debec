package com.namidb.spark.catalog

import com.namidb.format.error.{CommitConflictException, InvalidOptionException, InvalidValueException}
import com.namidb.spark.{Graph, Places}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, lit, udf}

class CatalogWriteSuite extends CatalogWriteTests(Places.Local)

class CatalogWriteTests(override val places: Places) extends CatalogFixture {
  private class Cities(val g: Graph) {
    val c: String = catalog(g)
    val n = s"$c.${g.ns}"
    val City = s"$n.nodes.City"
    def id(name: String) = s"$c.system.node_id('City', '$name')"
    def make(): Unit = { sql(s"CREATE TABLE $City AS SELECT ${id("Oslo")} AS _id, 'Oslo' AS name"); () }
    def cities: Map[String, String] = rows(s"SELECT name, _json FROM $City").map(r => r.getString(0) -> r.getString(1)).toMap
    def data: Set[String] = g.place.keys().filterNot(_.contains("/pins/")).toSet
  }

  private def graph(name: String = "updates-and-deletes") = new Cities(golden(name))

  test("CREATE TABLE AS SELECT makes a label in one commit, an edge type too") {
    val x = graph(); import x._
    val before = version(g)
    make()
    assert(version(g) === before + 1)
    assert(rows(s"SELECT _labels FROM $City").map(_.getSeq[String](0)) === Seq(Seq("City")))
    sql(s"CREATE TABLE $n.nodes.Town OPTIONS (key 'name') AS SELECT 'Oslo' AS name UNION ALL SELECT 'Bergen'")
    assert(rows(s"SELECT _id FROM $n.nodes.Town WHERE _id = $c.system.node_id('Town', 'Bergen')").size === 1)
    sql(s"CREATE TABLE $n.edges.ROAD AS SELECT ${id("Oslo")} AS _src, $c.system.node_id('Town', 'Bergen') AS _dst, 463 AS km")
    assert(rows(s"SELECT km FROM $n.edges.ROAD").map(_.getLong(0)) === Seq(463))
    assert(refusal(s"CREATE TABLE $City AS SELECT 1 AS a").contains("TABLE_OR_VIEW_ALREADY_EXISTS"))
    sql(s"CREATE TABLE IF NOT EXISTS $City AS SELECT 1 AS a")
    assert(cities.keySet === Set("Oslo"))
    // Known, but without a row.
    sql(s"CREATE TABLE $n.nodes.Temp AS SELECT 1 AS a")
    assert(rows(s"SELECT a FROM $n.nodes.Temp").map(_.getLong(0)) === Seq(1))
  }

  test("a CREATE TABLE AS SELECT that fails leaves nothing") {
    val x = graph(); import x._
    val (before, files) = (version(g), data)
    failure[InvalidValueException](sql(s"CREATE TABLE $City AS SELECT if(id < 900, uuid(), 'no') AS _id FROM range(1000)"))
    failure[InvalidOptionException](sql(s"CREATE TABLE $City AS SELECT uuid() AS _id, 1 AS _lsn"))
    assert(version(g) === before)
    assert(data === files)
    assert(!spark.catalog.tableExists(City))
    for (what <- Seq("COMMENT 'x'", "USING csv", "PARTITIONED BY (a)", "TBLPROPERTIES ('a' = 'b')", "LOCATION '/tmp/x'", "OPTIONS ('write-mode' 'delete')", "OPTIONS ('kee' 'a')"))
      failure[InvalidOptionException](sql(s"CREATE TABLE $City $what AS SELECT 1 AS a, 2 AS b"))
    for (t <- Seq(s"$n.nodes.`*`", s"$n.foo", s"$n.x.y", s"$c.nope.nodes.City", s"$c.`../x`.nodes.City"))
      failure[InvalidOptionException](sql(s"CREATE TABLE $t AS SELECT 1 AS a"))
    assert(data === files && g.place.keys("nope/").isEmpty)
  }

  test("a label that another makes meanwhile is a conflict") {
    val x = graph(); import x._
    val b = sql(s"SELECT ${id("B")} AS _id, 'B' AS name").localCheckpoint()
    CatalogWriteSuite.hook = () => {
      // A thread of its own: a task has no session.
      val other = new Thread(() => {
        SparkSession.setActiveSession(spark)
        b.write.format("namidb").option("uri", g.uri).option("label", "City").mode("append").save()
      })
      other.start()
      other.join()
    }
    val gate = udf { name: String => CatalogWriteSuite.gate(); name }
    val slow = sql(s"SELECT ${id("C")} AS _id, concat('C', id) AS name FROM range(1)")
    try failure[CommitConflictException](slow.withColumn("name", gate(slow("name"))).writeTo(City).create())
    finally CatalogWriteSuite.hook = () => ()
    assert(cities.keySet === Set("B"))
  }

  test("statements that would declare, drop or replace a table are refused with what to do") {
    val x = graph(); import x._
    make()
    val before = version(g)
    for ((statement, word) <- Seq(
      s"CREATE TABLE $n.nodes.X (a INT)" -> "need no declaration",
      s"CREATE OR REPLACE TABLE $City AS SELECT 1 AS a" -> "INSERT OVERWRITE",
      s"REPLACE TABLE $City AS SELECT 1 AS a" -> "INSERT OVERWRITE",
      s"DROP TABLE $City" -> "DELETE FROM",
      s"DROP TABLE $City PURGE" -> "DELETE FROM",
      s"ALTER TABLE $City RENAME TO nodes.Town" -> "DELETE FROM",
      s"ALTER TABLE $City DROP COLUMN name" -> "ADD COLUMN",
      s"ALTER TABLE $City RENAME COLUMN name TO n" -> "ADD COLUMN",
      s"ALTER TABLE $City SET TBLPROPERTIES ('a' = 'b')" -> "ADD COLUMN",
      s"ALTER TABLE $City ADD COLUMN x INT NOT NULL" -> "ADD COLUMN",
      s"ALTER TABLE $City ADD COLUMN x INT DEFAULT 3" -> "ADD COLUMN",
      s"ALTER TABLE $City ADD COLUMN x INT FIRST" -> "ADD COLUMN",
      s"ALTER TABLE $City ADD COLUMN _lsn BIGINT" -> "reserved",
      s"ALTER TABLE $City ADD COLUMN x INTERVAL DAY" -> "INTERVAL",
      s"ALTER TABLE $n.snapshots ADD COLUMN x INT" -> "metadata table",
      s"INSERT INTO $n.snapshots VALUES (1)" -> "metadata table"))
      assert(failure[InvalidOptionException](sql(statement)).getMessage.contains(word), statement)
    assert(refusal(s"TRUNCATE TABLE $City").contains("DELETE FROM without WHERE"))
    sql(s"CREATE TABLE IF NOT EXISTS $City (a INT)")
    sql(s"DROP TABLE IF EXISTS $n.nodes.Nope")
    assert(version(g) === before)
  }

  test("INSERT by position, by list, by name, with options, OVERWRITE") {
    val x = graph(); import x._
    make()
    sql(s"INSERT INTO $City VALUES (${id("A")}, array('City', 'Port'), 'A')")
    sql(s"INSERT INTO $City (name, _id) VALUES ('B', ${id("B")})")
    sql(s"INSERT INTO $City BY NAME SELECT 'C' AS name, ${id("C")} AS _id")
    assert(rows(s"SELECT name, _labels FROM $City ORDER BY name").map(r => r.getString(0) -> r.getSeq[String](1)) ===
      Seq("A" -> Seq("City", "Port"), "B" -> Seq("City"), "C" -> Seq("City"), "Oslo" -> Seq("City")))
    // A column that is left out is no property, not one that holds null.
    assert(cities("B") === """{"name":{"Str":"B"}}""" || !cities("B").contains("null"))
    assert(refusal(s"INSERT INTO $City (name, _id) VALUES ('B', ${id("B")})").contains(rows(s"SELECT ${id("B")}").head.getString(0)))
    sql(s"INSERT INTO $City WITH (`write-mode` = 'upsert') (name, _id) VALUES ('B!', ${id("B")})")
    assert(cities.keySet === Set("Oslo", "A", "B!", "C"))
    sql(s"INSERT OVERWRITE $City WITH (`overwrite-multi-label` = 'delete') (name, _id) VALUES ('D', ${id("D")})")
    assert(cities.keySet === Set("D"))
    for ((wrong, word) <- Seq(
      s"INSERT INTO $City (name) VALUES ('E')" -> "_id",
      s"INSERT INTO $City BY NAME SELECT ${id("E")} AS _id, 1 AS zip" -> "zip",
      s"INSERT INTO $City VALUES (${id("E")}, array('City'), 'E', 7)" -> "too many",
      s"INSERT INTO $n.nodes.Cty VALUES (1)" -> "Did you mean 'City'",
      s"INSERT INTO $n.nodes BY NAME SELECT ${id("E")} AS _id" -> "_labels",
      s"INSERT INTO $City WITH (label = 'Staff') (name, _id) VALUES ('E', ${id("E")})" -> "name say where",
      s"INSERT INTO $City WITH (`write-mod` = 'upsert') (name, _id) VALUES ('E', ${id("E")})" -> "write-mode"))
      assert(refusal(wrong).contains(word), wrong)
    assert(cities.keySet === Set("D"))
  }

  test("ADD COLUMN announces a property for the session, in its later place") {
    val x = graph(); import x._
    make()
    val before = version(g)
    sql(s"ALTER TABLE $City ADD COLUMNS (inhabitants BIGINT, zip STRING)")
    assert(version(g) === before)
    assert(spark.table(City).columns.toSeq === Seq("_id", "_labels", "inhabitants", "name", "zip"))
    assert(rows(s"SELECT inhabitants FROM $City WHERE zip IS NULL").map(_.isNullAt(0)) === Seq(true))
    sql(s"INSERT INTO $City VALUES (${id("A")}, array('City'), 5, 'A', '99')")
    assert(spark.table(City).columns.toSeq === Seq("_id", "_labels", "inhabitants", "name", "zip"))
    assert(rows(s"SELECT inhabitants, zip FROM $City WHERE name = 'A'").head.toSeq === Seq(5L, "99"))
    assert(refusal(s"ALTER TABLE $City ADD COLUMN zip STRING").contains("zip"))
    assert(!load(g, "label" -> "City", "versionAsOf" -> before.toString).columns.contains("zip"))
    val session = spark.newSession()
    session.conf.set(s"spark.sql.catalog.$c", "com.namidb.spark.NamiCatalog")
    session.conf.set(s"spark.sql.catalog.$c.uri", g.place.root)
    sql(s"ALTER TABLE $City ADD COLUMN mayor STRING")
    assert(spark.table(City).columns.contains("mayor") && !session.table(City).columns.contains("mayor"))
  }

  test("DataFrames bring new properties, are matched by name, and make labels") {
    val x = graph(); import x._
    make()
    val a = sql(s"SELECT 7 AS height, 'A' AS name, ${id("A")} AS _id")
    a.writeTo(City).append()
    assert(rows(s"SELECT height FROM $City WHERE name = 'A'").map(_.getLong(0)) === Seq(7))
    a.withColumn("depth", lit(1)).writeTo(City).option("write-mode", "upsert").append()
    a.withColumn("depth", lit(2)).write.option("write-mode", "upsert").mode("append").saveAsTable(City)
    a.withColumn("depth", lit(3)).write.option("write-mode", "upsert").insertInto(City)
    assert(rows(s"SELECT depth, height FROM $City WHERE name = 'A'").map(_.toSeq) === Seq(Seq(3L, 7L)))
    assert(failure[InvalidOptionException](a.toDF("p", "q", "r").write.insertInto(City)).getMessage.contains("by name"))
    assert(failure[InvalidOptionException](a.writeTo(City).option("uri", "file:///elsewhere").append()).getMessage.contains("name say where"))
    failure[InvalidOptionException](a.writeTo(City).createOrReplace())
    failure[InvalidOptionException](a.writeTo(City).replace())
    assert(intercept[Exception](a.writeTo(City).create()).getMessage.contains("ALREADY_EXISTS"))
    assert(intercept[Exception](a.writeTo(City).overwrite(col("name") === "x")).getMessage.contains("overwrite by filter"))
    a.drop("_id").writeTo(s"$n.nodes.Hill").option("key", "name").create()
    a.drop("_id").write.option("key", "name").mode("append").saveAsTable(s"$n.nodes.Hill2")
    for (t <- Seq("Hill", "Hill2")) assert(rows(s"SELECT _id FROM $n.nodes.$t").head === rows(s"SELECT $c.system.node_id('$t', 'A')").head)
    a.writeTo(City).overwrite(lit(true))
    assert(cities.keySet === Set("A"))
    assert(intercept[Exception](a.writeTo(s"$n.nodes.Nope").append()).getMessage.contains("TABLE_OR_VIEW_NOT_FOUND"))
  }

  test("labels with any characters, case twins too, are tables of their own") {
    val x = graph(); import x._
    val names = Seq("a.b", "it's", "say \"hi\"", "back`tick", "Ñandú 🦤", "with space", "city", "CITY", "../up", "%2e%2e", "a/b", "semi;colon", "--")
    for ((name, i) <- names.zipWithIndex) {
      val t = s"$n.nodes.`${name.replace("`", "``")}`"
      sql(s"CREATE TABLE $t AS SELECT $i AS i")
      assert(rows(s"SELECT i, _labels[0] FROM $t").map(_.toSeq) === Seq(Seq(i.toLong, name)))
    }
    assert(names.toSet.subsetOf(rows(s"SHOW TABLES IN $n.nodes").map(_.getString(1)).toSet))
    assert(rows(s"SELECT * FROM ${n}.nodes.city").size === 1)
    assert(g.place.keys().map(_.takeWhile(_ != '/')).filterNot(_.startsWith(".")).toSet === Set(g.ns))
  }

  test("a query without rows makes no label, and says so") {
    val x = graph(); import x._
    val before = version(g)
    val said = com.namidb.spark.write.Warnings.of(classOf[StagedLabel])(sql(s"CREATE TABLE $City AS SELECT 'x' AS name WHERE false"))
    assert(said.exists(w => w.contains("nodes.City") && w.contains("no such table")), said)
    assert(version(g) === before && !spark.catalog.tableExists(City))
    assert(com.namidb.spark.write.Warnings.of(classOf[StagedLabel])(make()).isEmpty && version(g) === before + 1)
  }

  test("an empty table is told of by whoever reads it, and opening one plans nothing") {
    val x = graph(); import x._
    val warned = Class.forName("com.namidb.spark.read.EmptyTable")
    def said(body: => Unit) = com.namidb.spark.write.Warnings.of(warned)(body)
    for (t <- Seq("nodes.Temp", "edges.NEVER")) {
      assert(said(sql(s"SELECT * FROM $n.$t")) === Nil, t)
      assert(said(sql(s"SELECT * FROM $n.$t").collect()).exists(_.contains(t)), t)
      assert(said(sql(s"SELECT count(*) FROM $n.$t").collect()).exists(_.contains(t)), t)
    }
    for (q <- Seq(s"$n.nodes.Person", s"$n.edges", s"$n.nodes.Person WHERE _id < '0'", s"$n.nodes.Person WHERE name = 'nobody'"))
      assert(said { sql(s"SELECT * FROM $q").collect(); sql(s"SELECT count(*) FROM $q").collect() } === Nil, q)
  }
}

object CatalogWriteSuite {
  @volatile var hook: () => Unit = () => ()

  /** Runs in a task, between the plan of a write and its commit. */
  def gate(): Unit = synchronized { val h = hook; hook = () => (); h() }
}
