package com.namidb.spark.engine

import java.io.{BufferedReader, InputStreamReader, OutputStreamWriter, Writer}
import java.nio.file.Paths

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import com.namidb.format.engine.Engines
import com.namidb.format.Canon
import com.namidb.format.Canon._
import com.namidb.spark.Place
import org.scalatest.Assertions

/** A real engine in a process of its own that answers as long as it is asked: `tests/engine/session.py`. */
class EngineSession(val version: String, place: Place, environment: Map[String, String] = Map.empty) extends AutoCloseable with Assertions {
  private val process = {
    val b = new ProcessBuilder(Engines.python(version).toString, Paths.get(sys.props("engine.dir"), "session.py").toString, place.root)
    b.environment.putAll((place.environment ++ environment).asJava)
    b.redirectError(ProcessBuilder.Redirect.INHERIT).start()
  }
  private val to: Writer = new OutputStreamWriter(process.getOutputStream, "UTF-8")
  private val from = new BufferedReader(new InputStreamReader(process.getInputStream, "UTF-8"))

  def send(command: Map[String, Any]): Unit = {
    to.write(EngineSession.json(command) + "\n")
    to.flush()
  }

  def answer(): JsonNode = {
    val line = from.readLine()
    assert(line != null, "the engine's process ended")
    val n = Canon.mapper.readTree(line)
    assert(n.has("ok"), line)
    n.get("ok")
  }

  /** What the engine said against the last command. */
  def refusal(): String = {
    val n = Canon.mapper.readTree(from.readLine())
    assert(n.has("error"), n)
    n.get("error").textValue
  }

  def ask(command: (String, Any)*): JsonNode = {
    send(command.toMap)
    answer()
  }

  override def close(): Unit = {
    to.close()
    process.waitFor()
  }
}

object EngineSession {
  /** What JSON calls it; values as the goldens spell them. */
  private def json(v: Any): String = Canon.mapper.writeValueAsString(tree(v))

  private def tree(v: Any): Any = v match {
    case CNull => null
    case CBool(x) => Boolean.box(x)
    case CInt(x) => Long.box(x)
    case CFloat(x) => Double.box(x)
    case CStr(x) => x
    case CBytes(x) => java.util.Map.of("$bytes", x.map(b => f"$b%02x").mkString)
    case CDate(x) => java.util.Map.of("$date", x)
    case CDateTime(x) => java.util.Map.of("$datetime", x)
    case CSeq(x) => tree(x)
    case CMap(x) => java.util.Map.of("$map", tree(x))
    case m: Map[_, _] => val out = new java.util.LinkedHashMap[String, Any]; m.foreach { case (k, x) => out.put(k.toString, tree(x)) }; out
    case s: Iterable[_] => s.map(tree).toSeq.asJava
    case x => x
  }
}
