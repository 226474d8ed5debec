package com.namidb.format.stage;

import com.namidb.format.edge.DegreeHistogram;
import com.namidb.format.edge.EdgeSstSpec;
import com.namidb.format.edge.EdgeSstSummary;
import com.namidb.format.edge.EdgeSstWriter;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes the two candidates of one edge type from rows that ascend by source, then destination. The
 * rows of the inverse file are sorted inside, in bounded memory with runs on local disk. Both files
 * hold the same rows with the same LSNs (R6). Source: edge §3, §6.6.
 */
public final class EdgeCandidateWriter implements AutoCloseable {
  private final StageTarget target;
  private final EdgeSstSpec forward;
  private final EdgeSstSpec inverse;
  private final EdgeSstWriter writer;
  private final InverseSorter sorter;
  private final KeyDigest.Builder digest = new KeyDigest.Builder();

  private EdgeCandidateWriter(
      StageTarget target, EdgeSstSpec forward, EdgeSstSpec inverse, int sortBytes) {
    this.target = target;
    this.forward = forward;
    this.inverse = inverse;
    writer = EdgeSstWriter.open(forward, target.temp());
    sorter = new InverseSorter(target.temp(), sortBytes);
  }

  /**
   * Starts both files under fresh names.
   *
   * @param schema tells the end labels where the type is declared
   */
  public static EdgeCandidateWriter open(StageTarget target, String type, GraphSchema schema) {
    return open(target, type, schema, SortMemory.bytes());
  }

  static EdgeCandidateWriter open(
      StageTarget target, String type, GraphSchema schema, int sortBytes) {
    Optional<GraphSchema.EdgeTypeDef> def = Optional.ofNullable(schema.edgeTypes().get(type));
    Optional<String> src = def.map(GraphSchema.EdgeTypeDef::srcLabel);
    Optional<String> dst = def.map(GraphSchema.EdgeTypeDef::dstLabel);
    return new EdgeCandidateWriter(
        target,
        new EdgeSstSpec(UUID.randomUUID(), false, type, src, dst),
        new EdgeSstSpec(UUID.randomUUID(), true, type, src, dst),
        sortBytes);
  }

  /** Adds a live edge whose property object is a part of a buffer; {@code {}} for none. */
  public void add(NodeId src, NodeId dst, long lsn, byte[] json, int offset, int length) {
    writer.add(src, dst, lsn, json, offset, length);
    sorter.add(src, dst, lsn, json, offset, length);
    digest.add(src.hi(), src.lo(), dst.hi(), dst.lo());
  }

  /** Adds a deleted edge. */
  public void addTombstone(NodeId src, NodeId dst, long lsn) {
    writer.addTombstone(src, dst, lsn);
    sorter.addTombstone(src, dst, lsn);
    digest.add(src.hi(), src.lo(), dst.hi(), dst.lo());
  }

  /** Rows added so far. */
  public long rows() {
    return writer.rows();
  }

  /** Completes both files, forward first; at least one row was added. */
  public List<CandidateFile> finish() {
    List<CandidateFile> out = new ArrayList<>();
    out.add(write(writer, forward, "-edges-fwd.csr", inverse.id()));
    try (EdgeSstWriter sorted = EdgeSstWriter.open(inverse, target.temp())) {
      sorter.drain(sorted);
      out.add(write(sorted, inverse, "-edges-inv.csr", forward.id()));
    }
    return out;
  }

  private CandidateFile write(EdgeSstWriter from, EdgeSstSpec spec, String ending, UUID partner) {
    try (CandidateUpload upload = new CandidateUpload(target, spec.id(), ending)) {
      EdgeSstSummary s = from.writeTo(upload.upload());
      String etag = upload.finish(s.sizeBytes());
      DegreeHistogram d = s.degrees();
      List<Long> counts = new ArrayList<>();
      for (long n : d.counts()) {
        counts.add(n);
      }
      NewSst sst =
          new NewSst(
              spec.id(),
              spec.inverse() ? SstKind.EDGES_INV : SstKind.EDGES_FWD,
              spec.type(),
              upload.path,
              s.sizeBytes(),
              new SstDescriptor.Counts(s.rows(), s.tombstones(), d.keys()),
              s.keys(),
              new SstDescriptor.LsnRange(s.minLsn(), s.maxLsn()),
              NewSst.SchemaVersions.NONE,
              new NewSst.Degrees(counts, d.max(), d.sum()));
      return new CandidateFile(sst, digest.build(), s.xxh3(), etag, Map.of(), partner);
    }
  }

  /** Drops temporary files and what was not finished. */
  @Override
  public void close() {
    writer.close();
    sorter.close();
  }
}
