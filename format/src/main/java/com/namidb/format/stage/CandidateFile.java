package com.namidb.format.stage;

import com.namidb.format.id.Hex;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.JsonTree;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An uploaded, unpublished SST as its writer saw it.
 *
 * @param sst what its descriptor will say
 * @param digest of its keys; edges with the source first
 * @param xxh3 hash of the whole object
 * @param etag the store's tag of the object as uploaded
 * @param labels names of the label ids its rows use
 * @param partner id of the file of the other direction, {@code null} for nodes
 */
public record CandidateFile(
    NewSst sst, KeyDigest digest, long xxh3, String etag, Map<Integer, String> labels, UUID partner)
    implements Serializable {
  /** Copies into a form every serialiser can handle. */
  public CandidateFile {
    labels = new TreeMap<>(labels);
  }

  /** As a tree, for reports. */
  public Map<String, Object> toTree() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", sst.id().toString());
    out.put("kind", NewSst.kindText(sst.kind()));
    out.put("scope", sst.scope());
    out.put("path", sst.path());
    out.put("size_bytes", sst.sizeBytes());
    out.put("rows", sst.counts().rows());
    out.put("tombstones", sst.counts().tombstones());
    out.put("keys", sst.counts().keys());
    out.put("min_key", sst.keys().min().toString());
    out.put("max_key", sst.keys().max().toString());
    out.put("min_lsn", Long.toUnsignedString(sst.lsns().min()));
    out.put("max_lsn", Long.toUnsignedString(sst.lsns().max()));
    out.put("schema_version_min", Long.toUnsignedString(sst.schemaVersions().min()));
    out.put("schema_version_max", Long.toUnsignedString(sst.schemaVersions().max()));
    if (sst.degrees() != null) {
      Map<String, Object> degrees = new LinkedHashMap<>();
      degrees.put("counts", sst.degrees().counts());
      degrees.put("max", sst.degrees().max());
      degrees.put("sum", sst.degrees().sum());
      out.put("degrees", degrees);
    }
    out.put("digest", digest.toTree());
    out.put("xxh3", Hex.h16(xxh3));
    out.put("etag", etag);
    Map<String, String> names = new LinkedHashMap<>();
    labels.forEach((id, name) -> names.put(Integer.toString(id), name));
    out.put("labels", names);
    out.put("partner", partner == null ? null : partner.toString());
    return out;
  }

  /** Reads the tree back. */
  public static CandidateFile of(JsonTree tree) {
    return new CandidateFile(
        sst(tree),
        KeyDigest.of(tree.child("digest")),
        Hex.parseH16(tree.text("xxh3")).orElseThrow(() -> tree.wrong("xxh3")),
        tree.text("etag"),
        labels(tree),
        tree.has("partner") ? uuid(tree, "partner") : null);
  }

  private static NewSst sst(JsonTree tree) {
    SstKind kind =
        switch (tree.text("kind")) {
          case "Nodes" -> SstKind.NODES;
          case "EdgesFwd" -> SstKind.EDGES_FWD;
          case "EdgesInv" -> SstKind.EDGES_INV;
          default -> throw tree.wrong("kind");
        };
    NewSst.Degrees degrees = null;
    if (tree.has("degrees")) {
      JsonTree d = tree.child("degrees");
      List<Long> counts = d.numbers("counts");
      degrees = new NewSst.Degrees(counts, d.number("max"), d.number("sum"));
    }
    try {
      return new NewSst(
          uuid(tree, "id"),
          kind,
          tree.text("scope"),
          tree.text("path"),
          tree.number("size_bytes"),
          new SstDescriptor.Counts(
              tree.number("rows"), tree.number("tombstones"), tree.number("keys")),
          new KeyRange(NodeId.parse(tree.text("min_key")), NodeId.parse(tree.text("max_key"))),
          new SstDescriptor.LsnRange(unsigned(tree, "min_lsn"), unsigned(tree, "max_lsn")),
          new NewSst.SchemaVersions(
              unsigned(tree, "schema_version_min"), unsigned(tree, "schema_version_max")),
          degrees);
    } catch (IllegalArgumentException e) {
      throw tree.wrong("min_key");
    }
  }

  private static Map<Integer, String> labels(JsonTree tree) {
    Map<Integer, String> out = new TreeMap<>();
    for (Map.Entry<String, String> e : tree.textMap("labels").entrySet()) {
      try {
        out.put(Integer.parseInt(e.getKey()), e.getValue());
      } catch (NumberFormatException x) {
        throw tree.wrong("labels");
      }
    }
    return out;
  }

  private static UUID uuid(JsonTree tree, String name) {
    try {
      return UUID.fromString(tree.text(name));
    } catch (IllegalArgumentException e) {
      throw tree.wrong(name);
    }
  }

  private static long unsigned(JsonTree tree, String name) {
    try {
      return Long.parseUnsignedLong(tree.text(name));
    } catch (NumberFormatException e) {
      throw tree.wrong(name);
    }
  }
}
