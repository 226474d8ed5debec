package com.namidb.spark.engine

import java.nio.file.Path

import scala.collection.mutable
import scala.util.Random

import com.namidb.format.engine.Engines
import com.namidb.spark.Place

/**
 * The engine and Spark write to one graph in turn, at random; a simple model says what must be there. Both are asked
 * at several points, and Spark for those points again at the end.
 */
class InterleavingSuite extends GraphSuite {
  override def conf: Map[String, String] = super.conf ++ tiny

  private val first: Int = sys.props.getOrElse("interleave.seed", "random") match {
    case "random" => 1 + new Random().nextInt(1000000)
    case s => s.toInt
  }
  private val count = sys.props.getOrElse("interleave.count", "50").toInt
  private val batch = 10

  for (engine <- Engines.versions if Engines.enabled) {
    // One in five with the older engine.
    val (from, until) = if (engine == Engines.versions.head) (first, first + count - count / 5) else (first + count - count / 5, first + count)
    for (a <- from until until by batch) {
      val b = math.min(a + batch, until)
      test(s"engine $engine and Spark in turn: sequences $a to ${b - 1} (-Dinterleave.seed=$a)") {
        com.namidb.format.store.TempDirs.withDir { dir =>
          val session = new EngineSession(engine, Place.of(dir))
          val overtaken = try (a until b).map(seed => sequence(session, dir, seed)).sum finally session.close()
          // Otherwise the engine never had to notice Spark's commits by itself.
          assert(b - a < batch || overtaken > 0)
        }
      }
    }
  }

  private def sequence(session: EngineSession, dir: Path, seed: Int): Int = {
    val rnd = new Random(seed)
    val operations = new Operations(rnd)
    val graph = new InterleavedGraph(spark, session, dir, s"i$seed")
    val steps = 10 + rnd.nextInt(6)
    val looks = Set(2 + rnd.nextInt(steps - 4), steps - 1)
    val done = mutable.ArrayBuffer.empty[String]
    val marks = mutable.LinkedHashMap.empty[Long, GraphModel]
    var model = GraphModel.empty
    try {
      for (i <- 0 until steps) {
        val step = operations.step(model)
        done += step.text
        step.run(graph)
        model = step.next(model)
        marks(graph.version) = model
        if (looks(i)) {
          graph.sparkShows(model, None, s"step $i")
          graph.engineShows(model, s"step $i")
        }
      }
      for ((v, m) <- rnd.shuffle(marks.toSeq).take(3)) graph.sparkShows(m, Some(v), s"version $v at the end")
    } catch {
      case e: Throwable => throw new AssertionError(s"seed $seed: ${e.getMessage}\n${done.zipWithIndex.map { case (s, i) => s"$i. $s" }.mkString("\n")}", e)
    }
    graph.overtaken
  }
}
