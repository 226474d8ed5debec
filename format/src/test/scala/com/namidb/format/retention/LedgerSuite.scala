package com.namidb.format.retention

import java.time.Instant
import java.util.UUID

import org.scalatest.funsuite.AnyFunSuite

import com.namidb.format.error.NamespaceNotFoundException
import com.namidb.format.manifest.{Layout, NamespacePaths}
import com.namidb.format.snapshot.{Location, Namespace, NamespaceRemoval, SnapshotSelector}
import com.namidb.format.store.memory.MemoryStore
import com.namidb.format.store.{MeteredStore, RequestCounts, StoreConfig}

/** What sweeping costs; docs/operations.md repeats it. */
class LedgerSuite extends AnyFunSuite {
  private def bill(s: Swept)(f: Sweeper => SweepPlan): (SweepPlan, RequestCounts) = {
    val m = new MeteredStore(s.inner)
    (f(s.sweeper(m)), m.snapshot)
  }

  for (n <- Seq(1, 100, 1000)) test(s"expire_snapshots of a history of $n versions") {
    val s = Swept()
    s.history(n - 1)
    s.clock.hours(100)
    val (dry, looked) = bill(s)(_.expire(20, SweepAge.STANDARD, true))
    val (plan, c) = bill(s)(_.expire(20, SweepAge.STANDARD, false))
    val expired = math.max(0, n - 20)
    val retained = math.min(n, 20)
    assert(plan.doomed == dry.doomed && c.deletes == plan.doomed.size)
    // Manifests (body and pointer of each, and the hint), leases twice, jobs, SSTs; no version names WAL.
    val pages = (2 * n + 1 + 999) / 1000
    val work = if (expired > 0) 1 else 0
    assert(c.lists == 1 + pages + 1 + work * (1 + 1))
    // Every version once, the current one only to resolve it; hint, floor twice, the body after the current one twice.
    assert(c.gets == 1 + 1 + 1 + 1 + work * (expired + retained - 1 + 1 + 1 + 1))
    assert(c.heads == 1 + 2 + work * 2 && c.puts == 1 + work)
    assert(looked.puts == 0 && looked.deletes == 0 && looked.total <= c.total)
    // Once more: no manifest is read but the current one.
    val (again, small) = bill(s)(_.expire(20, SweepAge.STANDARD, false))
    assert(again.doomed.isEmpty && small.deletes == 0)
    assert(small.lists == 3 && small.gets == 4 && small.heads == 3 && small.puts == 1, small)
    info(s"$c; nothing to do: $small")
  }

  for (n <- Seq(1, 100, 1000)) test(s"expire_snapshots of a history of $n versions, single object") {
    val s = Swept(layout = Layout.SINGLE_OBJECT)
    s.history(n - 1)
    s.clock.hours(100)
    val (dry, looked) = bill(s)(_.expire(20, SweepAge.STANDARD, true))
    val (plan, c) = bill(s)(_.expire(20, SweepAge.STANDARD, false))
    val (again, small) = bill(s)(_.expire(20, SweepAge.STANDARD, false))
    info(s"$c; nothing to do: $small")
    assert(plan.doomed == dry.doomed && c.deletes == plan.doomed.size && looked.puts == 0 && looked.deletes == 0)
    val expired = math.max(0, n - 20)
    val work = if (expired > 0) 1 else 0
    // Archives, leases twice, jobs, SSTs; the layout, the manifest, and every archive once; its floor is a commit of two PUTs.
    assert(c.lists == 3 + work * 2 && c.gets == 2 + work * (n - 1) && c.puts == 1 + work * 2 && c.heads == 4 + work * 2, c)
    // Once more: a version that may have only raised the floor is compared with the one before it.
    assert(again.doomed.isEmpty && small.deletes == 0 && small.puts == 1 && small.lists == 3)
    assert(small.gets == 2 + work && small.heads == 4, small)
  }

  test("remove_orphan_files and clean_staging read every version that stays, and every job's state") {
    val s = Swept()
    s.history(29)
    for (i <- 1 to 5) s.stage(s.named(s"job$i"))
    s.clock.hours(24 * 8)
    val (_, c) = bill(s)(_.removeOrphans(SweepAge.STANDARD, false))
    assert(c.lists == 4 && c.gets == 3 + 5 + 29 + 2 && c.puts == 1, c)
    val (plan, d) = bill(s)(_.cleanStaging(SweepAge.STANDARD, Sweeper.KEEP_PUBLISHED, false))
    assert(plan.doomed.size == 10 && d.lists == 2 && d.gets == 3 + 5 + 29 + 2 && d.puts == 1 + 5, d)
  }

  test("expire_snapshots reads the state of every job with a name, also if nothing expires") {
    val s = Swept()
    for (i <- 1 to 30) s.publish(s.stage(s.named(s"job$i")))
    s.clock.hours(100)
    val (plan, c) = bill(s)(_.expire(100, SweepAge.STANDARD, false))
    assert(plan.doomed.isEmpty && c.gets == 4 + 30 && c.heads == 3 && c.puts == 1 && c.lists == 3, c)
  }

  for (layout <- Layout.values; n <- Seq(1, 100)) test(s"$layout: making a graph, and dropping one of $n versions") {
    val m = new MeteredStore(new MemoryStore(new MovedClock, 1000))
    val location = new Location(new StoreConfig("memory", "made", java.util.Map.of()), new NamespacePaths("", "ns"), layout)
    val made = Namespace.open(location, m)
    intercept[NamespaceNotFoundException](made.snapshot(new SnapshotSelector.Latest))
    made.log.createIfAbsent(new UUID(1, 2), Instant.parse("2026-11-01T00:00:00Z"))
    val c = m.snapshot
    info(s"create: $c")
    assert((c.gets, c.heads, c.puts, c.lists) == (if (layout == Layout.VERSIONED) (5, 9, 3, 4) else (4, 6, 2, 1)), c)
    val s = Swept(layout = layout)
    s.history(n - 1)
    val d = new MeteredStore(s.inner)
    val objects = s.keys.size
    new NamespaceRemoval(s.open(d), s.clock).run()
    assert(s.keys.isEmpty)
    val gone = d.snapshot
    info(s"drop of $n versions, $objects objects: $gone")
    assert(gone.gets == 0 && gone.heads == 0 && gone.puts == 1 && gone.lists <= 13 && gone.deletes <= objects + 5, gone)
  }
}
