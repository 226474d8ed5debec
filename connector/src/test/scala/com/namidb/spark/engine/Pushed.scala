package com.namidb.spark.engine

import scala.util.Random

import org.apache.spark.sql.{Column, DataFrame, Row}
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._
import org.scalatest.Assertions

/** Random questions asked twice: with everything pushed down and with nothing. */
object Pushed extends Assertions {
  /** Random predicates on the columns of a table, three-valued logic and odd literals included. */
  class Predicates(off: DataFrame, rnd: Random) {
    private val fields = off.schema.fields.filter(f => !f.name.startsWith("_") && (f.dataType match {
      case LongType | DoubleType | StringType | BooleanType | BinaryType | DateType | TimestampType => true
      case _ => false
    }))
    private lazy val rows = off.select(fields.map(f => col(s"`${f.name}`")).toSeq: _*).collect()

    def isEmpty: Boolean = fields.isEmpty

    private def literal(i: Int): Column = {
      val f = fields(i)
      val stored = rows.map(_.get(i)).filter(_ != null)
      val value: Any = if (stored.isEmpty) null else stored(rnd.nextInt(stored.length))
      val odd: Seq[Any] = f.dataType match {
        case LongType => Seq(Long.MinValue, Long.MaxValue, 0L, rnd.nextInt(20).toLong)
        case DoubleType => Seq(Double.NaN, -0.0, 0.0, Double.PositiveInfinity, Double.NegativeInfinity, rnd.nextDouble() * 100)
        case StringType => Seq("", "b", "\uffff", "\ud83d\ude00", "123")
        case BinaryType => Seq(Array[Byte](), Array[Byte](-1))
        case _ => Nil
      }
      rnd.nextInt(8) match {
        case 0 => lit(null).cast(f.dataType)
        case 1 if odd.nonEmpty => lit(odd(rnd.nextInt(odd.size)))
        case _ => if (value == null) lit(null).cast(f.dataType) else lit(value)
      }
    }

    def atom(): Column = {
      val i = rnd.nextInt(fields.length)
      val c = col(s"`${fields(i).name}`")
      def v = literal(i)
      rnd.nextInt(11) match {
        case 0 => c === v
        case 1 => c =!= v
        case 2 => c < v
        case 3 => c <= v
        case 4 => c > v
        case 5 => c >= v
        case 6 => c <=> v
        case 7 => c.isin(v, v, v)
        case 8 => c.isNull
        case 9 => if (fields(i).dataType == StringType) c.startsWith("a") else c.isNotNull
        case 10 => c.isNotNull
      }
    }

    def apply(depth: Int = 2): Column =
      if (depth == 0) atom()
      else rnd.nextInt(4) match {
        case 0 => apply(depth - 1) && apply(depth - 1)
        case 1 => apply(depth - 1) || apply(depth - 1)
        case 2 => !apply(depth - 1)
        case _ => atom()
      }
  }

  private def ids(df: DataFrame) = df.columns.filter(Set("_id", "_src", "_dst")).toSeq

  private def rows(df: DataFrame): Seq[String] = df.select(ids(df).map(col): _*).collect().map(_.toString).sorted.toSeq

  def filters(on: DataFrame, off: DataFrame, rnd: Random, clue: String, rounds: Int = 3): Unit = {
    val some = new Predicates(off, rnd)
    if (!some.isEmpty) for (_ <- 0 until rounds) {
      val p = some()
      assert(rows(on.where(p)) == rows(off.where(p)), s"$clue where $p\n${on.where(p).queryExecution.optimizedPlan}")
    }
  }

  def aggregates(on: DataFrame, off: DataFrame, known: IndexedSeq[String], rnd: Random, clue: String, most: Int = 4): Unit = {
    val some = ids(on)
    def one: Column = {
      val c = col(some(rnd.nextInt(some.size)))
      rnd.nextInt(5) match {
        case 0 => count(lit(1))
        case 1 => count(c)
        case 2 => min(c)
        case 3 => max(c)
        case 4 => countDistinct(c)
      }
    }
    def asked = Seq.fill(1 + rnd.nextInt(3))(one).zipWithIndex.map { case (c, i) => c.as(s"x$i") }
    def filter: Option[Column] =
      if (known.isEmpty || rnd.nextBoolean()) None
      else {
        val Seq(a, b) = Seq.fill(2)(known(rnd.nextInt(known.size))).sorted
        val c = col(some(rnd.nextInt(some.size)))
        Some(if (rnd.nextBoolean()) c.between(a, b) else c.isin(a, b))
      }
    val grouped = on.columns.contains("_type")
    val questions = Seq(Seq(count(lit(1)).as("n")), Seq(min(some.head).as("n"), max(some.last).as("m")), asked, asked)
    for (cs <- rnd.shuffle(questions).take(most)) {
      val f = filter
      def answer(df: DataFrame) = {
        val d = f.fold(df)(df.where(_))
        val whole = d.agg(cs.head, cs.tail: _*).collect().map(_.toString).toSeq
        val groups = if (grouped) d.groupBy("_type").agg(cs.head, cs.tail: _*).collect().map(_.toString).sorted.toSeq else Nil
        whole -> groups
      }
      assert(answer(on) == answer(off), s"$clue: $cs where $f")
    }
  }

  /** Whatever order is reported is there, in every partition; answers how many columns are. */
  def ordered(df: DataFrame, clue: String): Int = {
    val scan = df.queryExecution.sparkPlan.collectFirst { case b: BatchScanExec => b }
    val reported = scan.flatMap(_.ordering).getOrElse(Nil).size
    if (reported > 0) {
      val names = scan.get.ordering.get.map(_.child.sql.split('.').last.replace("`", ""))
      val parts = df.select(names.map(col): _*).rdd.glom().collect()
      for (p <- parts) {
        val keys = p.toSeq.map((r: Row) => r.toSeq.map { case b: Array[Byte] => b.map("%02x".format(_)).mkString; case x => x.toString }.mkString("/"))
        assert(keys == keys.sorted, s"$clue: not in the order of $names")
      }
    }
    reported
  }
}
