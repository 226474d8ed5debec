package com.namidb.spark.lease

import java.time.{Duration, Instant}

import com.fasterxml.jackson.databind.ObjectMapper
import com.namidb.format.error.{InvalidOptionException, SnapshotGoneException}
import com.namidb.format.manifest.PinBody
import com.namidb.spark.{Place, Places}
import com.namidb.spark.procedure.CatalogFixture
import org.apache.spark.sql.functions.max
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

class SessionPinSuite extends SessionPinTests(Places.Local)

class SingleObjectBucketSessionPinSuite extends SessionPinTests(Places.SingleObjectBucket)

/** Every table of a pinned namespace that the session loads without a version is the pinned one. */
class SessionPinTests(override val places: Places) extends CatalogFixture with Eventually {
  import ReadLeaseSuite._

  implicit override val patienceConfig: PatienceConfig = PatienceConfig(Span(20, Seconds), Span(20, Millis))

  private def ofPath(s: SparkSession, p: Place, options: (String, String)*): DataFrame =
    s.read.format("namidb").options((("label" -> "P") +: options).toMap).load(uri(p))

  private def people(s: SparkSession): Long = s.table("nami.g.nodes.P").count()
  private def pin(s: SparkSession, version: Long) = one(s.sql(s"CALL nami.system.pin(namespace => 'g', version => $version)"))
  private def unpin(s: SparkSession): Unit = s.sql("CALL nami.system.unpin('g')")

  /** Those of running queries come and go. */
  private def sessionLeases(p: Place): Int = p.leases().size

  private def withLeases(body: Leases => Unit): Unit = {
    val l = new Leases
    QueryLeases.use(Application.of(spark.sparkContext, (s, o, a) => l.take(s, VersionLease.acquire(s, o, a))))
    try body(l)
    finally QueryLeases.use(Application.of(spark.sparkContext, VersionLease.acquire(_, _, _)))
  }

  test("paths and catalog names alike show the pinned version until unpinned; a version asked for wins") {
    withGraph { (p, s) =>
      val before = ofPath(s, p)
      val row = pin(s, 1)
      assert(row.getAs[String]("namespace") == "g" && row.getAs[Long]("snapshot_id") == 1 && row.getAs[Int]("ssts") == 1)
      assert(row.getAs[Long]("wal_rows") == 0 && row.getAs[Long]("epoch") == (if (places.single) 1 else 0))
      val shown = one(s.sql("SELECT * FROM nami.g.snapshots WHERE version = 1"))
      assert(row.getAs[java.sql.Timestamp]("committed_at") == shown.getAs[java.sql.Timestamp]("committed_at"))
      val pinned = ofPath(s, p)
      assert(people(s) == 3 && pinned.count() == 3)
      // Another spelling of the same place.
      assert(s.read.format("namidb").option("label", "P").option("namespace", "g").load(p.root.replaceFirst("(\\?|$)", "/$1")).count() == 3)
      assert(ofPath(s, p, "pin" -> "off").count() == 3)
      assert(before.count() == 5, "a DataFrame made before the pin changed its version")
      assert(s.sql("SELECT * FROM nami.g.nodes.P VERSION AS OF 2").count() == 5 && ofPath(s, p, "versionAsOf" -> "3").count() == 5)
      assert(ofPath(s, p, "timestampAsOf" -> "2100-01-01 00:00:00").count() == 5)
      assert(s.sql("SELECT * FROM nami.g.nodes.P VERSION AS OF 2 UNION ALL SELECT * FROM nami.g.nodes.P").count() == 8)
      failure[InvalidOptionException](s.table("nami.g.edges.T").count())
      // Metadata tables tell how things stand.
      assert(s.table("nami.g.snapshots").agg(max("version")).head().getLong(0) == 3 && s.table("nami.g.ssts").count() == 4)
      unpin(s)
      assert(people(s) == 5 && ofPath(s, p).count() == 5 && s.table("nami.g.edges.T").count() == 2)
      assert(pinned.count() == 3, "a DataFrame made under the pin changed its version")
      val again = one(s.sql("CALL nami.system.unpin('g')"))
      assert(!again.getAs[Boolean]("was_pinned") && again.isNullAt(2))
    }
  }

