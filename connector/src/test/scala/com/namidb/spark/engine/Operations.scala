package com.namidb.spark.engine

import java.time.{Instant, LocalDate}
import java.time.temporal.ChronoUnit
import java.util.UUID

import scala.util.Random

import com.namidb.format.Canon
import com.namidb.format.Canon._
import com.namidb.format.id.DerivedId
import org.apache.spark.sql.Row
import org.apache.spark.sql.types._

/**
 * One step of an interleaving: who does what, and what the graph must be afterwards.
 *
 * @param text for messages
 * @param run does it
 * @param next the graph afterwards; the same one if the step must be refused
 */
case class Step(text: String, run: InterleavedGraph => Unit, next: GraphModel => GraphModel)

/**
 * Random steps. A kind of step is a function of the graph as it is; to test one more kind, add it to `kinds` with
 * its weight. `None` means that it makes no sense on this graph.
 */
class Operations(rnd: Random) {
  import GraphModel._
  import Operations._

  private type Kind = GraphModel => Option[Step]

  private val kinds: Seq[(Int, Kind)] = Seq(
    14 -> create _, 8 -> set _, 6 -> relabel _, 5 -> remove _, 5 -> detachDelete _, 5 -> bury _, 9 -> tie _, 4 -> setEdge _, 4 -> cut _,
    8 -> (_ => Some(engine("flush", "flush" -> true))), 6 -> (_ => Some(engine("compact", "flush" -> true, "compact" -> true))),
    4 -> (_ => Some(Step("engine: reopen", _.reopen(), identity))),
    14 -> sparkNodes _, 9 -> sparkKeyed _, 12 -> sparkEdges _, 5 -> sparkKeyedEdges _, 8 -> sparkDelete _, 6 -> sparkCut _,
    7 -> sparkPatch _, 5 -> sparkPatchEdges _, 5 -> sparkOverwrite _, 3 -> sparkOverwriteEdges _, 4 -> sparkDetach _, 4 -> sparkAside _)

  private val ids: IndexedSeq[String] =
    (Seq.fill(3 + rnd.nextInt(14))(new UUID(rnd.nextLong(), rnd.nextLong())) ++
      Seq(new UUID(0, 0), new UUID(-1, -1), new UUID(Long.MinValue, 0), new UUID(Long.MaxValue, -1))).map(_.toString).toIndexedSeq

  def step(g: GraphModel): Step = {
    var at = rnd.nextInt(kinds.map(_._1).sum)
    val kind = kinds.find { case (w, _) => at -= w; at < 0 }.get._2
    kind(g).getOrElse(step(g))
  }

  private def one[A](s: Iterable[A]): A = s.toSeq(rnd.nextInt(s.size))
  private def some[A](s: Iterable[A], most: Int): Seq[A] = rnd.shuffle(s.toSeq).take(1 + rnd.nextInt(most))
  private def chance(p: Double) = rnd.nextDouble() < p
  private def labels(): Set[String] = some(Labels, 3).toSet

  // Values. Names tell the kind, so that columns get one type; "any" is of all kinds.

  private def word(): String = one(Words)

  private def value(kind: String): Canon = kind match {
    case "i" => CInt(one(Seq(rnd.nextInt(100).toLong, Long.MaxValue, Long.MinValue, (1L << 53) + 1)))
    case "f" => CFloat(one(Seq(rnd.nextInt(1000) / 8.0, -0.5, 1e16, 0.0)))
    case "s" => CStr(word())
    case "b" => CBool(rnd.nextBoolean())
    case "bytes" => val b = new Array[Byte](rnd.nextInt(4)); rnd.nextBytes(b); CBytes(b.toSeq)
    case "day" => CDate(rnd.nextInt(80000) - 40000)
    case "at" => CDateTime(rnd.nextLong() / 10000)
    case "vec" => CSeq(Seq.fill(rnd.nextInt(4))(CFloat(rnd.nextInt(16) / 4.0 - 2)))
    case "list" => CSeq(Seq.fill(rnd.nextInt(3))(CStr(word())))
    case "map" => CMap(Seq("k", "größe").take(rnd.nextInt(3)).map(_ -> CInt(rnd.nextInt(9))).toMap)
    case "any" => value(one(Seq("i", "f", "s", "b")))
  }

