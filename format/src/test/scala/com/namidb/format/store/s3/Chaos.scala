package com.namidb.format.store.s3

import scala.collection.mutable
import scala.util.Random

import com.namidb.format.store.s3.FaultProxy._

/**
 * Faults at random, of every kind a network or a server has, and how many of each there were.
 *
 * @param rate share of the requests that meet one
 * @param late whether requests may arrive when nobody waits for them any more
 */
final class Chaos(r: Random, rate: Double, late: Boolean) extends Chance {
  val met: mutable.Map[String, Int] = mutable.Map.empty[String, Int].withDefaultValue(0)
  private val held = mutable.ArrayBuffer.empty[Late]
  private var burst = 0
  private var over = false
  private var meanwhile: Option[(String, Int, Fault)] = None
  /** The request in whose middle something else happened last. */
  @volatile var interrupted: String = ""

  /** Something else happens at the so-many-th request of a pattern from now on. */
  def interleave(pattern: String, skip: Int, fault: Fault): Unit = synchronized { meanwhile = Some((pattern, skip, fault)) }

  def calm(): Unit = synchronized { meanwhile = None; burst = 0 }

  /** From here on everything works. */
  def end(): Unit = synchronized { calm(); over = true }

  override def next(request: String, conditional: Boolean): Option[Fault] = synchronized {
    meanwhile match {
      case Some((pattern, 0, fault)) if request.matches(pattern) =>
        meanwhile = None
        interrupted = request
        count("interleaved", fault)
      case other =>
        meanwhile = other.map { case (pattern, skip, fault) => (pattern, if (request.matches(pattern)) skip - 1 else skip, fault) }
        if (burst > 0) {
          burst -= 1
          server()
        } else if (!over && r.nextDouble() < rate) any(request, conditional)
        else None
    }
  }

  private def any(request: String, conditional: Boolean): Option[Fault] = r.nextInt(11) match {
    case 0 | 1 => count("request lost", LostRequest)
    case 2 | 3 => count("answer lost", LostReply)
    case 4 =>
      burst = r.nextInt(7)
      server()
    case 5 if !request.startsWith("HEAD") && r.nextInt(3) > 0 => count("reset in the body", CutBody(r.nextInt(2000)))
    case 5 | 6 if conditional => count("409", Answer(409, "ConditionalRequestConflict"))
    case 6 | 7 if !request.startsWith("GET") && !request.startsWith("HEAD") =>
      // The server is gone for a while, right after it did something.
      burst = 5 + r.nextInt(25)
      count("outage after an answer lost", LostReply)
    case 8 if conditional && late && r.nextBoolean() => count("late", keep(new Late))
    case 8 | 9 if conditional && late => count("late duplicate", Twice(keep(new Late)))
    case _ => server()
  }

  private def server(): Option[Fault] = {
    val (status, code) = if (r.nextBoolean()) (500, "InternalError") else (503, "SlowDown")
    if (r.nextInt(3) == 0) count(s"$status, done", DoneThenAnswer(status, code)) else count(status.toString, Answer(status, code))
  }

  private def keep(late: Late): Late = { held += late; late }

  private def count(kind: String, fault: Fault): Option[Fault] = {
    met(kind) += 1
    Some(fault)
  }

  /** What is under way arrives now, or never. */
  def arrive(): Unit = {
    val all = synchronized { val out = held.toSeq; held.clear(); out }
    for (l <- all; status <- l.release()) synchronized { met(s"arrived late: $status") += 1 }
  }
}
