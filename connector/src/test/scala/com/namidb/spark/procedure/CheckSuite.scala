package com.namidb.spark.procedure

import com.namidb.format.{Crafted, Golden}
import com.namidb.format.Crafted.{E, N}
import com.namidb.format.engine.Engines
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.{Row, SparkSession}

class CheckSuite extends CheckTests(Places.Local)

class SingleObjectCheckSuite extends CheckTests(Places.SingleObject)

/** What `check` finds, and that it finds nothing where nothing is wrong. */
class CheckTests(override val places: Places) extends CatalogFixture {
  private def check(s: SparkSession, deep: Boolean, ns: String = "g"): Seq[Row] =
    s.sql(s"CALL nami.system.check(namespace => '$ns', deep => $deep)").collect().toSeq

  private def checks(rows: Seq[Row]): Set[String] = rows.map(_.getAs[String]("check")).toSet

  private def one(rows: Seq[Row], check: String): Row = {
    val of = rows.filter(_.getAs[String]("check") == check)
    assert(of.size == 1, rows.mkString("\n"))
    of.head
  }

  /** Files below `bulk/` whose name ends so, of version 1 first. */
  private def files(p: Place, suffix: String): Seq[String] = p.keys("g/bulk/").filter(_.endsWith(suffix)).sortBy(p.size)

  private def flip(p: Place, key: String, at: Int): Unit = {
    val b = p.bytes(key)
    b(at) = (b(at) ^ 0x10).toByte
    p.put(key, b)
  }

  test("a graph in order has no findings, whoever wrote it") {
    withGraph { (p, s) =>
      write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
      assert(check(s, deep = false).isEmpty && check(s, deep = true).isEmpty)
      if (Engines.enabled && places == Places.Local) {
        Engines.run("2.6.19", "written.py", "ask", p.dir.toString, "g", "CREATE (:P {name: 'x'})-[:T]->(:Q {name: 'y'})")
        assert(check(s, deep = true).isEmpty)
      }
    }
    for (name <- Seq("updates-and-deletes", "many-ssts", "wal-and-sst", "compacted", "indexes", "edge-heavy", "names", "types-2.1.4", "empty")) {
      val g = golden(name)
      val s = session(g.place)
      assert(check(s, deep = true, g.ns).filterNot(_.getAs[String]("check") == "dangling edges").isEmpty, name + check(s, deep = true, g.ns).mkString("\n"))
    }
  }

  test("a missing or truncated file is found without reading") {
    withGraph { (p, s) =>
      val Seq(fwd) = files(p, "-edges-fwd.csr")
      p.delete(fwd)
      val found = one(check(s, deep = false), "files")
      assert(found.getAs[String]("object") == p.path(fwd) && found.getAs[String]("problem").contains("missing"))
      val deep = check(s, deep = true)
      assert(Set("files", "content", "readable", "pairs", "dangling edges").subsetOf(checks(deep)), deep.mkString("\n"))
      assert(deep.filter(_.getAs[String]("check") == "content").forall(_.getAs[String]("object") == p.path(fwd)))
    }
    withGraph { (p, s) =>
      val f = files(p, "-nodes.parquet").head
      val bytes = p.bytes(f)
      p.put(f, bytes.take(bytes.length - 7))
      val found = one(check(s, deep = false), "files")
      assert(found.getAs[String]("object") == p.path(f) && found.getAs[String]("problem").contains(s"${bytes.length - 7} bytes"))
    }
  }

  test("a flipped byte is found by reading only, wherever it is in a file of ours") {
    withGraph { (p, s) =>
      for (f <- Seq(files(p, "-nodes.parquet").head, files(p, "-edges-fwd.csr").head, files(p, "-edges-inv.csr").head);
           at <- Seq(0.1, 0.4, 0.6, 0.95).map(x => (p.size(f) * x).toInt)) {
        flip(p, f, at)
        assert(check(s, deep = false).isEmpty)
        val found = check(s, deep = true).filter(_.getAs[String]("check") == "content")
        assert(found.exists(_.getAs[String]("object") == p.path(f)), s"$f $at")
        flip(p, f, at)
      }
      assert(check(s, deep = true).isEmpty)
    }
  }

