package com.namidb.spark.engine

import com.namidb.format.Canon
import com.namidb.format.Canon._

/** What a graph must hold: the simplest thing that can be right. */
case class GraphModel(nodes: Map[String, GraphModel.Record], edges: Map[GraphModel.Key, Map[String, Canon]]) {
  import GraphModel._

  def put(id: String, labels: Set[String], properties: Map[String, Canon]): GraphModel =
    copy(nodes = nodes + (id -> Record(labels, properties)))

  def change(id: String)(f: Record => Record): GraphModel = copy(nodes = nodes.updatedWith(id)(_.map(f)))

  /** Its edges stay, as dangling ones. */
  def bury(ids: Iterable[String]): GraphModel = copy(nodes = nodes -- ids)

  def detach(id: String): GraphModel = GraphModel(nodes - id, edges.filterNot { case (k, _) => k.src == id || k.dst == id })

  def tie(k: Key, properties: Map[String, Canon]): GraphModel = copy(edges = edges + (k -> properties))

  def cut(ks: Iterable[Key]): GraphModel = copy(edges = edges -- ks)

  def isTied(id: String): Boolean = edges.keys.exists(k => k.src == id || k.dst == id)

  def nodeList: Seq[Node] = nodes.toSeq.map { case (id, r) => Node(id, r.labels.toSeq.sorted, r.properties, None) }

  def edgeList(tpe: String): Seq[Edge] =
    edges.toSeq.collect { case (k, p) if k.tpe == tpe => Edge(k.tpe, k.src, k.dst, p, None) }
}

object GraphModel {
  case class Record(labels: Set[String], properties: Map[String, Canon])
  case class Key(tpe: String, src: String, dst: String)

  val empty: GraphModel = GraphModel(Map.empty, Map.empty)
}
