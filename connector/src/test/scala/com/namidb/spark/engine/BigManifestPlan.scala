package com.namidb.spark.engine

import java.util.{EnumSet, Optional}

import com.namidb.format.id.KeyRanges
import com.namidb.format.manifest.NamespacePaths
import com.namidb.format.record.Column
import com.namidb.format.scan.{ScanPlanner, ScanRequest}
import com.namidb.format.snapshot.{Location, Namespace, SnapshotSelector, WalPolicy}
import com.namidb.format.store.StoreConfig
import com.namidb.format.store.open.StoreOpener

/** Opens and plans a namespace in a heap of its own and tells how long that took. */
object BigManifestPlan {
  def main(args: Array[String]): Unit = {
    val location = new Location(new StoreConfig("file", args(0), java.util.Map.of()), new NamespacePaths("", "ns"))
    val store = StoreOpener.open(location.store)
    val start = System.nanoTime()
    val s = Namespace.open(location, store).snapshot(new SnapshotSelector.Latest)
    val opened = System.nanoTime()
    val plan = ScanPlanner.plan(s, new ScanRequest(new ScanRequest.Nodes(Optional.empty()), KeyRanges.ALL, KeyRanges.ALL,
      EnumSet.of(Column.KEY, Column.PAYLOAD), WalPolicy.REPLAY, new ScanRequest.Sizing(128L << 20, false)), store)
    val planned = System.nanoTime()
    println(s"slices=${plan.slices.size} open=${(opened - start) / 1000000} plan=${(planned - opened) / 1000000} " +
      s"bytes=${s.manifest.sizeBytes}")
  }
}
