package com.namidb.spark.options;

import com.namidb.format.commit.Isolation;
import com.namidb.format.error.WriteErrors;
import java.util.Map;

/**
 * What must hold before a write becomes visible, and how it is tried.
 *
 * @param checkEnds whether both ends of edges must exist
 * @param checkIncident whether deleted nodes must have no edges
 * @param isolation which changes of others are conflicts
 * @param retireSearch whether nodes may be written beside vector and text indexes
 * @param retries further attempts after a lost race
 * @param expectedRows rows the job must write, negative for any number
 * @param expectedChecksum digest of the keys it must write, empty for any
 * @param fileBytes bytes of properties per file, before compression
 * @param removal what goes along with nodes that go
 */
public record PublishRules(
    boolean checkEnds,
    boolean checkIncident,
    Isolation isolation,
    boolean retireSearch,
    int retries,
    long expectedRows,
    String expectedChecksum,
    long fileBytes,
    Removal removal) {
  /**
   * Reads them.
   *
   * @throws com.namidb.format.error.InvalidOptionException for rules that such a write has no use
   *     for
   */
  static PublishRules of(OptionReader options, TableTarget target, WriteMode mode) {
    boolean edges = target instanceof TableTarget.EdgesOf;
    if (!edges && options.own(WriteNames.ON_DANGLING).isPresent()) {
      throw WriteErrors.badWrite("Option 'on-dangling' is given for nodes", "Leave it out.");
    }
    if (mode == WriteMode.PATCH && options.own(WriteNames.ON_DANGLING).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'on-dangling' is given for a patch, which adds no edges", "Leave it out.");
    }
    boolean ends =
        options.ownChoice(
            WriteNames.ON_DANGLING,
            Map.of("fail", true, WriteNames.QUARANTINE, true, "allow", false),
            true);
    boolean adds = mode != WriteMode.DELETE && mode != WriteMode.PATCH;
    boolean removes = !edges && (mode == WriteMode.DELETE || mode == WriteMode.OVERWRITE);
    String incident = incident(options, removes);
    return new PublishRules(
        ends && edges && adds,
        removes && incident.equals("fail"),
        isolation(options, mode.readsGraph() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT),
        options.ownChoice(WriteNames.SEARCH, Map.of("refuse", false, "retire", true), false),
        (int) Math.min(options.number("commit-retries", 20), 10_000),
        options.own(WriteNames.EXPECTED_ROWS).isPresent()
            ? options.number(WriteNames.EXPECTED_ROWS, -1)
            : -1,
        options.own(WriteNames.EXPECTED_CHECKSUM).map(String::strip).orElse(""),
        options.bytes("file-size", 256L << 20),
        new Removal(removes && incident.equals("detach"), multiLabel(options, target, mode)));
  }

  /**
   * Reads the isolation alone.
   *
   * @param otherwise where neither the options nor the session say
   */
  static Isolation isolation(OptionReader options, Isolation otherwise) {
    return options.choice(
        "isolation",
        Map.of("serializable", Isolation.SERIALIZABLE, "snapshot", Isolation.SNAPSHOT),
        otherwise);
  }

  private static String incident(OptionReader options, boolean removes) {
    if (!removes && options.own(WriteNames.ON_INCIDENT).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'on-incident-edges' is given for a write that deletes no nodes", "Leave it out.");
    }
    return options.ownChoice(
        WriteNames.ON_INCIDENT,
        Map.of("fail", "fail", "detach", "detach", "leave", "leave"),
        "fail");
  }

  private static boolean multiLabel(OptionReader options, TableTarget target, WriteMode mode) {
    boolean table = target instanceof TableTarget.NodesOf n && n.label().isPresent();
    if ((!table || mode != WriteMode.OVERWRITE)
        && options.own(WriteNames.MULTI_LABEL).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'overwrite-multi-label' is given for a write that replaces no label's nodes",
          "Use it with mode(\"overwrite\") and a label, or leave it out.");
    }
    return options.ownChoice(WriteNames.MULTI_LABEL, Map.of("fail", false, "delete", true), false);
  }

  /** The same with another isolation. */
  PublishRules under(Isolation other) {
    return new PublishRules(
        checkEnds,
        checkIncident,
        other,
        retireSearch,
        retries,
        expectedRows,
        expectedChecksum,
        fileBytes,
        removal);
  }

  /**
   * What goes along with nodes that go.
   *
   * @param detach whether their edges are deleted with them
   * @param multiLabel whether nodes go that are in other tables too
   */
  public record Removal(boolean detach, boolean multiLabel) {
    /** Nothing. */
    public static final Removal NONE = new Removal(false, false);
  }
}
