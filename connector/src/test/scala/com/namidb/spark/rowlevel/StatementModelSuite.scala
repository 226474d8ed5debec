package com.namidb.spark.rowlevel

import com.namidb.format.error.NamiException
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

import scala.util.Random

class StatementModelSuite extends StatementModelTests(Places.Local)

/** Random statements on small graphs against a model of a few lines; a failed run prints its seed. */
class StatementModelTests(override val places: Places) extends Statements {
  override def conf: Map[String, String] = super.conf + ("spark.sql.adaptive.enabled" -> "false")

  private val seed = sys.props.get("statement.seed").fold(1 + new Random().nextInt(1000000))(_.toInt)
  private val count = sys.props.getOrElse("statement.count", "100").toInt

  private case class N(labels: Set[String], name: Option[String], n: Option[Long])
  private case class Model(nodes: Map[Int, N], edges: Map[(Int, Int), Option[Long]]) {
    def incident(ids: Set[Int]): Set[(Int, Int)] = edges.keySet.filter { case (a, b) => ids(a) || ids(b) }
    /** None: the statement must fail. */
    def without(ids: Set[Int], mode: String): Option[Model] =
      if (mode == "fail" && incident(ids).nonEmpty) None
      else Some(Model(nodes -- ids, if (mode == "detach") edges -- incident(ids) else edges))
  }

  /** A condition on nodes, as SQL and as its truth. */
  private case class Cond(sql: String, holds: (Int, N, Model) => Option[Boolean])

  // These two nodes and their edge are never touched, so that every table always has all its columns.
  private val Kept = Set(0, 100)
  private val notKept = Kept.map(k => s"_id <> '${id(k)}'").mkString(" AND ")

  private lazy val starts: Seq[(Place, Model)] = Seq("300", "256m").map { size =>
    val p = place()
    val m = Model(
      (1 to 8).map(i => i -> N(if (i % 3 == 0) Set("P", "Q") else if (i == 8) Set("Q") else Set("P"), Some(s"v$i"), Some(i.toLong).filter(_ != 5L))).toMap ++
        Kept.map(k => k -> N(Set("P", "Q"), Some("kept"), Some(-100L))),
      Map((1, 2) -> Some(12L), (2, 3) -> Some(23L), (3, 3) -> None, (7, 1) -> Some(71L), (0, 100) -> Some(-1L)))
    write(frame(Id.add("_labels", ArrayType(StringType)).add("name", StringType).add("n", LongType),
      m.nodes.toSeq.map { case (i, x) => Row(id(i), x.labels.toSeq, x.name.orNull, x.n.map(Long.box).orNull) }: _*), p, "label" -> "*", "file-size" -> size)
    write(frame(Ends.add("w", LongType), m.edges.toSeq.map { case ((a, b), w) => Row(id(a), id(b), w.map(Long.box).orNull) }: _*), p, "type" -> "E")
    p -> m
  }

  private def cond(r: Random): Cond = {
    val k = r.nextInt(9).toLong
    def n(f: Long => Boolean)(i: Int, x: N, m: Model) = x.n.map(f)
    r.nextInt(13) match {
      case 0 => Cond(s"n > $k", n(_ > k))
      case 1 => Cond(s"NOT (n > $k)", n(_ <= k))
      case 2 => Cond(s"n IN ($k, NULL)", (_, x, _) => x.n.flatMap(v => if (v == k) Some(true) else None))
      case 3 => Cond(s"n NOT IN ($k, 3)", n(v => v != k && v != 3))
      case 4 => Cond("n IS NULL", (_, x, _) => Some(x.n.isEmpty))
      case 5 => Cond(s"n <=> NULL OR name = 'v$k'", (_, x, _) => if (x.n.isEmpty) Some(true) else x.name.map(_ == s"v$k"))
      case 6 => Cond(s"_id = '${id(k.toInt)}'", (i, _, _) => Some(i == k.toInt))
      case 7 => Cond(s"_id IN ('${id(k.toInt)}', '${id(2)}')", (i, _, _) => Some(i == k.toInt || i == 2))
      case 8 => Cond("array_contains(_labels, 'Q')", (_, x, _) => Some(x.labels("Q")))
      case 9 => Cond("_id IN (SELECT _src FROM {t}.edges.E)", (i, _, m) => Some(m.edges.keySet.exists(_._1 == i)))
      case 10 => Cond("n = (SELECT max(n) FROM {t}.nodes.P)",
        (_, x, m) => for (v <- x.n; top <- m.nodes.values.filter(_.labels("P")).flatMap(_.n).maxOption) yield v == top)
      case 11 => Cond("TRUE", (_, _, _) => Some(true))
      case 12 =>
        val (a, b) = (cond(r), cond(r))
        Cond(s"(${a.sql}) AND (${b.sql})", (i, x, m) => (a.holds(i, x, m), b.holds(i, x, m)) match {
          case (Some(false), _) | (_, Some(false)) => Some(false)
          case (Some(true), Some(true)) => Some(true)
          case _ => None
        })
    }
  }