  test("the lease is an object the engine honours, and goes with the pin") {
    withGraph { (p, s) =>
      val lease = pin(s, 2).getAs[String]("lease_id")
      assert(p.leases() == Seq(s"g/manifest/pins/$lease.json"))
      val file = p.bytes(p.leases().head)
      val body = PinBody.parse("k", file)
      assert(body.version == 2 && body.owner.contains(s.sparkContext.applicationId))
      val left = body.expiresAtUnix - Instant.now.getEpochSecond
      assert(left > 600 && left <= 900)
      val json = new ObjectMapper().readTree(file)
      assert(json.get("version").isIntegralNumber && json.get("expires_at_unix").isIntegralNumber)
      val listed = one(s.sql("CALL nami.system.pins('g')"))
      assert(listed.getAs[String]("lease_id") == lease && listed.getAs[Boolean]("this_session") && listed.getAs[Long]("version") == 2)
      val moved = pin(s, 1).getAs[String]("lease_id")
      assert(moved != lease && p.leases() == Seq(s"g/manifest/pins/$moved.json"))
      val was = one(s.sql("CALL nami.system.unpin('g')"))
      assert(was.getAs[Boolean]("was_pinned") && was.getAs[Long]("snapshot_id") == 1 && was.getAs[String]("lease_id") == moved)
      assert(p.leases().isEmpty)
    }
  }

  test("without a version the current one is pinned; one that is gone or never was leaves the old pin") {
    withGraph { (p, s) =>
      assert(one(s.sql("CALL nami.system.pin('g')")).getAs[Long]("snapshot_id") == 3)
      write(nodes(6 to 6), p, "label" -> "P")
      assert(people(s) == 5)
      assert(failure[SnapshotGoneException](pin(s, 99)).getMessage.contains("99"))
      p.delete(if (places.single) f"g/manifests/${1}%016x.json" else f"g/manifest/v${1}%016x.json")
      assert(failure[SnapshotGoneException](pin(s, 1)).getMessage.contains("1"))
      assert(people(s) == 5)
      eventually(assert(sessionLeases(p) == 1))
      assert(pin(s, 4).getAs[Long]("snapshot_id") == 4 && people(s) == 6)
      unpin(s)
    }
  }

  test("each session has its own pins") {
    withGraph { (p, s) =>
      pin(s, 1)
      val other = session(p)
      assert(people(other) == 5 && ofPath(other, p).count() == 5)
      pin(other, 2)
      assert(people(s) == 3 && ofPath(s, p).count() == 3 && people(other) == 5)
      write(nodes(6 to 6), p, "label" -> "P")
      assert(people(other) == 5)
      eventually(assert(sessionLeases(p) == 2))
      assert(other.sql("CALL nami.system.pins('g')").collect().map(r => (r.getAs[Long]("version"), r.getAs[Boolean]("this_session"))).toSet == Set((1L, false), (2L, true)))
      // Whatever session the thread's last statement was of.
      pin(s, 3)
      assert(people(s) == 5 && other.sql("CALL nami.system.pins('g')").where("this_session").head().getAs[Long]("version") == 2)
      pin(s, 1)
      unpin(other)
      assert(people(other) == 6 && people(s) == 3)
      // A thread of a session's own, as Spark Connect has them.
      val asked = new java.util.concurrent.FutureTask(() => people(s))
      new Thread(asked).start()
      assert(asked.get() == 3)
      unpin(s)
    }
  }

  test("views of SQL text follow the pin, views of DataFrames keep their version, caches never mix versions") {
    withGraph { (p, s) =>
      s.sql("CREATE TEMPORARY VIEW text AS SELECT * FROM nami.g.nodes.P")
      ofPath(s, p).createOrReplaceTempView("kept")
      s.sql(s"CREATE TEMPORARY VIEW options USING namidb OPTIONS (uri '${uri(p)}', label 'P')")
      val cached = s.table("nami.g.nodes.P").cache()
      assert(cached.count() == 5)
      pin(s, 1)
      try {
        assert(people(s) == 3, "cached rows of the newest version stood for the pinned one")
        assert(ofPath(s, p).count() == 3)
        assert(s.table("text").count() == 3 && s.table("kept").count() == 5 && s.table("options").count() == 5)
        assert(cached.count() == 5)
        s.sql("CACHE TABLE small AS SELECT * FROM nami.g.nodes.P")
        assert(s.table("small").count() == 3)
        unpin(s)
        assert(people(s) == 5 && s.table("text").count() == 5)
      } finally {
        cached.unpersist()
        s.catalog.clearCache()
      }
    }
  }

