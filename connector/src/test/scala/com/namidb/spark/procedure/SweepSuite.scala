package com.namidb.spark.procedure

import java.nio.file.Files
import java.nio.file.attribute.FileTime
import java.time.{Duration, Instant}

import scala.jdk.CollectionConverters._

import com.namidb.format.error.{InvalidOptionException, SnapshotGoneException}
import com.namidb.spark.{Place, Places}
import org.apache.spark.sql.Row

class SweepSuite extends SweepTests(Places.Local)

class SingleObjectSweepSuite extends SweepTests(Places.SingleObject)

/** Procedures that delete: their arguments, their rows, and what readers meet afterwards. */
class SweepTests(override val places: Places) extends CatalogFixture {
  /** Raising the floor is a commit there. */
  private val top = if (places.single) 5L else 4L

  /** As if everything had been written so long ago: a bucket's clock cannot be set, so these tests are local. */
  private def age(p: Place, d: Duration): Unit = {
    val all = Files.walk(p.dir)
    try all.iterator.asScala.filter(Files.isRegularFile(_)).foreach(f =>
      Files.setLastModifiedTime(f, FileTime.from(Files.getLastModifiedTime(f).toInstant.minus(d))): Unit)
    finally all.close()
  }

  private def total(rows: Array[Row]): Row = rows.head

  test("a dry run is the default; a run deletes what it told, and a reader of what is gone learns what to do") {
    withGraph { (p, s) =>
      write(nodes(1 to 5), p, "label" -> "P", "write-mode" -> "upsert")
      age(p, Duration.ofDays(5))
      val before = objects(p)
      val dry = s.sql("CALL nami.system.expire_snapshots(namespace => 'g', retain_last => 2)").collect()
      assert(objects(p) == before)
      assert(total(dry).toSeq == Seq("would delete", "total", null, 3L, dry.count(_.getString(0) == "would delete") - 1L,
        dry.drop(1).map(_.getAs[Long]("bytes")).sum, "the oldest snapshot that stays"))
      assert(dry.exists(r => r.getString(0) == "note" && r.getAs[String]("detail").contains("retain_last keeps 2")))
      assert(s.sql("CALL nami.system.expire_snapshots('g', 2)").collect().toSeq == dry.toSeq)
      val old = s.sql("SELECT * FROM nami.g.nodes.P VERSION AS OF 2")
      assert(old.count() == 5)
      val run = s.sql("CALL nami.system.expire_snapshots(namespace => 'g', retain_last => 2, dry_run => false)").collect()
      assert(run.drop(1).filter(_.getString(0) == "deleted").map(_.getAs[String]("object")).toSet ==
        dry.drop(1).filter(_.getString(0) == "would delete").map(_.getAs[String]("object")).toSet)
      assert(before.keySet -- objects(p).keySet == run.drop(1).filter(_.getString(0) == "deleted").map(_.getAs[String]("object")).toSet)
      val e = failure[SnapshotGoneException](s.sql("SELECT * FROM nami.g.nodes.P VERSION AS OF 2").collect())
      assert(e.getMessage.contains("Version 2 is collected") && e.getMessage.contains(s"Readable are versions 3 to $top"), e.getMessage)
      assert(s.sql("SELECT * FROM nami.g.nodes.P").count() == 5 && s.sql("SELECT * FROM nami.g.nodes.P VERSION AS OF 3").count() == 5)
      assert(s.sql("SELECT version FROM nami.g.snapshots WHERE readable").collect().map(_.getLong(0)).toSet == (3L to top).toSet)
      // The graph goes on.
      write(nodes(7 to 7), p, "label" -> "P")
      assert(s.sql("SELECT * FROM nami.g.nodes.P").count() == 6)
    }
  }

  test("a scan of a version that expires under it fails in words, without a row") {
    withGraph { (p, s) =>
      write(nodes(1 to 3), p, "label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach")
      val scans = for (vectorized <- Seq("true", "false")) yield
        read(p, "label" -> "P", "versionAsOf" -> "3", "pin" -> "off", "vectorized" -> vectorized)
      scans.foreach(_.queryExecution.executedPlan)
      val own = p.keys("g/manifest").filter(_.contains("000003.json")).map(k => k -> p.bytes(k))
      s.sql("CALL nami.system.expire_snapshots('g', 1, dry_run => false, allow_unsafe_age => true)").collect()
      // As if it had been cut off.
      own.foreach { case (k, bytes) => p.put(k, bytes) }
      // Nothing that stays lost a file: version 4 names all of them. Only what is missing changes the error.
      assert(scans.head.count() == 5)
      p.delete(p.metas("g/bulk/").filter(_.key.endsWith("-nodes.parquet")).minBy(_.modifiedMillis).key)
      for (df <- scans) {
        val e = failure[SnapshotGoneException](df.collect())
        assert(e.getMessage.contains("is expired") && e.getMessage.contains("pin=auto") && e.version.getAsLong == 3, e.getMessage)
      }
      // Also while columns are looked for, where no lease is held.
      val e = failure[SnapshotGoneException](read(p, "label" -> "P", "versionAsOf" -> "3", "on-mismatch" -> "null"))
      assert(places.single || e.getMessage.contains("is expired"), e.getMessage)
      // Of a version that is not expired it is damage.
      val bad = failure[com.namidb.format.error.CorruptObjectException](read(p, "label" -> "P", "pin" -> "off").collect())
      assert(bad.getMessage.contains("not in the store"))
    }
  }

