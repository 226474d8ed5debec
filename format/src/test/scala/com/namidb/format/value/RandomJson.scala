package com.namidb.format.value

import scala.util.Random

/** Property objects as a hostile but mostly correct writer would put them. */
final private[value] class RandomJson(r: Random, duplicates: Boolean = true) {
  val Names: Seq[String] =
    Seq("a", "b", "name", "num", "score", "$date", "é", "with \"quotes\"", "a rather long property name", "", "back\\slash", "}")

  private def pick[T](s: Seq[T]): T = s(r.nextInt(s.size))

  private def space: String = if (r.nextInt(4) == 0) pick(Seq(" ", "\n", "\t ", "\r\n", "     ")) else ""

  /** Text of a string with random characters, escaped more often than needed. */
  def string(s: String): String = {
    val out = new StringBuilder("\"")
    s.foreach { c =>
      if (c == '"' || c == '\\' || c < ' ' || r.nextInt(20) == 0) {
        val short = "\"\\/\b\f\n\r\t".indexOf(c.toInt)
        if (short >= 0 && r.nextBoolean()) out += '\\' += "\"\\/bfnrt" (short)
        else out ++= (if (r.nextBoolean()) f"\\u${c.toInt}%04x" else f"\\u${c.toInt}%04X")
      } else out += c
    }
    out += '"'
    out.toString
  }

  def text: String = pick(
    Seq(
      r.alphanumeric.take(r.nextInt(30)).mkString,
      Seq.fill(r.nextInt(12))(pick(Seq("x", "é", "😀", "\u0000", "\"", "\\", "/", "\n", "\u007f", "\u2028", "漢", "}", ","))).mkString
    ))

  def number: String = pick(
    Seq(
      r.nextInt(2000).toString,
      r.nextLong().toString,
      "-0",
      "0",
      r.nextInt(100000).toString + "." + r.nextInt(1000),
      r.nextDouble().toString,
      r.nextGaussian().toString,
      java.lang.Double.longBitsToDouble(r.nextLong()).toString.replace("NaN", "1.5").replace("Infinity", "2.5"),
      (BigInt(2).pow(63) + r.nextInt(3) - 1).toString,
      (BigInt(2).pow(64) + r.nextInt(3) - 1).toString,
      (-BigInt(2).pow(63) + r.nextInt(3) - 1).toString,
      r.nextInt(100).toString + "e" + (r.nextInt(700) - 380),
      "1" + "0" * r.nextInt(330),
      "0." + "0" * r.nextInt(40) + r.nextInt(1000000) + "E+" + r.nextInt(20),
      r.nextInt(10).toString + "." + Seq.fill(r.nextInt(40) + 1)(r.nextInt(10)).mkString
    ))

  private def list(open: String, n: Int, close: String)(item: => String): String =
    Seq.fill(n)(space + item + space).mkString(open, ",", close).replace(open + close, open + space + close)

  private def small = if (r.nextInt(20) == 0) pick(Seq("256", "-129", "1.0", "null", "\"1\"")) else r.nextInt(128).toString

  def value(depth: Int): String = r.nextInt(if (depth > 3) 10 else 14) match {
    case 0 => pick(Seq("null", "true", "false"))
    case 1 | 2 | 3 => number
    case 4 | 5 => string(text)
    case 6 => list("[", r.nextInt(5), "]")(if (r.nextInt(40) == 0) "null" else number)
    case 7 => tagged("$date", pick(Seq(r.nextInt().toString, "0", if (r.nextInt(5) == 0) number else "-1")))
    case 8 => tagged("$datetime", pick(Seq(r.nextLong().toString, if (r.nextInt(5) == 0) number else "7")))
    case 9 => pick(Seq(tagged("$bytes", list("[", r.nextInt(5), "]")(small)), s"{$space}",
          tagged("$i8vec", s"[$space${number}$space,$space${list("[", r.nextInt(4), "]")(small)}$space]")))
    case 10 | 11 => tagged("$list", list("[", r.nextInt(4), "]")(value(depth + 1)))
    case 12 => tagged("$map", members(r.nextInt(4), depth + 1))
    case 13 => if (r.nextInt(20) == 0) s"""{"k":${value(depth + 1)}}""" else tagged("$list", "[]")
  }

  private def tagged(tag: String, content: String): String =
    s"{$space${if (r.nextInt(10) == 0) string(tag) else "\"" + tag + "\""}$space:$space$content$space}"

  private def members(n: Int, depth: Int): String = {
    val names = if (duplicates) Iterator.continually(pick(Names)) else r.shuffle(Names).iterator
    list("{", n, "}")(string(names.next()) + space + ":" + space + value(depth))
  }

  /** A property object. */
  def document: String = space + members(r.nextInt(6), 0) + space

  /** The same bytes with something broken, or not. */
  def mutate(bytes: Array[Byte]): Array[Byte] = {
    val b = bytes.clone
    r.nextInt(5) match {
      case 0 => b.take(r.nextInt(b.length + 1))
      case 1 => b.patch(r.nextInt(b.length + 1), Seq(pick("{}[]\",:\\0-1.e \u0001".map(_.toByte))), 0)
      case 2 if b.nonEmpty => b.patch(r.nextInt(b.length), Nil, 1)
      case 3 if b.nonEmpty =>
        b(r.nextInt(b.length)) = pick("{}[]\",:\\0-1.eE+ n\u0001u".map(_.toByte))
        b
      case _ if b.nonEmpty =>
        b(r.nextInt(b.length)) = r.nextInt(256).toByte
        b
      case _ => b
    }
  }
}
