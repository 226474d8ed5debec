package com.namidb.format.commit;

import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import java.util.List;

/**
 * What publishing a job would commit if nothing else happened first: the difference between two
 * manifests, and the result of every check. Contract §6.
 *
 * @param job job id or stage
 * @param base version it would be committed on, unsigned
 * @param version version it would become, unsigned
 * @param files SSTs that would be added: kind, scope, rows, bytes and key range are in their
 *     descriptors
 * @param balance where the source rows went
 * @param walSegments WAL segments of the base whose rows would be written into SSTs
 * @param labels names the label dictionary would gain
 * @param retired search indexes that would be retired, by name
 * @param rewriteBytes bytes that must be written again before, 0 if the files can stay
 * @param checks every check and what it found
 */
public record PublishPreview(
    String job,
    long base,
    long version,
    List<CandidateFile> files,
    Balance balance,
    int walSegments,
    List<String> labels,
    List<String> retired,
    long rewriteBytes,
    List<Check> checks) {
  /** Copies. */
  public PublishPreview {
    files = List.copyOf(files);
    labels = List.copyOf(labels);
    retired = List.copyOf(retired);
    checks = List.copyOf(checks);
  }

  /** Whether nothing speaks against publishing; a check that could not run does not count. */
  public boolean passes() {
    return checks.stream().noneMatch(c -> c.outcome() == Outcome.BROKEN);
  }

  /** A line, and one for each check that does not pass. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    out.append("job ").append(job).append(", version ").append(Long.toUnsignedString(base));
    out.append(" -> ").append(Long.toUnsignedString(version)).append(": ").append(balance);
    out.append("; ").append(files.size()).append(" files, ");
    out.append(files.stream().mapToLong(f -> f.sst().sizeBytes()).sum()).append(" bytes; ");
    out.append(checks.stream().filter(c -> c.outcome() == Outcome.PASSED).count());
    out.append(" of ").append(checks.size()).append(" checks passed");
    for (Check c : checks) {
      if (c.outcome() != Outcome.PASSED) {
        out.append('\n').append(c.outcome()).append(' ').append(c.name());
        out.append(": ").append(String.join("; ", c.findings()));
      }
    }
    return out.toString();
  }

  /** The result of a check. */
  public enum Outcome {
    /** It holds. */
    PASSED,
    /** It does not; publishing would fail. */
    BROKEN,
    /** It cannot be looked at without writing. */
    NOT_RUN
  }

  /**
   * One check.
   *
   * @param name what must hold
   * @param outcome whether it does
   * @param findings what is wrong, each with its key, or why it was not run
   */
  public record Check(String name, Outcome outcome, List<String> findings) {
    /** Copies. */
    public Check {
      findings = List.copyOf(findings);
    }
  }
}
