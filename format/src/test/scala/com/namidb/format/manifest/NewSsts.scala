package com.namidb.format.manifest

import java.util.UUID

import com.namidb.format.id.{KeyRange, NodeId}

/** Descriptors without files behind them. */
object NewSsts {
  def id(n: Long): UUID = new UUID(0x0198c0de00007000L, n)

  def nodes(n: Long, lsn: Long, rows: Long = 3): NewSst =
    new NewSst(id(n), SstKind.NODES, "", s"bulk/job/$n-nodes.parquet", 4711, new SstDescriptor.Counts(rows, 1, rows),
      new KeyRange(new NodeId(0, 1), new NodeId(-1, 3)), new SstDescriptor.LsnRange(lsn, lsn + 2),
      new NewSst.SchemaVersions(0, 1), null)

  def edges(n: Long, kind: SstKind, scope: String, lsn: Long): NewSst = {
    val counts = new java.util.ArrayList[java.lang.Long](java.util.Collections.nCopies(64, java.lang.Long.valueOf(0)))
    counts.set(1, 1L)
    new NewSst(id(n), kind, scope, s"bulk/job/$n-edges.csr", 1500, new SstDescriptor.Counts(2, 0, 1),
      new KeyRange(new NodeId(0, 1), new NodeId(0, 1)), new SstDescriptor.LsnRange(lsn, lsn),
      NewSst.SchemaVersions.NONE, new NewSst.Degrees(counts, 2, 2))
  }
}
