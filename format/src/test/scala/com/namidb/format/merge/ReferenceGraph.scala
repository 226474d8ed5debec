package com.namidb.format.merge

import scala.collection.immutable.SortedMap

import com.namidb.format.id.NodeId

/** The slow, obvious merge: newest version per key over all sources; a source is a rank and its versions. */
object ReferenceGraph {
  type Key = (NodeId, Option[NodeId])

  implicit val keyOrder: Ordering[Key] = (a, b) => {
    val c = a._1.compareTo(b._1)
    if (c != 0 || a._2.isEmpty) c else a._2.get.compareTo(b._2.get)
  }

  /** Winners with the rank of their source, tombstones included, in key order. */
  def winners(sources: Seq[(Int, Seq[Version])]): Seq[(Version, Int)] =
    sources.foldLeft(SortedMap.empty[Key, (Version, Int)]) { case (all, (rank, versions)) =>
      versions.foldLeft(all) { (map, v) =>
        val key = (v.key, v.partner)
        val better = map.get(key).forall { case (old, oldRank) =>
          val c = java.lang.Long.compareUnsigned(v.lsn, old.lsn)
          c > 0 || (c == 0 && rank < oldRank)
        }
        if (better) map.updated(key, (v, rank)) else map
      }
    }.values.toSeq

  def live(sources: Seq[(Int, Seq[Version])]): Seq[Version] = winners(sources).map(_._1).filterNot(_.dead)
}
