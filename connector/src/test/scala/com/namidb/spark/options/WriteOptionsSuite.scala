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

  test("an unknown option names the nearest known one, or all of a write that this release has") {
    fails("label" -> "P", "wirte-mode" -> "upsert")("Did you mean 'write-mode'?")
    val said = intercept[InvalidOptionException](of("label" -> "P", "zzzzzzzzzzzz" -> "1")).getMessage
    assert(said.contains("Options of a write are: uri, ") && said.contains("src-label") && said.endsWith("commit-retries, file-size."), said)
    for (no <- Seq("versionAsOf", "s3.")) assert(!said.contains(no), said)
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
    assert(o.rules == new PublishRules(false, false, Isolation.SERIALIZABLE, true, 3, 7, "7-a-b", 1 << 20, PublishRules.Removal.NONE))
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

  test("modes that read the graph are serializable unless asked otherwise, and only they take their options") {
    def over(options: (String, String)*) = WriteOptions.of((Place ++ options).asJava, _ => null, true)
    val patch = of("label" -> "P", "write-mode" -> "patch")
    assert(patch.mode == WriteMode.PATCH && patch.rules.isolation == Isolation.SERIALIZABLE && !patch.rules.checkIncident)
    assert(!of("type" -> "T", "write-mode" -> "patch").rules.checkEnds)
    assert(of("label" -> "P", "write-mode" -> "patch", "isolation" -> "snapshot").rules.isolation == Isolation.SNAPSHOT)
    val o = over("label" -> "P").rules
    assert(o.isolation == Isolation.SERIALIZABLE && o.checkIncident && o.removal == PublishRules.Removal.NONE)
    assert(over("type" -> "T").rules.checkEnds && !over("type" -> "T").rules.checkIncident)
    assert(over("label" -> "P", "on-incident-edges" -> "detach", "overwrite-multi-label" -> "delete").rules.removal ==
      new PublishRules.Removal(true, true))
    val d = of("label" -> "P", "write-mode" -> "delete", "on-incident-edges" -> "detach").rules
    assert(d.removal.detach && !d.checkIncident && d.isolation == Isolation.SNAPSHOT)
    def refused(o: => WriteOptions, word: String) = assert(intercept[InvalidOptionException](o).getMessage.contains(word))
    refused(over("label" -> "P", "write-mode" -> "upsert"), "write-mode")
    refused(over("type" -> "T", "on-incident-edges" -> "detach"), "on-incident-edges")
    refused(of("label" -> "P", "on-incident-edges" -> "detach"), "on-incident-edges")
    refused(of("label" -> "P", "write-mode" -> "patch", "on-incident-edges" -> "detach"), "on-incident-edges")
    refused(of("label" -> "P", "overwrite-multi-label" -> "delete"), "overwrite-multi-label")
    refused(over("label" -> "*", "overwrite-multi-label" -> "delete"), "overwrite-multi-label")
    refused(over("type" -> "T", "overwrite-multi-label" -> "delete"), "overwrite-multi-label")
    refused(of("type" -> "T", "write-mode" -> "patch", "on-dangling" -> "allow"), "on-dangling")
  }

  test("a write may have a name: of its own, bound to what it means, or of a stage") {
    assert(of("label" -> "P").job == new JobName.None)
    assert(of("label" -> "P", "stage" -> " s ").job == new JobName.Stage("s"))
    def binding(o: (String, String)*) = of(o :+ ("job-id" -> "j"): _*).job.asInstanceOf[JobName.Job].binding
    val one = binding("label" -> "P", "key" -> "a")
    assert(one == binding("Label" -> "P", "KEY" -> " a", "write-mode" -> "Insert", "commit-retries" -> "3", "file-size" -> "1m",
      "search-indexes" -> "retire", "expected-rows" -> "7", "expected-key-checksum" -> "x"))
    val others = Seq(binding("label" -> "p", "key" -> "a"), binding("label" -> "P"), binding("label" -> "P", "key" -> "a", "write-mode" -> "upsert"),
      binding("label" -> "P", "key" -> "a", "isolation" -> "serializable"), binding("type" -> "P"), binding("label" -> "P", "key" -> "A"))
    assert((one +: others).distinct.size == 7)
    fails("label" -> "P", "job-id" -> "j", "stage" -> "s")("Both")
    // Only one write alone can set edges aside after all of it is staged.
    fails("type" -> "T", "stage" -> "s", "on-dangling" -> "quarantine")("stage", "job-id")
    assert(of("type" -> "T", "job-id" -> "j", "on-dangling" -> "quarantine").quarantine.dangling)
  }

  test("what is not built yet is refused and never ignored") {
    val later = "not supported yet by this release"
    fails("type" -> "*")(later)
  }
}
