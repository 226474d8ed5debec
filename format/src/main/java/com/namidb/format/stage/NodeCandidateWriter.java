package com.namidb.format.stage;

import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.node.NodeRow;
import com.namidb.format.node.NodeSstSummary;
import com.namidb.format.node.NodeSstWriter;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Writes one node candidate from rows that ascend by id. Memory as {@link NodeSstWriter}. */
public final class NodeCandidateWriter implements AutoCloseable {
  private final CandidateUpload upload;
  private final NodeSstWriter writer;
  private final LabelDictionary labels;
  private final KeyDigest.Builder digest = new KeyDigest.Builder();
  private final BitSet used = new BitSet();

  private NodeCandidateWriter(CandidateUpload upload, LabelDictionary labels) {
    this.upload = upload;
    this.labels = labels;
    writer = NodeSstWriter.open(upload.upload()::write);
  }

  /**
   * Starts a file under a fresh name.
   *
   * @param labels names of the label ids that rows will use
   */
  public static NodeCandidateWriter open(StageTarget target, LabelDictionary labels) {
    return new NodeCandidateWriter(
        new CandidateUpload(target, UUID.randomUUID(), "-nodes.parquet"), labels);
  }

  /**
   * Adds a row; ids ascend strictly.
   *
   * @throws IllegalStateException if they do not, or a label id has no name
   */
  public void add(NodeRow row) {
    for (int i = 0; i < row.labelCount(); i++) {
      int label = row.labels()[i];
      if (!labels.knows(label)) {
        throw new IllegalStateException("label id " + label + " has no name");
      }
      used.set(label);
    }
    writer.add(row);
    digest.add(row.hi(), row.lo());
  }

  /** Completes the file; at least one row was added. */
  public CandidateFile finish() {
    NodeSstSummary s = writer.finish();
    String etag = upload.finish(s.sizeBytes());
    Map<Integer, String> names = new TreeMap<>();
    used.stream().forEach(id -> names.put(id, labels.name(id)));
    NewSst sst =
        new NewSst(
            upload.id,
            SstKind.NODES,
            "",
            upload.path,
            s.sizeBytes(),
            new SstDescriptor.Counts(s.rows(), s.tombstones(), s.rows()),
            s.keys(),
            new SstDescriptor.LsnRange(s.minLsn(), s.maxLsn()),
            new NewSst.SchemaVersions(s.minSchemaVersion(), s.maxSchemaVersion()),
            null);
    return new CandidateFile(sst, digest.build(), s.xxh3(), etag, names, null);
  }

  /** Drops what was not finished. */
  @Override
  public void close() {
    writer.close();
    upload.close();
  }
}
