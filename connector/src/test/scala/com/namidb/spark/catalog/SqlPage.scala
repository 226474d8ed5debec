package com.namidb.spark.catalog

import java.nio.file.{Files, Paths}

/**
 * The SQL of a page of the documentation, statement by statement. Each ends with a semicolon at the end of a line; one
 * below a line `-- refused: words` must fail with these words.
 */
object SqlPage {
  case class Statement(line: Int, text: String, refused: Option[String])

  /** @param page relative to the repository's root */
  def statements(page: String): Seq[Statement] = {
    val path = Paths.get(sys.props("examples.dir")).resolve("..").resolve(page).normalize()
    val out = Seq.newBuilder[Statement]
    var inside = false
    var refused = Option.empty[String]
    var text = Seq.empty[String]
    for ((line, i) <- Files.readString(path).linesIterator.zipWithIndex)
      if (line.startsWith("```")) {
        assert(text.isEmpty, s"$page, line $i: a statement without a semicolon")
        inside = line == "```sql"
      } else if (inside && line.startsWith("-- refused: ")) refused = Some(line.stripPrefix("-- refused: "))
      else if (inside && line.nonEmpty && !line.startsWith("-- ")) {
        text :+= line
        if (line.endsWith(";")) {
          out += Statement(i + 1, text.mkString("\n").stripSuffix(";"), refused)
          text = Nil
          refused = None
        }
      }
    out.result()
  }
}
