package com.namidb.spark.write

import com.namidb.format.snapshot.SnapshotSelector
import com.namidb.spark.{Place, SparkSuite}
import com.namidb.spark.options.{OpenNamespace, WriteOptions}
import com.namidb.spark.write.publish.WriteJob
import com.namidb.spark.write.task.{CandidateMessage, CandidateWriterFactory, TaskReport}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.sql.{DataFrame, Row, SaveMode}
import org.apache.spark.unsafe.types.UTF8String

import java.util.Optional
import scala.jdk.CollectionConverters._

/** Small graphs, written and read back, and writes taken step by step. */
trait Writing extends SparkSuite {
  def place(): Place = places.fresh()

  def uri(p: Place): String = p.uri()

  def write(df: DataFrame, p: Place, options: (String, String)*): Unit = save(df, uri(p), SaveMode.Append, options: _*)

  def overwrite(df: DataFrame, p: Place, options: (String, String)*): Unit = save(df, uri(p), SaveMode.Overwrite, options: _*)

  def save(df: DataFrame, uri: String, mode: SaveMode, options: (String, String)*): Unit =
    df.write.format("namidb").options(options.toMap).mode(mode).save(uri)

  def read(p: Place, options: (String, String)*): DataFrame = spark.read.format("namidb").options(options.toMap).load(uri(p))

  /** Every other id has its highest bit set. */
  def id(n: Int): String = f"${if (n % 2 == 0) "f" else "0"}0000000-0000-0000-0000-$n%012x"

  def frame(schema: StructType, rows: Row*): DataFrame = spark.createDataFrame(rows.asJava, schema)

  val Id: StructType = new StructType().add("_id", StringType)
  val Node: StructType = Id.add("name", StringType).add("n", LongType)
  val Ends: StructType = new StructType().add("_src", StringType).add("_dst", StringType)

  def nodes(ns: Iterable[Int], name: String = "v"): DataFrame =
    frame(Node, ns.map(n => Row(id(n), s"$name$n", n.toLong)).toSeq: _*)

  def ids(ns: Int*): DataFrame = frame(Id, ns.map(n => Row(id(n))): _*)

  def edges(es: (Int, Int)*): DataFrame =
    frame(Ends.add("w", LongType), es.map { case (a, b) => Row(id(a), id(b), (a * 100 + b).toLong) }: _*)

  def rows(df: DataFrame): Set[Seq[Any]] = df.collect().map(_.toSeq).toSet

  def pairs(p: Place, t: String): Set[(Int, Int)] =
    read(p, "type" -> t).select("_src", "_dst").collect().map(r => (number(r.getString(0)), number(r.getString(1)))).toSet

  def numbers(p: Place, label: String): Set[Int] = ids(read(p, "label" -> label)).map(number).toSet

  private def number(id: String) = Integer.parseInt(id.takeRight(12), 16)

  def version(p: Place): Long = newest(uri(p))

  def unchanged(p: Place)(body: => Unit): Unit = {
    val before = version(p)
    body
    assert(version(p) == before, "something was committed")
  }

  /** The stored objects as text, by key. */
  def json(df: DataFrame): Map[String, String] = {
    val keys = df.columns.filter(c => c == "_id" || c == "_src" || c == "_dst")
    df.selectExpr((keys :+ "_json").toIndexedSeq: _*).collect().map(r => keys.indices.map(r.getString).mkString(">") -> r.getString(keys.length)).toMap
  }

  def begin(p: Place, schema: StructType, overwrite: Boolean, o: (String, String)*): WriteJob = {
    val w = WriteOptions.of((o.toMap + ("uri" -> uri(p))).asJava, _ => null, overwrite)
    val at = OpenNamespace.at(w.location).namespace.snapshot(new SnapshotSelector.Latest)
    WriteJob.begin(w, schema, Optional.of(at))
  }

  /** One task over rows of strings and longs. */
  def attempt(job: WriteJob, rows: Seq[Any]*): TaskReport = {
    val w = new CandidateWriterFactory(job.forTasks).createWriter(0, 0)
    try {
      rows.foreach(r => w.write(InternalRow.fromSeq(r.map { case s: String => UTF8String.fromString(s); case x => x })))
      w.commit().asInstanceOf[CandidateMessage].report
    } finally w.close()
  }

  def publish(job: WriteJob, reports: TaskReport*): com.namidb.format.commit.CommitReceipt = job.publish(reports.asJava).get
}
