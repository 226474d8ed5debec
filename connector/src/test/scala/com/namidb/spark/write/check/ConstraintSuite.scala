package com.namidb.spark.write.check

import com.namidb.format.Golden
import com.namidb.format.error._
import com.namidb.format.snapshot.SnapshotSelector
import com.namidb.format.engine.Engines
import com.namidb.format.store.TempDirs
import com.namidb.spark.{Place, Places}
import com.namidb.spark.options.{OpenNamespace, WriteOptions}
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.quarantine.QuarantineFixture
import com.namidb.spark.write.row.StoredText
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory}
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import java.sql.Date
import java.util.Optional
import scala.jdk.CollectionConverters._

class ConstraintSuite extends ConstraintTests(Places.Local)

/** Uniqueness and not-null rules of the declared schema, made and judged by the real engine. */
class ConstraintTests(override val places: Places) extends QuarantineFixture {
  private val User = new StructType().add("_id", StringType).add("email", StringType)

  private def users(us: (Int, String)*): DataFrame = frame(User, us.map { case (n, e) => Row(id(n), e) }: _*)

  private def engine(p: Place, v: String, what: String, more: String*): String =
    Engines.run(v, "constraints.py", Seq(what, p.dir.toString, "g") ++ more: _*)

  /** Made by the engine in a folder, and moved from there. */
  private def started(v: String = "2.6.19"): Place = {
    val p = Place.of(TempDirs.lasting("constraints-"))
    engine(p, v, "start")
    places.copied(Golden.Case("started", p.dir, p.dir, "g", base64 = false)).place
  }

  /** The engine can only go on where it is at home. */
  private def holds(p: Place, v: String, values: String): Unit =
    if (places == Places.Local) engine(p, v, "holds", "User", "email", values): Unit

  private def emails(p: Place): Map[String, String] =
    read(p, "label" -> "User").select("_id", "email").collect().map(r => r.getString(0) -> r.getString(1)).toMap

  private def broken(p: Place, df: DataFrame, o: (String, String)*)(words: String*): Unit = {
    val before = version(p)
    val e = failure[ValidationFailedException](write(df, p, Seq("label" -> "User") ++ o: _*))
    for (w <- words) assert(e.getMessage.contains(w), e.getMessage)
    assert(version(p) == before)
  }

  for (v <- Engines.versions if Engines.enabled) test(s"engine $v: values must be unique on the version that is committed") {
    val p = started(v)
    // Within the job, against SSTs, against the WAL.
    broken(p, users(20 -> "a", 21 -> "b", 22 -> "a"))(id(20), id(22), "property 'email' must be unique among nodes with label 'User'")
    broken(p, users(20 -> "e1"))(id(20), id(1), "has the same value")
    broken(p, users(20 -> "e8"))(id(8))
    broken(p, users(1 -> "e2"), "write-mode" -> "upsert")(id(2))
    // Of a deleted node, of a node without the label, no value at all.
    write(users(20 -> "e5", 21 -> "e9", 22 -> null, 23 -> null), p, "label" -> "User")
    // Values change hands between nodes of the job, one keeps its own.
    write(users(1 -> "e2", 2 -> "e3", 3 -> "e1", 4 -> "e4"), p, "label" -> "User", "write-mode" -> "upsert")
    assert(emails(p) == Map(1 -> "e2", 2 -> "e3", 3 -> "e1", 4 -> "e4", 6 -> "e6", 7 -> "e7", 8 -> "e8", 20 -> "e5", 21 -> "e9", 22 -> null,
      23 -> null).map { case (n, e) => id(n) -> e })
    write(users(6 -> ""), p, "label" -> "User", "write-mode" -> "delete")
    write(users(24 -> "e6"), p, "label" -> "User")
    // Labels that come in rows count, and only they.
    val labelled = User.add("_labels", ArrayType(StringType))
    broken(p, frame(labelled, Row(id(30), "e7", Seq("X", "User"))), "label" -> "*")(id(7))
    write(frame(labelled, Row(id(30), "e7", Seq("X")), Row(id(31), "x", Seq("X", "User"))), p, "label" -> "*")
    // Taken together.
    val seat = new StructType().add("_id", StringType).add("row", LongType).add("place", LongType)
    failure[ValidationFailedException](write(frame(seat, Row(id(60), 1L, 1L)), p, "label" -> "Seat"))
    failure[ValidationFailedException](write(frame(seat, Row(id(60), 2L, 2L), Row(id(61), 2L, 2L)), p, "label" -> "Seat"))
    write(frame(seat, Row(id(60), 1L, 2L), Row(id(61), 2L, 1L), Row(id(62), 1L, null), Row(id(63), 1L, null)), p, "label" -> "Seat")
    // The engine goes on as if it had written all that.
    holds(p, v, """["e1","e2","e3","e5","e6","e9","x"]""")
    if (places == Places.Local) assert(engine(p, v, "ask", "MATCH (n:User {email: 'e6'}) RETURN n._id").linesIterator.toSeq == Seq(s"""["${id(24)}"]"""))
    if (places == Places.Local) assert(engine(p, v, "ask", "MATCH (n:User) RETURN count(n)").trim == "[12]")
  }

