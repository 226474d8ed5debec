package com.namidb.spark.catalog

import java.nio.file.{Files, Path, Paths}

import com.namidb.format.Golden

/**
 * Runs every SQL statement of `docs/sql.md` in order, in one session on one graph. A statement below a line
 * `-- refused: words` must fail with these words; all others must succeed.
 */
class SqlDocsSuite extends CatalogFixture {
  private case class Statement(line: Int, text: String, refused: Option[String])

  private val page: Path = Paths.get(sys.props("examples.dir")).resolve("../docs/sql.md").normalize()

  /** The statements of the page's SQL blocks; each ends with a semicolon at the end of a line. */
  private lazy val statements: Seq[Statement] = {
    val lines = Files.readString(page).linesIterator.toSeq.zipWithIndex
    val out = Seq.newBuilder[Statement]
    var inside = false
    var refused = Option.empty[String]
    var text = Seq.empty[String]
    for ((line, i) <- lines)
      if (line.startsWith("```")) {
        assert(text.isEmpty, s"line $i: a statement without a semicolon")
        inside = line == "```sql"
      } else if (inside && line.startsWith("-- refused: ")) refused = Some(line.stripPrefix("-- refused: "))
      else if (inside && line.nonEmpty) {
        text :+= line
        if (line.endsWith(";")) {
          out += Statement(i + 1, text.mkString("\n").stripSuffix(";"), refused)
          text = Nil
          refused = None
        }
      }
    out.result()
  }

  test("every statement of the page does what it says") {
    val g = Golden("updates-and-deletes").copied()
    val c = catalog(g)
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
}
