package com.namidb.format.stage;

import com.namidb.format.manifest.JsonTree;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What must hold for the files of one write when they are published, perhaps days later and by
 * another driver. Source: protocol §2, §3; contract §6.
 *
 * @param operation what the user asked for, for the receipt: a write mode or a statement's name
 * @param rows what the write does with its rows
 * @param table what it writes to
 * @param ends whether both ends of its edges must exist, in the graph or in the job
 * @param incident what is with the edges of nodes it deletes
 * @param serializable whether any change of what it touches is a conflict, not only of its keys
 * @param retireSearch whether its nodes may be written beside vector and text indexes
 * @param readVersion version it was planned on, unsigned
 * @param readWriter writer id of that version, empty if it read none
 * @param expectedRows rows it must have, negative for any number
 * @param expectedChecksum digest of its keys, empty for any
 * @param derived what the ids of its edges' ends were derived from
 */
public record PartRules(
    String operation,
    Rows rows,
    Table table,
    boolean ends,
    Incident incident,
    boolean serializable,
    boolean retireSearch,
    long readVersion,
    String readWriter,
    long expectedRows,
    String expectedChecksum,
    DerivedEnds derived)
    implements Serializable {
  /** What a write does with its rows. */
  public enum Rows {
    /** New keys only. */
    INSERT,
    /** Whole records, whether there or not. */
    UPSERT,
    /** Records that exist, changed. */
    PATCH,
    /** Deletions. */
    DELETE,
    /** The whole content of the table; the rest of it goes. */
    OVERWRITE
  }

  /** What is with the edges of nodes that a write deletes. */
  public enum Incident {
    /** Nobody looks. */
    LEAVE,
    /** There must be none. */
    FAIL,
    /** They were found on the version read, and go too; any that came since is one too many. */
    DETACH
  }

  /**
   * Nodes or edges.
   *
   * @param label of the nodes, empty for any, or if it is one of edges
   * @param type of the edges, empty for nodes
   */
  public record Table(String label, String type) implements Serializable {
    /** Whether it is one of edges. */
    public boolean edges() {
      return !type.isEmpty();
    }
  }

  /** Nothing is checked. */
  public static final PartRules BLIND =
      new PartRules(
          "upsert",
          Rows.UPSERT,
          new Table("", ""),
          false,
          Incident.LEAVE,
          false,
          false,
          0,
          "",
          -1,
          "",
          DerivedEnds.NONE);

  /** Whether it was planned on this version. */
  public boolean read(long version, String writer) {
    return readVersion == version && readWriter.equals(writer);
  }

  Map<String, Object> toTree() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("operation", operation);
    out.put("rows", rows.name());
    out.put("label", table.label());
    out.put("type", table.type());
    out.put("ends", ends);
    out.put("incident", incident.name());
    out.put("serializable", serializable);
    out.put("retire_search", retireSearch);
    out.put("read_version", Long.toUnsignedString(readVersion));
    out.put("read_writer", readWriter);
    out.put("expected_rows", expectedRows);
    out.put("expected_checksum", expectedChecksum);
    if (!derived.equals(DerivedEnds.NONE)) {
      out.put("derived", derived.toTree());
    }
    return out;
  }

  static PartRules of(JsonTree tree) {
    try {
      Rows rows = Rows.valueOf(tree.text("rows"));
      return new PartRules(
          tree.has("operation") ? tree.text("operation") : rows.name().toLowerCase(Locale.ROOT),
          rows,
          new Table(tree.text("label"), tree.text("type")),
          tree.flag("ends"),
          Incident.valueOf(tree.text("incident")),
          tree.flag("serializable"),
          tree.flag("retire_search"),
          Long.parseUnsignedLong(tree.text("read_version")),
          tree.text("read_writer"),
          tree.number("expected_rows"),
          tree.text("expected_checksum"),
          tree.has("derived") ? DerivedEnds.of(tree.child("derived")) : DerivedEnds.NONE);
    } catch (IllegalArgumentException e) {
      throw tree.wrong("rows, incident or read_version");
    }
  }
}
