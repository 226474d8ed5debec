package com.namidb.format.id

import org.scalatest.funsuite.AnyFunSuite

import scala.util.Random

class IdSortSuite extends AnyFunSuite {
  private val seed = System.nanoTime
  private val random = new Random(seed)

  /** Records of 4 bytes before, a key of words taken from `pools`, and 3 bytes behind. */
  private def check(count: Int, pools: Seq[() => Long]): Unit = {
    val size = 4 + 8 * pools.size + 3
    val records = new Array[Byte](size * count)
    random.nextBytes(records)
    val positions = Array.tabulate(count + 5)(i => if (i < count) i * size + 4 else -7)
    for (p <- positions.take(count); (pool, w) <- pools.zipWithIndex) IdBytes.putLong(records, p + 8 * w, pool())
    def before(a: Int, b: Int) = java.util.Arrays.compareUnsigned(
      records, a, a + 8 * pools.size, records, b, b + 8 * pools.size)
    val shuffled = random.shuffle(positions.take(count).toSeq).toArray
    val expected = shuffled.sorted(Ordering.fromLessThan[Int]((a, b) => before(a, b) < 0)).toSeq // stable
    System.arraycopy(shuffled, 0, positions, 0, count)
    IdSort.sort(records, 8 * pools.size, positions, count)
    assert(positions.take(count).toSeq == expected, s"seed $seed, $count records")
    assert(positions.drop(count).forall(_ == -7), "positions behind the last one were touched")
  }

  private def any = () => random.nextLong()
  private def few(n: Int) = () => (random.nextInt(n).toLong << 61) ^ random.nextInt(n)
  private def same = () => -3L

  private val sizes = Seq(0, 1, 2, 3, 24, 25, 100, 1023, 1024, 1025, 20000)

  test("keys of any shape come in the order of their unsigned bytes, equal ones in the order given") {
    for (n <- sizes; shape <- Seq(Seq(any, any), Seq(any, any, any, any), Seq(few(2), any), Seq(same, any, few(3), any),
        Seq(same, few(5), same, few(2)), Seq(few(40), few(40), few(40), few(40)), Seq(same, same, same, same)))
      check(n, shape)
  }

  test("a hub: one source with many destinations among others") {
    var i = 0
    val hub = () => { i += 1; if (i % 3 == 0) random.nextLong() else 42L }
    check(30000, Seq(hub, same, any, any))
  }

  test("hyphenated ids from bytes are those from text, and anything else is left to the text") {
    def bytes(s: String) = IdText.parseHyphenated(s.getBytes("UTF-8"))
    for (_ <- 0 until 1000) {
      val id = new NodeId(random.nextLong(), random.nextLong())
      assert(bytes(id.toString) == id && bytes(id.toString.toUpperCase) == id, s"seed $seed")
    }
    val good = "0194f0a1-1234-7abc-8def-0123456789ab"
    for (i <- good.indices; c <- Seq('-', 'g', '/', ':', '@', '`', ' ', '\u0000', 'é') if c != good(i) && !(c == '-' && good(i) == '-'))
      assert(bytes(good.updated(i, c)) == null, good.updated(i, c))
    for (s <- Seq("", good.replace("-", ""), s"{$good}", s"urn:uuid:$good", good + "0")) assert(bytes(s) == null, s)
  }
}
