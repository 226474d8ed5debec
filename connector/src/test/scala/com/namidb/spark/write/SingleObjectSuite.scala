package com.namidb.spark.write

import com.namidb.format.Golden
import com.namidb.format.error.{InvalidOptionException, NamespaceNotFoundException, SnapshotGoneException, ValidationFailedException}
import com.namidb.format.log.{CommitProbe, PublishResult}
import com.namidb.format.manifest.{Layout, ManifestEdit}
import com.namidb.spark.{Place, Places}
import com.namidb.spark.engine.{Answers, GraphSuite}
import com.namidb.spark.job.Jobs
import com.namidb.spark.options.{OpenNamespace, PlaceOptions}

import java.util.concurrent.{Executors, TimeUnit}

class SingleObjectSuite extends SingleObjectTests(Places.Local)

class BucketSingleObjectSuite extends SingleObjectTests(Places.Bucket)

/** A graph whose manifest is one replaced object, through Spark: made by an option, then treated like any other. */
class SingleObjectTests(override val places: Places) extends Writing with GraphSuite {
  override def conf: Map[String, String] = super[GraphSuite].conf ++ tiny

  private val Single = "layout" -> "single-object"

  private def files(p: Place): Set[String] = p.keys("g/").map(_.drop(2))
    .filterNot(f => f.startsWith("bulk/") || f.contains("pins/") || f.startsWith("schemas/") || f.startsWith(".")).toSet

  private def made(): Place = {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P", Single)
    write(edges((1, 2), (2, 3), (5, 5)), p, "type" -> "T")
    p
  }

  private def names(p: Place, o: (String, String)*): Map[Int, String] =
    read(p, ("label" -> "P") +: o: _*).select("_id", "name").collect().map(r => Integer.parseInt(r.getString(0).takeRight(12), 16) -> r.getString(1)).toMap

  test("the option makes it, and no option is needed afterwards; without it a new graph is versioned") {
    val p = made()
    assert(files(p) == Set("manifest.json", "manifests/0000000000000000.json", "manifests/0000000000000001.json"))
    assert(version(p) == 2 && numbers(p, "P") == (1 to 6).toSet && pairs(p, "T") == Set((1, 2), (2, 3), (5, 5)))
    for (o <- Seq(Seq(Single), Seq("layout" -> "auto"), Nil)) assert(read(p, ("label" -> "P") +: o: _*).count() == 6)
    for (o <- Seq(Nil, Seq("layout" -> "versioned"), Seq("layout" -> "AUTO"))) {
      val q = place()
      write(nodes(1 to 2), q, ("label" -> "P") +: o: _*)
      assert(q.exists("g/manifest/current.json") && !q.exists("g/manifest.json"))
      val e = failure[InvalidOptionException](write(nodes(3 to 4), q, "label" -> "P", Single))
      assert(e.getMessage.contains("'versioned'") && e.getMessage.contains("'layout'"), e.getMessage)
      failure[InvalidOptionException](read(q, "label" -> "P", Single).count())
      assert(numbers(q, "P") == Set(1, 2) && !q.exists("g/manifest.json"))
    }
    failure[InvalidOptionException](write(nodes(7 to 8), p, "label" -> "P", "layout" -> "versioned"))
    assert(failure[InvalidOptionException](read(p, "label" -> "P", "layout" -> "double")).getMessage.contains("single-object"))
    failure[NamespaceNotFoundException](read(place(), "label" -> "P", Single))
  }

