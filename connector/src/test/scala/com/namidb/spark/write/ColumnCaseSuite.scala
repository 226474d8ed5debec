package com.namidb.spark.write

import com.namidb.format.error.InvalidOptionException
import com.namidb.spark.Places
import com.namidb.spark.types.GraphColumns
import com.namidb.spark.write.row.PropertyColumn
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row}

class ColumnCaseSuite extends ColumnCaseTests(Places.Local)

/** What a column is when its name has another case than ours. */
class ColumnCaseTests(override val places: Places) extends Writing {
  private def renamed(df: DataFrame, names: String*) = df.toDF(names: _*)

  private def refused(words: String*)(body: => Unit): Unit = {
    val e = failure[InvalidOptionException](body)
    for (w <- words) assert(e.getMessage.contains(w), e.getMessage)
  }

  private def sensitive(body: => Unit): Unit = {
    spark.conf.set("spark.sql.caseSensitive", "true")
    try body finally spark.conf.unset("spark.sql.caseSensitive")
  }

  test("ids, labels and ends are ours in any case, as Spark compares names by default") {
    withPlace { p =>
      write(renamed(nodes(1 to 4), "_ID", "name", "n"), p, "label" -> "P", "write-mode" -> "upsert")
      write(renamed(nodes(1 to 4, "w"), "_Id", "name", "n"), p, "label" -> "P", "write-mode" -> "upsert")
      assert(read(p, "label" -> "P").columns.toSeq == Seq("_id", "_labels", "n", "name"))
      assert(rows(read(p, "label" -> "P").select("_id", "name", "n")) == (1 to 4).map(n => Seq(id(n), s"w$n", n.toLong)).toSet)
      val labelled = new StructType().add("_Id", StringType).add("_LABELS", ArrayType(StringType))
      write(frame(labelled, Row(id(5), Seq("P", "Q"))), p, "label" -> "P")
      assert(ids(read(p, "label" -> "Q")) == Seq(id(5)))
      write(renamed(edges((1, 2), (2, 3)), "_SRC", "_Dst", "w"), p, "type" -> "T")
      write(renamed(edges((1, 2)), "_Src", "_DST", "w"), p, "type" -> "T", "write-mode" -> "upsert")
      assert(pairs(p, "T") == Set((1, 2), (2, 3)) && read(p, "type" -> "T").columns.toSeq == Seq("_src", "_dst", "w"))
      write(renamed(edges((2, 3)), "_SRC", "_DST", "w"), p, "type" -> "T", "write-mode" -> "delete")
      write(renamed(ids(4), "_iD"), p, "label" -> "P", "write-mode" -> "delete")
      assert(numbers(p, "P") == Set(1, 2, 3, 5) && pairs(p, "T") == Set((1, 2)))
    }
  }

  test("options name columns in any case, too; the properties keep the columns' spelling") {
    withPlace { p =>
      val people = frame(new StructType().add("Email", StringType).add("Vec", ArrayType(DoubleType)), Row("a", Seq(1.0)), Row("b", Seq(2.0)))
      write(people, p, "label" -> "P", "key" -> "email", "vector-columns" -> "vec")
      write(people, p, "label" -> "P", "key" -> "EMAIL", "vector-columns" -> "VEC", "write-mode" -> "upsert")
      assert(read(p, "label" -> "P").columns.toSeq == Seq("_id", "_labels", "Email", "Vec") && read(p, "label" -> "P").count() == 2)
      val ends = frame(new StructType().add("Fro", StringType).add("To", StringType), Row("a", "b"))
      write(ends, p, "type" -> "T", "src-key" -> "fro", "src-label" -> "P", "dst-key" -> "to", "dst-label" -> "P")
      assert(read(p, "type" -> "T").columns.toSeq == Seq("_src", "_dst") && read(p, "type" -> "T").count() == 1)
      refused("key", "distinct")(write(people, p, "label" -> "P", "key" -> "email,Email"))
      sensitive(refused("no key column 'email'", "Email")(write(people, p, "label" -> "P", "key" -> "email")))
    }
  }

