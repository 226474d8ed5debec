package com.namidb.spark.options;

import com.namidb.format.error.ReadErrors;
import com.namidb.format.manifest.Layout;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Location;
import com.namidb.format.snapshot.LocationParser;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.types.IdFormat;
import com.namidb.spark.types.OnMismatch;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Everything the path form of a read says. Holds secrets inside {@code location}, whose text form
 * hides them; never shipped to tasks as a whole.
 *
 * @param location where the namespace is
 * @param target which table
 * @param selector which version; of a read of changes the later one
 * @param changesFrom the earlier version of a read of changes, unsigned; empty for a plain read
 * @param reading how to read it
 */
public record ReadOptions(
    Location location,
    TableTarget target,
    SnapshotSelector selector,
    Optional<Long> changesFrom,
    Reading reading) {
  static final String URI = "uri";
  static final String PATH = "path";
  static final String NAMESPACE = "namespace";
  static final String ROOT = "root";
  static final String LAYOUT = "layout";
  static final String LABEL = "label";
  static final String TYPE = "type";
  static final String METADATA = "metadata";
  private static final String ALL = "*";
  private static final long SPLIT_BYTES = 128L << 20;

  /** Options of the place and of the store. */
  static final List<String> STORE =
      List.of(
          "s3.endpoint",
          "s3.region",
          "s3.path-style",
          "s3.allow-http",
          "s3.access-key-id",
          "s3.secret-access-key",
          "s3.session-token",
          "s3.credentials-provider",
          "s3.server-side-encryption",
          "s3.kms-key-id");

  // Without those of the store, which are many and which few readers need.
  private static final List<String> LISTED =
      List.of(
          URI,
          PATH,
          NAMESPACE,
          ROOT,
          LAYOUT,
          LABEL,
          TYPE,
          METADATA,
          VersionOptions.VERSION,
          VersionOptions.SNAPSHOT,
          VersionOptions.TIMESTAMP,
          VersionOptions.CHANGES_FROM,
          VersionOptions.CHANGES_TO,
          "id-format",
          "on-mismatch",
          "infer",
          "wal",
          "pin",
          "split-size",
          "combine-small",
          "vectorized",
          "pushdown");

  private static final List<String> KNOWN = all();

  private static List<String> all() {
    List<String> out = new ArrayList<>(LISTED);
    out.addAll(STORE);
    return out;
  }

  /** Every name a read may give. */
  static List<String> known() {
    return KNOWN;
  }

  /**
   * Reads the options of one load with the conf and the time zone of the active session.
   *
   * @throws com.namidb.format.error.InvalidOptionException as {@link #of}
   */
  public static ReadOptions inSession(Map<String, String> options) {
    SQLConf conf = SQLConf.get();
    ZoneId zone = ZoneId.of(conf.sessionLocalTimeZone(), ZoneId.SHORT_IDS);
    return of(options, SessionConf.lookup(), zone);
  }

  /**
   * Reads the options of one load. Table and version are taken from the read's own options only:
   * they belong to one read and not to a session.
   *
   * @param options options as the user spelled them, {@code path} from {@code load(…)} included
   * @param conf value of a Spark conf key, {@code null} if unset
   * @param zone the session's time zone
   * @throws com.namidb.format.error.InvalidOptionException for anything unknown, missing or
   *     contradictory
   */
  public static ReadOptions of(
      Map<String, String> options, UnaryOperator<String> conf, ZoneId zone) {
    if (options.containsKey("paths")) {
      throw ReadErrors.conflict("Several paths are given", "Load one namespace at a time.");
    }
    OptionReader reader = new OptionReader(options, conf, KNOWN, LISTED, "read");
    TableTarget target = target(reader);
    Optional<Long> changesFrom = VersionOptions.changesFrom(reader);
    if (changesFrom.isPresent() && target instanceof TableTarget.MetadataOf) {
      throw ReadErrors.conflict(
          "Changes of a metadata table are asked for", "Give 'label' or 'type' instead.");
    }
    SnapshotSelector selector =
        changesFrom.isPresent()
            ? VersionOptions.changesTo(reader)
            : VersionOptions.selector(reader, zone);
    return new ReadOptions(location(reader), target, selector, changesFrom, reading(reader));
  }

  /** Where the namespace is: the same options for reads and writes. */
  static Location location(OptionReader options) {
    Optional<String> uri = options.own(URI);
    Optional<String> path = options.own(PATH);
    if (uri.isPresent() && path.isPresent() && !uri.equals(path)) {
      throw ReadErrors.conflict(
          "The path given to load and option 'uri' differ", "Keep one of them.");
    }
    String place =
        uri.or(() -> path)
            .or(() -> options.text(URI))
            .orElseThrow(
                () ->
                    ReadErrors.missing(
                        "No place is given",
                        "Use .load(…) or .save(…) with file:///data/graphs?ns=social or"
                            + " s3://bucket/prefix?ns=social, or option 'uri'."));
    Map<String, String> store = new HashMap<>();
    for (String name : STORE) {
      options.text(name).ifPresent(v -> store.put(name, v));
    }
    Location location =
        LocationParser.parse(place, options.text(NAMESPACE), options.text(ROOT), store);
    return new Location(location.store(), location.paths(), layout(options));
  }

  /** The layout it must have and is created in, {@code null} to recognise it. */
  private static Layout layout(OptionReader options) {
    Map<String, Optional<Layout>> values = new HashMap<>();
    values.put("auto", Optional.empty());
    for (Layout layout : Layout.values()) {
      values.put(layout.text(), Optional.of(layout));
    }
    return options.choice(LAYOUT, values, Optional.<Layout>empty()).orElse(null);
  }

  private static TableTarget target(OptionReader options) {
    Optional<String> label = options.own(LABEL);
    Optional<String> type = options.own(TYPE);
    Optional<String> metadata = options.own(METADATA);
    long given = List.of(label, type, metadata).stream().filter(Optional::isPresent).count();
    if (given != 1) {
      throw ReadErrors.conflict(
          given == 0
              ? "No table is named: none of the options 'label', 'type', 'metadata' is given"
              : "More than one of the options 'label', 'type', 'metadata' is given",
          "Give exactly one; label=* is all nodes, type=* all edges.");
    }
    if (label.isPresent()) {
      return new TableTarget.NodesOf(named(LABEL, label.get()));
    }
    if (type.isPresent()) {
      return new TableTarget.EdgesOf(named(TYPE, type.get()));
    }
    return new TableTarget.MetadataOf(metadata.orElseThrow());
  }

  /** The option that names a table in the path form: what {@link #of} reads a target from. */
  public static Map<String, String> naming(TableTarget target) {
    if (target instanceof TableTarget.NodesOf nodes) {
      return Map.of(LABEL, nodes.label().orElse(ALL));
    }
    return target instanceof TableTarget.EdgesOf edges
        ? Map.of(TYPE, edges.type().orElse(ALL))
        : Map.of(METADATA, ((TableTarget.MetadataOf) target).name());
  }

  static Optional<String> named(String option, String value) {
    if (value.isEmpty()) {
      throw ReadErrors.badValue(option, value, "a name, or * for all");
    }
    return value.equals(ALL) ? Optional.empty() : Optional.of(value);
  }

  private static Reading reading(OptionReader options) {
    return new Reading(
        options.choice(
            "id-format", Map.of("text", IdFormat.TEXT, "binary", IdFormat.BINARY), IdFormat.TEXT),
        options.choice(
            "on-mismatch",
            Map.of("fail", OnMismatch.FAIL, "null", OnMismatch.NULL),
            OnMismatch.FAIL),
        options.choice("infer", Map.of("exact", false, "sample", true), false),
        options.choice(
            "wal",
            Map.of(
                "replay", WalPolicy.REPLAY,
                "ignore", WalPolicy.IGNORE,
                "require-empty", WalPolicy.REQUIRE_EMPTY),
            WalPolicy.REPLAY),
        options.choice("pin", Map.of("auto", true, "off", false), true),
        new ScanRequest.Sizing(
            options.bytes("split-size", SPLIT_BYTES), options.flag("combine-small", false)),
        options.flag("vectorized", true),
        options.flag("pushdown", true));
  }
}