  private def properties(kinds: Seq[String]): Map[String, Canon] =
    kinds.filter(_ => chance(0.5)).map(k => k -> (if (chance(0.07)) CNull else value(k))).toMap

  // The engine's steps.

  private def engine(text: String, work: (String, Any)*): Step =
    Step(s"engine: $text", g => g.engine(fresh = false, work: _*), identity)

  /** Statements read first: a client that is behind would find the wrong rows and not notice. */
  private def cypher(text: String, parameters: Map[String, Canon], next: GraphModel => GraphModel, rows: Int = -1): Step =
    Step(s"engine: $text $parameters", g => {
      val n = g.engine(fresh = true, "cypher" -> text, "parameters" -> parameters)
      if (rows >= 0) assert(n.get("rows").intValue == rows, text)
    }, next)

  private def create(g: GraphModel): Option[Step] = {
    if (chance(0.3)) {
      val free = ids.filterNot(g.nodes.contains)
      if (free.isEmpty) None
      else {
        val (id, ls, ps) = (one(free), labels(), properties(Kinds))
        val names = ps.keys.map(k => s", `$k`: $$$k").mkString
        Some(cypher(s"CREATE (n${ls.map(l => ":" + quoted(l)).mkString} {_id: $$id$names}) RETURN n", ps + ("id" -> CStr(id)),
          _.put(id, ls, ps), 1))
      }
    } else {
      val rows = some(ids, 6).map(id => (id, labels(), properties(Plain)))
      val nodes = rows.map { case (id, ls, ps) => Map("id" -> id, "labels" -> ls.toSeq, "properties" -> ps) }
      Some(engine(s"upsert $rows", "nodes" -> nodes).copy(next = rows.foldLeft(_)((m, r) => m.put(r._1, r._2, r._3))))
    }
  }

  private def node(g: GraphModel): Option[(String, Record)] = if (g.nodes.isEmpty) None else Some(one(g.nodes.toSeq.sortBy(_._1)))

  private def set(g: GraphModel): Option[Step] = node(g).map { case (id, r) =>
    val ps = properties(Kinds) + ("s" -> value("s"))
    val text = ps.keys.map(k => s"n.`$k` = $$$k").mkString(", ")
    cypher(s"MATCH (n:${quoted(r.labels.head)} {_id: $$id}) SET $text RETURN n", ps + ("id" -> CStr(id)),
      _.change(id)(x => x.copy(properties = x.properties ++ ps)), 1)
  }

  private def remove(g: GraphModel): Option[Step] = node(g).filter(_._2.properties.nonEmpty).map { case (id, r) =>
    val k = one(r.properties.keys.toSeq.sorted)
    cypher(s"MATCH (n:${quoted(r.labels.head)} {_id: $$id}) REMOVE n.`$k` RETURN n", Map("id" -> CStr(id)),
      _.change(id)(x => x.copy(properties = x.properties - k)), 1)
  }

  private def relabel(g: GraphModel): Option[Step] = node(g).map { case (id, r) =>
    val more = chance(0.6) || r.labels.size < 2
    val l = if (more) one(Labels) else one(r.labels.toSeq.sorted)
    val ls = if (more) r.labels + l else r.labels - l
    cypher(s"MATCH (n:${quoted(r.labels.head)} {_id: $$id}) ${if (more) "SET" else "REMOVE"} n:${quoted(l)} RETURN n",
      Map("id" -> CStr(id)), _.change(id)(_.copy(labels = ls)), 1)
  }

  private def detachDelete(g: GraphModel): Option[Step] = node(g).map { case (id, r) =>
    cypher(s"MATCH (n:${quoted(r.labels.head)} {_id: $$id}) DETACH DELETE n", Map("id" -> CStr(id)), _.detach(id))
  }

  private def bury(g: GraphModel): Option[Step] = if (g.nodes.isEmpty) None else {
    val gone = some(g.nodes.keys.toSeq.sorted, 3)
    Some(engine(s"tombstones $gone", "buried" -> gone.map(id => Seq(g.nodes(id).labels.head, id))).copy(next = _.bury(gone)))
  }

  private def pairs(g: GraphModel, types: Seq[String], of: Seq[String]): Seq[Key] = {
    val t = one(types)
    Seq.fill(1 + rnd.nextInt(6))(Key(t, one(of), one(of))).distinct
  }

