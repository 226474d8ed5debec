package com.namidb.spark.catalog

import com.namidb.spark.Places

class SqlDocsSuite extends SqlDocsTests(Places.Local)

/**
 * Runs every SQL statement of `docs/sql.md` and of the README in order, each page in one session on one graph. A
 * statement below a line `-- refused: words` must fail with these words; all others must succeed.
 */
class SqlDocsTests(override val places: Places) extends CatalogFixture {
  test("every statement of the page does what it says") {
    val g = golden("updates-and-deletes")
    val c = catalog(g)
    val statements = SqlPage.statements("docs/sql.md")
    assert(statements.size > 40)
    for (s <- statements) {
      val text = s.text.replace("nami.social", s"$c.${g.ns}").replace("nami.", s"$c.").replaceAll("IN nami$", s"IN $c")
      s.refused match {
        case Some(words) => assert(refusal(text).contains(words), s"line ${s.line}: $text")
        case None =>
          try sql(text).collect()
          catch { case e: Exception => fail(s"line ${s.line}: $text", e) }
      }
    }
    assert(rows(s"SELECT name FROM $c.${g.ns}.nodes.City ORDER BY name").map(_.getString(0)) ===
      Seq("Bergen", "Bodø", "Molde", "Oslo", "Tromsø", "Voss"))
    assert(rows(s"SELECT people FROM $c.${g.ns}.nodes.City WHERE name = 'Oslo'").map(_.getLong(0)) === Seq(720000))
    assert(rows(s"SELECT name FROM $c.${g.ns}.nodes.Country").map(_.getString(0)) === Seq("Norge"))
  }

  test("the README's session of SQL alone loads, queries, corrects, audits and pins a graph") {
    val c = catalog(places.fresh())
    val shown = SqlPage.statements("README.md").map { s =>
      val text = s.text.replace("nami.", s"$c.")
      text.takeWhile(_ != ' ') -> (try rows(text) catch { case e: Exception => fail(s"line ${s.line}: $text", e) })
    }
    def results(word: String) = shown.filter(_._1 == word).map(_._2.map(_.toSeq))
    val Seq(knows, history, before, receipts, average) = results("SELECT")
    assert(knows === Seq(Seq("Ada", "Bo"), Seq("Bo", "Cy")))
    assert(history.map(_.head) === (0 to 5) && history.map(_.last).distinct.size > 1)
    assert(before.toSet === Set(Seq("Ada", 36L), Seq("Bo", 41L), Seq("Cy", 29L)))
    assert(receipts === Seq(Seq(5L, 2L, 0L, 0L), Seq(4L, 0L, 1L, 1L), Seq(3L, 1L, 0L, 0L), Seq(2L, 0L, 2L, 0L), Seq(1L, 3L, 0L, 0L)))
    assert((average.head.head.asInstanceOf[Double] - (36 + 41 + 29) / 3.0).abs < 1e-9)
    val Seq(diff, check, pinned, unpinned) = results("CALL")
    assert(diff === Seq(Seq("nodes", 1L, 2L, 0L), Seq("edges", 0L, 0L, 1L)))
    assert(check.isEmpty && pinned.head(1) == 2L && unpinned.head(1) == true)
    assert(rows(s"SELECT name, age FROM $c.team.nodes.Person").map(_.toSeq).toSet ===
      Set(Seq("Ada", 37L), Seq("Bo", 41L), Seq("Cyd", 29L), Seq("Di", null)))
  }
}
