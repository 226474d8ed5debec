package com.namidb.format.commit;

import com.namidb.format.manifest.JsonTree;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.store.ObjectStore;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Proof of a commit; stored beside the job as {@code receipt.json}. Contract §6.
 *
 * @param job job id
 * @param operation what the user asked for, such as {@code insert} or {@code merge}; of writes that
 *     differ all, with {@code +} between them; {@code load} if the receipt does not tell
 * @param base version committed on, unsigned
 * @param version version it became, unsigned
 * @param writer writer id of that version
 * @param committedMillis its {@code created_at}, since 1970 UTC
 * @param files the job's candidates
 * @param folded candidates that stand for WAL rows of the base
 * @param balance where the source rows went
 * @param attempts how often it was tried
 * @param warnings what failed without consequence
 * @param quarantine rows that were set aside
 */
public record CommitReceipt(
    String job,
    String operation,
    long base,
    long version,
    String writer,
    long committedMillis,
    List<CandidateFile> files,
    List<CandidateFile> folded,
    Balance balance,
    int attempts,
    List<String> warnings,
    QuarantineReport quarantine)
    implements Serializable {
  private static final String KIND = "Receipt";
  private static final String OPERATION = "operation";

  // Receipts of earlier releases do not tell.
  private static final String UNTOLD = "load";

  /** Copies into a form every serialiser can handle. */
  public CommitReceipt {
    files = new ArrayList<>(files);
    folded = new ArrayList<>(folded);
    warnings = new ArrayList<>(warnings);
  }

  /** The same with other warnings. */
  CommitReceipt with(List<String> more) {
    return new CommitReceipt(
        job,
        operation,
        base,
        version,
        writer,
        committedMillis,
        files,
        folded,
        balance,
        attempts,
        more,
        quarantine);
  }

  /** Digest of the keys of all nodes written. */
  public KeyDigest nodes() {
    return digest(SstKind.NODES);
  }

  /** Digest of the keys of all edges written. */
  public KeyDigest edges() {
    return digest(SstKind.EDGES_FWD);
  }

  /**
   * Tombstones of nodes written: the ids that were asked to be deleted, whether or not a node was
   * there, or those of nodes that an overwrite or a statement found.
   */
  public long deletedNodes() {
    return tombstones(SstKind.NODES);
  }

  /**
   * Tombstones of edges written, counted likewise; those detached from deleted nodes were all
   * there.
   */
  public long deletedEdges() {
    return tombstones(SstKind.EDGES_FWD);
  }

  private long tombstones(SstKind kind) {
    return files.stream()
        .filter(f -> f.sst().kind() == kind)
        .mapToLong(f -> f.sst().counts().tombstones())
        .sum();
  }

  private KeyDigest digest(SstKind kind) {
    return files.stream()
        .filter(f -> f.sst().kind() == kind)
        .map(CandidateFile::digest)
        .reduce(KeyDigest.EMPTY, KeyDigest::plus);
  }

  /** Bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(f -> f.sst().sizeBytes()).sum();
  }

  /** One line; the files' own numbers are in {@link #files} and in the JSON text. */
  @Override
  public String toString() {
    return "job "
        + job
        + ", version "
        + Long.toUnsignedString(base)
        + " -> "
        + Long.toUnsignedString(version)
        + ": "
        + balance
        + "; "
        + nodes().count()
        + " nodes ("
        + deletedNodes()
        + " deleted), "
        + edges().count()
        + " edges ("
        + deletedEdges()
        + " deleted), "
        + files.size()
        + " files, "
        + bytes()
        + " bytes"
        + (warnings.isEmpty() ? "" : "; warnings: " + String.join("; ", warnings));
  }

  /** The JSON text. */
  public byte[] toBytes() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("job_id", job);
    out.put(OPERATION, operation);
    out.put("snapshot_before", Long.toUnsignedString(base));
    out.put("snapshot_after", Long.toUnsignedString(version));
    out.put("writer_id", writer);
    out.put("committed_millis", committedMillis);
    out.put("source_rows", balance.source());
    out.put("accepted_rows", balance.accepted());
    out.put("quarantined_rows", balance.quarantined());
    out.put("node_rows", nodes().count());
    out.put("edge_rows", edges().count());
    out.put("deleted_nodes", deletedNodes());
    out.put("deleted_edges", deletedEdges());
    out.put("node_digest", nodes().text());
    out.put("edge_digest", edges().text());
    out.put("bytes", bytes());
    out.put("attempts", attempts);
    out.put("warnings", warnings);
    out.put("quarantine", quarantine.toTree());
    out.put("files", files.stream().map(CandidateFile::toTree).toList());
    out.put("folded", folded.stream().map(CandidateFile::toTree).toList());
    return JsonTree.write(out);
  }

  /**
   * The receipt of a job, empty if none is kept: one GET.
   *
   * @throws com.namidb.format.error.CorruptObjectException if it cannot be read
   */
  public static Optional<CommitReceipt> stored(
      ObjectStore store, NamespacePaths paths, String job) {
    String key = paths.receipt(job);
    return store.get(key).map(object -> parse(key, object.bytes()));
  }

  /**
   * Reads it back.
   *
   * @param object its key, for errors
   */
  public static CommitReceipt parse(String object, byte[] bytes) {
    JsonTree t = JsonTree.parse(KIND, object, bytes);
    try {
      return new CommitReceipt(
          t.text("job_id"),
          t.has(OPERATION) ? t.text(OPERATION) : UNTOLD,
          Long.parseUnsignedLong(t.text("snapshot_before")),
          Long.parseUnsignedLong(t.text("snapshot_after")),
          t.text("writer_id"),
          t.number("committed_millis"),
          t.children("files").stream().map(CandidateFile::of).toList(),
          t.children("folded").stream().map(CandidateFile::of).toList(),
          new Balance(
              t.number("source_rows"), t.number("accepted_rows"), t.number("quarantined_rows")),
          (int) t.number("attempts"),
          t.texts("warnings"),
          QuarantineReport.of(t, "quarantine"));
    } catch (NumberFormatException e) {
      throw t.wrong("snapshot_before");
    }
  }
}
