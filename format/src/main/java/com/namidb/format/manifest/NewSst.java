package com.namidb.format.manifest;

import com.namidb.format.id.KeyRange;
import com.namidb.format.value.QuotedText;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * An SST to be listed at level 0, with every number its descriptor must get exactly right. It has
 * no sidecars. Source: manifest §8.1, §8.2.
 *
 * @param id fresh SST id; for edges also bound inside the file
 * @param kind nodes or one direction of edges
 * @param scope empty for nodes, the edge type for edges
 * @param path path relative to the namespace, of {@code [A-Za-z0-9._/-]} only
 * @param sizeBytes exact object size
 * @param counts rows, tombstones, keys
 * @param keys first and last key
 * @param lsns smallest and greatest LSN
 * @param schemaVersions bounds of the rows' schema versions; 0 for edges
 * @param degrees rows per key for edges, {@code null} for nodes
 */
public record NewSst(
    UUID id,
    SstKind kind,
    String scope,
    String path,
    long sizeBytes,
    SstDescriptor.Counts counts,
    KeyRange keys,
    SstDescriptor.LsnRange lsns,
    SchemaVersions schemaVersions,
    Degrees degrees)
    implements Serializable {

  /**
   * Bounds of {@code __schema_version}, unsigned.
   *
   * @param min smallest
   * @param max greatest
   */
  public record SchemaVersions(long min, long max) implements Serializable {
    /** What edge rows have. */
    public static final SchemaVersions NONE = new SchemaVersions(0, 0);
  }

  /**
   * Rows per key in powers of two.
   *
   * @param counts 64 numbers
   * @param max greatest degree
   * @param sum number of rows
   */
  public record Degrees(List<Long> counts, long max, long sum) implements Serializable {
    /** Copies into a form every serialiser can handle. */
    public Degrees {
      counts = new ArrayList<>(counts);
    }
  }

  /** The kind as the manifest spells it. */
  public static String kindText(SstKind kind) {
    return switch (kind) {
      case NODES -> "Nodes";
      case EDGES_FWD -> "EdgesFwd";
      case EDGES_INV -> "EdgesInv";
      case OTHER -> throw new IllegalStateException("search bodies are not ours to write");
    };
  }

  /** The descriptor's JSON text. */
  byte[] toJson(String createdAt) {
    Base64.Encoder base64 = Base64.getEncoder();
    StringBuilder out = new StringBuilder(1024);
    out.append("{\"id\":\"").append(id);
    out.append("\",\"kind\":\"").append(kindText(kind));
    out.append("\",\"scope\":").append(QuotedText.of(scope));
    out.append(",\"level\":0,\"path\":").append(QuotedText.of(path));
    out.append(",\"size_bytes\":").append(sizeBytes);
    out.append(",\"row_count\":").append(counts.rows());
    out.append(",\"created_at\":\"").append(createdAt);
    out.append("\",\"min_key\":\"").append(base64.encodeToString(keys.min().toBytes()));
    out.append("\",\"max_key\":\"").append(base64.encodeToString(keys.max().toBytes()));
    out.append("\",\"min_lsn\":").append(Long.toUnsignedString(lsns.min()));
    out.append(",\"max_lsn\":").append(Long.toUnsignedString(lsns.max()));
    out.append(",\"schema_version_min\":").append(Long.toUnsignedString(schemaVersions.min()));
    out.append(",\"schema_version_max\":").append(Long.toUnsignedString(schemaVersions.max()));
    out.append(",\"property_stats\":[],\"kind_specific\":");
    appendSpecific(out);
    out.append(",\"bloom\":null,\"unique_property_indices\":[],\"equality_property_indices\":[]");
    out.append(",\"label_index\":null,\"node_locator\":null,\"per_label_property_stats\":[]}");
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void appendSpecific(StringBuilder out) {
    if (kind == SstKind.NODES) {
      out.append("{\"kind\":\"Nodes\",\"tombstone_count\":").append(counts.tombstones());
      out.append('}');
      return;
    }
    Degrees d = degrees;
    out.append("{\"kind\":\"Edges\",\"key_count\":").append(counts.keys());
    out.append(",\"tombstone_count\":").append(counts.tombstones());
    out.append(",\"degree_histogram\":{\"counts\":[");
    for (int i = 0; i < d.counts.size(); i++) {
      out.append(i == 0 ? "" : ",").append((long) d.counts.get(i));
    }
    out.append("],\"max_degree\":").append(d.max);
    out.append(",\"sum_degree\":").append(d.sum).append("}}");
  }
}