  private def tie(g: GraphModel): Option[Step] = {
    val rows = pairs(g, Types, ids ++ g.nodes.keys).map(k => k -> properties(Plain))
    val edges = rows.map { case (k, ps) => Map("type" -> k.tpe, "src" -> k.src, "dst" -> k.dst, "properties" -> ps) }
    Some(engine(s"edges $rows", "edges" -> edges).copy(next = rows.foldLeft(_)((m, r) => m.tie(r._1, r._2))))
  }

  private def setEdge(g: GraphModel): Option[Step] = {
    val live = g.edges.keys.filter(k => g.nodes.contains(k.src) && g.nodes.contains(k.dst)).toSeq.sortBy(_.toString)
    if (live.isEmpty) None
    else {
      val k = one(live)
      val v = value("any")
      val end = (id: String, name: String) => s"($name:${quoted(g.nodes(id).labels.head)} {_id: $$$name})"
      val text = if (k.src == k.dst) None else Some(s"MATCH ${end(k.src, "a")}-[r:${quoted(k.tpe)}]->${end(k.dst, "b")} SET r.any = $$v RETURN r")
      text.map(cypher(_, Map("a" -> CStr(k.src), "b" -> CStr(k.dst), "v" -> v), m => m.tie(k, m.edges(k) + ("any" -> v)), 1))
    }
  }

  private def cut(g: GraphModel): Option[Step] = if (g.edges.isEmpty) None else {
    val gone = some(g.edges.keys.toSeq.sortBy(_.toString), 3)
    Some(engine(s"cut $gone", "cut" -> gone.map(k => Seq(k.tpe, k.src, k.dst))).copy(next = _.cut(gone)))
  }

  // Spark's steps.

  private def write(text: String, schema: StructType, rows: Seq[Row], refused: Boolean, next: GraphModel => GraphModel,
      options: (String, String)*): Step = save("append", text, schema, rows, refused, next, options)

  private def save(mode: String, text: String, schema: StructType, rows: Seq[Row], refused: Boolean, next: GraphModel => GraphModel,
      options: Seq[(String, String)]): Step = {
    val all = options ++ Seq("job-id" -> s"job-${rnd.nextInt(1 << 30)}").filter(_ => chance(0.25)) ++ Seq("file-size" -> "200").filter(_ => chance(0.3)) ++ Seq("isolation" -> "serializable").filter(_ => chance(0.2))
    val spread = 1 + rnd.nextInt(3)
    Step(s"spark: $text ${all.mkString(" ")}${if (refused) " (refused)" else ""} $rows", _.spark(schema, rows, spread, refused, mode, all),
      if (refused) identity else next)
  }

  /** Columns of some kinds, with what null cells mean. */
  private case class Columns(kinds: Seq[String], stored: Boolean) {
    private val any = one(Seq("i", "f", "s", "b"))
    val schema: Seq[StructField] = kinds.map(k => StructField(k, TypeOf(if (k == "any") any else k)))
    def row(): Map[String, Canon] = kinds.map(k => k -> (if (chance(0.3)) CNull else value(if (k == "any") any else k))).toMap
    def cells(r: Map[String, Canon]): Seq[Any] = kinds.map(k => cell(k, r(k)))
    def kept(r: Map[String, Canon]): Map[String, Canon] = if (stored) r else r.filter(_._2 != CNull)
    def options: Seq[(String, String)] = Seq("on-null" -> "store").filter(_ => stored)
  }

  private def columns(): Columns = Columns(Kinds.filter(_ => chance(0.5)), chance(0.2))

  private def mode(insert: Boolean): (String, String) = "write-mode" -> (if (insert) "insert" else "upsert")

  private def sparkNodes(g: GraphModel): Option[Step] = {
    val insert = chance(0.5)
    val from = if (insert && chance(0.8)) ids.filterNot(g.nodes.contains) else ids
    if (from.isEmpty) None
    else {
      val c = columns()
      val perRow = chance(0.5)
      val l = one(Labels)
      val rows = some(from, 6).map(id => (id, if (perRow) labels() + l else Set(l), c.row()))
      val schema = StructType(Seq(StructField("_id", StringType)) ++ Seq(StructField("_labels", ArrayType(StringType))).filter(_ => perRow) ++ c.schema)
      val cells = rows.map { case (id, ls, r) => Row.fromSeq(Seq(spelled(id)) ++ Seq(rnd.shuffle(ls.toSeq)).filter(_ => perRow) ++ c.cells(r)) }
      val exists = rows.exists(r => g.nodes.contains(r._1))
      Some(write("nodes", schema, cells, insert && exists, rows.foldLeft(_)((m, r) => m.put(r._1, r._2, c.kept(r._3))),
        Seq("label" -> (if (perRow && chance(0.5)) "*" else l), mode(insert)) ++ c.options: _*))
    }
  }

