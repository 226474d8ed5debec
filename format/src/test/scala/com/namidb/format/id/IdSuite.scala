package com.namidb.format.id

import java.util.UUID

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

class IdSuite extends AnyFunSuite {
  private def random(r: Random): NodeId = new NodeId(r.nextLong(), r.nextLong())

  test("ids order as unsigned bytes, also where the first or ninth byte is 0x80 or above") {
    val r = new Random(7)
    for (_ <- 0 until 2000) {
      val (a, b) = (random(r), random(r))
      assert(a.compareTo(b).sign == java.util.Arrays.compareUnsigned(a.toBytes, b.toBytes).sign)
    }
    assert(NodeId.parse("80000000-0000-0000-0000-000000000000").compareTo(
      NodeId.parse("7fffffff-ffff-ffff-ffff-ffffffffffff")) > 0)
    assert(NodeId.parse("00000000-0000-0000-8000-000000000000").compareTo(
      NodeId.parse("00000000-0000-0000-7fff-ffffffffffff")) > 0)
  }

  test("text and bytes convert both ways, all accepted spellings included") {
    val r = new Random(8)
    for (_ <- 0 until 500) {
      val id = random(r)
      assert(id.toString == new UUID(id.hi, id.lo).toString)
      assert(NodeId.parse(id.toString) == id)
      assert(NodeId.of(id.toBytes, 0) == id)
    }
    val id = NodeId.parse("018f93b4-3333-7abc-8000-00000000000a")
    for (s <- Seq("018F93B4-3333-7ABC-8000-00000000000A", "018f93b433337abc800000000000000a",
        "{018f93b4-3333-7abc-8000-00000000000a}", "urn:uuid:018f93b4-3333-7abc-8000-00000000000a"))
      assert(NodeId.parse(s) == id)
    for (s <- Seq("", "018f93b4", "018f93b4-3333-7abc-8000-00000000000g", "018f93b4-33337-abc-8000-00000000000a",
        "018f93b4-3333-7abc-8000-0000000000０a"))
      assertThrows[IllegalArgumentException](NodeId.parse(s))
  }

  test("neighbours of an id carry over the halves and stop at the ends") {
    assert(new NodeId(1, -1).next == new NodeId(2, 0))
    assert(new NodeId(2, 0).previous == new NodeId(1, -1))
    assert(NodeId.MAX.next == NodeId.MAX)
    assert(NodeId.MIN.previous == NodeId.MIN)
  }

  test("key ranges overlap where they touch, and sets of ranges answer like a plain set") {
    val r = new Random(9)
    def id(i: Int) = new NodeId(i.toLong << 60, 0)
    for (_ <- 0 until 300) {
      def set() = Seq.fill(r.nextInt(5)) { val a = r.nextInt(16); val b = a + r.nextInt(16 - a); (a, b) }
      val (x, y) = (set(), set())
      def in(s: Seq[(Int, Int)], i: Int) = s.exists { case (a, b) => a <= i && i <= b }
      def ranges(s: Seq[(Int, Int)]) = KeyRanges.union(s.map { case (a, b) => new KeyRange(id(a), id(b)) }.asJava)
      val both = ranges(x).intersect(ranges(y))
      val shared = KeyRanges.shared(x.map { case (a, b) => new KeyRange(id(a), id(b)) }.asJava)
      assert(shared == KeyRanges.union(shared.ranges))
      for (i <- 0 until 16) {
        assert(ranges(x).contains(id(i).hi, id(i).lo) == in(x, i))
        assert(both.contains(id(i).hi, id(i).lo) == (in(x, i) && in(y, i)))
        assert(ranges(x).overlaps(new KeyRange(id(i), id(i))) == in(x, i))
        assert(shared.contains(id(i).hi, id(i).lo) == (x.count { case (a, b) => a <= i && i <= b } > 1))
      }
    }
    assert(new KeyRange(id(1), id(2)).overlaps(new KeyRange(id(2), id(3))))
    assert(KeyRanges.ALL.isAll && KeyRanges.NONE.isEmpty)
  }

  test("unsigned numbers in object names") {
    assert(Hex.h16(42) == "000000000000002a")
    assert(Hex.h16(-1) == "ffffffffffffffff")
    assert(Hex.parseH16("ffffffffffffffff").getAsLong == -1L)
    for (s <- Seq("2a", "00000000000000zz", "0000000000000002a", "")) assert(Hex.parseH16(s).isEmpty)
    assert(Lsn.newer(-1L, Long.MaxValue) && Lsn.max(-1L, 1L) == -1L && !Lsn.fitsSigned(-1L))
  }
}
