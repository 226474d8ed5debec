package com.namidb.spark.write.task;

import com.namidb.format.id.NodeId;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.EdgeCandidateWriter;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.StageTarget;
import java.util.ArrayList;
import java.util.List;

/** Edge candidates, both directions. The edges of one source stay in one file. */
final class EdgeSink implements CandidateSink {
  private static final byte[] EMPTY_OBJECT = {'{', '}'};
  private static final int LABEL_COUNT = 4;

  private final StageTarget target;
  private final WritePlan plan;
  private final List<CandidateFile> files = new ArrayList<>();
  private EdgeCandidateWriter writer;
  private NodeId last = NodeId.MIN;
  private long bytes;

  EdgeSink(StageTarget target, WritePlan plan) {
    this.target = target;
    this.plan = plan;
  }

  @Override
  public void accept(byte[] record, int at, int length) {
    NodeId src = NodeId.of(record, at);
    NodeId dst = NodeId.of(record, at + NodeId.BYTES);
    boolean full = writer != null && (writer.rows() >= MAX_ROWS || bytes >= plan.fileBytes());
    if (full && !src.equals(last)) {
      finish();
    }
    if (writer == null) {
      writer = EdgeCandidateWriter.open(target, plan.shape().scope(), plan.schema());
      bytes = 0;
    }
    last = src;
    long lsn = plan.plan().lsn();
    int json = length - LABEL_COUNT;
    if (plan.shape().deletes()) {
      writer.addTombstone(src, dst, lsn);
    } else if (json > 0) {
      writer.add(src, dst, lsn, record, at + RowSorter.HEAD + LABEL_COUNT, json);
    } else {
      writer.add(src, dst, lsn, EMPTY_OBJECT, 0, EMPTY_OBJECT.length);
    }
    bytes += length;
  }

  @Override
  public void finish() {
    if (writer != null) {
      files.addAll(writer.finish());
      writer.close();
      writer = null;
    }
  }

  @Override
  public List<CandidateFile> files() {
    return files;
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
      writer = null;
    }
  }
}
