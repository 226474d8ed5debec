package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The members of an SST descriptor and everything below it. Source: manifest §2.5. */
final class DescriptorShapes {
  private static final int DEGREE_BUCKETS = 64;
  private static final Map<String, Class<?>> SCALARS =
      Map.ofEntries(
          Map.entry("Bool", Boolean.class),
          Map.entry("Int32", Long.class),
          Map.entry("Int64", Long.class),
          Map.entry("Float32", Double.class),
          Map.entry("Float64", Double.class),
          Map.entry("Utf8", String.class),
          Map.entry("LargeUtf8", String.class),
          Map.entry("Binary", List.class),
          Map.entry("Date32", Long.class),
          Map.entry("TimestampMicrosUtc", Long.class));
  private static final Map<String, List<String>> SPECIFIC =
      Map.of(
          "Nodes", List.of("tombstone_count"),
          "Edges", List.of("key_count", "tombstone_count", "degree_histogram"),
          "VectorGraph",
              List.of("dim", "metric", "point_count", "r", "l_build", "alpha", "entry_medoid"),
          "TextIndex", List.of("doc_count", "term_count", "total_len"));

  private static final ObjectShape SCALAR =
      new ObjectShape()
          .need("type", Shapes.oneOf(SCALARS.keySet().toArray(new String[0])))
          .need("value", DescriptorShapes::scalar);

  private static final Shape STAT_SCALAR = DescriptorShapes::bound;

  private static final ObjectShape STATS_OF_COLUMN =
      new ObjectShape()
          .need("name", Shapes.TEXT)
          .need("null_count", Shapes.U64)
          .option("min", STAT_SCALAR)
          .option("max", STAT_SCALAR)
          .option("ndv_estimate", Shapes.BYTES);

  private static final ObjectShape STATS_OF_LABEL =
      new ObjectShape()
          .need("label_id", Shapes.SMALL)
          .need("property", Shapes.TEXT)
          .need("null_count", Shapes.U64)
          .option("min", STAT_SCALAR)
          .option("max", STAT_SCALAR)
          .option("ndv_estimate", DistinctSketch::read);

  private static final ObjectShape HISTOGRAM =
      new ObjectShape()
          .need("counts", DescriptorShapes::degreeCounts)
          .need("max_degree", Shapes.U64)
          .need("sum_degree", Shapes.U64);

  private static final ObjectShape KIND_SPECIFIC =
      new ObjectShape()
          .need("kind", Shapes.oneOf(SPECIFIC.keySet().toArray(new String[0])))
          .maybe("tombstone_count", Shapes.COUNT)
          .maybe("key_count", Shapes.COUNT)
          .maybe("degree_histogram", HISTOGRAM)
          .maybe("dim", Shapes.U32)
          .maybe("metric", Shapes.TEXT)
          .maybe("point_count", Shapes.U64)
          .maybe("r", Shapes.U64)
          .maybe("l_build", Shapes.U64)
          .maybe("alpha", DescriptorShapes::present)
          .maybe("entry_medoid", Shapes.U32)
          .maybe("doc_count", Shapes.U64)
          .maybe("term_count", Shapes.U64)
          .maybe("total_len", Shapes.U64);

  private static final ObjectShape BLOOM =
      new ObjectShape()
          .need("path", Shapes.TEXT)
          .need("size_bytes", Shapes.U32)
          .need("key_count", Shapes.U64)
          .need("bits_per_key", Shapes.U32)
          .need("block_count", Shapes.U32)
          .need("xxhash3_64", Shapes.U64);

  private static final Shape INDEX_FORMAT = Shapes.oneOf("bincode_v0", "paged_v1");

  private static final ObjectShape PAGED =
      new ObjectShape().need("path", Shapes.TEXT).need("size_bytes", Shapes.U64);

  private static ObjectShape index() {
    return new ObjectShape()
        .need("path", Shapes.TEXT)
        .need("size_bytes", Shapes.U64)
        .maybe("format", INDEX_FORMAT)
        .option("paged", PAGED)
        .maybe("paged_build_unsupported", Shapes.BOOL);
  }

  private static final ObjectShape UNIQUE_INDEX =
      index().need("property", Shapes.TEXT).need("entry_count", Shapes.U64);

  private static final ObjectShape EQUALITY_INDEX =
      index()
          .need("property", Shapes.TEXT)
          .need("distinct_values", Shapes.U64)
          .maybe("key_encoding", Shapes.oneOf("string_v0", "scalar_v1"))
          .maybe("mixed_type_complete", Shapes.BOOL)
          .maybe("numeric_complete", Shapes.BOOL);

  private static final ObjectShape COMPOSITE_INDEX =
      index()
          .need("properties", Shapes.list(Shapes.TEXT))
          .need("distinct_values", Shapes.U64)
          .maybe("key_encoding", Shapes.oneOf("string_v0", "scalar_v1", "tuple_v1"))
          .maybe("mixed_type_complete", Shapes.BOOL);

  private static final ObjectShape LABEL_INDEX =
      new ObjectShape()
          .need("path", Shapes.TEXT)
          .need("size_bytes", Shapes.U64)
          .need("label_count", Shapes.U64)
          .need("posting_count", Shapes.U64)
          .maybe("format", INDEX_FORMAT)
          .maybe("per_label_counts", Shapes.list(DescriptorShapes::labelCount));

