package com.namidb.spark.types

import java.util
import java.util.Optional

import com.namidb.format.Golden
import com.namidb.format.error.InvalidValueException
import com.namidb.format.scan.ScanRequest
import com.namidb.format.snapshot._
import com.namidb.format.store.open.StoreOpener
import com.namidb.spark.engine.{ChildJvm, GraphSuite}

class SchemaInferenceSuite extends GraphSuite {
  private val nodes = new ScanRequest.Nodes(Optional.empty[String]())

  private def snapshotOf(name: String): Snapshot = {
    val location = LocationParser.parse(Golden(name).uri, Optional.empty(), Optional.empty(), util.Map.of())
    Namespace.open(location, StoreOpener.open(location.store)).snapshot(new SnapshotSelector.Latest)
  }

  private def columns(s: Snapshot, sample: Boolean = false, onMismatch: OnMismatch = OnMismatch.FAIL) =
    SchemaInference.properties(s, nodes, WalPolicy.REPLAY, sample, onMismatch, _.run())

  private def ddl(s: Snapshot, sample: Boolean = false, onMismatch: OnMismatch = OnMismatch.FAIL) =
    columns(s, sample, onMismatch).fields.map(f => f.name + " " + f.dataType.sql).mkString(", ")

  test("no property of any row is missed, whichever SST has it, and types join across SSTs") {
    val many = Seq.fill(30000)("""{"a":1}""")
    val s = StoredNodes.snapshot("join", many :+ """{"a":2.5,"rare":{"$date":1}}""", Seq("""{"b":"x","a":1}"""),
      Seq("""{"b":1,"Ä":[0.5]}"""))
    assert(ddl(s) == "a DOUBLE, b STRING, rare DATE, Ä ARRAY<FLOAT>")
  }

  test("a sample sees the first rows of each slice only") {
    val s = StoredNodes.snapshot("sample", Seq.fill(30000)("""{"a":1}""") :+ """{"rare":1}""")
    assert(ddl(s, sample = true) == "a BIGINT")
    assert(ddl(s) == "a BIGINT, rare BIGINT")
  }

  test("a sample still knows the properties that statistics name") {
    for (name <- Seq("types", "compacted", "updates-and-deletes")) {
      val s = snapshotOf(name)
      val exact = columns(s).fieldNames.toSet
      assert(exact.subsetOf(columns(s, sample = true).fieldNames.toSet))
    }
  }

  test("a record that cannot be decoded fails inference with its id, or is passed over") {
    val s = StoredNodes.snapshot("broken", Seq("""{"a":1}""", """{"b":tru}""", """{"c":true}"""))
    val e = intercept[InvalidValueException](columns(s))
    assert(e.getMessage.contains("node " + StoredNodes.id(1)) && e.getMessage.contains("'b'"))
    assert(ddl(s, onMismatch = OnMismatch.NULL) == "a BIGINT, b BOOLEAN, c BOOLEAN")
    assert(new PropertyScan(s, nodes, WalPolicy.REPLAY, OnMismatch.NULL, _.run()).run(false).skippedRecords == 1)
  }

  test("the answer for a version is kept; another version, target or policy is another question") {
    val s = StoredNodes.snapshot("kept", Seq("""{"a":1}"""))
    val first = columns(s)
    StoreOpener.open(s.location.store).delete(s.location.paths.`object`(s.manifest.ssts.get(0).path))
    assert(columns(s) eq first)
    // Nothing in the store lists the version: the file is missing because it is gone.
    assertThrows[com.namidb.format.error.SnapshotGoneException](columns(s, onMismatch = OnMismatch.NULL))
  }

  test("an empty graph has no properties") {
    assert(columns(StoredNodes.snapshot("none")).isEmpty)
  }

  test("a Spark job sees what the driver sees") {
    spark.sparkContext.setJobDescription("mine")
    for (name <- Seq("types", "compacted", "wal-and-sst", "many-ssts"); t <- Seq(nodes, new ScanRequest.Edges("KNOWS"))) {
      val scan = new PropertyScan(snapshotOf(name), t, WalPolicy.REPLAY, OnMismatch.FAIL, _.run())
      assert(scan.run(false, -1).byName == scan.run(false).byName, name)
    }
    assert(spark.sparkContext.getLocalProperty("spark.job.description") == "mine")
    spark.sparkContext.setJobDescription(null)
  }

  test("what runs a Spark job runs nothing else, and its errors come through") {
    val s = snapshotOf("many-ssts")
    var runs = 0
    def scan(jobs: java.util.concurrent.Executor) = new PropertyScan(s, nodes, WalPolicy.REPLAY, OnMismatch.FAIL, jobs)
    val jobs: java.util.concurrent.Executor = job => { runs += 1; job.run() }
    scan(jobs).run(false)
    assert(runs == 0)
    scan(jobs).run(false, -1)
    assert(runs == 1)
    intercept[IllegalStateException](scan(_ => throw new IllegalStateException("no lease")).run(false, -1))
  }

  test("a Spark job that serialises with Kryo sees what the driver sees") {
    for (name <- Seq("types", "wal-and-sst")) {
      val g = Golden(name)
      val out = ChildJvm.run("com.namidb.spark.types.KryoInference", Seq("-Xmx1g"), (g.uri +: g.recorded.head.edges.map(_.tpe).distinct): _*)
      assert(out.contains("nodes: driver and job agree on ") && !out.contains("agree on 0 properties\nnodes"), out.takeRight(3000))
      for (t <- g.recorded.head.edges.map(_.tpe).distinct) assert(out.contains(s"$t: driver and job agree"), out.takeRight(3000))
    }
  }
}
