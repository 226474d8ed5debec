package com.namidb.spark.options

import com.namidb.format.commit.Isolation
import com.namidb.format.error.InvalidOptionException
import org.scalatest.funsuite.AnyFunSuite

import java.util.Optional
import scala.jdk.CollectionConverters._

class WriteOptionsSuite extends AnyFunSuite {
  private val Place = Map("uri" -> "file:///tmp/graphs?ns=social")

  private def of(options: (String, String)*): WriteOptions = WriteOptions.of((Place ++ options).asJava, _ => null)

  private def fails(options: (String, String)*)(words: String*): Unit = {
    val e = intercept[InvalidOptionException](of(options: _*))
    words.foreach(w => assert(e.getMessage.contains(w), e.getMessage))
  }

  test("defaults are those of the contract") {
    val o = of("label" -> "Person")
    assert(o.target == new TableTarget.NodesOf(Optional.of("Person")))
    assert(o.mode == WriteMode.INSERT)
    assert(o.keys.all.isEmpty)
    assert(!o.values.storeNulls && o.values.decimals == ValueRules.Decimals.FAIL && !o.values.ntzAsUtc)
    val r = o.rules
    assert(r.isolation == Isolation.SNAPSHOT && !r.retireSearch && r.retries == 20 && r.expectedRows == -1)
    assert(!r.checkEnds && !r.checkIncident)
    assert(of("type" -> "KNOWS").rules.checkEnds)
    assert(!of("type" -> "KNOWS", "on-dangling" -> "allow").rules.checkEnds)
    assert(of("label" -> "P").quarantine == QuarantineRules.OFF)
    assert(of("label" -> "P", "on-invalid" -> "quarantine").quarantine == new QuarantineRules(true, false))
    assert(of("type" -> "T", "on-dangling" -> "quarantine").quarantine == new QuarantineRules(false, true))
    assert(!of("type" -> "T", "on-dangling" -> "quarantine", "write-mode" -> "delete").quarantine.on)
    assert(!of("type" -> "KNOWS", "write-mode" -> "delete").rules.checkEnds)
    assert(of("label" -> "*", "write-mode" -> "delete").rules.checkIncident)
    assert(!of("label" -> "*", "write-mode" -> "delete", "on-incident-edges" -> "leave").rules.checkIncident)
  }

  test("every option is read, in any spelling of its name") {
    val o = of("Label" -> "Person", "WRITE-MODE" -> "Upsert", "key" -> " country, id ", "isolation" -> "serializable",
      "commit-retries" -> "3", "expected-rows" -> "7", "expected-key-checksum" -> "7-a-b", "search-indexes" -> "retire",
      "on-null" -> "store", "decimals" -> "string", "timestamp-ntz" -> "utc", "vector-columns" -> "v", "file-size" -> "1m")
    assert(o.mode == WriteMode.UPSERT && o.keys.node.asScala == Seq("country", "id"))
    assert(o.rules == new PublishRules(false, false, Isolation.SERIALIZABLE, true, 3, 7, "7-a-b", 1 << 20))
    assert(o.values == new ValueRules(true, ValueRules.Decimals.STRING, true, java.util.List.of("v")))
    val e = of("type" -> "T", "src-key" -> "a", "src-label" -> "A", "dst-key" -> "b,c", "dst-label" -> "B")
    assert(e.keys == new KeyNames(java.util.List.of, java.util.List.of("a"), java.util.List.of("b", "c"), "A", "B"))
  }

  test("what a session sets must not choose what a write does") {
    val o = WriteOptions.of((Place + ("label" -> "P")).asJava, k => if (k == "spark.namidb.write-mode") "delete" else null)
    assert(o.mode == WriteMode.INSERT)
  }

  test("unknown options name the nearest known one") {
    fails("label" -> "P", "write-mod" -> "upsert")("Unknown write option 'write-mod'", "'write-mode'")
    fails("label" -> "P", "versionAsOf" -> "3")("Unknown write option")
    fails("label" -> "P", "write-mode" -> "merge")("write-mode", "upsert")
    fails("label" -> "P", "expected-rows" -> "-1")("whole number")
    fails("label" -> "P", "key" -> "a,,b")("distinct column names")
  }

  test("options that make no sense together are refused") {
    fails()("Neither")
    fails("label" -> "P", "type" -> "T")("Both")
    fails("type" -> "T", "key" -> "a")("src-key")
    fails("label" -> "P", "src-key" -> "a", "src-label" -> "P")("nodes take key".capitalize)
    fails("type" -> "T", "src-key" -> "a")("src-label")
    fails("type" -> "T", "dst-label" -> "A")("dst-key")
    fails("label" -> "*", "key" -> "a")("label")
    fails("label" -> "P", "on-dangling" -> "allow")("on-dangling")
    fails("type" -> "T", "on-incident-edges" -> "leave")("on-incident-edges")
  }

  test("what is not built yet is refused and never ignored") {
    val later = "not supported yet by this release"
    for (o <- Seq(
        Seq("label" -> "P", "write-mode" -> "patch"), Seq("label" -> "P", "job-id" -> "j"), Seq("label" -> "P", "stage" -> "s"),
                Seq("label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach"),
        Seq("label" -> "P", "overwrite-multi-label" -> "delete"), Seq("type" -> "*")))
      fails(o: _*)(later)
  }
}
