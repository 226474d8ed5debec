package com.namidb.format.value

import java.nio.ByteBuffer
import java.nio.charset.{CharacterCodingException, CodingErrorAction, StandardCharsets}
import java.util.HexFormat

import scala.collection.mutable
import scala.jdk.CollectionConverters._

/**
 * A slow, obvious reading of values §1.3 and §1.4, to judge the fast readers by: the whole text is decoded to
 * characters first, then parsed by recursive descent.
 */
object ReferenceJson {
  /** Stands for a property whenever the text is no UTF-8. */
  val NotUtf8 = "\uFFFF"

  final private class Refused extends RuntimeException

  private def refuse(): Nothing = throw new Refused

  /** All members in order, or where the text is wrong: inside the value of this property, or elsewhere. */
  def parse(bytes: Array[Byte]): Either[Option[String], Seq[(String, Value)]] = {
    val decoder = StandardCharsets.UTF_8.newDecoder
      .onMalformedInput(CodingErrorAction.REPORT)
      .onUnmappableCharacter(CodingErrorAction.REPORT)
    var p: Parser = null
    try {
      p = new Parser(decoder.decode(ByteBuffer.wrap(bytes)).toString)
      p.space()
      val members = p.members(1)
      p.space()
      if (!p.atEnd) refuse()
      Right(members)
    } catch {
      case _: Refused => Left(p.inside)
      // Nothing says where; such text is tried on purpose elsewhere.
      case _: CharacterCodingException => Left(Some(NotUtf8))
    }
  }

  def properties(bytes: Array[Byte]): Option[Seq[(String, Value)]] = parse(bytes).toOption

  final private class Parser(s: String) {
    private var i = 0

    /** Property whose value is being read. */
    var inside: Option[String] = None

    def atEnd: Boolean = i == s.length
    private def peek: Char = if (atEnd) '\u0000' else s.charAt(i)
    private def take(): Char = { if (atEnd) refuse(); i += 1; s.charAt(i - 1) }
    private def expect(c: Char): Unit = if (take() != c) refuse()
    def space(): Unit = while (!atEnd && " \n\r\t".indexOf(peek.toInt) >= 0) i += 1

    private def deeper(depth: Int): Unit = if (depth > 127) refuse()

    /** Comma-separated things between brackets, the opening one still ahead. */
    private def sequence[T](open: Char, close: Char)(element: => T): Seq[T] = {
      expect(open)
      val out = mutable.ArrayBuffer.empty[T]
      space()
      if (peek == close) i += 1
      else {
        var more = true
        while (more) {
          space()
          out += element
          space()
          take() match {
            case ','            =>
            case c if c == close => more = false
            case _              => refuse()
          }
        }
      }
      out.toSeq
    }

    def members(depth: Int): Seq[(String, Value)] = {
      deeper(depth)
      sequence('{', '}') {
        val name = string()
        space()
        expect(':')
        space()
        if (depth == 1) inside = Some(name)
        val v = value(depth)
        // What runs on, like 1.2.3, is wrong as one piece.
        if (depth == 1 && !peek.toString.matches("[-+.a-zE0-9]")) inside = None
        name -> v
      }
    }

    private def string(): String = {
      expect('"')
      val out = new StringBuilder
      var c = take()
      while (c != '"') {
        if (c < ' ') refuse()
        if (c == '\\') take() match {
          case 'b' => out += '\b'
          case 'f' => out += '\f'
          case 'n' => out += '\n'
          case 'r' => out += '\r'
          case 't' => out += '\t'
          case 'u' => out += hex()
          case e if "\"\\/".indexOf(e.toInt) >= 0 => out += e
          case _ => refuse()
        }
        else out += c
        c = take()
      }
      // The text was valid, so any lone half comes from an escape, except two escapes that form a pair.
      val text = out.toString
      var k = 0
      while (k < text.length) {
        if (Character.isHighSurrogate(text(k)) && k + 1 < text.length && Character.isLowSurrogate(text(k + 1))) k += 2
        else if (Character.isSurrogate(text(k))) refuse()
        else k += 1
      }
      text
    }

    private def hex(): Char = {
      val digits = Seq.fill(4)(take()).mkString
      if (!digits.matches("[0-9a-fA-F]{4}")) refuse()
      Integer.parseInt(digits, 16).toChar
    }

    private def word(w: String, v: Value): Value = {
      w.foreach(expect)
      v
    }

    /** The number's text and whether it is written as an integer. */
    private def number(): String = {
      val m = "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?".r.findPrefixOf(s.substring(i, math.min(s.length, i + 2000)))
      val t = m.getOrElse(refuse())
      i += t.length
      t
    }

    private def double(t: String): Double = {
      val d = t.toDouble
      if (d.isInfinite) refuse()
      d
    }

    private def scalar(t: String): Value =
      if (t.exists(".eE".indexOf(_) >= 0) || t == "-0") new Value.Float64(double(t))
      else {
        val n = BigInt(t)
        if (n >= Long.MinValue && n < (BigInt(1) << 64)) new Value.Int64(n.toLong)
        else new Value.Float64(double(t))
      }

    private def integer(min: BigInt, max: BigInt): Long = {
      val t = number()
      if (!t.matches("-?[0-9]+") || t == "-0" || BigInt(t) < min || BigInt(t) > max) refuse()
      t.toLong
    }

    private def value(depth: Int): Value = peek match {
      case 'n' => word("null", new Value.Null)
      case 't' => word("true", new Value.Bool(true))
      case 'f' => word("false", new Value.Bool(false))
      case '"' => new Value.Str(string())
      case '[' =>
        deeper(depth + 1)
        new Value.Vector(sequence('[', ']')(Float.box(double(number()).toFloat)).asJava)
      case '{' =>
        deeper(depth + 1)
        tagged(depth + 1)
      case _ => scalar(number())
    }

    private def tagged(depth: Int): Value = {
      expect('{')
      space()
      if (peek == '}') {
        i += 1
        return new Value.Null
      }
      val tag = string()
      space()
      expect(':')
      space()
      val v: Value = tag match {
        case "$bytes" =>
          val octets = sequence('[', ']')(integer(0, 255).toByte).toArray
          new Value.Bytes(HexFormat.of().formatHex(octets))
        case "$i8vec" =>
          expect('[')
          space()
          val scale = double(number()).toFloat
          space()
          expect(',')
          space()
          val codes = sequence('[', ']')(Byte.box(integer(-128, 127).toByte))
          space()
          expect(']')
          new Value.Int8Vector(scale, codes.asJava)
        case "$date"     => new Value.Date(integer(Int.MinValue, Int.MaxValue).toInt)
        case "$datetime" => new Value.DateTime(integer(Long.MinValue, Long.MaxValue))
        case "$list" =>
          deeper(depth + 1)
          new Value.ListOf(sequence('[', ']')(value(depth + 1)).asJava)
        case "$map" =>
          val entries = new java.util.LinkedHashMap[String, Value]
          members(depth + 1).foreach { case (k, v) => entries.put(k, v) }
          new Value.MapOf(entries)
        case _ => refuse()
      }
      space()
      expect('}')
      v
    }
  }
}
