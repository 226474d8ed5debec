package com.namidb.spark.engine

import com.namidb.format.Canon
import com.namidb.format.engine.Engines
import com.namidb.spark.Place
import com.namidb.spark.rowlevel.Statements

/** One half of a twin is changed by SQL, the other by the engine's Cypher: the engine tells no difference. */
class StatementTwinSuite extends Statements {
  private def uid(n: Int) = f"00000000-0000-0000-0000-$n%012x"

  /** Statements that say the same; the second is one or more of Cypher. */
  private val nulls = "UPDATE {t}.nodes.Person SET name = NULL WHERE n = 7" -> Seq("MATCH (a:Person) WHERE a.n = 7 SET a.name = null")

  private val same: Seq[(String, Seq[String])] = Seq(
    "UPDATE {t}.nodes.Person SET n = n * 2 WHERE n > 3" -> Seq("MATCH (a:Person) WHERE a.n > 3 SET a.n = a.n * 2"),
    "UPDATE {t}.nodes.Person SET name = NULL WHERE n = 2" -> Seq("MATCH (a:Person) WHERE a.n = 2 REMOVE a.name"),
    "UPDATE {t}.nodes.Person SET _labels = array_append(_labels, 'Vip'), name = 'vip' WHERE n = 3" ->
      Seq("MATCH (a:Person) WHERE a.n = 3 SET a:Vip, a.name = 'vip'"),
    "DELETE FROM {t}.nodes.Person WHERE n = 16" -> Seq("MATCH (a:Person) WHERE a.n = 16 DETACH DELETE a"),
    s"UPDATE {t}.edges.KNOWS SET since = since + 1000 WHERE _src = '${uid(4)}'" ->
      Seq(s"MATCH (a:Person {_id: '${uid(4)}'})-[r:KNOWS]->(b:Person) SET r.since = r.since + 1000"),
    s"DELETE FROM {t}.edges.KNOWS WHERE _src = '${uid(5)}' AND _dst = '${uid(6)}'" ->
      Seq(s"MATCH (a:Person {_id: '${uid(5)}'})-[r:KNOWS]->(b:Person {_id: '${uid(6)}'}) DELETE r"),
    s"""MERGE INTO {t}.nodes.Person USING (SELECT * FROM VALUES ('${uid(6)}', 'm6'), ('${uid(12)}', NULL) AS s(i, x)) s ON _id = i
      WHEN MATCHED AND x IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET name = x, n = n + 1
      WHEN NOT MATCHED BY SOURCE AND n = 3 THEN UPDATE SET n = 33""" ->
      Seq(s"MATCH (a:Person {_id: '${uid(12)}'}) DETACH DELETE a", s"MATCH (a:Person {_id: '${uid(6)}'}) SET a.name = 'm6', a.n = a.n + 1",
        "MATCH (a:Person) WHERE a.n = 3 SET a.n = 33"))

  for (version <- Engines.versions if Engines.enabled)
    test(s"engine $version: statements do what Cypher does") {
      val Seq(spark, cypher) = Seq.fill(2)(place())
      for (p <- Seq(spark, cypher)) Engines.run(version, "written.py", "start", p.dir.toString, "g")
      // Cypher's SET to null stores one.
      set("spark.namidb.on-null" -> "store")(sql(spark, nulls._1))
      for ((statement, _) <- same) set("spark.namidb.on-incident-edges" -> "detach")(sql(spark, statement))
      Engines.run(version, "commit.py", cypher.dir.toString +: "g" +: (nulls +: same).flatMap(_._2): _*)
      def answers(p: Place, how: String) = {
        val n = Canon.mapper.readTree(Engines.run(version, "written.py", how, p.dir.toString, "g", "KNOWS").linesIterator.toSeq.last)
        def sorted(name: String) = scala.jdk.CollectionConverters.IteratorHasAsScala(n.get(name).elements).asScala.map(_.toString).toSeq.sorted
        (sorted("nodes"), sorted("edges"))
      }
      val want = answers(cypher, "answers")
      assert(want._1.exists(_.contains("vip")) && want._1.exists(_.contains("33")) && want._2.exists(_.contains("1004")), "the engine did its part")
      assert(answers(spark, "answers") === want)
      // And over what the engine compacted and opened again.
      assert(answers(spark, "settle") === want)
    }
}
