package com.namidb.spark.write.task;

import com.namidb.format.id.IdBytes;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.node.NodeRow;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.NodeCandidateWriter;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.StageTarget;
import java.util.ArrayList;
import java.util.List;

/** Node candidates. */
final class NodeSink implements CandidateSink {
  private static final long SCHEMA_VERSION = 1;

  private final StageTarget target;
  private final WritePlan plan;
  private final LabelDictionary labels;
  private final List<CandidateFile> files = new ArrayList<>();
  private final NodeRow row = new NodeRow();
  private NodeCandidateWriter writer;
  private long rows;
  private long bytes;

  NodeSink(StageTarget target, WritePlan plan, LabelDictionary labels) {
    this.target = target;
    this.plan = plan;
    this.labels = labels;
  }

  @Override
  public void accept(byte[] record, int at, int length) {
    if (writer != null && (rows >= MAX_ROWS || bytes >= plan.fileBytes())) {
      finish();
    }
    if (writer == null) {
      writer = NodeCandidateWriter.open(target, labels);
      rows = 0;
      bytes = 0;
    }
    long hi = IdBytes.longAt(record, at);
    long lo = IdBytes.longAt(record, at + 8);
    if (plan.shape().deletes()) {
      row.tombstone(hi, lo, plan.plan().lsn());
    } else {
      row.upsert(hi, lo, plan.plan().lsn(), SCHEMA_VERSION);
      int from = at + RowSorter.HEAD;
      int[] ids = new int[RowSorter.intAt(record, from)];
      from += 4;
      for (int i = 0; i < ids.length; i++) {
        ids[i] = RowSorter.intAt(record, from);
        from += 4;
      }
      row.labels(ids, ids.length);
      int json = at + RowSorter.HEAD + length - from;
      if (json > 0) {
        row.properties(record, from, json);
      }
    }
    writer.add(row);
    rows++;
    bytes += length;
  }

  @Override
  public void finish() {
    if (writer != null) {
      files.add(writer.finish());
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