  private def spelled(id: String): String = one(Seq(id, id, id.toUpperCase, id.replace("-", "")))

  private def derived(label: String, k: (String, Long)): String =
    new DerivedId().begin(label).string(k._1.getBytes("UTF-8")).integer(k._2).id.toString

  private val KeyFields = Seq(StructField("mail", StringType), StructField("nr", LongType))

  private def sparkKeyed(g: GraphModel): Option[Step] = {
    val l = one(Labels)
    val keys = some(BusinessKeys, 5)
    val id = keys.map(k => k -> derived(l, k)).toMap
    val exists = keys.exists(k => g.nodes.contains(id(k)))
    // Nothing can be deleted of a label that the graph may not know.
    val x = rnd.nextInt(if (g.nodes.values.exists(_.labels.contains(l))) 3 else 2)
    val options = Seq("label" -> l, "key" -> "mail,nr")
    if (x == 2) {
      val refused = keys.exists(k => g.isTied(id(k)))
      Some(write("delete by key", StructType(KeyFields), keys.map(k => Row(k._1, k._2)), refused, _.bury(id.values),
        options :+ ("write-mode" -> "delete"): _*))
    } else {
      val c = columns()
      val rows = keys.map(k => (k, c.row()))
      Some(write("nodes by key", StructType(KeyFields ++ c.schema), rows.map { case (k, r) => Row.fromSeq(Seq(k._1, k._2) ++ c.cells(r)) },
        x == 0 && exists, rows.foldLeft(_) { case (m, (k, r)) => m.put(id(k), Set(l), c.kept(r) ++ Map("mail" -> CStr(k._1), "nr" -> CInt(k._2))) },
        options ++ c.options :+ mode(x == 0): _*))
    }
  }

  private val Ends = Seq(StructField("_src", StringType), StructField("_dst", StringType))

  private def sparkEdges(g: GraphModel): Option[Step] = {
    val allow = chance(0.3)
    val of = if (allow || chance(0.15) || g.nodes.isEmpty) ids else g.nodes.keys.toSeq.sorted
    val insert = chance(0.4)
    val c = columns()
    val all = pairs(g, Plainly, of)
    val rows = (if (insert && chance(0.8)) all.filterNot(g.edges.contains) else all).map(_ -> c.row())
    if (rows.isEmpty) None
    else {
      val dangling = rows.exists { case (k, _) => !g.nodes.contains(k.src) || !g.nodes.contains(k.dst) }
      val refused = insert && rows.exists(r => g.edges.contains(r._1)) || !allow && dangling
      Some(write("edges", StructType(Ends ++ c.schema), rows.map { case (k, r) => Row.fromSeq(Seq(spelled(k.src), spelled(k.dst)) ++ c.cells(r)) },
        refused, rows.foldLeft(_)((m, r) => m.tie(r._1, c.kept(r._2))),
        Seq("type" -> rows.head._1.tpe, mode(insert)) ++ Seq("on-dangling" -> "allow").filter(_ => allow) ++ c.options: _*))
    }
  }

  private def sparkKeyedEdges(g: GraphModel): Option[Step] = {
    val (l, t) = (one(Labels), one(Plainly))
    val dst = one(ids ++ g.nodes.keys.toSeq.sorted)
    val rows = some(BusinessKeys, 4).map(k => k -> Key(t, derived(l, k), dst))
    val schema = StructType(Seq(StructField("m", StringType), StructField("n", LongType), StructField("_dst", StringType), StructField("i", LongType)))
    Some(write("edges by key", schema, rows.map { case (k, _) => Row(k._1, k._2, dst, k._2) }, refused = false,
      rows.foldLeft(_) { case (m, (k, key)) => m.tie(key, Map("i" -> CInt(k._2))) },
      "type" -> t, "src-key" -> "m,n", "src-label" -> l, "write-mode" -> "upsert", "on-dangling" -> "allow"))
  }