  test("every kind of write: insert, upsert, patch, delete, detach, overwrite, edges, quarantine") {
    val p = made()
    unchanged(p) {
      failure[ValidationFailedException](write(nodes(6 to 7), p, "label" -> "P"))
      failure[ValidationFailedException](write(edges((1, 99)), p, "type" -> "T"))
      failure[ValidationFailedException](write(ids(1), p, "label" -> "P", "write-mode" -> "delete"))
    }
    write(nodes(7 to 8), p, "label" -> "P")
    write(nodes(Seq(1, 9), "up"), p, "label" -> "P", "write-mode" -> "upsert")
    write(nodes(Seq(2), "patched").select("_id", "name"), p, "label" -> "P", "write-mode" -> "patch")
    write(ids(4), p, "label" -> "P", "write-mode" -> "delete")
    write(ids(5), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
    assert(names(p) == Map(1 -> "up1", 2 -> "patched2", 3 -> "v3", 6 -> "v6", 7 -> "v7", 8 -> "v8", 9 -> "up9") && version(p) == 7)
    assert(read(p, "label" -> "P").where("name = 'patched2' and n = 2").count() == 1)
    write(edges((3, 1), (3, 77)), p, "type" -> "T", "on-dangling" -> "quarantine")
    assert(pairs(p, "T") == Set((1, 2), (2, 3), (3, 1)))
    overwrite(edges((6, 7)), p, "type" -> "T")
    overwrite(nodes(Seq(6, 7), "o"), p, "label" -> "P")
    assert(names(p) == Map(6 -> "o6", 7 -> "o7") && pairs(p, "T") == Set((6, 7)) && version(p) == 10)
    // The past is still there, by number and by time.
    assert(names(p, "versionAsOf" -> "2") == (1 to 6).map(n => n -> s"v$n").toMap)
    val shown = read(p, "metadata" -> "snapshots").collect()
    assert(shown.map(_.getAs[Long]("version")).toSeq == (10L to 0L by -1L) && shown.forall(_.getAs[Boolean]("readable")))
    assert(shown.map(_.getAs[String]("operation")).toSet == Set("create", "insert", "upsert", "patch", "delete", "overwrite") && shown.head.getAs[Boolean]("is_current"))
    assert(read(p, "label" -> "P", "timestampAsOf" -> shown.head.getAs[Any]("committed_at").toString).count() == 2)
    for (t <- Seq("ssts", "labels", "edge_types", "properties", "wal", "pins")) read(p, "metadata" -> t).collect()
    assert(read(p, "metadata" -> "ssts").select("level").distinct().count() == 1)
  }

  test("jobs and stages: committed once, found again, also when others stand on it") {
    val p = made()
    val jobs = Jobs.at(java.util.Map.of("uri", uri(p)))
    for (_ <- 1 to 2) write(nodes(20 to 22), p, "label" -> "P", "job-id" -> "nightly")
    assert(version(p) == 3 && jobs.verifyCommit("nightly") == new com.namidb.format.commit.Verdict.CommittedAt(3))
    write(nodes(30 to 31), p, "label" -> "Q", "stage" -> "s")
    write(edges((30, 1)), p, "type" -> "T", "stage" -> "s")
    assert(version(p) == 3 && jobs.dryRun("s").version == 4)
    assert(jobs.publish("s", false).version == 4 && numbers(p, "Q") == Set(30, 31) && pairs(p, "T").contains((30, 1)))
    val manifest = OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri(p)), _ => null)).namespace.log.current().manifest
    assert(manifest.layout == Layout.SINGLE_OBJECT && manifest.jobs.get("nightly") == 3 && manifest.jobs.get("s") == 4 && manifest.epoch == 4)
    write(nodes(40 to 41), p, "label" -> "Q", "stage" -> "gone")
    jobs.discard("gone")
    assert(version(p) == 4)
  }

  test("writers at the same time: one line of versions, no row lost") {
    val p = made()
    val pool = Executors.newFixedThreadPool(4)
    val done = (0 until 4).map(t => pool.submit((() => for (k <- 0 until 4) write(nodes(Seq(100 + t * 10 + k)), p, "label" -> "P")): Runnable))
    pool.shutdown()
    done.foreach(_.get(2, TimeUnit.MINUTES))
    assert(version(p) == 18 && numbers(p, "P") == (1 to 6).toSet ++ (for (t <- 0 until 4; k <- 0 until 4) yield 100 + t * 10 + k))
  }

  test("a frame stays on its version; one below the floor is gone, and says so") {
    val p = made()
    val old = read(p, "label" -> "P")
    write(nodes(7 to 9), p, "label" -> "P")
    assert(old.count() == 6 && read(p, "label" -> "P").count() == 9)
    val log = OpenNamespace.at(PlaceOptions.of(java.util.Map.of("uri", uri(p)), _ => null)).namespace.log
    val base = log.base()
    val raised = ManifestEdit.of(base.manifest).floor(2).build(java.util.UUID.randomUUID(), java.time.Instant.now(), "floor")
    assert(log.publish(base, raised, CommitProbe.NONE).isInstanceOf[PublishResult.Committed])
    assert(failure[SnapshotGoneException](read(p, "label" -> "P", "versionAsOf" -> "2").count()).getMessage.contains("versions 3 to 4"))
    failure[SnapshotGoneException](old.count())
    assert(read(p, "label" -> "P", "versionAsOf" -> "3").count() == 9)
    // A commit that brings nothing but a floor is shown as that.
    assert(read(p, "metadata" -> "snapshots").limit(1).collect().head.getAs[String]("operation") == "other")
  }

  test("the catalog takes the layout for what it makes") {
    val p = place()
    for ((c, layout) <- Seq("one" -> Some("single-object"), "any" -> None)) {
      spark.conf.set(s"spark.sql.catalog.$c", "com.namidb.spark.NamiCatalog")
      spark.conf.set(s"spark.sql.catalog.$c.uri", p.root)
      layout.foreach(spark.conf.set(s"spark.sql.catalog.$c.layout", _))
    }
    write(nodes(1 to 3), p, "label" -> "P", Single)
    assert(spark.table("one.g.nodes.P").count() == 3 && spark.table("any.g.nodes.P").count() == 3)
    spark.sql(s"INSERT INTO one.g.nodes.P (_id, _labels, name, n) VALUES ('${id(9)}', array('P'), 'x', 9)")
    assert(spark.table("any.g.nodes.P").count() == 4 && spark.table("one.g.snapshots").count() == 3)
  }

  for (name <- Seq("compacted", "updates-and-deletes", "wal-and-sst", "time-travel", "banca-aml"))
    test(s"$name, converted: what the engine answered, at every version recorded, and a write on top") {
      val g = places.copy(single = true).copied(Golden(name))
      assert(!g.place.exists(g.key("manifest/current.json")))
      for (at <- g.recorded) {
        val clue = s"$name@${at.version.getOrElse("current")}"
        Answers.nodes(read(g.uri, at.version, "label" -> "*"), at.nodes, clue)
        for ((t, es) <- at.edges.groupBy(_.tpe)) Answers.edges(read(g.uri, at.version, "type" -> t), es, s"$clue type $t")
      }
      val before = read(g.uri, None, "label" -> "*").count()
      save(nodes(1 to 3), g.uri, org.apache.spark.sql.SaveMode.Append, "label" -> "Fresh")
      assert(read(g.uri, None, "label" -> "*").count() == before + 3 && read(g.uri, None, "metadata" -> "wal").isEmpty)
    }
}
