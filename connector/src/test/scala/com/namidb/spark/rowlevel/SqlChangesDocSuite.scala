package com.namidb.spark.rowlevel

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import java.nio.file.{Files, Paths}

/** The statements of `docs/sql-changes.md` are run as they stand there, in their order. */
class SqlChangesDocSuite extends Statements {
  private lazy val statements: Seq[String] = {
    val classes = Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI)
    val text = Files.readString(classes.getParent.getParent.getParent.resolve("docs/sql-changes.md"))
    "(?s)```sql\n(.*?)```".r.findAllMatchIn(text).flatMap(_.group(1).split(";\\s*\n")).map(_.trim.stripSuffix(";")).filter(_.nonEmpty).toSeq
  }

  test("every SQL example of the page runs and does what the page says") {
    def uid(n: Int) = f"018f3a00-0000-7000-8000-$n%012x"
    val p = place()
    val person = Id.add("name", StringType).add("age", IntegerType).add("city", StringType)
    write(frame(person, (1 to 5).map(n => Row(uid(n), s"v$n", n, if (n == 5) null else "Oslo")): _*), p, "label" -> "Person")
    write(frame(Ends.add("since", IntegerType), Row(uid(1), uid(2), 2000), Row(uid(1), uid(3), 2020)), p, "type" -> "KNOWS")
    frame(person.add("gone", BooleanType), Row(uid(2), "gone", 1, "", true), Row(uid(3), "new3", 30, "", false), Row(uid(9), "in", 9, "", false))
      .createOrReplaceTempView("arrivals")
    assert(statements.size == 6)
    def run(s: String) = sql(p, s.replace("nami.social", "{t}"))
    def people = rows(read(p, "label" -> "Person").selectExpr("right(_id, 1)", "name", "age", "city"))
    statements.take(3).foreach(run)
    assert(people === Set(Seq("1", "v1", 2L, "Oslo"), Seq("3", "new3", 30L, "Oslo"), Seq("4", "v4", 5L, "Oslo"), Seq("5", "v5", 5L, "unknown"),
      Seq("9", "in", 9L, null)))
    assert(read(p, "type" -> "KNOWS").count() === 1)
    run(statements(3))
    assert(people.map(_.head) === Set("1", "3", "5", "9"))
    try statements.drop(4).foreach(run) finally spark.conf.unset("spark.namidb.on-incident-edges")
    assert(read(p, "label" -> "Person").count() === 0 && read(p, "type" -> "KNOWS").count() === 0)
  }
}
