package com.namidb.spark.read

import com.namidb.format.id.{KeyRange, KeyRanges, NodeId}
import org.apache.spark.sql.connector.expressions.{Expression, Expressions, Literal}
import org.apache.spark.sql.connector.expressions.filter.{AlwaysFalse, AlwaysTrue, And, Not, Or, Predicate}
import org.apache.spark.sql.types.{BinaryType, DataType, DataTypes, StringType}
import org.apache.spark.unsafe.types.{ByteArray, UTF8String}
import org.scalatest.funsuite.AnyFunSuite

import java.util.Arrays
import scala.jdk.CollectionConverters._
import scala.util.Random

/** Pushed predicates against their evaluation value by value, in three-valued logic, as Spark does it. */
class IdPredicatesSuite extends AnyFunSuite {
  private val Seed = sys.props.getOrElse("pushdown.seed", "20261129").toLong

  private case class Lit(value: Any, dataType: DataType) extends Literal[Any] {
    override def children: Array[Expression] = Array.empty
  }

  private case class Form(name: String, tpe: DataType, value: NodeId => Any, draw: (Random, Seq[NodeId]) => Any) {
    def predicates = new IdPredicates("_id", tpe)
    def compare(a: Any, b: Any): Int = (a, b) match {
      case (x: UTF8String, y: UTF8String) => x.binaryCompare(y)
      case (x: Array[Byte], y: Array[Byte]) => ByteArray.compareBinary(x, y)
      case _ => fail()
    }
    def starts(a: Any, b: Any): Boolean = (a, b) match {
      case (x: UTF8String, y: UTF8String) => x.startsWith(y)
      case (x: Array[Byte], y: Array[Byte]) => x.length >= y.length && Arrays.equals(Arrays.copyOf(x, y.length), y)
      case _ => fail()
    }
  }

  private val Alphabet = "0123456789abcdef-ABCFGgz/:`~ \u00e9\u0000".toSeq

  private val Text = Form("text", StringType, id => UTF8String.fromString(id.toString), (r, ids) => {
    val s = ids(r.nextInt(ids.size)).toString
    val i = r.nextInt(37)
    UTF8String.fromString(r.nextInt(9) match {
      case 0 | 1 => s
      case 2 => s.take(i)
      case 3 => s.take(i) + Alphabet(r.nextInt(Alphabet.size))
      case 4 => s.take(i) + Alphabet(r.nextInt(Alphabet.size)) + s.drop(i + 1)
      case 5 => s + Alphabet(r.nextInt(Alphabet.size))
      case 6 => s.toUpperCase
      case 7 => Seq.fill(r.nextInt(40))(Alphabet(r.nextInt(Alphabet.size))).mkString
      case 8 => Seq("", "g", "f" * 36, "ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff0",
        "00000000-0000-0000-0000-000000000000", "-", "00000000-", "ffffffff-g", "99999999:")(r.nextInt(10))
    })
  })

  private val Binary = Form("binary", BinaryType, id => id.toBytes, (r, ids) => {
    val b = ids(r.nextInt(ids.size)).toBytes
    r.nextInt(5) match {
      case 0 | 1 => b
      case 2 => Arrays.copyOf(b, r.nextInt(20))
      case 3 => val c = b.clone(); c(r.nextInt(16)) = r.nextInt().toByte; c
      case 4 => Seq(Array[Byte](), Array.fill[Byte](16)(-1), Array.fill[Byte](17)(-1), Array.fill[Byte](15)(-1),
        new Array[Byte](16), new Array[Byte](17))(r.nextInt(6))
    }
  })

  /** Few distinct bytes, so that ids share prefixes; both ends and ids from 0x80 on are among them. */
  private def ids(r: Random): Seq[NodeId] = {
    val bytes = Array[Int](0, 1, 0x09, 0x0a, 0x7f, 0x80, 0x99, 0x9a, 0xf9, 0xff)
    val some = Seq.fill(60)(NodeId.of(Array.fill(16)(bytes(r.nextInt(bytes.length)).toByte), 0))
    (some ++ some.map(_.next) ++ some.map(_.previous) ++ Seq(NodeId.MIN, NodeId.MAX, NodeId.MIN.next, NodeId.MAX.previous)).distinct
  }

  private val column = Expressions.column("_id")

  private def predicate(name: String, children: Expression*) = new Predicate(name, children.toArray)

  private def draw(form: Form, r: Random, ids: Seq[NodeId], depth: Int): Predicate = {
    def literal(): Expression = Lit(if (r.nextInt(12) == 0) null else form.draw(r, ids), form.tpe)
    def sub() = draw(form, r, ids, depth - 1)
    r.nextInt(if (depth > 0) 13 else 9) match {
      case 0 | 1 | 2 | 3 =>
        val name = Seq("=", "<=>", "<>", "<", "<=", ">", ">=")(r.nextInt(7))
        if (r.nextInt(4) == 0) predicate(name, literal(), column) else predicate(name, column, literal())
      case 4 | 5 => predicate("IN", column +: Seq.fill(1 + r.nextInt(4))(literal()): _*)
      case 6 => predicate("STARTS_WITH", column, literal())
      case 7 => predicate(if (r.nextBoolean()) "IS_NULL" else "IS_NOT_NULL", column)
      case 8 => if (r.nextBoolean()) new AlwaysTrue else new AlwaysFalse
      case 9 | 10 => new And(sub(), sub())
      case 11 => new Or(sub(), sub())
      case 12 => new Not(sub())
    }
  }