  test("what would act on the past is refused, what adds rows is allowed and says that it is not seen") {
    withGraph { (p, s) =>
      pin(s, 1)
      val rows = s.createDataFrame(nodes(1 to 1, "new").rdd, nodes(1 to 1).schema)
      def refused(word: String)(body: => Any): Unit = {
        val e = failure[InvalidOptionException](body)
        assert(e.getMessage.contains("pinned") && e.getMessage.contains(word) && e.getMessage.contains("unpin"), e.getMessage)
      }
      def save(mode: String, options: (String, String)*): Unit =
        rows.write.format("namidb").options((("label" -> "P") +: options).toMap).mode(mode).save(uri(p))
      refused("overwrite")(save("overwrite"))
      refused("patch")(save("append", "write-mode" -> "patch"))
      refused("delete")(save("append", "write-mode" -> "delete"))
      refused("delete")(save("append", "write-mode" -> "delete", "stage" -> "s"))
      refused("overwrite")(s.sql(s"INSERT OVERWRITE nami.g.nodes.P (_id, _labels) VALUES ('${id(1)}', array('P'))"))
      for (where <- Seq("", " WHERE name = 'v1'", s" WHERE _id = '${id(1)}'")) refused("DELETE")(s.sql("DELETE FROM nami.g.nodes.P" + where))
      refused("UPDATE")(s.sql("UPDATE nami.g.nodes.P SET name = 'x'"))
      refused("MERGE")(s.sql(s"""MERGE INTO nami.g.nodes.P USING (SELECT '${id(1)}' i) x ON _id = i
        WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (_id) VALUES (i)"""))
      assert(version(p) == 3)
      save("append", "write-mode" -> "upsert")
      s.sql(s"INSERT INTO nami.g.nodes.P (_id, _labels) VALUES ('${id(50)}', array('P'))")
      write(nodes(60 to 60), p, "label" -> "P", "stage" -> "s")
      val receipt = one(s.sql("CALL nami.system.publish('g', 's')"))
      assert(receipt.getSeq[String](receipt.fieldIndex("warnings")).exists(w => w.contains("version 1") && w.contains("not visible")))
      assert(version(p) == 6 && people(s) == 3)
      unpin(s)
      assert(people(s) == 7)
      save("overwrite", "on-incident-edges" -> "detach")
      assert(people(s) == 1)
    }
  }

  test("the lease is renewed, and once it is lost nothing is read under it and running queries are ended") {
    withGraph { (p, s) =>
      withLeases { l =>
        pin(s, 1)
        val lease = l.taken.peek()
        val renewed = l.renewals.get
        eventually(assert(l.renewals.get > renewed + 2))
        val session = s
        import session.implicits._
        val slow = s.table("nami.g.nodes.P").select("_id").as[String].mapPartitions { r => waitForEnd(); r }
        val running = new java.util.concurrent.FutureTask(() => scala.util.Try(slow.collect()))
        new Thread(running).start()
        eventually(assert(l.taken.size == 2))
        lease.failing = true
        val ended = running.get().failed.get
        assert(Iterator.iterate(ended)(_.getCause).takeWhile(_ != null).exists(_.getMessage.contains("lease that kept")), ended)
        for (read <- Seq[() => Any](() => people(s), () => ofPath(s, p).count(), () => ofPath(s, p, "pin" -> "off").count())) {
          assert(failure[SnapshotGoneException](read()).getMessage.contains("lease"))
        }
        assert(s.sql("SELECT * FROM nami.g.nodes.P VERSION AS OF 2").count() == 5)
        val rows = s.createDataFrame(nodes(1 to 1).rdd, nodes(1 to 1).schema)
        failure[InvalidOptionException](write(rows, p, "label" -> "P", "write-mode" -> "patch"))
        unpin(s)
        assert(people(s) == 5)
      }
    }
  }

  test("a pin ends at its longest time: reads say so, queries with leases of their own go on") {
    withGraph { (p, s) =>
      s.conf.set("spark.namidb.pin-max-age", "1s")
      pin(s, 1)
      eventually(assert(failure[SnapshotGoneException](people(s)).getMessage.contains("pin-max-age")))
      assert(p.leases().isEmpty)
      s.conf.unset("spark.namidb.pin-max-age")
      pin(s, 1)
      assert(people(s) == 3)
      unpin(s)
    }
  }

