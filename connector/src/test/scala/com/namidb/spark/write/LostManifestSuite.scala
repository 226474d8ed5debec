package com.namidb.spark.write

import com.namidb.format.error.{NamespaceNotFoundException, ValidationFailedException}
import com.namidb.format.manifest.Layout
import com.namidb.format.snapshot.{Location, Namespace}
import com.namidb.format.store.StoreConfig
import com.namidb.spark.catalog.CatalogFixture
import com.namidb.spark.{Place, Places}

import scala.jdk.CollectionConverters._

class LostManifestSuite extends LostManifestTests(Places.Local)

/** Graphs that lost what makes them readable, and graphs that others have replaced: nothing is written over the one or for the other. */
class LostManifestTests(override val places: Places) extends Writing with CatalogFixture {
  private val layouts = Seq("versioned", "single-object")

  private def objects(p: Place): Map[String, Seq[Byte]] =
    p.keys("g/").filterNot(k => k.endsWith(".lock") || k.endsWith("bulk/sweep.json")).map(k => k -> p.bytes(k).toSeq).toMap

  private def made(layout: String): Place = {
    val p = place()
    for (i <- 1 to 2) write(nodes(i * 10 to i * 10 + 3), p, "label" -> "P", "layout" -> layout)
    p
  }

  /** Takes away what the newest version is found by, and tells what it was. */
  private def damage(p: Place, layout: String): Map[String, Array[Byte]] = {
    val lost = if (layout == "versioned") "g/manifest/current.json" +: p.keys("g/manifest/pointer/") else Seq("g/manifest.json")
    val bytes = lost.map(k => k -> p.bytes(k)).toMap
    lost.foreach(p.delete)
    bytes
  }

  for (layout <- layouts; asked <- Seq(None, Some("versioned"), Some("single-object")))
    test(s"$layout: a graph without its newest manifest is written over by nobody (asked for ${asked.getOrElse("none")})") {
      val p = made(layout)
      val lost = damage(p, layout)
      val before = objects(p)
      val o = asked.map("layout" -> _).toSeq
      val writes = Seq[() => Unit](
        () => write(nodes(50 to 51), p, Seq("label" -> "P") ++ o: _*),
        () => write(nodes(50 to 51), p, Seq("label" -> "P", "write-mode" -> "upsert", "job-id" -> "j") ++ o: _*),
        () => write(nodes(50 to 51), p, Seq("label" -> "P", "stage" -> "s") ++ o: _*),
        () => write(edges((10, 11)), p, Seq("type" -> "T", "on-dangling" -> "allow") ++ o: _*),
        () => overwrite(nodes(50 to 51), p, Seq("label" -> "P") ++ o: _*))
      for ((w, i) <- writes.zipWithIndex) {
        val e = failure[ValidationFailedException](w())
        assert(e.getMessage.contains("No graph can be made here"), e.getMessage)
        assert(e.getMessage.contains(p.path("g/")) && e.getMessage.contains("docs/operations.md"), e.getMessage)
        assert(objects(p) == before, i)
      }
      val c = catalog(p, o: _*)
      for (statement <- Seq(s"CREATE NAMESPACE $c.g", s"CREATE TABLE $c.g.nodes.Q OPTIONS (key 'name') AS SELECT 'x' AS name", s"INSERT INTO $c.g.nodes.P (_id) VALUES ('${id(1)}')")) {
        refusal(statement)
        assert(objects(p) == before, statement)
      }
      for (sweep <- Seq("remove_orphan_files", "expire_snapshots", "clean_staging")) {
        failure[NamespaceNotFoundException](sql(s"CALL $c.system.$sweep(namespace => 'g', dry_run => false, allow_unsafe_age => true)").collect())
        assert(objects(p) == before, sweep)
      }
      // Restored it is whole, and takes writes.
      lost.foreach { case (k, bytes) => p.put(k, bytes) }
      write(nodes(50 to 51), p, "label" -> "P")
      assert(numbers(p, "P") == ((10 to 13) ++ (20 to 23) ++ (50 to 51)).toSet && version(p) == 3)
    }

  test("what a write left that failed before its graph was made stands in no one's way") {
    for (layout <- layouts) {
      val p = place()
      for (k <- Seq("bulk/0b5a/0001-nodes.parquet", "bulk/0b5a/quarantine/x.parquet", "bulk/probe-1/x")) p.put(s"g/$k", "x")
      write(nodes(1 to 2), p, "label" -> "P", "layout" -> layout)
      assert(numbers(p, "P") == Set(1, 2))
    }
  }

  /** As another process does it, which shares nothing with this one. */
  private def replacedElsewhere(p: Place, layout: String): Unit = {
    p.keys("g/").filterNot(_.endsWith(".lock")).foreach(p.delete)
    val asked = if (layout == "versioned") Layout.VERSIONED else Layout.SINGLE_OBJECT
    val there = new Location(new StoreConfig("memory", "other", Map.empty[String, String].asJava), p.paths("g"), asked)
    Namespace.open(there, p.store).log.createIfAbsent(java.util.UUID.randomUUID(), java.time.Instant.now()): Unit
  }

  for (layout <- layouts; after <- layouts; who <- Seq("this process", "another one"); options <- Seq(Nil, Seq("layout" -> after)))
    test(s"$layout: dropped and made anew as $after by $who, then written by path with ${options.size} option(s)") {
      val p = place()
      val upsert = Seq("label" -> "P", "write-mode" -> "upsert")
      for (i <- 1 to 3) write(nodes(1 to 2, s"old$i"), p, upsert ++ Seq("layout" -> layout): _*)
      if (who == "this process") {
        sql(s"DROP NAMESPACE ${catalog(p, "layout" -> layout)}.g CASCADE")
        sql(s"CREATE NAMESPACE ${catalog(p, "layout" -> after)}.g")
      } else replacedElsewhere(p, after)
      for (i <- 1 to 2) {
        write(nodes(2 to 3, s"new$i"), p, upsert ++ options: _*)
        assert(version(p) == i)
      }
      assert(read(p, "label" -> "P").select("name").collect().map(_.getString(0)).toSet == Set("new22", "new23"))
      assert(read(p, "label" -> "P", "versionAsOf" -> "1").count() == 2 && read(p, "metadata" -> "snapshots").count() == 3)
      assert(sql(s"CALL ${catalog(p)}.system.check('g')").isEmpty)
    }
}
