package com.namidb.spark.catalog

import com.namidb.format.error.NamiException
import org.apache.spark.SparkThrowable

/** Every statement gives the right answer or a short refusal: never an internal error, and a typed one is ours or Spark's. */
class StatementSurveySuite extends CatalogFixture {
  private lazy val c = {
    val name = catalog(places.fresh())
    sql(s"CREATE NAMESPACE $name.team")
    sql(s"CREATE TABLE $name.team.nodes.Person OPTIONS (key 'name') AS SELECT * FROM VALUES ('Ada', 36), ('Bo', 41) AS t(name, age)")
    sql(s"CREATE TABLE $name.team.edges.KNOWS OPTIONS ('src-key' = 'a', 'src-label' = 'Person', 'dst-key' = 'b', 'dst-label' = 'Person') AS SELECT 'Ada' AS a, 'Bo' AS b")
    name
  }

  private def at(text: String) = text.replace("nami.", s"$c.")

  private def refused(text: String): String = {
    val e = intercept[Throwable](sql(at(text)).collect())
    val chain = Iterator.iterate(e)(_.getCause).takeWhile(_ != null).toSeq
    assert(chain.exists(x => x.isInstanceOf[SparkThrowable] || x.isInstanceOf[NamiException]), text)
    assert(!chain.exists(x => x.isInstanceOf[AssertionError] || x.isInstanceOf[NullPointerException] || x.isInstanceOf[MatchError]), text)
    assert(!chain.exists(x => String.valueOf(x.getMessage).contains("INTERNAL_ERROR")), text)
    e.getMessage
  }

  test("a graph that is not there is the same error for every statement about namespaces") {
    for (t <- Seq("SHOW TABLES IN nami.nope", "SHOW TABLES IN nami.nope.nodes", "SHOW TABLES IN nami.team.nope", "SHOW TABLE EXTENDED IN nami.nope LIKE '*'",
        "SHOW NAMESPACES IN nami.nope", "SHOW FUNCTIONS IN nami.nope", "DESCRIBE NAMESPACE nami.nope", "USE nami.nope", "USE nami.nope.nodes",
        "COMMENT ON NAMESPACE nami.nope IS 'x'", "ALTER NAMESPACE nami.nope SET PROPERTIES ('a' = 'b')", "DROP NAMESPACE nami.nope"))
      assert(refused(t).contains("SCHEMA_NOT_FOUND"), t)
    for (t <- Seq("SHOW COLUMNS IN nami.nope.nodes.Person", "DESCRIBE TABLE nami.nope.nodes", "SELECT * FROM nami.nope.snapshots"))
      assert(refused(t).contains("no namespace at"), t)
  }

  test("names that may be missing are no error where a statement says so") {
    for (t <- Seq("DROP TABLE IF EXISTS nami.team.nodes.Nope", "DROP TABLE IF EXISTS nami.nope.nodes.Nope", "DROP TABLE IF EXISTS nami.a.b.c.d",
        "UNCACHE TABLE IF EXISTS nami.team.nodes.Nope", "uncache table  if exists nami.nope.nodes.Nope", "DROP NAMESPACE IF EXISTS nami.nope",
        "ALTER TABLE nami.team.nodes.Person DROP COLUMN IF EXISTS nope", "REFRESH TABLE nami.team.nodes.Person", "REFRESH TABLE nami.team.snapshots"))
      sql(at(t)).collect()
    for (t <- Seq("UNCACHE TABLE nami.team.nodes.Persn", "REFRESH TABLE nami.team.nodes.Persn", "TRUNCATE TABLE nami.team.nodes.Persn",
        "SHOW CREATE TABLE nami.team.nodes.Persn", "SHOW PARTITIONS nami.team.nodes.Persn", "ANALYZE TABLE nami.team.nodes.Persn COMPUTE STATISTICS"))
      assert(refused(t).contains("Did you mean 'Person'"), t)
    assert(refused("DROP TABLE nami.team.nodes.Nope").contains("TABLE_OR_VIEW_NOT_FOUND"))
  }

