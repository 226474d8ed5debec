package com.namidb.spark.write.task;

import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.node.NodeRow;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.EdgeCandidateWriter;
import com.namidb.format.stage.NodeCandidateWriter;
import com.namidb.format.stage.StageTarget;
import java.util.ArrayList;
import java.util.List;

/** Writes delete files: candidates of nothing but tombstones, from ascending keys. */
public final class TombstoneFiles implements AutoCloseable {
  private final StageTarget target;
  private final String type;
  private final GraphSchema schema;
  private final long lsn;
  private final NodeRow row = new NodeRow();
  private final List<CandidateFile> files = new ArrayList<>();
  private NodeCandidateWriter nodes;
  private EdgeCandidateWriter edges;
  private long rows;

  /**
   * Prepares it; files are begun when there are rows.
   *
   * @param type edge type, {@code null} for nodes
   * @param lsn of every tombstone
   */
  public TombstoneFiles(StageTarget target, String type, GraphSchema schema, long lsn) {
    this.target = target;
    this.type = type;
    this.schema = schema;
    this.lsn = lsn;
  }

  /** Deletes a node, or the edge between both. */
  public void add(NodeId first, NodeId second) {
    if (rows == CandidateSink.MAX_ROWS) {
      complete();
    }
    rows++;
    if (type == null) {
      if (nodes == null) {
        nodes = NodeCandidateWriter.open(target, LabelDictionary.of(List.of()));
      }
      nodes.add(row.tombstone(first.hi(), first.lo(), lsn));
    } else {
      if (edges == null) {
        edges = EdgeCandidateWriter.open(target, type, schema);
      }
      edges.addTombstone(first, second, lsn);
    }
  }

  private void complete() {
    if (nodes != null) {
      files.add(nodes.finish());
    }
    if (edges != null) {
      files.addAll(edges.finish());
    }
    close();
    rows = 0;
  }

  /** Completes the last file. */
  public List<CandidateFile> finish() {
    complete();
    return files;
  }

  @Override
  public void close() {
    if (nodes != null) {
      nodes.close();
      nodes = null;
    }
    if (edges != null) {
      edges.close();
      edges = null;
    }
  }
}
