package com.namidb.format.manifest;

import com.namidb.format.manifest.ManifestCodec.Change;
import com.namidb.format.value.QuotedText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Version N to N+1. Can change only what a foreign writer may: version, writer, time, SSTs appended
 * at level 0, label names appended, the WAL list emptied, search generations retired. Everything
 * else stays byte for byte. Source: manifest §4.7 R1, R5.
 */
public final class ManifestEdit {
  private static final byte[] EMPTY = {'[', ']'};

  private final Manifest base;
  private final List<NewSst> added = new ArrayList<>();
  private final List<String> labels = new ArrayList<>();
  private boolean clearWal;
  private boolean retireSearch;
  private String jobId;
  private OptionalLong floor = OptionalLong.empty();

  private ManifestEdit(Manifest base) {
    this.base = base;
  }

  /** Starts with nothing changed. */
  public static ManifestEdit of(Manifest base) {
    return new ManifestEdit(base);
  }

  /** The first version of a new namespace. Source: manifest §4.1. */
  public static Manifest first(UUID writer, Instant now, String object) {
    String text =
        "{\"version\":0,\"epoch\":0,\"writer_id\":\""
            + writer
            + "\",\"created_at\":\""
            + time(now)
            + "\",\"schema\":{\"version\":0,\"labels\":{},\"edge_types\":{},\"constraints\":[]},"
            + "\"ssts\":[],\"wal_segments\":[],\"label_dict\":[],\"vector_indexes\":[],"
            + "\"text_indexes\":[],\"search_index_builds\":[],\"search_lsm\":[]}";
    return ManifestJson.versioned().read(object, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The first version of a new namespace in the single-object layout; its schema declares nothing.
   *
   * @param schemas what later versions find their schemas with
   */
  public static Manifest firstSingleObject(
      UUID writer, Instant now, String object, SchemaSource schemas) {
    return SingleObjectJson.first(writer, time(now), object, schemas);
  }

  /** Lists SSTs after those there are. */
  public ManifestEdit add(List<NewSst> ssts) {
    added.addAll(ssts);
    return this;
  }

  /** Appends the names the base lacks. */
  public ManifestEdit labels(List<String> names) {
    labels.addAll(names);
    return this;
  }

  /** Lists no WAL segment any more: the added SSTs hold their rows (R3). */
  public ManifestEdit clearWal() {
    clearWal = true;
    return this;
  }

  /** Takes every search generation and what belongs to it out (R5). */
  public ManifestEdit retireSearch() {
    retireSearch = true;
    return this;
  }

  /** Names the job that commits it, in the layout that records it. */
  public ManifestEdit job(String id) {
    jobId = id;
    return this;
  }

  /**
   * Raises the version floor, in the layout that keeps it in the manifest. A commit of its own:
   * what is at or below it may be deleted only afterwards.
   *
   * @param version newest version that may be gone from now on
   */
  public ManifestEdit floor(long version) {
    floor = OptionalLong.of(version);
    return this;
  }

  /**
   * The next version, checked with {@link ManifestCheck}.
   *
   * @param writer unique to this attempt
   * @param now commit time
   * @param object key of the body, for errors
   */
  public Manifest build(UUID writer, Instant now, String object) {
    Document document = base.document();
    SearchStates retired =
        retireSearch ? SearchStates.of(document) : new SearchStates(Set.of(), Set.of(), 0);
    Map<String, byte[]> values = new LinkedHashMap<>();
    values.put("version", utf8(Long.toUnsignedString(base.version() + 1)));
    values.put("writer_id", utf8("\"" + writer + "\""));
    values.put("created_at", utf8("\"" + time(now) + "\""));
    LabelDictionary dictionary = base.labels().extended(labels);
    if (dictionary.size() > base.labels().size()) {
      values.put("label_dict", names(dictionary));
    }
    if (clearWal && !base.walSegments().isEmpty()) {
      values.put("wal_segments", EMPTY);
    }
    if (!retired.isEmpty()) {
      values.put("search_index_builds", retired.buildsLeft(document));
      values.put("search_lsm", EMPTY);
    }
    floor.ifPresent(version -> values.put("floor", utf8(Long.toUnsignedString(version))));
    base.codec().stamp(base, new Change(added, retired.ssts(), time(now), jobId), values);
    Manifest next = base.codec().read(object, document.with(values));
    ManifestCheck.check(base, next, added);
    return next;
  }

  private static byte[] names(LabelDictionary dictionary) {
    StringBuilder out = new StringBuilder("[");
    for (String name : dictionary.names()) {
      out.append(out.length() == 1 ? "" : ",").append(QuotedText.of(name));
    }
    return utf8(out.append(']').toString());
  }

  private static String time(Instant now) {
    return DateTimeFormatter.ISO_INSTANT.format(now);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