  test("a history with a hole, a lost pointer or a floor above it is found, without reading") {
    def found(damage: (Place, SparkSession) => Unit): (String, String) = withGraph { (p, s) =>
      assert(check(s, deep = false).isEmpty)
      damage(p, s)
      val row = one(check(s, deep = false), "history")
      row.getAs[String]("object").stripPrefix(p.path("g/")) -> row.getAs[String]("problem")
    }
    if (places.single) {
      assert(found((p, _) => p.delete("g/manifests/0000000000000001.json"))._1 == "manifests/0000000000000001.json")
      // An empty version 0 over the archives, as a writer would have left it that took them for nobody's.
      val (key, text) = found((p, _) => p.put("g/manifest.json", p.bytes("g/manifests/0000000000000000.json")))
      assert(key == "manifest.json" && text.contains("version 0") && text.contains("archives up to version 2"))
    } else {
      val (key, text) = found((p, _) => p.delete("g/manifest/pointer/p0000000000000003.json"))
      assert(key == "manifest/pointer/p0000000000000003.json" && text.contains("current.json names version 3"))
      assert(found((p, _) => p.delete("g/manifest/pointer/p0000000000000001.json"))._2.contains("the pointer of version 1 is missing"))
      assert(found((p, _) => p.delete("g/manifest/v0000000000000002.json"))._2.contains("the body of version 2 is missing"))
      assert(found((p, _) => p.put("g/bulk/floor.json", "{}"))._1 == "bulk/floor.json")
      assert(found((p, _) => p.put("g/bulk/floor.json", "{\"version\":\"7\"}"))._2.contains("up to 7, but the newest one is 3"))
    }
  }

  test("what expiry left is in order") {
    withGraph { (p, s) =>
      for (i <- 6 to 9) write(nodes(i to i), p, "label" -> "P")
      s.sql("CALL nami.system.expire_snapshots(namespace => 'g', retain_last => 2, dry_run => false, allow_unsafe_age => true)").collect()
      assert(s.sql("SELECT * FROM nami.g.snapshots WHERE version < 5 AND readable").isEmpty)
      assert(check(s, deep = false).isEmpty)
      write(nodes(10 to 10), p, "label" -> "P")
      assert(check(s, deep = false).isEmpty)
    }
  }

  private def crafted(make: Crafted => Unit)(test: (Crafted, SparkSession) => Unit): Unit = {
    val c = new Crafted()
    make(c)
    test(c, session(places.copied(Golden.Case("made", c.store, c.store, c.ns, base64 = false)).place))
    SparkSession.setActiveSession(spark)
  }

  private def at(n: Long) = Crafted.id(n)
  private def people(ns: Long*): Seq[N] = ns.map(n => N(at(n), n, Seq(0), Some("{}")))

  test("an edge that only one direction has is found") {
    // Edges of another pair of files: the inverse file of the one stands beside the forward file of the other.
    crafted { c =>
      c.nodes(people(1, 2, 3))
      c.edges("T", Seq(E(at(1), at(2), 10), E(at(2), at(3), 11)))
      val Seq(_, inverse) = c.edges("U", Seq(E(at(1), at(2), 10), E(at(2), at(3), 11), E(at(3), at(1), 12)))
      c.commit(edit = body => body.replaceAll("\"kind\":\"EdgesFwd\",\"scope\":\"U\"", "\"kind\":\"EdgesFwd\",\"scope\":\"V\"")
        .replaceAll("\"kind\":\"EdgesInv\",\"scope\":\"T\"", "\"kind\":\"EdgesInv\",\"scope\":\"V\"")
        .replaceAll("\"kind\":\"EdgesInv\",\"scope\":\"U\"", "\"kind\":\"EdgesInv\",\"scope\":\"T\""))
      assert(inverse.nonEmpty)
    } { (c, s) =>
      assert(check(s, deep = false, c.ns).isEmpty)
      val rows = check(s, deep = true, c.ns)
      val pairs = rows.filter(_.getAs[String]("check") == "pairs").map(r => r.getAs[String]("object") -> r.getAs[String]("problem")).toMap
      assert(pairs.keySet == Set("T", "V"), rows.mkString("\n"))
      assert(pairs("T").contains("2 live edges") && pairs("T").contains("3 by destination"))
      assert(pairs("V").contains("3 live edges") && pairs("V").contains("2 by destination"))
    }
  }

