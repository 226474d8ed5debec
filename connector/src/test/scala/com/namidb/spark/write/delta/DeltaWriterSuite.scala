package com.namidb.spark.write.delta

import com.namidb.format.error.{InvalidOptionException, InvalidValueException}
import com.namidb.format.snapshot.SnapshotSelector
import com.namidb.spark.{Place, Places}
import com.namidb.spark.options.{OpenNamespace, TableTarget, WriteOptions}
import com.namidb.spark.types.OnMismatch
import com.namidb.spark.write.Writing
import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.write.LogicalWriteInfo
import org.apache.spark.sql.types._
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.sql.catalyst.util.ArrayData

import java.util.Optional
import scala.jdk.CollectionConverters._

class DeltaWriterSuite extends DeltaWriterTests(Places.Local)

class BucketDeltaWriterSuite extends DeltaWriterTests(Places.Bucket)

/** The tasks of a statement, taken step by step: attempts that fail, repeat or travel. */
class DeltaWriterTests(override val places: Places) extends Writing {
  private val Rows = Id.add("_labels", ArrayType(StringType)).add("name", StringType).add("n", LongType)
  private val Hidden = new StructType().add("_lsn", LongType).add("_json", StringType)

  private def job(p: Place, rows: StructType = Rows): DeltaJob = {
    val at = OpenNamespace.at(WriteOptions.of(Map("uri" -> uri(p), "label" -> "P").asJava, _ => null).location)
    val statement = new Statement("MERGE", at.namespace.snapshot(new SnapshotSelector.Latest),
      new TableTarget.NodesOf(Optional.of("P")), OnMismatch.FAIL)
    DeltaJob.begin(statement, DeltaShapes.of(statement, new LogicalWriteInfo {
      override def options: CaseInsensitiveStringMap = CaseInsensitiveStringMap.empty
      override def queryId: String = "q"
      override def schema: StructType = rows
      override def rowIdSchema: Optional[StructType] = Optional.of(Id)
      override def metadataSchema: Optional[StructType] = Optional.of(Hidden)
    }))
  }

  private def key(n: Int) = InternalRow(text(id(n)))

  private def text(s: String) = UTF8String.fromString(s)

  private def row(n: Int, v: Long) = InternalRow(text(id(n)), ArrayData.toArrayData(Array[Any](text("P"))), text(s"v$n"), v)

  private def hidden(json: String) = InternalRow(1L, text(json))

  private def work(w: DeltaRowWriter): Unit = {
    w.update(hidden("""{"n":1,"x":[1.50],"name":"v1"}"""), key(1), row(1, 10))
    w.delete(hidden("{}"), key(2))
    w.insert(row(9, 9))
  }

  private def files(p: Place) = p.keys("g/bulk/").size

  test("only the attempt that is reported counts; the others' files are theirs to remove") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    val j = job(p)
    val before = files(p)
    val (lost, kept, failed) = (new DeltaRowWriter(j.forTasks), new DeltaRowWriter(j.forTasks), new DeltaRowWriter(j.forTasks))
    Seq(lost, kept, failed).foreach(work)
    lost.commit()
    failed.commit()
    failed.abort()
    val message = kept.commit().asInstanceOf[DeltaMessage]
    Seq(lost, kept, failed).foreach(_.close())
    assert(files(p) == before + 6, "three files of each attempt that was not aborted")
    val receipt = j.publish(java.util.List.of(message.reports)).get
    assert(receipt.files.size == 3 && receipt.balance.accepted == 3 && receipt.deletedNodes == 1)
    assert(json(read(p, "label" -> "P")) == Map(id(1) -> """{"n":10,"x":[1.50],"name":"v1"}""",
      id(3) -> """{"n":3,"name":"v3"}""", id(9) -> """{"n":9,"name":"v9"}"""))
  }

  test("plans and messages arrive whole under both serialisers") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    val java = new JavaSerializer(new SparkConf).newInstance()
    val plan = job(p).forTasks
    val arrived = java.deserialize[DeltaPlan](java.serialize(plan))
    assert(arrived == plan)
    val w = new DeltaRowWriter(arrived)
    work(w)
    val message = try w.commit() finally w.close()
    for (s <- Seq(java, new KryoSerializer(new SparkConf).newInstance()))
      assert(s.deserialize[DeltaMessage](s.serialize(message)) == message)
  }

  test("rows of another width than announced are a bug, not data") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    val w = new DeltaRowWriter(job(p).forTasks)
    try {
      intercept[IllegalStateException](w.insert(InternalRow(text("I"), text(id(1)))))
      intercept[IllegalStateException](w.delete(null, InternalRow(text(id(1)), 1L)))
      intercept[IllegalStateException](w.update(InternalRow(1L), key(1), row(1, 1)))
      intercept[InvalidValueException](w.insert(InternalRow(null, null, null, 1L)))
      intercept[InvalidValueException] {
        w.delete(hidden("{}"), key(1))
        w.delete(hidden("{}"), key(1))
        w.commit()
      }
    } finally w.close()
  }

  test("columns without labels cannot tell what an updated node keeps") {
    val p = place()
    write(nodes(1 to 3), p, "label" -> "P")
    assert(intercept[InvalidOptionException](job(p, Node)).getMessage.contains("_labels"))
  }

  test("the session's words for statements are not those of DataFrame writes") {
    val conf = Map("spark.namidb.on-incident-edges" -> "detach", "spark.namidb.on-null" -> "store", "spark.namidb.isolation" -> "snapshot")
    val write = WriteOptions.of(Map("uri" -> "file:///x?ns=g", "label" -> "P", "write-mode" -> "delete").asJava, conf.getOrElse(_, null))
    assert(!write.rules.removal.detach && !write.values.storeNulls)
    def statement(m: com.namidb.spark.options.WriteMode, c: Map[String, String]) =
      WriteOptions.statement(write.location, write.target, m, c.getOrElse(_, null))
    import com.namidb.format.commit.Isolation
    import com.namidb.spark.options.WriteMode._
    for (m <- Seq(DELETE, OVERWRITE, PATCH, INSERT)) {
      val (plain, said) = (statement(m, Map.empty), statement(m, conf))
      assert(plain.rules.isolation == Isolation.SERIALIZABLE && said.rules.isolation == Isolation.SNAPSHOT)
      assert(said.rules.removal.detach == (m == DELETE || m == OVERWRITE) && said.values.storeNulls && !plain.values.storeNulls)
      assert(plain.rules.checkIncident == (m == DELETE || m == OVERWRITE))
    }
  }
}
