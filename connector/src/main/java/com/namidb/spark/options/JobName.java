package com.namidb.spark.options;

import com.namidb.format.error.WriteErrors;
import com.namidb.format.stage.StagedJob;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** By which name a write outlives its driver. Contract §6, protocol §2. */
public sealed interface JobName {
  /** Option that names a job. */
  String JOB_ID = "job-id";

  /** Option that names a stage. */
  String STAGE = "stage";

  /** By none: it is published at once or forgotten. */
  record None() implements JobName {}

  /**
   * A write of its own that takes effect once, however often it is run.
   *
   * @param id its name
   * @param binding target, mode and options that the name stands for
   */
  record Job(String id, String binding) implements JobName {}

  /**
   * One of several writes that are published together.
   *
   * @param name name of all of them
   */
  record Stage(String name) implements JobName {
    /** What the name of a stage stands for. */
    public static final String BINDING = StagedJob.STAGE;
  }

  /**
   * Options that say how a write is tried or proved, not what it means: a rerun may change them.
   */
  List<String> FREE =
      List.of(
          JOB_ID,
          "commit-retries",
          "file-size",
          "search-indexes",
          "expected-rows",
          "expected-key-checksum");

  /**
   * Reads the name.
   *
   * @param own names of all options that only writes have
   * @param overwrite whether the save mode is to replace the table
   * @throws com.namidb.format.error.InvalidOptionException if two are given, or what a stage cannot
   *     do
   */
  static JobName of(OptionReader options, List<String> own, boolean overwrite) {
    boolean job = options.own(JOB_ID).isPresent();
    boolean stage = options.own(STAGE).isPresent();
    if (!job && !stage) {
      return new None();
    }
    if (job && stage) {
      throw WriteErrors.badWrite(
          "Both options 'job-id' and 'stage' are given",
          "Writes that share a stage are published, and made idempotent, by its name: leave job-id"
              + " out.");
    }
    String name = job ? JOB_ID : STAGE;
    if (stage
        && options
            .own("on-dangling")
            .filter(v -> v.strip().equalsIgnoreCase("quarantine"))
            .isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'on-dangling=quarantine' is given together with 'stage': whether an end is"
              + " missing is known when the whole stage is published, and what others wrote may"
              + " rest on its rows",
          "Use on-dangling=fail or allow, or job-id instead of stage.");
    }
    String id = options.own(name).orElseThrow().strip();
    return job ? new Job(id, binding(options, own, overwrite)) : new Stage(id);
  }

  private static String binding(OptionReader options, List<String> own, boolean overwrite) {
    Map<String, String> out = new TreeMap<>();
    out.put("write-mode", overwrite ? "overwrite" : "insert");
    for (String name : own) {
      if (!FREE.contains(name)) {
        options.own(name).ifPresent(v -> out.put(name, v.strip()));
      }
    }
    // Chosen from a few words, so that case means nothing.
    out.computeIfPresent("write-mode", (k, v) -> v.toLowerCase(java.util.Locale.ROOT));
    for (String name : List.of(ReadOptions.LABEL, ReadOptions.TYPE)) {
      options.own(name).ifPresent(v -> out.put(name, v));
    }
    return out.toString();
  }
}