  test("what a graph cannot do is refused in words") {
    for ((t, word) <- Seq(
        "SHOW VIEWS IN nami.team" -> "does not support views", "CREATE VIEW nami.team.v AS SELECT 1" -> "does not support views",
        "DROP VIEW nami.team.nodes.Person" -> "does not support views", "CREATE FUNCTION nami.team.f AS 'x'" -> "CREATE FUNCTION",
        "ANALYZE TABLE nami.team.nodes.Person COMPUTE STATISTICS" -> "v2 tables", "MSCK REPAIR TABLE nami.team.nodes.Person" -> "v2 tables",
        "SHOW PARTITIONS nami.team.nodes.Person" -> "partition management", "TRUNCATE TABLE nami.team.nodes.Person PARTITION (a = 1)" -> "partition management",
        "TRUNCATE TABLE nami.team.nodes.Person" -> "DELETE FROM without WHERE", "TRUNCATE TABLE nami.team.snapshots" -> "does not support truncates",
        "ALTER TABLE nami.team.nodes.Person SET TBLPROPERTIES ('a' = 'b')" -> "SET TBLPROPERTIES ('a' …) is not possible",
        "ALTER TABLE nami.team.nodes.Person UNSET TBLPROPERTIES ('a')" -> "UNSET TBLPROPERTIES ('a') is not possible",
        "ALTER TABLE nami.team.nodes.Person SET LOCATION '/x'" -> "SET LOCATION is not possible",
        "ALTER TABLE nami.team.nodes.Person RENAME COLUMN name TO n" -> "RENAME COLUMN is not possible",
        "ALTER TABLE nami.team.nodes.Person DROP COLUMN name" -> "DROP COLUMN is not possible",
        "ALTER TABLE nami.team.nodes.Person REPLACE COLUMNS (a INT)" -> "DROP COLUMN is not possible",
        "ALTER TABLE nami.team.nodes.Person ALTER COLUMN age TYPE DOUBLE" -> "ALTER COLUMN is not possible",
        "ALTER TABLE nami.team.nodes.Person ALTER COLUMN name COMMENT 'x'" -> "ALTER COLUMN is not possible",
        "COMMENT ON TABLE nami.team.nodes.Person IS 'x'" -> "COMMENT ON TABLE is not possible",
        "COMMENT ON NAMESPACE nami.team IS 'x'" -> "cannot keep properties", "DROP TABLE nami.team.snapshots" -> "It is a metadata table",
        "DROP TABLE nami.team.nodes" -> "DELETE FROM removes rows", "DELETE FROM nami.team.snapshots" -> "does not support deletes",
        "UPDATE nami.team.snapshots SET version = 1" -> "UPDATE TABLE",
        "MERGE INTO nami.team.snapshots s USING (SELECT 1 AS v) t ON s.version = t.v WHEN MATCHED THEN DELETE" -> "MERGE INTO TABLE",
        "UPDATE nami.team.edges SET x = 1" -> "", "DELETE FROM nami.team.edges" -> "Name one"))
      assert(refused(t).contains(word), t)
  }

  test("a refused commit names its version in decimal alone") {
    val said = refused("DELETE FROM nami.team.nodes.Person")
    assert(said.contains("still has edges") && said.contains("version 2, job") && "[0-9a-f]{16}".r.findFirstIn(said.replaceAll("job [0-9a-f-]{36}", "")).isEmpty, said)
  }

  test("labels that differ in case only stay apart: read, changed and cached") {
    sql(at("CREATE TABLE nami.team.nodes.person AS SELECT 'low' AS name, 1 AS age"))
    def names(t: String) = first(at(s"SELECT name FROM nami.team.nodes.$t ORDER BY name"))
    def both(): Unit = assert(names("Person") === Seq("Ada", "Bo") && names("person") === Seq("low"))
    both()
    for (t <- Seq("Person", "person")) {
      sql(at(s"CACHE TABLE nami.team.nodes.$t"))
      both()
    }
    sql(at("UPDATE nami.team.nodes.person SET age = 2"))
    both()
    assert(rows(at("SELECT age FROM nami.team.nodes.person")).map(_.getLong(0)) === Seq(2))
    for (t <- Seq("person", "Person")) {
      sql(at(s"UNCACHE TABLE nami.team.nodes.$t"))
      both()
    }
    assert(rows(at("SELECT a.name, b.name FROM nami.team.nodes.Person a CROSS JOIN nami.team.nodes.person b")).size === 2)
    assert(refused("SELECT Person.name FROM nami.team.nodes.Person CROSS JOIN nami.team.nodes.person").contains("AMBIGUOUS_REFERENCE"))
    assert(refused("SELECT * FROM nami.team.nodes.PERSON").contains("Did you mean 'Person' or 'person'"))
  }
}
