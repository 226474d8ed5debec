package com.namidb.spark.procedure

import java.nio.file.{Files, Paths}

import com.namidb.spark.lease.NotebookPins
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.SparkSession

class ProceduresDocSuite extends ProceduresDocTests(Places.Local)

class SingleObjectBucketProceduresDocSuite extends ProceduresDocTests(Places.SingleObjectBucket)

/** The statements of `docs/procedures.md` are run as they stand there, in their order. */
class ProceduresDocTests(override val places: Places) extends CatalogFixture {
  private lazy val document: String = {
    val classes = Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI)
    Files.readString(classes.getParent.getParent.getParent.resolve("docs/procedures.md"))
  }

  private def statements: Seq[String] = "(?s)```sql\n(.*?)```".r.findAllMatchIn(document)
    .flatMap(_.group(1).split(";\\s*")).map(_.trim).filter(_.nonEmpty).toSeq

  private def save(p: Place, rows: org.apache.spark.sql.DataFrame, options: (String, String)*): Unit =
    rows.write.format("namidb").options(options.toMap).mode("append").save(p.uri("social"))

  test("every statement of the page runs, and the page names every column and every procedure") {
    withPlace { p =>
      save(p, nodes(1 to 3), "label" -> "Person")
      save(p, edges((1, 2)), "type" -> "KNOWS")
      save(p, nodes(4 to 5), "label" -> "Person", "stage" -> "nightly")
      save(p, edges((4, 5)), "type" -> "KNOWS", "stage" -> "nightly")
      save(p, nodes(6 to 6), "label" -> "Person", "stage" -> "abandoned")
      val s = session(p)
      try {
        assert(statements.size >= 14)
        for (sql <- statements) {
          val result = s.sql(sql)
          val rows = result.collect()
          if (sql.startsWith("CALL")) for (c <- result.columns) assert(document.contains(s"`$c`"), s"$c of $sql")
          if (sql.contains("system.check_store(")) assert(rows.length == 7 && rows.forall(_.getAs[Boolean]("ok")), rows.mkString)
          if (sql.contains("system.check(")) assert(rows.isEmpty, rows.mkString)
        }
        for (t <- Seq("staged", "receipts"); c <- s.table(s"nami.social.$t").columns) assert(document.contains(s"`$c`"), s"$c of $t")
        for (name <- s.sql("SHOW PROCEDURES IN nami.system").collect().map(_.getAs[String]("procedure_name"))) {
          assert(statements.exists(_.startsWith(s"CALL nami.system.$name(")), name)
        }
        assert(s.sql("SELECT * FROM nami.social.edges.KNOWS").count() == 2)
        assert(s.sql("CALL nami.system.pins('social')").collect().forall(r => !r.getAs[Boolean]("this_session")))
        val place = OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", p.uri("social")), _ => null)).location
        assert(NotebookPins.hiding(place).isEmpty)
      } finally SparkSession.setActiveSession(spark)
    }
  }
}
