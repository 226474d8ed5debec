package com.namidb.format.error;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Rules that staged rows may break: the words that tell of it, and what can be done. Findings
 * travel from tasks as text, so that a rule is recognised by its words. Contract §6, §10.
 */
public enum BrokenRule {
  /** An edge ends at no node. */
  NO_END(
      ", an end of an edge, does not exist",
      "Write the missing nodes first, or in one stage with the edges; or leave such edges out; or"
          + " choose on-dangling=allow, or without a stage on-dangling=quarantine, which sets them"
          + " aside."),
  /** A row to be inserted is there. */
  EXISTS(
      " exists already",
      "write-mode=upsert replaces rows that exist and write-mode=patch changes them (in SQL: MERGE"
          + " INTO); if an earlier run of this job wrote them, give it a job-id next time."),
  /** An edge came to a node after its edges were looked up. */
  EDGES_CAME(
      " still has edges: they came meanwhile",
      "Run the write again: it finds the new edges and detaches them, too."),
  /** A node is deleted, but not its edges. */
  EDGES_LEFT(
      " still has edges",
      "on-incident-edges=detach deletes such edges with their nodes, on-incident-edges=leave lets"
          + " them point to nowhere (in SQL: SET `spark.namidb.on-incident-edges`=detach)."),
  /** A node that an overwrite would take belongs to other tables, too. */
  OTHER_LABELS(
      " also carries the label ",
      "overwrite-multi-label=delete lets such nodes go with the table's others, or be replaced."),
  /** An overwrite would take a node from another table. */
  NOT_LABELLED(
      " exists without the label it would be written to",
      "An overwrite takes no nodes from other labels: give these rows other ids, or write them with"
          + " write-mode=upsert."),
  /** A record to be patched is not there. */
  NO_RECORD(
      " does not exist",
      "A patch changes what exists under the written label: write new records with insert or"
          + " upsert; label=* takes nodes of any label."),
  /** Two rows have one key. */
  TWICE(" is in the job twice", "Keep one row of each key."),
  /** The user expected something else. */
  UNEXPECTED(" but the job wrote ", "Check the input, or the expectation."),
  /** Rows got lost on the way. */
  LOST(
      "rows are missing or counted twice",
      "Write the job again, and report it if that happens twice.");

  private final String words;
  private final String remedy;

  BrokenRule(String words, String remedy) {
    this.words = words;
    this.remedy = remedy;
  }

  /**
   * Says that something breaks the rule.
   *
   * @param what e.g. {@code "node 018f…"}
   */
  public String by(String what) {
    return what + words;
  }

  /**
   * Which ids of an edge's ends were derived from what: most missing ends come from a wrong name
   * here.
   *
   * @param end {@code "source"} or {@code "destination"}
   * @param label label the ids were derived with
   * @param keys columns the ids were derived from
   * @param known all labels that nodes may have
   */
  public static String derived(
      String end, String label, List<String> keys, Collection<String> known) {
    String what =
        end
            + " ids are derived with label '"
            + label
            + "' from "
            + (keys.size() == 1 ? "column " : "columns ")
            + String.join(", ", keys);
    if (known.contains(label)) {
      return what;
    }
    List<String> near = NearestName.of(label, known);
    return what
        + ", but no node of this version has the label '"
        + label
        + "'"
        + (near.isEmpty() ? "" : "; did you mean '" + String.join("' or '", near) + "'?");
  }

  /** What can be done about findings: each remedy once, in their order. */
  static String remedies(List<String> findings) {
    Set<String> out = new LinkedHashSet<>();
    for (String finding : findings) {
      out.add(remedy(finding));
    }
    return String.join(" ", out);
  }

  private static String remedy(String finding) {
    for (BrokenRule rule : values()) {
      if (finding.contains(rule.words)) {
        return rule.remedy;
      }
    }
    return "Correct the rows and write them again.";
  }
}