  /** True, false or nothing for null. */
  private def eval(form: Form, p: Predicate, id: NodeId): Option[Boolean] = {
    val c = p.children
    def value(e: Expression): Any = e match {
      case l: Lit => l.value
      case _ => form.value(id)
    }
    def sub(i: Int) = eval(form, c(i).asInstanceOf[Predicate], id)
    def compared(test: Int => Boolean): Option[Boolean] =
      if (c.exists(value(_) == null)) None else Some(test(form.compare(value(c(0)), value(c(1)))))
    p.name match {
      case "AND" => (sub(0), sub(1)) match {
        case (Some(false), _) | (_, Some(false)) => Some(false)
        case (Some(true), Some(true)) => Some(true)
        case _ => None
      }
      case "OR" => (sub(0), sub(1)) match {
        case (Some(true), _) | (_, Some(true)) => Some(true)
        case (Some(false), Some(false)) => Some(false)
        case _ => None
      }
      case "NOT" => sub(0).map(!_)
      case "ALWAYS_TRUE" => Some(true)
      case "ALWAYS_FALSE" => Some(false)
      case "IS_NULL" => Some(false)
      case "IS_NOT_NULL" => Some(true)
      case "=" => compared(_ == 0)
      case "<>" => compared(_ != 0)
      case "<=>" => Some(c.forall(value(_) != null) && form.compare(value(c(0)), value(c(1))) == 0)
      case "<" => compared(_ < 0)
      case "<=" => compared(_ <= 0)
      case ">" => compared(_ > 0)
      case ">=" => compared(_ >= 0)
      case "IN" =>
        val list = c.drop(1).map(value)
        if (list.exists(v => v != null && form.compare(form.value(id), v) == 0)) Some(true)
        else if (list.contains(null)) None
        else Some(false)
      case "STARTS_WITH" =>
        if (value(c(1)) == null) None else Some(form.starts(value(c(0)), value(c(1))))
    }
  }

  for (form <- Seq(Text, Binary))
    test(s"${form.name} ids: pushed = evaluated, seed $Seed") {
      val r = new Random(Seed)
      var taken = 0
      for (round <- 0 until 2000) {
        val all = ids(r)
        val p = draw(form, r, all, 3)
        val allowed = form.predicates.allowed(p)
        assert(allowed.isPresent, p)
        taken += 1
        val ranges = allowed.get
        for (id <- all) {
          val want = eval(form, p, id).contains(true)
          assert(ranges.contains(id.hi, id.lo) == want, s"seed $Seed round $round: $p for $id gives $ranges")
        }
        for (Seq(a, b) <- ranges.ranges.asScala.toSeq.sliding(2) if ranges.ranges.size > 1)
          assert(a.max.compareTo(b.min) < 0, s"not disjoint: $ranges")
      }
      assert(taken == 2000)
    }

  private def text(s: String) = Lit(UTF8String.fromString(s), StringType)

  private def allowed(p: Predicate): Option[KeyRanges] = {
    val a = Text.predicates.allowed(p)
    if (a.isPresent) Some(a.get) else None
  }

  test("equality with text that is no canonical id matches nothing") {
    for (s <- Seq("", "x", "018F93B4-3333-7ABC-8000-000000000001", "018f93b433337abc8000000000000001",
        "{018f93b4-3333-7abc-8000-000000000001}", "018f93b4-3333-7abc-8000-0000000000010"))
      assert(allowed(predicate("=", column, text(s))).contains(KeyRanges.NONE), s)
    val id = NodeId.parse("818f93b4-3333-7abc-8000-000000000001")
    assert(allowed(predicate("=", column, text(id.toString))).contains(KeyRanges.of(new KeyRange(id, id))))
  }

  test("a prefix is a range") {
    val p = allowed(predicate("STARTS_WITH", column, text("018f93b4-3"))).get
    assert(p.ranges.asScala.map(_.toString) ==
      Seq("[018f93b4-3000-0000-0000-000000000000, 018f93b4-3fff-ffff-ffff-ffffffffffff]"))
  }

  test("what is not about the id column alone is left to Spark") {
    val other = Expressions.column("name")
    val nested = Expressions.column("x._id")
    val id = text("018f93b4-3333-7abc-8000-000000000001")
    for (p <- Seq(
        predicate("=", other, id),
        predicate("=", nested, id),
        predicate("=", column, other),
        predicate("=", column, column),
        predicate("=", column, Lit(7L, DataTypes.LongType)),
        predicate("ENDS_WITH", column, id),
        predicate("CONTAINS", column, id),
        predicate("IN", column, id, other),
        predicate("BOOLEAN_EXPRESSION", column),
        new Or(predicate("=", column, id), predicate("=", other, id)),
        new And(predicate("=", column, id), predicate("=", other, id)),
        new Not(predicate("=", other, id))))
      assert(allowed(p).isEmpty, p)
  }

  test("ids of edges narrow sources and destinations apart") {
    import org.apache.spark.sql.types.StructType
    val schema = new StructType().add("_src", StringType).add("_dst", StringType)
    val id = NodeId.parse("818f93b4-3333-7abc-8000-000000000001")
    val one = KeyRanges.of(new KeyRange(id, id))
    val none = Pushdown.on(schema, true)
    val src = none.`with`(predicate("=", Expressions.column("_src"), text(id.toString))).get
    assert(src.keys == one && src.partners.isAll)
    val dst = none.`with`(predicate("=", Expressions.column("_dst"), text(id.toString))).get
    assert(dst.keys.isAll && dst.partners == one)
    assert(src.describe.asScala == Seq(s"_src = $id"))
    assert(src != dst && src != none)
    assert(src == none.`with`(predicate("=", Expressions.column("_src"), text(id.toString))).get)
    val both = new Or(predicate("=", Expressions.column("_src"), text(id.toString)),
      predicate("=", Expressions.column("_dst"), text(id.toString)))
    assert(none.`with`(both).isEmpty)
  }
}
