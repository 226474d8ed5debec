package com.namidb.examples

import java.nio.file.Files

import com.namidb.format.error.InvalidOptionException
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions._
import org.scalatest.funsuite.AnyFunSuite

/** Every row of the input is in the graph, set aside or held back; the same load again changes nothing. */
class BackfillSuite extends AnyFunSuite {
  import BackfillData._

  private def session(): SparkSession =
    SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2")
      .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()

  test("nodes and edges of a load are one commit, bad rows are set aside, and a rerun is a no-op") {
    val work = ScratchCopy.folder()
    val spark = session()
    try {
      BackfillData.write(work)
      val graphs = GraphRoot.of(work.resolve("graphs"))
      def load = new Backfill(spark, work, graphs, "load")
      val first = load
      first.stagePeople()
      first.stageFollows()
      intercept[InvalidOptionException](first.people())
      assert(!first.isDone, "seen before it was published")
      val reasons = first.quarantined("Person").groupBy("_reason").count().collect().map(r => r.getString(0) -> r.getLong(1)).toMap
      assert(reasons.values.toSeq.sorted == Seq(NO_SCORE, NO_EMAIL, 2 * TWICE).map(_.toLong).sorted, reasons)
      assert(first.quarantined("FOLLOWS").count() == NO_END)
      assert(first.quarantined("Person").where("isnan(score)").count() == NO_SCORE, "rows are set aside as they were")
      assert(first.dryRun().passes)
      val receipt = first.publish()
      val held = first.heldBack().count()
      assert(held >= UNKNOWN_END)
      val people = PEOPLE - NO_EMAIL - 2 * TWICE - NO_SCORE
      val follows = FOLLOWS - NO_END - held
      assert((receipt.base, receipt.version, receipt.nodes.count, receipt.edges.count) == ((0L, 1L, people.toLong, follows)))
      assert(receipt.balance.source == PEOPLE + FOLLOWS - held && receipt.balance.holds)
      assert(graphs.fetched("social", "bulk/load").resolve("receipt.json").toFile.exists)
      assert(first.people().count() == people && first.edges().count() == follows)
      val ends = first.edges().select(explode(array("_src", "_dst")).as("_id")).distinct()
      assert(ends.join(first.people(), Seq("_id"), "left_anti").count() == 0, "no edge dangles")

      val again = load
      assert(again.isDone && again.publish() == receipt && again.people().agg(max("_snapshot_id")).head().getLong(0) == 1)
    } finally spark.stop()
  }

  test("the example runs from end to end and shows its receipt") {
    val text = Bucket.printed(BackfillDemo.main(Array()))
    for (s <- Seq("key column 'email' is null", "version           0 -> 1", "nodes             119,875", "quarantined       160", "It is done", "input rows        520,000",
        "destination ids are derived with label 'Person' from column followed", "Version 1 is visible, without the newcomer",
        "Version 2 is visible, with the newcomer", "/bulk/load-2026-11/receipt.json", "--keep"))
      assert(text.replaceAll("\\n  │ ", " ").contains(s), text)
    assert(!text.contains("\r"), "frames are for terminals")
    val graph = "graph +(/\\S+/graphs/social)".r.findFirstMatchIn(text).get.group(1)
    assert(Files.isDirectory(java.nio.file.Path.of(graph)), graph)
  }

  test("with the URI of a bucket it does the same there; run again, the load is done") {
    val uri = Bucket.uri()
    val first = Bucket.printed(BackfillDemo.main(Array(uri)))
    val place = uri.takeWhile(_ != '?') + "/social"
    for (s <- Seq("key column 'email' is null", "version           0 -> 1", "nodes             119,875", "quarantined       160", "It is done",
        "Version 2 is visible, with the newcomer", s"$place/bulk/load-2026-11/receipt.json", s"$place/bulk/load-2026-11/quarantine"))
      assert(first.contains(s), first)
    val again = Bucket.printed(BackfillDemo.main(Array("--terminal", uri)))
    assert(again.contains("It is done: publishing again only returns the receipt of version 1") && !again.contains("Stage nodes"), again)
  }
}