  private def sparkDelete(g: GraphModel): Option[Step] = {
    val gone = some((g.nodes.keys ++ ids).toSeq.sorted.distinct, 4)
    val leave = chance(0.4)
    Some(write("delete", StructType(Ends.take(1).map(_.copy(name = "_id"))), gone.map(id => Row(spelled(id))), !leave && gone.exists(g.isTied),
      _.bury(gone), Seq("label" -> "*", "write-mode" -> "delete") ++ Seq("on-incident-edges" -> "leave").filter(_ => leave): _*))
  }

  private def sparkCut(g: GraphModel): Option[Step] = {
    val t = one(Plainly)
    val mine = g.edges.keys.filter(_.tpe == t).toSeq.sortBy(_.toString)
    // A type without edges may be one the graph does not know, of which none can be deleted.
    if (mine.isEmpty) None else {
      val gone = (some(mine, 4) ++ Seq(Key(t, one(ids), one(ids))).filter(_ => chance(0.3))).distinct
      Some(write("cut", StructType(Ends), gone.map(k => Row(k.src, k.dst)), refused = false, _.cut(gone), "type" -> t, "write-mode" -> "delete"))
    }
  }

  private val IdField = Seq(StructField("_id", StringType))

  private def sparkPatch(g: GraphModel): Option[Step] = {
    val c = columns()
    val l = one(Labels)
    val any = chance(0.5)
    val from = g.nodes.filter(n => any || n._2.labels(l)).keys.toSeq.sorted
    if (from.isEmpty || c.kinds.isEmpty) None
    else {
      val rows = (some(from, 5) ++ Seq(one(ids)).filter(_ => chance(0.1))).distinct.map(_ -> c.row())
      val missing = rows.exists { case (id, _) => !from.contains(id) }
      Some(write("patch", StructType(IdField ++ c.schema), rows.map { case (id, r) => Row.fromSeq(spelled(id) +: c.cells(r)) }, missing,
        rows.foldLeft(_) { case (m, (id, r)) => m.change(id)(x => x.copy(properties = x.properties -- c.kinds ++ c.kept(r))) },
        Seq("label" -> (if (any) "*" else l), "write-mode" -> "patch") ++ c.options: _*))
    }
  }

  private def sparkPatchEdges(g: GraphModel): Option[Step] = {
    val c = columns()
    val t = one(Plainly)
    val mine = g.edges.keys.filter(_.tpe == t).toSeq.sortBy(_.toString)
    if (mine.isEmpty || c.kinds.isEmpty) None
    else {
      val rows = some(mine, 5).map(_ -> c.row())
      Some(write("patch edges", StructType(Ends ++ c.schema), rows.map { case (k, r) => Row.fromSeq(Seq(spelled(k.src), spelled(k.dst)) ++ c.cells(r)) },
        refused = false, rows.foldLeft(_) { case (m, (k, r)) => m.tie(k, m.edges(k) -- c.kinds ++ c.kept(r)) },
        Seq("type" -> t, "write-mode" -> "patch") ++ c.options: _*))
    }
  }

  private def sparkOverwrite(g: GraphModel): Option[Step] = {
    val c = columns()
    val l = one(Labels)
    val table = g.nodes.filter(_._2.labels(l))
    val free = ids.filterNot(id => g.nodes.contains(id) && !table.contains(id))
    val rows = some(table.keys.toSeq.sorted ++ (if (chance(0.1)) ids else free), 6).distinct.map(_ -> c.row())
    val gone = table.keySet -- rows.map(_._1)
    val (shared, detach) = (chance(0.7), chance(0.7))
    val refused = !shared && table.exists(_._2.labels.size > 1) || !detach && gone.exists(g.isTied) ||
      rows.exists { case (id, _) => g.nodes.contains(id) && !table.contains(id) }
    Some(save("overwrite", "overwrite", StructType(IdField ++ c.schema), rows.map { case (id, r) => Row.fromSeq(spelled(id) +: c.cells(r)) }, refused,
      m => rows.foldLeft(gone.foldLeft(m)(_.detach(_))) { case (x, (id, r)) => x.put(id, Set(l), c.kept(r)) },
      Seq("label" -> l) ++ Seq("overwrite-multi-label" -> "delete").filter(_ => shared) ++
        Seq("on-incident-edges" -> "detach").filter(_ => detach) ++ c.options))
  }