  test("a session's pin keeps its snapshot through every procedure") {
    withGraph { (p, s) =>
      one(s.sql("CALL nami.system.pin('g', 2)"))
      write(nodes(1 to 5), p, "label" -> "P", "write-mode" -> "upsert")
      age(p, Duration.ofDays(40))
      val run = s.sql("CALL nami.system.expire_snapshots('g', 1, dry_run => false)").collect()
      assert(total(run).getAs[Long]("snapshot_id") == 2 && run.exists(r => r.getString(0) == "note" && r.getAs[String]("detail").contains("lease")))
      s.sql("CALL nami.system.remove_orphan_files(namespace => 'g', dry_run => false)").collect()
      s.sql("CALL nami.system.clean_staging(namespace => 'g', dry_run => false)").collect()
      assert(s.sql("SELECT * FROM nami.g.nodes.P").count() == 5 && s.sql("SELECT DISTINCT _snapshot_id FROM nami.g.nodes.P").head().getLong(0) == 2)
      s.sql("CALL nami.system.unpin('g')")
      s.sql("CALL nami.system.expire_snapshots('g', 1, dry_run => false)").collect()
      failure[SnapshotGoneException](s.sql("CALL nami.system.pin('g', 2)"))
      assert(s.sql("CALL nami.system.pins('g')").count() == 0)
    }
  }

  test("abandoned stages and orphans go when they are old enough, published rows never") {
    withGraph { (p, s) =>
      write(nodes(11 to 12), p, "label" -> "P", "stage" -> "forgotten")
      p.put("g/bulk/dead/0198c0de000070000000000000000001-nodes.parquet", "x")
      def deletes(sql: String): Set[String] = s.sql(sql).collect().filter(r => r.getString(0) == "deleted" && r.getString(1) != "total").map(_.getAs[String]("object")).toSet
      assert(deletes("CALL nami.system.clean_staging(namespace => 'g', dry_run => false)").isEmpty)
      assert(deletes("CALL nami.system.remove_orphan_files(namespace => 'g', dry_run => false)").isEmpty)
      age(p, Duration.ofDays(8))
      // Until another snapshot is committed, the writer of the orphan may sleep in the middle of its commit.
      assert(deletes("CALL nami.system.remove_orphan_files(namespace => 'g', dry_run => false)").isEmpty)
      write(nodes(1 to 1), p, "label" -> "P", "write-mode" -> "upsert")
      assert(deletes("CALL nami.system.remove_orphan_files(namespace => 'g', dry_run => false)") == Set("g/bulk/dead/0198c0de000070000000000000000001-nodes.parquet"))
      assert(deletes("CALL nami.system.clean_staging(namespace => 'g', dry_run => false)").forall(_.startsWith("g/bulk/forgotten/")))
      assert(one(s.sql("SELECT phase FROM nami.g.staged WHERE name = 'forgotten'")).getString(0) == "DISCARDED")
      failure[InvalidOptionException](s.sql("CALL nami.system.publish('g', 'forgotten')"))
      assert(s.sql("SELECT * FROM nami.g.nodes.P").count() == 5 && s.sql("CALL nami.system.check('g', true)").count() == 0)
    }
  }

  test("arguments that make no sense are refused before anything is deleted") {
    withGraph { (p, s) =>
      age(p, Duration.ofDays(8))
      val before = objects(p).keySet
      failure[InvalidOptionException](s.sql("CALL nami.system.expire_snapshots('g', 0, dry_run => false)"))
      val future = Instant.now.plusSeconds(86400).toString
      failure[InvalidOptionException](s.sql(s"CALL nami.system.expire_snapshots('g', 1, TIMESTAMP '$future', false)"))
      failure[InvalidOptionException](s.sql(s"CALL nami.system.remove_orphan_files('g', TIMESTAMP '$future', false)"))
      failure[InvalidOptionException](s.sql("CALL nami.system.clean_staging(namespace => 'g', dry_run => false, keep_published_days => -1)"))
      assert(objects(p).keySet -- before == Set("g/bulk/sweep.json") || objects(p).keySet == before)
    }
  }
}
