package com.namidb.format.commit

import scala.jdk.CollectionConverters._

import com.namidb.format.log.CommitState
import com.namidb.format.manifest.Layout
import com.namidb.format.stage.JobPhase

/**
 * A place where a process that stages and publishes a named job can die. The places are counted up
 * from the code's own enumerations, so a new state or phase is a new place.
 */
sealed trait KillStep {
  /** Before the request, or after its effect and before its answer. */
  def after: Boolean
  def text: String
  override def toString: String = s"$text ${if (after) "after" else "before"}"
}

object KillStep {
  /** A step of publishing a version, before it begins, or after its first request. */
  case class AtState(state: CommitState, after: Boolean) extends KillStep {
    def text: String = s"state $state"
  }

  /** A change of the job's state object. */
  case class AtPhase(phase: JobPhase, after: Boolean) extends KillStep {
    def text: String = s"phase $phase"
  }

  /** The n-th write below the job's folder whose name fits. */
  case class AtWrite(kind: String, n: Int, after: Boolean) extends KillStep {
    def text: String = s"write $kind $n"

    def fits(name: String): Boolean = kind match {
      case "upload" => name.endsWith(".parquet") || name.endsWith(".csr")
      case "part" => name.startsWith("part-")
      case "state" => name == "state.json"
      case "receipt" => name == "receipt.json"
    }
  }

  /** States that ask nothing of the store: with a fresh base, and at the end. */
  private val quiet = Set(CommitState.CHECK_AGE, CommitState.DONE)

  /** Candidates, parts and listings of them; states and phases have places of their own. */
  private val writes = Seq("upload" -> (1 to 3), "part" -> (1 to 2), "state" -> (2 to 4), "receipt" -> (1 to 1))

  private def states(layout: Layout): Seq[KillStep] =
    CommitState.of(layout).asScala.toSeq.flatMap(s => AtState(s, after = false) +: (if (quiet(s)) Nil else Seq(AtState(s, after = true))))

  /** Where the layouts differ, and the changes of the job's state around it. */
  val single: Seq[KillStep] =
    states(Layout.SINGLE_OBJECT) ++ (for (p <- Seq(JobPhase.PUBLISHING, JobPhase.PUBLISHED); a <- Seq(false, true)) yield AtPhase(p, a))

  val all: Seq[KillStep] = {
    val phases = for (p <- JobPhase.values.toSeq; a <- Seq(false, true)) yield AtPhase(p, a)
    val others = for ((kind, ns) <- writes; n <- ns; a <- Seq(false, true)) yield AtWrite(kind, n, a)
    states(Layout.VERSIONED) ++ phases ++ others
  }

  def of(text: String): KillStep = (all ++ single).find(_.toString == text).getOrElse(throw new IllegalArgumentException(text))
}