  private def sparkOverwriteEdges(g: GraphModel): Option[Step] = if (g.nodes.isEmpty) None else {
    val c = columns()
    val rows = pairs(g, Plainly, g.nodes.keys.toSeq.sorted).map(_ -> c.row())
    val t = rows.head._1.tpe
    Some(save("overwrite", "overwrite edges", StructType(Ends ++ c.schema),
      rows.map { case (k, r) => Row.fromSeq(Seq(spelled(k.src), spelled(k.dst)) ++ c.cells(r)) }, refused = false,
      m => rows.foldLeft(m.cut(m.edges.keys.filter(_.tpe == t)))((x, r) => x.tie(r._1, c.kept(r._2))), Seq("type" -> t) ++ c.options))
  }

  private def sparkDetach(g: GraphModel): Option[Step] = {
    val gone = some((g.nodes.keys ++ ids).toSeq.sorted.distinct, 3)
    Some(write("detach", StructType(IdField), gone.map(id => Row(spelled(id))), refused = false, gone.foldLeft(_)(_.detach(_)),
      "label" -> "*", "write-mode" -> "delete", "on-incident-edges" -> "detach"))
  }

  /** Edges without ends and ends that are no ids are set aside, the rest is written. */
  private def sparkAside(g: GraphModel): Option[Step] = if (g.nodes.isEmpty) None else {
    val live = g.nodes.keys.toSeq.sorted
    val t = one(Plainly)
    val rows = (pairs(g, Seq(t), live) ++ pairs(g, Seq(t), ids)).distinct
    val cells = rnd.shuffle(rows.map(k => Row(spelled(k.src), spelled(k.dst))) ++ Seq(Row("no id", live.head), Row(null, live.head)))
    val good = rows.filter(k => g.nodes.contains(k.src) && g.nodes.contains(k.dst))
    Some(write("edges, some of them bad", StructType(Ends), cells, refused = false, good.foldLeft(_)((m, k) => m.tie(k, Map.empty)),
      "type" -> t, "write-mode" -> "upsert", "on-dangling" -> "quarantine", "on-invalid" -> "quarantine"))
  }
}

object Operations {
  val Labels: Seq[String] = Seq("Person", "Admin", "a.b`c", "Ünï")
  /** Spark refuses to write the last one, and reads it like the others. */
  val Types: Seq[String] = Seq("KNOWS", "LIKES", "with space")
  private val Plainly = Types.take(2)
  private val Words = Seq("", "ann", "O'Neil \"x\"", "Grüße 世界 😀", "tab\tnl\n\\", "123", "{}", "\u0000nul")
  private val BusinessKeys = for (m <- Seq("a@x", "ü"); n <- Seq(0L, -7L, Long.MaxValue)) yield (m, n)

  private val Kinds = Seq("i", "f", "s", "b", "bytes", "day", "at", "vec", "list", "map", "any")
  /** What the engine's own staging calls take. */
  private val Plain = Seq("i", "f", "s", "b", "bytes", "vec", "any")

  private val TypeOf: Map[String, DataType] = Map("i" -> LongType, "f" -> DoubleType, "s" -> StringType, "b" -> BooleanType,
    "bytes" -> BinaryType, "day" -> DateType, "at" -> TimestampType, "vec" -> ArrayType(FloatType), "list" -> ArrayType(StringType),
    "map" -> MapType(StringType, LongType))

  private def cell(kind: String, v: Canon): Any = v match {
    case CNull => null
    case CBool(x) => x
    case CInt(x) => x
    case CFloat(x) => x
    case CStr(x) => x
    case CBytes(x) => x.toArray
    case CDate(x) => LocalDate.ofEpochDay(x)
    case CDateTime(x) => Instant.EPOCH.plus(x, ChronoUnit.MICROS)
    case CSeq(xs) if kind == "vec" => xs.collect { case CFloat(x) => x.toFloat }
    case CSeq(xs) => xs.collect { case CStr(x) => x }
    case CMap(m) => m.collect { case (k, CInt(x)) => k -> x }
  }

  def quoted(name: String): String = "`" + name.replace("`", "``") + "`"

  private def assert(ok: Boolean, clue: String): Unit = org.scalatest.Assertions.assert(ok, clue)
}
