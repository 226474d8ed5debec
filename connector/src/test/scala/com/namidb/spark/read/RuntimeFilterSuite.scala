package com.namidb.spark.read

import java.util.concurrent.{Callable, Executors}

import com.namidb.format.Crafted
import com.namidb.format.Crafted._
import com.namidb.format.store.TempDirs
import com.namidb.spark.SparkSuite
import org.apache.spark.sql.connector.expressions.{Expression, Expressions, Literal}
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read.Batch
import org.apache.spark.sql.Row
import org.apache.spark.sql.functions.broadcast
import org.apache.spark.sql.types.{DataType, LongType, StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

/** Two plan nodes may share one scan and be planned by two threads at once. */
class RuntimeFilterSuite extends SparkSuite {
  /** As Spark makes them. */
  private def literal(text: String): Literal[UTF8String] = new Literal[UTF8String] {
    override def value: UTF8String = UTF8String.fromString(text)
    override def dataType: DataType = StringType
    override def children: Array[Expression] = Array.empty
  }

  test("run-time filters go to the batch of the thread that brought them, whatever others do in between") {
    val c = new Crafted(TempDirs.lasting("filters-"))
    for (f <- 0L until 3L) c.nodes((0L until 10L).map(i => N(id(100 * f + i), i + 1)))
    c.commit()
    val df = spark.read.format("namidb").option("label", "*").load(c.uri)
    val scan = scans(df).head.scan.asInstanceOf[NamiScan]
    def is(n: Long) = Array(new Predicate("=",
      Array[Expression](Expressions.column("_id"), literal(id(n).toString))))
    def alone(n: Long): Batch = { scan.filter(is(n)); scan.toBatch }
    val (first, second, all) = (alone(5), alone(205), scan.toBatch)
    assert(first != second && first != all && Seq(first, second, all).map(_.planInputPartitions.length) == Seq(1, 1, 3))
    val threads = Seq.fill(2)(Executors.newSingleThreadExecutor())
    def on[T](t: Int)(body: => T): T = threads(t).submit((() => body): Callable[T]).get()
    try {
      on(0)(scan.filter(is(5)))
      on(1)(scan.filter(is(205)))
      assert(scan.toBatch == all)
      assert(on(0)(scan.toBatch) == first)
      assert(on(1)(scan.toBatch) == second)
      assert(on(0)(scan.toBatch) == all && on(1)(scan.toBatch) == all)
    } finally threads.foreach(_.shutdown())
  }

  test("a join brings the ids of its other side: only the file that may hold them is read") {
    val c = new Crafted(TempDirs.lasting("filters-"))
    for (f <- 0L until 3L) c.nodes((0L until 10L).map(i => N(id(100 * f + i), i + 1)))
    c.commit()
    val df = spark.read.format("namidb").option("label", "*").load(c.uri)
    val rows = (0L until 300L).map(n => Row(id(n).toString, n))
    val other = spark.createDataFrame(spark.sparkContext.parallelize(rows, 2),
      new StructType().add("want", StringType).add("n", LongType)).where("n = 205")
    for (aqe <- Seq("true", "false")) {
      spark.conf.set("spark.sql.adaptive.enabled", aqe)
      val joined = df.join(broadcast(other), df("_id") === other("want")).select("_id")
      assert(joined.collect().toSeq == Seq(Row(id(205).toString)))
      val scan = scans(joined).head
      assert(scan.runtimeFilters.nonEmpty && scan.metrics("slices").value == 1, joined.queryExecution.executedPlan)
    }
    spark.conf.unset("spark.sql.adaptive.enabled")
  }
}
