package com.namidb.spark.write

import com.namidb.format.manifest.LabelDictionary
import com.namidb.format.stage.JobPlan
import com.namidb.format.snapshot.LocationParser
import com.namidb.spark.{Places, SparkSuite}
import com.namidb.spark.options.{ValueRules, WriteMode}
import com.namidb.spark.write.quarantine.QuarantineSpec
import com.namidb.spark.write.row.{IdSource, PropertyColumn, RequiredProperties, RowShape}
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory, PatchBase, WritePlan}
import org.apache.spark.SparkConf
import org.apache.spark.serializer.{JavaSerializer, KryoSerializer, Serializer}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

import java.util.{Map => JMap, Optional}
import scala.reflect.ClassTag

class TravelSuite extends TravelTests(Places.Local)

/** What goes to tasks and comes back arrives whole, whatever serialiser a cluster uses. */
class TravelTests(override val places: Places) extends SparkSuite {
  private def sent[A: ClassTag](s: Serializer, a: A): A = {
    val i = s.newInstance()
    i.deserialize[A](i.serialize(a), getClass.getClassLoader)
  }

  for (s <- Seq(new JavaSerializer(new SparkConf), new KryoSerializer(new SparkConf)))
    test(s"${s.getClass.getSimpleName}: plans to tasks, messages back") {
      val at = LocationParser.parse(places.fresh().uri(), Optional.empty, Optional.empty, JMap.of())
      val shape = new RowShape(WriteMode.UPSERT, "P", new IdSource.Given(0, "_id", false), null, -1,
        java.util.List.of(new PropertyColumn("name", 1, StringType, false, 0, true)),
        new ValueRules(false, ValueRules.Decimals.FAIL, false, java.util.List.of), java.util.List.of(new RequiredProperties.Rule("P", "name", 1)))
      val plan = new WritePlan(at.store, at.paths, "job", new JobPlan(3, 77, LabelDictionary.of(java.util.List.of("A", "P"))),
        shape, new com.namidb.format.manifest.GraphSchema(JMap.of(), JMap.of()), 100, null,
        new QuarantineSpec(new StructType().add("_id", StringType).add("name", StringType), true, true, true, "quarantine"))
      // Closures always travel by Java's own serialisation.
      val arrived = sent(new JavaSerializer(new SparkConf), plan)
      assert(arrived == plan)
      val patch = new PatchBase(java.util.List.of, java.util.List.of(0, 1))
      assert(sent(new JavaSerializer(new SparkConf), patch) == patch)
      val w = new CandidateWriterFactory(arrived).createWriter(0, 0)
      w.write(InternalRow(UTF8String.fromString("00000000-0000-0000-0000-000000000001"), UTF8String.fromString("x")))
      // The second row of an id and the first are set aside; so is one without id.
      for (_ <- 1 to 2) w.write(InternalRow(UTF8String.fromString("00000000-0000-0000-0000-000000000002"), UTF8String.fromString("y")))
      w.write(InternalRow(null, UTF8String.fromString("z")))
      val message = try w.commit().asInstanceOf[CandidateMessage] finally w.close()
      val report = sent(s, message).report
      assert(report == message.report && report.files.size == 1)
      assert(report.balance.holds && report.balance.accepted == 1)
      assert(report.quarantine.rows == 3 && report.quarantine.reasons.size == 2 && report.kept.size == 2)
      // A rerun's tasks have nothing to say, and leave their rows where they are.
      val idle = sent(new JavaSerializer(new SparkConf), new NoRowsFactory).createWriter(0, 0)
      idle.writeAll(new java.util.Iterator[InternalRow] {
        override def hasNext: Boolean = fail("a row was asked for")
        override def next(): InternalRow = fail("a row was asked for")
      })
      assert(sent(s, idle.commit()) != null)
    }
}