  test("every hidden or reserved name is refused in any case, and so are two of ours") {
    withPlace { p =>
      write(nodes(1 to 1), p, "label" -> "P")
      import scala.jdk.CollectionConverters._
      for (name <- GraphColumns.RESERVED.asScala.toSet -- Seq("_id", "_labels"); other <- Seq(name.toUpperCase, "_" + name.drop(1).capitalize))
        unchanged(p)(refused(s"'$name'", "reserved")(write(renamed(nodes(2 to 2), "_id", other, "n"), p, "label" -> "P")))
      for (twin <- Seq("_ID", "_Id"); mode <- Seq("insert", "upsert", "patch", "delete"))
        unchanged(p)(refused("'_id'", s"'$twin'", "the same one")(write(renamed(nodes(2 to 2), "_id", twin, "n"), p, "label" -> "P", "write-mode" -> mode)))
      unchanged(p)(refused("'_src'", "reserved")(write(renamed(nodes(2 to 2), "_id", "_SRC", "n"), p, "label" -> "P")))
      unchanged(p)(refused("'_Reason'", "Quarantine")(write(renamed(nodes(2 to 2), "_id", "_Reason", "n"), p, "label" -> "P", "on-invalid" -> "quarantine")))
    }
  }

  test("where case counts, another case of a reserved name is refused with the right spelling") {
    sensitive {
      withPlace { p =>
        write(nodes(1 to 1), p, "label" -> "P")
        for ((other, name) <- Seq("_ID" -> "_id", "_Labels" -> "_labels", "_SRC" -> "_src", "_Lsn" -> "_lsn", "_JSON" -> "_json", "_TYPE" -> "_type"))
          unchanged(p)(refused(s"'$other'", s"'$name'", "only in case")(write(renamed(nodes(2 to 2), "_id", other, "n"), p, "label" -> "P")))
        // Other names may differ in case only.
        write(renamed(nodes(2 to 2), "_id", "N", "n"), p, "label" -> "P")
        assert(read(p, "label" -> "P").columns.toSet == Set("_id", "_labels", "N", "n", "name"))
      }
    }
  }

  test("an upsert needs ids") {
    withPlace { p =>
      refused("no column '_id'", "key")(write(nodes(1 to 2).drop("_id"), p, "label" -> "P", "write-mode" -> "upsert"))
      refused("no column '_src'", "src-key")(write(edges((1, 2)).drop("_src"), p, "type" -> "T", "write-mode" -> "upsert"))
      write(nodes(1 to 2).drop("_id"), p, "label" -> "P")
      assert(read(p, "label" -> "P").count() == 2)
    }
  }

  test("a delete of a label or type that the graph does not have is refused; of others, ids that are not there cost a tombstone") {
    withPlace { p =>
      write(nodes(1 to 3), p, "label" -> "Person")
      write(edges((1, 2)), p, "type" -> "KNOWS")
      unchanged(p) {
        refused("no label 'Persn'", "'Person'")(write(ids(1), p, "label" -> "Persn", "write-mode" -> "delete"))
        refused("no edge type 'KNWS'", "'KNOWS'")(write(edges((1, 2)), p, "type" -> "KNWS", "write-mode" -> "delete"))
      }
      write(ids(9), p, "label" -> "Person", "write-mode" -> "delete")
      write(ids(3), p, "label" -> "*", "write-mode" -> "delete")
      write(edges((1, 2)), p, "type" -> "KNOWS", "write-mode" -> "delete")
      // Both stay names of tables without rows.
      write(edges((1, 2)), p, "type" -> "KNOWS", "write-mode" -> "delete")
      assert(numbers(p, "Person") == Set(1, 2) && pairs(p, "KNOWS").isEmpty)
    }
  }

  test("properties under names that the engine reserves are found") {
    def of(names: String*) =
      EngineNames.of(java.util.List.of(names.map(n => new PropertyColumn(n, 0, LongType, false, 0, false)): _*))
    assert(of("a", "__x", "_x", "prop_a", "prop", "node_id", "tombstone", "lsn", "LSN", "nodes_id") ==
      java.util.List.of("__x", "prop_a", "node_id", "tombstone", "lsn"))
    assert(of("a").isEmpty)
    withPlace { p =>
      val df = renamed(nodes(1 to 2), "_id", "__x", "lsn")
      val said = Warnings.of(classOf[EngineNames])(write(df, p, "label" -> "P"))
      assert(said.size == 1 && said.head.contains("__x, lsn") && said.head.contains("nodes.P") && said.head.contains("unloadable"), said)
      assert(Warnings.of(classOf[EngineNames])(write(nodes(3 to 4), p, "label" -> "P")).isEmpty)
      assert(read(p, "label" -> "P").where("lsn = 1").count() == 1)
    }
  }
}
