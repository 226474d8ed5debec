package com.namidb.format.stage;

import com.namidb.format.manifest.JsonTree;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of a job that were set aside. Contract §6.
 *
 * @param files where they are; a file that is not listed comes from an attempt that failed
 * @param reasons how many rows were set aside for what, details left out
 */
public record QuarantineReport(List<QuarantinedFile> files, Map<String, Long> reasons)
    implements Serializable {
  /** Of no row. */
  public static final QuarantineReport EMPTY = new QuarantineReport(List.of(), Map.of());

  /** Reasons kept apart; a reason names properties, so there are not many. */
  public static final int MAX_REASONS = 100;

  private static final String OTHER = "other reasons";

  /** Copies into a form every serialiser can handle. */
  public QuarantineReport {
    files = new ArrayList<>(files);
    reasons = new TreeMap<>(reasons);
  }

  /** How many rows were set aside. */
  public long rows() {
    return files.stream().mapToLong(QuarantinedFile::rows).sum();
  }

  /** Both together. */
  public QuarantineReport plus(QuarantineReport other) {
    QuarantineReport out = new QuarantineReport(files, reasons);
    out.files.addAll(other.files);
    other.reasons.forEach((reason, n) -> count(out.reasons, reason, n));
    return out;
  }

  /** Adds rows to the count of a reason. */
  public static void count(Map<String, Long> reasons, String reason, long rows) {
    boolean room = reasons.containsKey(reason) || reasons.size() < MAX_REASONS;
    reasons.merge(room ? reason : OTHER, rows, Long::sum);
  }

  /** The most frequent reasons with their counts, as one text. */
  public String top(int limit) {
    List<String> out = new ArrayList<>();
    reasons.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
        .limit(limit)
        .forEach(e -> out.add(e.getKey() + " (" + e.getValue() + ")"));
    if (reasons.size() > limit) {
      out.add("…");
    }
    return String.join("; ", out);
  }

  /** As a tree, for reports. */
  public Map<String, Object> toTree() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("rows", rows());
    List<Object> counts = new ArrayList<>();
    reasons.forEach((reason, n) -> counts.add(Map.of("reason", reason, "rows", n)));
    out.put("reasons", counts);
    List<Object> list = new ArrayList<>();
    for (QuarantinedFile f : files) {
      Map<String, Object> file = new LinkedHashMap<>();
      file.put("path", f.path());
      file.put("size_bytes", f.sizeBytes());
      file.put("rows", f.rows());
      list.add(file);
    }
    out.put("files", list);
    return out;
  }

  /** Reads the member {@code name} of a report back; reports of older releases have none. */
  public static QuarantineReport of(JsonTree report, String name) {
    if (!report.has(name)) {
      return EMPTY;
    }
    JsonTree tree = report.child(name);
    Map<String, Long> reasons = new TreeMap<>();
    for (JsonTree count : tree.children("reasons")) {
      reasons.put(count.text("reason"), count.number("rows"));
    }
    return new QuarantineReport(
        tree.children("files").stream()
            .map(f -> new QuarantinedFile(f.text("path"), f.number("size_bytes"), f.number("rows")))
            .toList(),
        reasons);
  }
}