  test("a pin goes with its session, and with the application") {
    withGraph { (p, s) =>
      withLeases { _ =>
        // In a frame of its own, so that nothing here keeps the session.
        def lose(): Unit = {
          val other = session(p)
          pin(other, 1)
          SparkSession.setActiveSession(s)
        }
        lose()
        eventually(assert(sessionLeases(p) == 1))
        eventually {
          System.gc()
          assert(sessionLeases(p) == 0)
        }
      }
      val app = Application.of(spark.sparkContext, VersionLease.acquire(_, _, _))
      QueryLeases.use(app)
      pin(s, 2)
      eventually(assert(sessionLeases(p) == 1))
      app.closed()
      assert(sessionLeases(p) == 0)
      unpin(s)
      QueryLeases.use(Application.of(spark.sparkContext, VersionLease.acquire(_, _, _)))
    }
  }

  test("a lease ends at its age and not before, and tells its time over from a loss") {
    var now = 0L
    val clock = new java.time.Clock {
      override def millis(): Long = now
      override def instant(): Instant = Instant.ofEpochMilli(now)
      override def getZone = java.time.ZoneOffset.UTC
      override def withZone(z: java.time.ZoneId): java.time.Clock = this
    }
    withGraph { (p, s) =>
      pin(s, 1)
      val snapshot = NotebookPins.told(s, com.namidb.spark.options.OpenNamespace.at(
        com.namidb.format.snapshot.LocationParser.parse(uri(p), java.util.Optional.empty(), java.util.Optional.empty(), java.util.Map.of())).location).get.snapshot
      unpin(s)
      var released = 0
      var holds = true
      val inner = new Lease {
        override def id: String = "x"
        override def renewAfterMillis: Long = 400
        override def renew(): Boolean = holds
        override def lost() = com.namidb.format.error.SnapshotErrors.leaseLost("g", 1, "k")
        override def release(): Unit = released += 1
      }
      val aged = new AgedLease(inner, snapshot, Duration.ofMillis(1000), clock)
      assert(aged.renewAfterMillis == 400 && aged.renew())
      now = 999
      assert(aged.renewAfterMillis == 1 && aged.renew() && released == 0)
      holds = false
      assert(!aged.renew() && !aged.isOver && aged.lost().getMessage.contains("lease that kept"))
      now = 1000
      assert(!aged.renew() && aged.isOver && released == 1 && aged.lost().getMessage.contains("pin-max-age"))
    }
  }

  test("under a pin SHOW TABLES lists what that version has, and an unknown name tells of pin and newest version") {
    withGraph { (p, s) =>
      def shown(part: String) = s.sql(s"SHOW TABLES IN nami.g.$part").collect().map(_.getString(1)).toSeq
      write(nodes(11 to 12), p, "label" -> "Q")
      pin(s, 1)
      assert(shown("nodes") == Seq("P") && shown("edges") == Nil)
      assert(s.sql("DESCRIBE NAMESPACE EXTENDED nami.g").collect().mkString.contains("(session-pin,1)"))
      assert(s.sql("SHOW TABLES IN nami.g").collect().exists(_.getString(1) == "snapshots"))
      for ((table, kind, name) <- Seq(("nodes.Q", "label", "Q"), ("edges.T", "edge type", "T"))) {
        val e = failure[InvalidOptionException](s.sql(s"SELECT * FROM nami.g.$table")).getMessage
        assert(e.contains(s"no $kind '$name' in version 1, which this session is pinned to") && e.contains("newest version, 4, has it"), e)
      }
      val of = failure[InvalidOptionException](ofPath(s, p, "label" -> "Q").count()).getMessage
      assert(of.contains("pinned to") && of.contains("unpin('g')"), of)
      val neither = failure[InvalidOptionException](s.sql("SELECT * FROM nami.g.nodes.PP")).getMessage
      assert(neither.contains("newest version, 4, does not have it either") && neither.contains("Did you mean 'P'?"), neither)
      // A version that is asked for is told of as without a pin.
      assert(!failure[InvalidOptionException](s.sql("SELECT * FROM nami.g.nodes.Q VERSION AS OF 2")).getMessage.contains("pinned"))
      assert(s.sql("SELECT * FROM nami.g.nodes.Q VERSION AS OF 4").count() == 2)
      unpin(s)
      assert(shown("nodes") == Seq("P", "Q") && shown("edges") == Seq("T"))
    }
  }
}