  // About values, not about where they are.
  for (v <- Engines.versions if Engines.enabled && places == Places.Local) test(s"engine $v: values are equal here exactly when the engine says so") {
    val p = place()
    val taken = engine(p, v, "values").trim.stripPrefix("[").stripSuffix("]").split(',').map(_.trim.toInt).toSet
    // The same values in the same order, each stored by Spark from a column of its own type.
    val values: Seq[(String, Any)] = Seq("i" -> 1L, "f" -> 1.0, "s" -> "1", "b" -> true, "s" -> "true", "i" -> 0L, "f" -> 0.0, "f" -> -0.0,
      "i" -> 9007199254740993L, "f" -> 9007199254740992.0, "i" -> 9007199254740992L, "li" -> Seq(1L, 2L), "li" -> Seq(1L, 2L),
      "lf" -> Seq(1.0, 2.0), "m" -> Row(1L, 2L), "m2" -> Row(2L, 1L), "mf" -> Row(1.0, 2L), "d" -> Date.valueOf("2020-01-01"), "i" -> 18262L,
      "s" -> "", "s" -> "A", "s" -> "a", "i" -> 1L, "s" -> "a", "lf" -> Seq(0.0), "lf" -> Seq(-0.0))
    val types = Map("i" -> LongType, "f" -> DoubleType, "s" -> StringType, "b" -> BooleanType, "li" -> ArrayType(LongType),
      "lf" -> ArrayType(DoubleType), "m" -> new StructType().add("a", LongType).add("b", LongType),
      "m2" -> new StructType().add("b", LongType).add("a", LongType), "mf" -> new StructType().add("a", DoubleType).add("b", LongType),
      "d" -> DateType)
    val rule = new UniqueRule("V", java.util.List.of("k"))
    val hash = new UniqueValue(0, rule)
    val seen = collection.mutable.Set[Seq[Byte]]()
    val mine = values.zipWithIndex.collect { case ((t, x), i) if {
      val schema = new StructType().add("k", types(t))
      val json = StoredText.of(schema, x)
      seen.add(hash.hash(json, 0, json.length).toSeq)
    } => i }.toSet
    assert(mine == taken)
    // What the engine stored itself is compared with what Spark brings.
    val one = frame(new StructType().add("_id", StringType).add("k", LongType), Row(id(1), 18262L))
    assert(failure[ValidationFailedException](write(one, p, "label" -> "V")).getMessage.contains("same value"))
    write(frame(new StructType().add("_id", StringType).add("k", DoubleType), Row(id(1), 18262.0)), p, "label" -> "V")
  }

  test("nulls that are stored are values of a single property") {
    val p = started()
    val before = version(p)
    failure[ValidationFailedException](write(users(20 -> null, 21 -> null), p, "label" -> "User", "on-null" -> "store"))
    assert(version(p) == before)
    write(users(20 -> null), p, "label" -> "User", "on-null" -> "store")
    failure[ValidationFailedException](write(users(21 -> null), p, "label" -> "User", "on-null" -> "store"))
    write(users(21 -> null), p, "label" -> "User")
  }

  test("rows that are not unique are set aside, also those that only become so by that") {
    val p = started()
    val df = users(20 -> "a", 21 -> "a", 22 -> "e7", 23 -> "ok", 24 -> "e1", 25 -> "ok2").repartition(3)
    val folder = job(p)(write(df, p, "label" -> "User", "on-invalid" -> "quarantine"))
    val r = balanced(df, folder, 4)
    assert(aside(folder).select("email").collect().map(_.getString(0)).sorted.toSeq == Seq("a", "a", "e1", "e7"))
    assert(r.quarantine.reasons.asScala.keySet == Set("property 'email' must be unique among nodes with label 'User'"))
    assert(emails(p).filter(_._2.startsWith("ok")).keySet == Set(23, 25).map(id))
    // 1 wants 7's value, 2 wants 1's, 3 wants 2's: with the first of them all stay as they are.
    val chain = users(1 -> "e7", 2 -> "e1", 3 -> "e2", 4 -> "free")
    val again = job(p)(write(chain, p, "label" -> "User", "on-invalid" -> "quarantine", "write-mode" -> "upsert"))
    balanced(chain, again, 3)
    assert(emails(p)(id(4)) == "free" && emails(p)(id(1)) == "e1" && emails(p)(id(3)) == "e3")
    holds(p, "2.6.19", """["e1","e2","e3","free","ok"]""")
  }