  private static final ObjectShape PROPERTY_PAGES =
      new ObjectShape()
          .need("id", Shapes.UUID)
          .need("parent_sst_id", Shapes.UUID)
          .need("path", Shapes.TEXT)
          .need("size_bytes", Shapes.U64)
          .need("format_version", Shapes.U32)
          .need("node_count", Shapes.U64)
          .need("cell_count", Shapes.U64)
          .need("property_count", Shapes.U32)
          .need("page_count", Shapes.U32)
          .need("content_xxh3", Shapes.U64);

  private static final ObjectShape NODE_LOCATOR =
      new ObjectShape()
          .need("path", Shapes.TEXT)
          .need("size_bytes", Shapes.U64)
          .need("entry_count", Shapes.U64)
          .option("property_pages", PROPERTY_PAGES);

  /** One element of {@code ssts}. */
  static final ObjectShape DESCRIPTOR =
      new ObjectShape()
          .need("id", Shapes.UUID)
          .need("kind", Shapes.oneOf("Nodes", "EdgesFwd", "EdgesInv", "VectorGraph", "TextIndex"))
          .need("scope", Shapes.TEXT)
          .need("level", Shapes.SMALL)
          .need("path", Shapes.TEXT)
          .need("size_bytes", Shapes.COUNT)
          .need("row_count", Shapes.COUNT)
          .need("created_at", Shapes.TIME)
          .need("min_key", Shapes.KEY)
          .need("max_key", Shapes.KEY)
          .need("min_lsn", Shapes.U64)
          .need("max_lsn", Shapes.U64)
          .need("schema_version_min", Shapes.U64)
          .need("schema_version_max", Shapes.U64)
          .maybe("property_stats", Shapes.checked(Shapes.list(STATS_OF_COLUMN)))
          .need("kind_specific", DescriptorShapes::kindSpecific)
          .option("bloom", BLOOM)
          .maybe("unique_property_indices", Shapes.checked(Shapes.list(UNIQUE_INDEX)))
          .maybe("equality_property_indices", Shapes.checked(Shapes.list(EQUALITY_INDEX)))
          .maybe("composite_equality_indices", Shapes.checked(Shapes.list(COMPOSITE_INDEX)))
          .option("label_index", LABEL_INDEX)
          .option("node_locator", Shapes.checked(NODE_LOCATOR))
          .maybe("per_label_property_stats", Shapes.list(STATS_OF_LABEL));

  private DescriptorShapes() {}

  private static Object kindSpecific(JsonCursor in) {
    Members m = KIND_SPECIFIC.read(in);
    for (String name : SPECIFIC.get(m.text("kind"))) {
      if (!m.has(name)) {
        throw in.damaged("lacks '" + name + "'");
      }
    }
    return m;
  }

  private static Object present(JsonCursor in) {
    Shapes.FLOAT.read(in);
    return true;
  }

  private static Object bound(JsonCursor in) {
    Members m = SCALAR.read(in);
    String type = m.text("type");
    Class<?> wanted = SCALARS.get(type);
    Object value = m.value("value");
    // An integer is a fine spelling of a float.
    if (wanted == Double.class && value instanceof Long n) {
      value = (double) n;
    }
    if (!wanted.isInstance(value)) {
      throw in.damaged("has a value that is no " + type);
    }
    return new PropertyStats.Bound(type, value);
  }

  private static Object scalar(JsonCursor in) {
    JsonToken t = in.token();
    if (t == JsonToken.START_ARRAY) {
      List<Integer> out = new ArrayList<>();
      while (in.next() != JsonToken.END_ARRAY) {
        out.add(Shapes.byteOf(in));
      }
      return out;
    }
    if (t == JsonToken.VALUE_TRUE || t == JsonToken.VALUE_FALSE) {
      return t == JsonToken.VALUE_TRUE;
    }
    if (t == JsonToken.VALUE_STRING) {
      return in.text();
    }
    if (t == JsonToken.VALUE_NUMBER_INT) {
      try {
        return Long.valueOf(in.text());
      } catch (NumberFormatException e) {
        // No 64-bit integer, but it may be a float.
        return Double.valueOf(in.text());
      }
    }
    if (t == JsonToken.VALUE_NUMBER_FLOAT) {
      return Double.valueOf(in.text());
    }
    throw in.damaged("is not a scalar");
  }

  private static Object degreeCounts(JsonCursor in) {
    in.expect(JsonToken.START_ARRAY, "an array");
    int n = 0;
    while (in.next() != JsonToken.END_ARRAY) {
      Shapes.U32.read(in);
      n++;
    }
    if (n != DEGREE_BUCKETS) {
      throw in.damaged("has " + n + " elements instead of " + DEGREE_BUCKETS);
    }
    return null;
  }

  private static Object labelCount(JsonCursor in) {
    in.expect(JsonToken.START_ARRAY, "a pair");
    in.next();
    int label = (Integer) Shapes.SMALL.read(in);
    in.next();
    long count = (Long) Shapes.COUNT.read(in);
    if (in.next() != JsonToken.END_ARRAY) {
      throw in.damaged("is not a pair");
    }
    return Map.entry(label, count);
  }

  /** A descriptor's id, for a tree read with {@link #DESCRIPTOR}. */
  static NodeId id(Members m, String name) {
    return (NodeId) m.value(name);
  }
}