  private def table(r: Random): (String, N => Boolean) = r.nextInt(3) match {
    case 0 => ("nodes", _ => true)
    case 1 => ("nodes.P", _.labels("P"))
    case 2 => ("nodes.Q", _.labels("Q"))
  }

  private def hits(m: Model, in: N => Boolean, c: Cond): Map[Int, N] =
    m.nodes.filter { case (i, x) => in(x) && !Kept(i) && c.holds(i, x, m).contains(true) }

  /** What to run, under which mode, and what must come of it; none if it must fail. */
  private def statement(m: Model, r: Random): (String, String, Option[Model]) = {
    val mode = Seq("fail", "detach", "leave")(r.nextInt(3))
    r.nextInt(8) match {
      case 0 | 1 =>
        val (t, in) = table(r)
        val c = cond(r)
        (s"DELETE FROM {t}.$t WHERE (${c.sql}) AND $notKept", mode, m.without(hits(m, in, c).keySet, mode))
      case 2 | 3 =>
        val (t, in) = table(r)
        val c = cond(r)
        val (set, f): (String, N => N) = r.nextInt(6) match {
          case 0 => ("n = n + 1", x => x.copy(n = x.n.map(_ + 1)))
          case 1 => ("n = NULL", _.copy(n = None))
          case 2 => ("name = concat(name, n), n = 7", x => x.copy(name = for (a <- x.name; b <- x.n) yield s"$a$b", n = Some(7)))
          case 3 => ("_labels = array('Q')", _.copy(labels = Set("Q")))
          case 4 => ("_labels = array_union(_labels, array('P', 'R'))", x => x.copy(labels = x.labels ++ Set("P", "R")))
          case 5 => ("name = name", identity)
        }
        (s"UPDATE {t}.$t SET $set WHERE (${c.sql}) AND $notKept", mode, Some(m.copy(nodes = m.nodes ++ hits(m, in, c).map { case (i, x) => i -> f(x) })))
      case 4 =>
        val source = r.shuffle((1 to 12).toList).take(r.nextInt(6)).map(i => i -> (r.nextInt(9) - 3).toLong)
        val c = cond(r)
        val late = r.nextInt(3)
        val by = source.toMap
        val inP = m.nodes.filter(_._2.labels("P"))
        val dropped = by.collect { case (i, v) if v < 0 && inP.contains(i) => i }.toSet
        val updated = by.collect { case (i, v) if v >= 0 && inP.contains(i) => i -> inP(i).copy(n = Some(v)) }
        val fresh = by.filterNot { case (i, _) => inP.contains(i) }
        val rest = hits(m, x => x.labels("P"), c).filterNot { case (i, _) => by.contains(i) }
        val last = Seq("", s" WHEN NOT MATCHED BY SOURCE AND (${c.sql}) AND $notKept THEN DELETE",
          s" WHEN NOT MATCHED BY SOURCE AND (${c.sql}) AND $notKept THEN UPDATE SET name = 'late'")(late)
        val subquery = last.contains("SELECT")
        val rows = if (source.isEmpty) "(SELECT '' AS i, 0L AS v WHERE false)"
          else source.map { case (i, v) => s"('${id(i)}', ${v}L)" }.mkString("(SELECT * FROM VALUES ", ", ", " AS s(i, v))")
        val want = if (fresh.keys.exists(m.nodes.contains)) None else m.without(dropped ++ (if (late == 1) rest.keySet else Set()), mode)
          .map(x => x.copy(nodes = x.nodes ++ updated ++ fresh.map { case (i, v) => i -> N(Set("P"), Some("in"), Some(v)) } ++
            (if (late == 2) rest.map { case (i, y) => i -> y.copy(name = Some("late")) } else Map.empty)))
        if (subquery) statement(m, r) // Spark has no subqueries in MERGE's conditions
        else (s"""MERGE INTO {t}.nodes.P USING $rows s ON _id = s.i WHEN MATCHED AND s.v < 0 THEN DELETE WHEN MATCHED THEN UPDATE SET n = s.v
          WHEN NOT MATCHED THEN INSERT (_id, name, n) VALUES (s.i, 'in', s.v)$last""", mode, want)
      case 5 =>
        val i = 1 + r.nextInt(12)
        (s"INSERT INTO {t}.nodes.P (_id, _labels, name, n) VALUES ('${id(i)}', array('P'), 'ins', 4)", mode,
          if (m.nodes.contains(i)) None else Some(m.copy(nodes = m.nodes + (i -> N(Set("P"), Some("ins"), Some(4L))))))
      case 6 =>
        val k = r.nextInt(80).toLong
        val free = m.edges - (0 -> 100)
        val keep = s"NOT (_src = '${id(0)}')"
        r.nextInt(4) match {
          case 0 => (s"DELETE FROM {t}.edges.E WHERE w > $k AND $keep", mode, Some(m.copy(edges = m.edges -- free.filter(_._2.exists(_ > k)).keys)))
          case 1 => (s"DELETE FROM {t}.edges.E WHERE _dst IN ('${id(3)}', '${id(1)}')", mode,
            Some(m.copy(edges = m.edges -- free.keys.filter(e => e._2 == 3 || e._2 == 1))))
          case 2 => (s"UPDATE {t}.edges.E SET w = NULL WHERE w < $k AND $keep", mode,
            Some(m.copy(edges = m.edges ++ free.filter(_._2.exists(_ < k)).map(_._1 -> None))))
          case 3 => (s"UPDATE {t}.edges.E SET w = coalesce(w, 0) + $k WHERE $keep", mode,
            Some(m.copy(edges = m.edges ++ free.map { case (e, w) => e -> Some(w.getOrElse(0L) + k) })))
        }
      case 7 =>
        val source = Seq.fill(1 + r.nextInt(3))((1 + r.nextInt(9), 1 + r.nextInt(9))).distinct.map(e => e -> (r.nextInt(9) - 3).toLong)
        val rows = source.map { case ((a, b), v) => s"('${id(a)}', '${id(b)}', ${v}L)" }.mkString(", ")
        val (there, fresh) = source.partition { case (e, _) => m.edges.contains(e) }
        val want = m.edges -- there.filter(_._2 < 0).map(_._1) ++ (there.filter(_._2 >= 0) ++ fresh).map { case (e, v) => e -> Some(v) }
        (s"""MERGE INTO {t}.edges.E t USING (SELECT * FROM VALUES $rows AS s(a, b, v)) s ON _src = a AND _dst = b
          WHEN MATCHED AND v < 0 THEN DELETE WHEN MATCHED THEN UPDATE SET w = v
          WHEN NOT MATCHED THEN INSERT (_src, _dst, w) VALUES (a, b, v)""", mode,
          if (fresh.forall { case ((a, b), _) => m.nodes.contains(a) && m.nodes.contains(b) }) Some(m.copy(edges = want)) else None)
    }
  }