  test("text of a unique property has a limit") {
    val p = started()
    val df = users(40 -> "x" * 65536, 41 -> "x" * 65535)
    val folder = job(p)(write(df, p, "label" -> "User", "on-invalid" -> "quarantine"))
    assert(balanced(df, folder, 1).quarantine.reasons.asScala.keySet == Set("property 'email': indexed length"))
    holds(p, "2.6.19", """["e1"]""")
  }

  test("binary ids: rows are kept where a constraint may need them") {
    val p = started()
    val s = new StructType().add("_id", BinaryType).add("email", StringType)
    val df = frame(s, Seq(40 -> "e1", 41 -> "fine").map { case (n, e) => Row(com.namidb.format.id.NodeId.parse(id(n)).toBytes, e) }: _*)
    val folder = job(p)(write(df, p, "label" -> "User", "on-invalid" -> "quarantine"))
    balanced(df, folder, 1)
    assert(multiset(aside(folder).drop("_reason", "_key")) == multiset(df.where("email = 'e1'")))
  }

  test("a race: the values are compared again on the newer base") {
    val p = started()
    def begin(o: (String, String)*) = {
      val w = WriteOptions.of((Map("uri" -> p.uri(), "label" -> "User") ++ o).asJava, _ => null)
      WriteJob.begin(w, User, Optional.of(OpenNamespace.at(w.location).namespace.snapshot(new SnapshotSelector.Latest)))
    }
    def staged(j: WriteJob, us: (Int, String)*) = {
      val t = new CandidateWriterFactory(j.forTasks).createWriter(0, 0)
      try {
        for ((n, e) <- us) t.write(InternalRow(UTF8String.fromString(id(n)), UTF8String.fromString(e)))
        java.util.List.of(t.commit().asInstanceOf[CandidateMessage].report)
      } finally t.close()
    }
    val late = begin()
    val rows = staged(late, 30 -> "r")
    val aside = begin("on-invalid" -> "quarantine")
    val more = staged(aside, 31 -> "r", 32 -> "s")
    write(users(33 -> "r"), p, "label" -> "User")
    val before = version(p)
    failure[ValidationFailedException](late.publish(rows))
    assert(version(p) == before)
    val r = aside.publish(more).get
    assert(r.balance.accepted == 1 && r.balance.quarantined == 1)
    assert(emails(p)(id(33)) == "r" && emails(p)(id(32)) == "s" && !emails(p).contains(id(31)))
    // What the base loses meanwhile is free.
    val free = begin()
    val taken = staged(free, 34 -> "e1")
    write(users(1 -> ""), p, "label" -> "User", "write-mode" -> "delete")
    free.publish(taken)
    assert(emails(p)(id(34)) == "e1")
  }

  // The declaration is written into the body of a version by hand.
  if (!places.single) test("properties declared as not null must be there") {
    val p = started()
    // No statement declares it, but the engine keeps such a declaration.
    val body = p.keys("g/manifest/v").max
    val text = p.text(body)
    val changed = text.replaceFirst("(\\{\"name\":\"email\",[^}]*)\"nullable\":true", "$1\"nullable\":false")
    assert(changed != text)
    p.put(body, changed)
    assert(failure[InvalidValueException](write(users(20 -> "x", 21 -> null), p, "label" -> "User")).getMessage
      .contains("property 'email' is null, label 'User' needs it"))
    val lacking = frame(new StructType().add("_id", StringType), Row(id(20)))
    assert(failure[InvalidOptionException](write(lacking, p, "label" -> "User")).getMessage.contains("'email'"))
    write(lacking, p, "label" -> "Free")
    val labelled = frame(new StructType().add("_id", StringType).add("_labels", ArrayType(StringType)), Row(id(21), Seq("User")), Row(id(22), Seq("Free")))
    val folder = job(p)(write(labelled, p, "label" -> "*", "on-invalid" -> "quarantine"))
    balanced(labelled, folder, 1)
    val df = users(23 -> "y", 24 -> null)
    balanced(df, job(p)(write(df, p, "label" -> "User", "on-invalid" -> "quarantine")), 1)
    assert(emails(p).keySet.contains(id(23)) && !emails(p).contains(id(24)))
  }
}