  test("dangling edges are counted by end, tombstones and the WAL included") {
    crafted { c =>
      c.nodes(people(1, 2, 3))
      c.nodes(Seq(N(at(3), 100, dead = true)))
      c.edges("T", Seq(E(at(1), at(2), 10), E(at(2), at(3), 11), E(at(3), at(1), 12), E(at(4), at(5), 13), E(at(9), at(9), 14)))
      c.edges("T", Seq(E(at(9), at(9), 101, dead = true)))
      c.commit()
    } { (c, s) =>
      val rows = check(s, deep = true, c.ns).map(r => (r.getAs[String]("check"), r.getAs[String]("object"), r.getAs[String]("problem").contains("source"), r.getAs[Long]("count")))
      assert(rows.toSet == Set(("dangling edges", "T", true, 2L), ("dangling edges", "T", false, 2L)), rows)
    }
  }

  test("what a descriptor says wrongly is found") {
    crafted { c =>
      c.nodes(people(1, 2, 3), bloom = true)
      c.nodes(people(11, 12), bloom = true)
      c.commit(edit = body => body.replaceFirst("\"row_count\":3", "\"row_count\":4").replaceFirst("\"tombstone_count\":0", "\"tombstone_count\":1"))
    } { (c, s) =>
      val rows = check(s, deep = true, c.ns).filter(_.getAs[String]("check") == "content").map(_.getAs[String]("problem"))
      assert(rows.exists(_.contains("rows")) || rows.exists(_.contains("4")), rows)
    }
    crafted { c =>
      val path = c.nodes(people(1, 2, 3))
      c.commit(labels = Seq("A", "A"), edit = body => body.replaceAll("\"min_lsn\":1,\"max_lsn\":3", "\"min_lsn\":3,\"max_lsn\":2"))
      assert(path.nonEmpty)
    } { (c, s) =>
      val rows = check(s, deep = false, c.ns)
      assert(rows.map(_.getAs[String]("problem")).toSet == Set("the label has two ids", "its LSN range is empty"), rows)
    }
    crafted { c =>
      // A filter of other ids.
      c.nodes(people(1, 2, 3), bloom = true)
      c.nodes(people(11, 12), bloom = true)
      c.commit(edit = { body =>
        val filters = "\"bloom\":(\\{[^}]*\\})".r.findAllMatchIn(body).map(_.group(1)).toSeq
        assert(filters.size == 2)
        body.replace(filters.head, "?").replace(filters(1), filters.head).replace("?", filters(1))
      })
    } { (c, s) =>
      val rows = check(s, deep = true, c.ns).filter(_.getAs[String]("problem").contains("filter"))
      assert(rows.map(_.getAs[Long]("count")).sorted == Seq(2, 3), rows)
    }
  }

  test("a damaged WAL segment is found") {
    crafted { c =>
      c.nodes(people(1, 2))
      c.segment("no segment at all".getBytes("UTF-8"), 9)
      c.commit()
    } { (c, s) =>
      val rows = check(s, deep = true, c.ns)
      assert(rows.exists(r => r.getAs[String]("check") == "readable" && r.getAs[String]("object").endsWith(".wal")), rows.mkString("\n"))
    }
  }

  test("nodes that share a unique value are counted") {
    crafted { c =>
      c.nodes(Seq(1L -> "a", 2L -> "b", 3L -> "a", 4L -> "a", 5L -> "c").map { case (n, e) => N(at(n), n, Seq(0), Some(s"""{"email":"$e"}""")) })
      c.nodes(Seq(N(at(5), 50, Seq(0), Some("""{"email":"b"}""")), N(at(4), 51, dead = true), N(at(6), 52, Seq(1), Some("""{"email":"a"}"""))))
      c.commit(edit = _.replaceFirst("\"labels\":\\{\\}",
        "\"labels\":{\"A\":{\"name\":\"A\",\"properties\":[{\"name\":\"email\",\"data_type\":\"Utf8\",\"nullable\":true,\"indexed\":true,\"unique\":true}]}}"))
    } { (c, s) =>
      val found = one(check(s, deep = true, c.ns), "unique values")
      assert(found.getAs[String]("object") == "A(email)" && found.getAs[Long]("count") == 4)
      assert(found.getAs[String]("problem").contains(" and "))
    }
  }
}
