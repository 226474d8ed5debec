package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.Lsn;
import com.namidb.format.id.NodeId;
import com.namidb.format.record.RecordBatch;
import java.io.IOException;

/**
 * Writes one id-primary node SST: V1 pages with checksums and a page index, zstd, the six columns
 * and nothing else. Source: node §2, §13. Memory: one row group, at most 131,072 rows or about 64
 * MiB of compressed properties. Property objects are taken as they are: whoever makes them keeps
 * the grammar and limits of values §1.
 */
public final class NodeSstWriter implements AutoCloseable {
  private static final int GROUP_ROWS = 131_072;
  private static final int PAGE_ROWS = 20_000;
  private static final long GROUP_BYTES = 64L << 20;
  private static final int LEVEL = 3;

  private final int groupRows;
  private final int pageRows;
  private final SinkOutputFile file;
  private final PageSink sink;
  private final IdPages ids;
  private final TombstonePages tombstones;
  private final LongPages lsns;
  private final LabelPages labels;
  private final JsonPages json;
  private final LongPages versions;
  private int inGroup;
  private long rows;
  private long deleted;
  private NodeId first;
  private long lastHi;
  private long lastLo;
  private long minLsn;
  private long maxLsn;
  private long minVersion;
  private long maxVersion;
  private boolean finished;

  private NodeSstWriter(ByteSink out, int groupRows, int pageRows) throws IOException {
    this.groupRows = groupRows;
    this.pageRows = pageRows;
    file = new SinkOutputFile(out);
    sink = new PageSink(file, LEVEL);
    ids = new IdPages(groupRows);
    tombstones = new TombstonePages(groupRows);
    lsns = new LongPages(groupRows);
    labels = new LabelPages(groupRows);
    json = new JsonPages(sink, 4, pageRows);
    versions = new LongPages(groupRows);
  }

  /**
   * Starts a file.
   *
   * @param out gets the bytes in order; its exceptions pass through
   */
  public static NodeSstWriter open(ByteSink out) {
    return open(out, GROUP_ROWS, PAGE_ROWS);
  }

  static NodeSstWriter open(ByteSink out, int groupRows, int pageRows) {
    try {
      return new NodeSstWriter(out, groupRows, pageRows);
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  /**
   * Adds a row; ids must ascend strictly, unsigned.
   *
   * @throws IllegalStateException if they do not, if label ids are not ascending and distinct, or
   *     if a tombstone carries labels or properties
   */
  public void add(NodeRow row) {
    check(row);
    if (rows == 0) {
      first = new NodeId(row.hi(), row.lo());
      minLsn = row.lsn();
      maxLsn = row.lsn();
      minVersion = row.schemaVersion();
      maxVersion = row.schemaVersion();
    }
    lastHi = row.hi();
    lastLo = row.lo();
    minLsn = Lsn.min(minLsn, row.lsn());
    maxLsn = Lsn.max(maxLsn, row.lsn());
    minVersion = Lsn.min(minVersion, row.schemaVersion());
    maxVersion = Lsn.max(maxVersion, row.schemaVersion());
    rows++;
    deleted += row.isTombstone() ? 1 : 0;
    ids.add(row.hi(), row.lo());
    tombstones.add(row.isTombstone());
    lsns.add(row.lsn());
    labels.add(row.labels(), row.labelCount());
    json.add(row);
    versions.add(row.schemaVersion());
    if (++inGroup == groupRows || json.held() >= GROUP_BYTES) {
      endGroup();
    }
  }

  private void check(NodeRow row) {
    if (finished) {
      throw new IllegalStateException("the file is finished");
    }
    if (rows > 0 && NodeId.compare(row.hi(), row.lo(), lastHi, lastLo) <= 0) {
      throw new IllegalStateException(
          "id " + new NodeId(row.hi(), row.lo()) + " follows " + new NodeId(lastHi, lastLo));
    }
    boolean content = row.labelCount() > 0 || row.jsonLength() != RecordBatch.NO_PAYLOAD;
    if (row.isTombstone() && content) {
      throw new IllegalStateException("a tombstone has labels or properties");
    }
    int[] l = row.labels();
    for (int i = 0; i < row.labelCount(); i++) {
      if (l[i] < 0 || (i > 0 && l[i - 1] >= l[i])) {
        throw new IllegalStateException("label ids are not ascending");
      }
    }
  }

  private void endGroup() {
    try {
      sink.startGroup(inGroup);
      ids.write(sink, 0, pageRows);
      tombstones.write(sink, 1, pageRows);
      lsns.write(sink, 2, pageRows);
      labels.write(sink, 3, pageRows);
      json.write();
      versions.write(sink, 5, pageRows);
      sink.endGroup();
      inGroup = 0;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  /**
   * Writes the rest and the footer; the sink then has the whole file.
   *
   * @throws IllegalStateException if there is no row: such an SST must not exist
   */
  public NodeSstSummary finish() {
    if (rows == 0 || finished) {
      throw new IllegalStateException(finished ? "finished twice" : "a node SST without rows");
    }
    finished = true;
    if (inGroup > 0) {
      endGroup();
    }
    try {
      sink.finish();
    } catch (IOException e) {
      throw inMemory(e);
    }
    long hash = file.xxh3();
    return new NodeSstSummary(
        rows,
        deleted,
        new KeyRange(first, new NodeId(lastHi, lastLo)),
        minLsn,
        maxLsn,
        minVersion,
        maxVersion,
        file.position(),
        hash);
  }

  /** The sink throws no {@link IOException}, so nothing below it can. */
  private static IllegalStateException inMemory(IOException e) {
    return new IllegalStateException("writing to memory failed", e);
  }

  /** Frees buffers; what was not finished stays unfinished. */
  @Override
  public void close() {
    sink.close();
  }
}
