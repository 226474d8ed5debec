package com.namidb.spark.read

import scala.util.Random

import com.namidb.format.{Canon, Golden}
import com.namidb.format.error.NamiException
import com.namidb.spark.{Graph, Places, SparkSuite}
import org.scalatest.concurrent.{Signaler, ThreadSignaler, TimeLimitedTests}
import org.scalatest.time.{Minutes, Span}

class DamageSuite extends DamageTests(Places.Local)

/**
 * Objects damaged at random and read through Spark: a typed error or the right rows. Engine-made Parquet bodies and
 * manifest bodies carry no checksums; what is read from them may differ, but is of one piece.
 */
class DamageTests(override val places: Places) extends SparkSuite with TimeLimitedTests {
  override val timeLimit: Span = Span(3, Minutes)
  override val defaultTestSignaler: Signaler = ThreadSignaler

  private val seed = sys.props.get("damage.seed").map(_.toLong).getOrElse(System.nanoTime())
  private val cases = sys.props.getOrElse("damage.count", "60").toInt

  private def rows(g: Graph, vectorized: Boolean): Seq[String] = {
    def text(kind: String, table: String, columns: String*) = load(g, kind -> table, "vectorized" -> vectorized.toString)
      .selectExpr(s"concat_ws('|', ${columns.mkString(", ")}, string(_lsn), coalesce(_json, '-')) as row")
    text("label", "*", "'n'", "_id", "_labels").union(text("type", "*", "'e'", "_type", "_src", "_dst"))
      .collect().map(_.getString(0)).toSeq.sorted
  }

  /** What reading the newest version needs: what leads to it, its body, and the files the body lists. */
  private def objects(g: Graph): Seq[String] = {
    def manifest(relative: String) = g.key("manifest" + relative)
    val top = g.place.text(manifest(if (places.single) ".json" else "/current.json"))
    val newest = Canon.mapper.readTree(top).get("version").asLong
    val version = if (places.single) Seq(manifest(".json")) else Seq(f"/v$newest%016x.json", f"/pointer/p$newest%016x.json", "/current.json").map(manifest)
    val listed = g.place.text(version.head)
    val read = g.place.keys(g.key("")).filter { k =>
      val name = k.drop(g.key("").length)
      listed.contains(name) && (name.endsWith("nodes.parquet") || name.matches("sst/.*edges-fwd.*csr") || name.startsWith("wal/"))
    }
    read ++ version
  }

  private def damage(b: Array[Byte], r: Random): Array[Byte] = r.nextInt(4) match {
    case 0 => b.take(r.nextInt(b.length))
    case 1 =>
      val at = r.nextInt(b.length)
      for (i <- at until math.min(b.length, at + 1 + r.nextInt(12))) b(i) = r.nextInt().toByte
      b
    case _ =>
      val at = r.nextInt(b.length)
      b(at) = (b(at) ^ (1 << r.nextInt(8))).toByte
      b
  }

  test(s"$cases random damages (-Ddamage.seed=$seed)") {
    val r = new Random(seed)
    val goldens = Seq("wal-and-sst", "updates-and-deletes", "many-ssts").map(Golden(_))
    val right = goldens.map(g => g.name -> rows(places.copied(g), vectorized = true)).toMap
    var (refused, same, other) = (0, 0, 0)
    val start = System.nanoTime()
    for (round <- 0 until cases) {
      val g = goldens(r.nextInt(goldens.size))
      val h = places.copied(g)
      val all = objects(h)
      val p = all(r.nextInt(all.size))
      val name = p.drop(h.key("").length)
      val clue = s"seed $seed, round $round, ${g.name}, $name"
      h.place.put(p, damage(h.place.bytes(p), r))
      try {
        val got = rows(h, vectorized = r.nextBoolean())
        if (got == right(g.name)) same += 1
        else {
          assert(name.endsWith("nodes.parquet") || name.matches("manifest(/v.*)?[.]json"), clue)
          // Still a table: every key once.
          val keys = got.map(row => row.split("\\|").take(if (row.startsWith("e")) 4 else 2).toSeq)
          assert(keys.distinct == keys, clue)
          other += 1
        }
      } catch {
        case e: org.scalatest.exceptions.TestFailedException => throw e
        case e: Exception =>
          val chain = Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).toSeq
          assert(chain.exists(_.isInstanceOf[NamiException]), s"$clue: ${chain.mkString(" <- ")}")
          refused += 1
      }
    }
    info(s"refused $refused, right $same, other values $other, in ${(System.nanoTime() - start) / 1000000} ms")
    assert(refused > cases / 4)
  }
}