  private def number(id: String) = Integer.parseInt(id.takeRight(12), 16)

  private def stored(p: Place): Model = Model(
    read(p, "label" -> "*").selectExpr("_id", "_labels", "name", "n").collect().map(r => number(r.getString(0)) ->
      N(r.getSeq[String](1).toSet, Option(r.getString(2)), Option(r.get(3)).map(_.asInstanceOf[Long]))).toMap,
    read(p, "type" -> "E").selectExpr("_src", "_dst", "w").collect().map(r =>
      (number(r.getString(0)), number(r.getString(1))) -> Option(r.get(2)).map(_.asInstanceOf[Long])).toMap)

  test(s"$count sequences from seed $seed (-Dstatement.seed=$seed)") {
    for (s <- seed until seed + count) {
      val r = new Random(s)
      val (start, first) = starts(r.nextInt(starts.size))
      val p = place()
      start.copyTo(p)
      var m = first
      var done = ""
      for (step <- 1 to 3) {
        val (text, mode, want) = statement(m, r)
        val clue = s"seed $s step $step mode $mode: $text"
        set("spark.namidb.on-incident-edges" -> mode) {
          want match {
            case Some(next) =>
              try sql(p, text) catch { case e: Exception => fail(clue, e) }
              m = next
            case None => withClue(clue)(failure[NamiException](sql(p, text)))
          }
        }
        done = s"$done\n$clue"
      }
      assert(stored(p) === m, done)
    }
  }
}
