package com.namidb.format.commit

import com.namidb.format.log.CommitState
import com.namidb.format.log.CommitState._
import com.namidb.format.manifest.{Layout, NamespacePaths}
import com.namidb.format.store.FaultyStore.Op
import com.namidb.format.store.ObjectStore

/** Where the two layouts differ, for suites that run on both. */
case class OnLayout(layout: Layout) {
  val single: Boolean = layout == Layout.SINGLE_OBJECT

  /** A namespace of this layout, just created by an opener that asked for it; others recognise it. */
  def fresh(store: ObjectStore, ns: String = "ns"): Graph = {
    Graph.created(store, ns, layout)
    Graph(store, ns)
  }

  /** The first request by which a version's place is taken. */
  val take: (Op, String) = if (single) (Op.PutIfMatch, ".*/manifest\\.json") else (Op.PutIfAbsent, ".*manifest/v.*")

  /** The request from which on a version is committed. */
  val commit: (Op, String) = if (single) take else (Op.PutIfAbsent, ".*pointer/p.*")

  /** Every write of a version. */
  val writes: Seq[String] =
    if (single) Seq(".*/manifests/.*", ".*/manifest\\.json") else Seq(".*manifest/v.*", ".*pointer/p.*", ".*current.json")

  /** What publishing a version on a warm base writes. */
  def puts(paths: NamespacePaths, version: Long): Seq[String] =
    (if (single) Seq(paths.archive(version - 1), paths.manifest) else Seq(paths.body(version), paths.pointer(version), paths.currentHint)).map("PUT " + _)

  /** The objects that a version may have. */
  def objects(paths: NamespacePaths, version: Long): Seq[String] =
    if (single) Seq(paths.archive(version)) else Seq(paths.body(version), paths.pointer(version))

  /** The objects that every history has. */
  def rest(paths: NamespacePaths): Set[String] =
    if (single) Set(paths.manifest, paths.schema(com.namidb.format.manifest.SchemaObject.EMPTY_ID)) else Set(paths.currentHint)

  /** What a publication on a version may leave that is not committed. */
  def early(paths: NamespacePaths, newest: Long): String = if (single) paths.archive(newest) else paths.body(newest + 1)

  /** What opening the newest version asks first. */
  def asks(paths: NamespacePaths, newest: Long): Set[String] =
    if (single) Set(s"HEAD ${paths.manifest}", s"GET ${paths.manifest}") else Set(s"HEAD ${paths.pointer(newest + 1)}")

  /** Steps of a smooth publication, and whether a process that dies there has committed. */
  val steps: Seq[(CommitState, Boolean)] =
    if (single) Seq(CHECK_AGE -> false, PUT_ARCHIVE -> false, REPLACE_MANIFEST -> false, DONE -> true)
    else Seq(CHECK_AGE -> false, PUT_BODY -> false, PUT_POINTER -> false, PUT_HINT -> true, DONE -> true)
}
