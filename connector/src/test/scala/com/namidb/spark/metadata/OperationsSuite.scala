package com.namidb.spark.metadata

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.store.{MeteredStore, Request}
import com.namidb.spark.Place
import com.namidb.spark.job.Jobs
import com.namidb.spark.rowlevel.Statements
import org.apache.spark.sql.SaveMode

/** What `snapshots` and `receipts` say that a commit did. */
class OperationsSuite extends Statements {
  private def told(p: Place): Seq[String] =
    read(p, "metadata" -> "snapshots").orderBy("version").select("operation").collect().map(_.getString(0)).toSeq

  private def receipts(p: Place): Map[Long, String] =
    read(p, "metadata" -> "receipts").select("snapshot_id", "operation").collect().map(r => r.getLong(0) -> r.getString(1)).toMap

  test("each commit is called as its user called it: write modes, statements, stages") {
    val p = place()
    write(nodes(1 to 6), p, "label" -> "P")
    write(edges(1 -> 2), p, "type" -> "E")
    write(nodes(Seq(1), "u"), p, "label" -> "P", "write-mode" -> "upsert")
    write(nodes(Seq(2), "q"), p, "label" -> "P", "write-mode" -> "PATCH")
    write(ids(6), p, "label" -> "P", "write-mode" -> "delete")
    overwrite(edges(2 -> 3), p, "type" -> "E")
    sql(p, "UPDATE {t}.nodes.P SET n = 0 WHERE name = 'v5'")
    sql(p, "DELETE FROM {t}.nodes.P WHERE n = 0")
    sql(p, "DELETE FROM {t}.edges.E")
    nodes(Seq(2, 7)).createOrReplaceTempView("s")
    sql(p, "MERGE INTO {t}.nodes.P t USING s ON t._id = s._id WHEN MATCHED THEN UPDATE SET n = 9 WHEN NOT MATCHED THEN INSERT (_id, n) VALUES (s._id, s.n)")
    sql(p, "CREATE TABLE {t}.nodes.Q AS SELECT 'x' AS a")
    sql(p, "INSERT OVERWRITE {t}.nodes.Q (_id, a) SELECT uuid(), 'y'")
    write(nodes(11 to 12), p, "label" -> "P", "stage" -> "s")
    write(nodes(Seq(1), "w"), p, "label" -> "P", "write-mode" -> "upsert", "stage" -> "s")
    write(edges(11 -> 12), p, "type" -> "E", "stage" -> "s")
    Jobs.at(java.util.Map.of("uri", uri(p))).publish("s", false)
    write(nodes(13 to 13), p, "label" -> "P", "job-id" -> "j")
    assert(told(p) == Seq("create", "insert", "insert", "upsert", "patch", "delete", "overwrite", "update", "delete", "delete",
      "merge", "insert", "overwrite", "insert+upsert", "insert"))
    assert(receipts(p) == told(p).zipWithIndex.tail.map { case (o, v) => v.toLong -> o }.toMap)
    // A receipt made anew from a job's parts says the same.
    p.delete("g/bulk/s/receipt.json")
    assert(told(p)(13) == "load")
    assert(Jobs.at(java.util.Map.of("uri", uri(p))).publish("s", false).operation == "insert+upsert" && told(p)(13) == "insert+upsert")
  }

  test("a receipt of an earlier release, a damaged one, one of another commit and none at all say load") {
    val p = place()
    for (j <- Seq("old", "torn", "other", "none")) write(nodes(Seq(j.hashCode & 0xffff)), p, "label" -> "P", "job-id" -> j)
    def change(j: String)(how: String => String): Unit = {
      val receipt = s"g/bulk/$j/receipt.json"
      p.put(receipt, how(p.text(receipt)))
    }
    change("old")(_.replaceFirst("\"operation\":\"insert\",", ""))
    assert(receipts(p) == Map(1L -> "load", 2L -> "insert", 3L -> "insert", 4L -> "insert"))
    change("torn")(_.take(100))
    change("other")(_.replaceFirst("\"snapshot_after\":\"3\"", "\"snapshot_after\":\"4\""))
    p.delete("g/bulk/none/receipt.json")
    assert(told(p) == Seq("create", "load", "load", "load", "load"))
  }

  test("receipts are fetched only for the column that needs them") {
    val inner = MemoryStore.named("operations")
    val sent = new ConcurrentLinkedQueue[Request]
    MemoryStore.show("operations", new MeteredStore(inner, (r: Request) => sent.add(r)))
    for (i <- 1 to 3) save(nodes(Seq(i)), "memory://operations?ns=g", SaveMode.Append, "label" -> "P")
    val table = spark.read.format("namidb").option("metadata", "snapshots").load("memory://operations?ns=g")
    def fetched(columns: String*) = {
      sent.clear()
      assert(table.selectExpr(columns: _*).collect().length == 4)
      sent.asScala.count(_.key.endsWith("receipt.json"))
    }
    assert(fetched("version", "committed_at", "is_current") == 0 && fetched("readable", "operation") == 3)
    assert(table.select("sst_bytes", "version").where("version = 2").head().getLong(1) == 2)
  }
}
