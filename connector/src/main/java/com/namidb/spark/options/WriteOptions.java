package com.namidb.spark.options;

import com.namidb.format.commit.Isolation;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.snapshot.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Everything the options of a write say. Holds secrets inside {@code location}, whose text form
 * hides them; never shipped to tasks as a whole. Contract §6.
 *
 * @param location where the namespace is
 * @param target nodes or edges to write
 * @param mode what to do with the rows
 * @param keys where ids come from
 * @param values how values are stored
 * @param rules what must hold at the commit
 * @param quarantine which rows are set aside instead of failing the job
 */
public record WriteOptions(
    Location location,
    TableTarget target,
    WriteMode mode,
    KeyNames keys,
    ValueRules values,
    PublishRules rules,
    QuarantineRules quarantine) {
  private static final String MODE = "write-mode";
  private static final String KEY = "key";
  private static final String SRC_KEY = "src-key";
  private static final String DST_KEY = "dst-key";
  private static final String SRC_LABEL = "src-label";
  private static final String DST_LABEL = "dst-label";
  private static final String ON_INVALID = "on-invalid";
  private static final String ON_DANGLING = "on-dangling";
  private static final String ON_INCIDENT = "on-incident-edges";
  private static final String QUARANTINE = "quarantine";
  private static final String SEARCH = "search-indexes";
  private static final String EXPECTED_ROWS = "expected-rows";
  private static final String EXPECTED_CHECKSUM = "expected-key-checksum";
  private static final String ON_NULL = "on-null";
  private static final String DECIMALS = "decimals";
  private static final String NTZ = "timestamp-ntz";
  private static final String VECTORS = "vector-columns";

  /** Options of the contract that need what is not built yet. */
  private static final Map<String, String> LATER =
      Map.of(
          "job-id", "Write without it; a rerun of an upsert is idempotent by itself.",
          "stage", "Write each DataFrame in a commit of its own, nodes first.",
          "overwrite-multi-label", "Delete the nodes by id first.");

  private static final List<String> OWN =
      List.of(
          MODE,
          KEY,
          SRC_KEY,
          DST_KEY,
          SRC_LABEL,
          DST_LABEL,
          ON_INVALID,
          ON_DANGLING,
          ON_INCIDENT,
          SEARCH,
          EXPECTED_ROWS,
          EXPECTED_CHECKSUM,
          ON_NULL,
          DECIMALS,
          NTZ,
          VECTORS,
          "isolation",
          "commit-retries",
          "file-size");

  private static final List<String> KNOWN = known();

  private static List<String> known() {
    List<String> out = new ArrayList<>(OWN);
    out.addAll(LATER.keySet());
    out.addAll(
        List.of(
            ReadOptions.URI,
            ReadOptions.PATH,
            ReadOptions.NAMESPACE,
            ReadOptions.ROOT,
            ReadOptions.LABEL,
            ReadOptions.TYPE));
    out.addAll(ReadOptions.STORE);
    return out;
  }

  /** Whether some option is only known to writes. */
  public static boolean looksLikeWrite(Map<String, String> options) {
    return options.keySet().stream()
        .map(k -> k.toLowerCase(Locale.ROOT))
        .anyMatch(k -> OWN.contains(k) || LATER.containsKey(k));
  }

  /**
   * Reads the options of one write.
   *
   * @param options options as the user spelled them
   * @param conf value of a Spark conf key, {@code null} if unset
   * @throws com.namidb.format.error.InvalidOptionException for anything unknown, missing,
   *     contradictory or not built yet
   */
  public static WriteOptions of(Map<String, String> options, UnaryOperator<String> conf) {
    OptionReader reader = new OptionReader(options, conf, KNOWN, "write");
    for (Map.Entry<String, String> later : LATER.entrySet()) {
      if (reader.own(later.getKey()).isPresent()) {
        throw WriteErrors.unsupported("Option '" + later.getKey() + "'", later.getValue());
      }
    }
    TableTarget target = target(reader);
    WriteMode mode = mode(reader);
    return new WriteOptions(
        ReadOptions.location(reader),
        target,
        mode,
        keys(reader, target),
        values(reader),
        rules(reader, target, mode),
        quarantine(reader, target, mode));
  }

  private static TableTarget target(OptionReader options) {
    Optional<String> label = options.own(ReadOptions.LABEL);
    Optional<String> type = options.own(ReadOptions.TYPE);
    if (label.isPresent() == type.isPresent()) {
      throw ReadErrors.conflict(
          label.isPresent()
              ? "Both options 'label' and 'type' are given"
              : "Neither option 'label' nor option 'type' is given",
          "Give label for nodes (label=* takes the labels from column _labels), or type for"
              + " edges.");
    }
    if (label.isPresent()) {
      return new TableTarget.NodesOf(ReadOptions.named(ReadOptions.LABEL, label.get()));
    }
    Optional<String> one = ReadOptions.named(ReadOptions.TYPE, type.orElseThrow());
    if (one.isEmpty()) {
      throw WriteErrors.unsupported(
          "Writing edges of several types at once (type=*)", "Write one type at a time.");
    }
    return new TableTarget.EdgesOf(one);
  }

  private static WriteMode mode(OptionReader options) {
    if (options.own(MODE).filter(m -> m.strip().equalsIgnoreCase("patch")).isPresent()) {
      throw WriteErrors.unsupported(
          "write-mode=patch",
          "Read the records, change them in Spark and write them whole with write-mode=upsert.");
    }
    return options.ownChoice(
        MODE,
        Map.of("insert", WriteMode.INSERT, "upsert", WriteMode.UPSERT, "delete", WriteMode.DELETE),
        WriteMode.INSERT);
  }

  private static KeyNames keys(OptionReader options, TableTarget target) {
    boolean edges = target instanceof TableTarget.EdgesOf;
    List<String> node = options.names(KEY);
    List<String> src = options.names(SRC_KEY);
    List<String> dst = options.names(DST_KEY);
    Optional<String> srcLabel = options.own(SRC_LABEL);
    Optional<String> dstLabel = options.own(DST_LABEL);
    boolean ends = !src.isEmpty() || !dst.isEmpty() || srcLabel.isPresent() || dstLabel.isPresent();
    if (edges ? !node.isEmpty() : ends) {
      throw WriteErrors.badWrite(
          edges ? "Option 'key' is given for edges" : "Options of edges' ends are given for nodes",
          "Nodes take key; edges take src-key, dst-key, src-label, dst-label.");
    }
    if (src.isEmpty() == srcLabel.isPresent() || dst.isEmpty() == dstLabel.isPresent()) {
      throw WriteErrors.badWrite(
          "A key of an edge's end is given without its label, or the other way round",
          "Give src-key with src-label, and dst-key with dst-label.");
    }
    if (!node.isEmpty() && target instanceof TableTarget.NodesOf n && n.label().isEmpty()) {
      throw WriteErrors.badWrite(
          "Option 'key' is given without a label", "Derived ids depend on the label: name one.");
    }
    return new KeyNames(node, src, dst, srcLabel.orElse(null), dstLabel.orElse(null));
  }

  private static ValueRules values(OptionReader options) {
    return new ValueRules(
        options.ownChoice(ON_NULL, Map.of("omit", false, "store", true), false),
        options.ownChoice(
            DECIMALS,
            Map.of(
                "fail", ValueRules.Decimals.FAIL,
                "string", ValueRules.Decimals.STRING,
                "double", ValueRules.Decimals.DOUBLE),
            ValueRules.Decimals.FAIL),
        options.ownChoice(NTZ, Map.of("fail", false, "utc", true), false),
        options.names(VECTORS));
  }

  private static QuarantineRules quarantine(
      OptionReader options, TableTarget target, WriteMode mode) {
    Map<String, Boolean> values = Map.of("fail", false, QUARANTINE, true, "allow", false);
    boolean ends = target instanceof TableTarget.EdgesOf && mode != WriteMode.DELETE;
    return new QuarantineRules(
        options.ownChoice(ON_INVALID, Map.of("fail", false, QUARANTINE, true), false),
        ends && options.ownChoice(ON_DANGLING, values, false));
  }

  private static PublishRules rules(OptionReader options, TableTarget target, WriteMode mode) {
    boolean edges = target instanceof TableTarget.EdgesOf;
    notYet(options, ON_INCIDENT, "detach", "Delete the edges first, or use leave.");
    if (!edges && options.own(ON_DANGLING).isPresent()) {
      throw WriteErrors.badWrite("Option 'on-dangling' is given for nodes", "Leave it out.");
    }
    if ((edges || mode != WriteMode.DELETE) && options.own(ON_INCIDENT).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'on-incident-edges' is given for a write that deletes no nodes", "Leave it out.");
    }
    boolean ends =
        options.ownChoice(
            ON_DANGLING, Map.of("fail", true, QUARANTINE, true, "allow", false), true);
    boolean incident = options.ownChoice(ON_INCIDENT, Map.of("fail", true, "leave", false), true);
    return new PublishRules(
        ends && edges && mode != WriteMode.DELETE,
        incident && !edges && mode == WriteMode.DELETE,
        options.choice(
            "isolation",
            Map.of("serializable", Isolation.SERIALIZABLE, "snapshot", Isolation.SNAPSHOT),
            Isolation.SNAPSHOT),
        options.ownChoice(SEARCH, Map.of("refuse", false, "retire", true), false),
        (int) Math.min(options.number("commit-retries", 20), 10_000),
        options.own(EXPECTED_ROWS).isPresent() ? options.number(EXPECTED_ROWS, -1) : -1,
        options.own(EXPECTED_CHECKSUM).map(String::strip).orElse(""),
        options.bytes("file-size", 256L << 20));
  }

  private static void notYet(OptionReader options, String name, String value, String instead) {
    if (options.own(name).filter(v -> v.strip().equalsIgnoreCase(value)).isPresent()) {
      throw WriteErrors.unsupported(name + "=" + value, instead);
    }
  }
}
