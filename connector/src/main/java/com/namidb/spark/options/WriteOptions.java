package com.namidb.spark.options;

import com.namidb.format.commit.Isolation;
import com.namidb.format.error.InvalidOptionException;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.snapshot.Location;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Everything the options of a write say. Holds secrets inside {@code location}, whose text form
 * hides them; never shipped to tasks as a whole. Contract §6.
 *
 * @param location where the namespace is
 * @param target nodes or edges to write
 * @param mode what to do with the rows
 * @param operation what the user calls it: the mode, or the statement
 * @param keys where ids come from
 * @param values how values are stored
 * @param rules what must hold at the commit
 * @param quarantine which rows are set aside instead of failing the job
 * @param job name that it outlives its driver by
 */
public record WriteOptions(
    Location location,
    TableTarget target,
    WriteMode mode,
    String operation,
    KeyNames keys,
    ValueRules values,
    PublishRules rules,
    QuarantineRules quarantine,
    JobName job) {
  private static final String MODE = "write-mode";
  private static final String KEY = "key";
  private static final String SRC_KEY = "src-key";
  private static final String DST_KEY = "dst-key";
  private static final String SRC_LABEL = "src-label";
  private static final String DST_LABEL = "dst-label";
  private static final String ON_INVALID = "on-invalid";
  private static final String ON_DANGLING = "on-dangling";
  private static final String ON_INCIDENT = "on-incident-edges";
  private static final String MULTI_LABEL = "overwrite-multi-label";
  private static final String QUARANTINE = "quarantine";
  private static final String SEARCH = "search-indexes";
  private static final String EXPECTED_ROWS = "expected-rows";
  private static final String EXPECTED_CHECKSUM = "expected-key-checksum";
  private static final String ON_NULL = "on-null";
  private static final String DECIMALS = "decimals";
  private static final String NTZ = "timestamp-ntz";
  private static final String VECTORS = "vector-columns";

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
          MULTI_LABEL,
          SEARCH,
          EXPECTED_ROWS,
          EXPECTED_CHECKSUM,
          ON_NULL,
          DECIMALS,
          NTZ,
          VECTORS,
          JobName.JOB_ID,
          JobName.STAGE,
          "isolation",
          "commit-retries",
          "file-size");

  private static final List<String> LISTED = listed();
  private static final List<String> KNOWN = all();

  private static List<String> listed() {
    List<String> out =
        new ArrayList<>(
            List.of(
                ReadOptions.URI,
                ReadOptions.PATH,
                ReadOptions.NAMESPACE,
                ReadOptions.ROOT,
                ReadOptions.LAYOUT,
                ReadOptions.LABEL,
                ReadOptions.TYPE));
    out.addAll(OWN);
    return out;
  }

  private static List<String> all() {
    List<String> out = new ArrayList<>(LISTED);
    out.addAll(ReadOptions.STORE);
    return out;
  }

  /** Every name a write may give. */
  static List<String> known() {
    return KNOWN;
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
    return of(options, conf, false);
  }

  /**
   * Checks that they make a write under some save mode, which Spark tells later.
   *
   * @throws com.namidb.format.error.InvalidOptionException if they do not; as {@link #of}
   */
  public static void check(Map<String, String> options, UnaryOperator<String> conf) {
    try {
      of(options, conf, false);
    } catch (InvalidOptionException append) {
      try {
        of(options, conf, true);
      } catch (InvalidOptionException overwrite) {
        append.addSuppressed(overwrite);
        throw append;
      }
    }
  }

  /**
   * The same for a write that may replace the whole table.
   *
   * @param overwrite whether Spark's save mode asks for that
   */
  public static WriteOptions of(
      Map<String, String> options, UnaryOperator<String> conf, boolean overwrite) {
    OptionReader reader = new OptionReader(options, conf, KNOWN, LISTED, "write");
    JobName job = JobName.of(reader, OWN, overwrite);
    TableTarget target = target(reader);
    WriteMode mode = mode(reader, overwrite);
    return with(reader, ReadOptions.location(reader), target, mode, job);
  }

  private static WriteOptions with(
      OptionReader reader, Location location, TableTarget target, WriteMode mode, JobName job) {
    return new WriteOptions(
        location,
        target,
        mode,
        mode.text(),
        keys(reader, target),
        values(reader),
        rules(reader, target, mode),
        quarantine(reader, target, mode),
        job);
  }

  /**
   * One effect of a statement that changes rows where they are: what a DataFrame's write takes from
   * its own options, this takes from the session.
   *
   * @param target nodes, or edges of one type
   * @param mode what becomes of the rows
   * @param conf value of a Spark conf key, {@code null} if unset
   */
  public static WriteOptions statement(
      Location location, TableTarget target, WriteMode mode, UnaryOperator<String> conf) {
    boolean edges = target instanceof TableTarget.EdgesOf;
    Set<String> taken = new HashSet<>(Set.of(ON_NULL, DECIMALS, NTZ, SEARCH));
    if (!edges && (mode == WriteMode.DELETE || mode == WriteMode.OVERWRITE)) {
      taken.add(ON_INCIDENT);
    }
    Map<String, String> given = new HashMap<>();
    for (String name : taken) {
      String value = conf.apply(OptionReader.CONF_PREFIX + name);
      if (value != null) {
        given.put(name, value);
      }
    }
    if (mode == WriteMode.OVERWRITE && target instanceof TableTarget.NodesOf n) {
      n.label().ifPresent(label -> given.put(MULTI_LABEL, "delete"));
    }
    OptionReader reader = new OptionReader(given, conf, KNOWN, LISTED, "write");
    WriteOptions out = with(reader, location, target, mode, new JobName.None());
    return out.under(isolation(reader, Isolation.SERIALIZABLE));
  }

  private WriteOptions under(Isolation isolation) {
    return new WriteOptions(
        location, target, mode, operation, keys, values, rules.under(isolation), quarantine, job);
  }

  /** The same under the name of a statement. */
  public WriteOptions called(String statement) {
    return new WriteOptions(
        location, target, mode, statement, keys, values, rules, quarantine, job);
  }

  /** The same with the names of columns in them replaced. */
  public WriteOptions naming(UnaryOperator<String> names) {
    return new WriteOptions(
        location,
        target,
        mode,
        operation,
        keys.naming(names),
        values.naming(names),
        rules,
        quarantine,
        job);
  }

  /** The same rules for rows of another kind. */
  public WriteOptions as(WriteMode other) {
    return new WriteOptions(
        location, target, other, operation, keys, values, rules, quarantine, job);
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

  private static WriteMode mode(OptionReader options, boolean overwrite) {
    if (overwrite && options.own(MODE).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'write-mode' is given for an overwrite, which replaces the whole table",
          "Leave it out, or use mode(\"append\").");
    }
    return overwrite
        ? WriteMode.OVERWRITE
        : options.ownChoice(
            MODE,
            Map.of(
                "insert", WriteMode.INSERT,
                "upsert", WriteMode.UPSERT,
                "patch", WriteMode.PATCH,
                "delete", WriteMode.DELETE),
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
    boolean ends =
        target instanceof TableTarget.EdgesOf
            && mode != WriteMode.DELETE
            && mode != WriteMode.PATCH;
    return new QuarantineRules(
        options.ownChoice(ON_INVALID, Map.of("fail", false, QUARANTINE, true), false),
        ends && options.ownChoice(ON_DANGLING, values, false));
  }

  private static PublishRules rules(OptionReader options, TableTarget target, WriteMode mode) {
    boolean edges = target instanceof TableTarget.EdgesOf;
    if (!edges && options.own(ON_DANGLING).isPresent()) {
      throw WriteErrors.badWrite("Option 'on-dangling' is given for nodes", "Leave it out.");
    }
    if (mode == WriteMode.PATCH && options.own(ON_DANGLING).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'on-dangling' is given for a patch, which adds no edges", "Leave it out.");
    }
    boolean ends =
        options.ownChoice(
            ON_DANGLING, Map.of("fail", true, QUARANTINE, true, "allow", false), true);
    boolean adds = mode != WriteMode.DELETE && mode != WriteMode.PATCH;
    boolean removes = !edges && (mode == WriteMode.DELETE || mode == WriteMode.OVERWRITE);
    String incident = incident(options, removes);
    return new PublishRules(
        ends && edges && adds,
        removes && incident.equals("fail"),
        isolation(options, mode.readsGraph() ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT),
        options.ownChoice(SEARCH, Map.of("refuse", false, "retire", true), false),
        (int) Math.min(options.number("commit-retries", 20), 10_000),
        options.own(EXPECTED_ROWS).isPresent() ? options.number(EXPECTED_ROWS, -1) : -1,
        options.own(EXPECTED_CHECKSUM).map(String::strip).orElse(""),
        options.bytes("file-size", 256L << 20),
        new PublishRules.Removal(
            removes && incident.equals("detach"), multiLabel(options, target, mode)));
  }

  private static Isolation isolation(OptionReader options, Isolation otherwise) {
    return options.choice(
        "isolation",
        Map.of("serializable", Isolation.SERIALIZABLE, "snapshot", Isolation.SNAPSHOT),
        otherwise);
  }

  private static String incident(OptionReader options, boolean removes) {
    if (!removes && options.own(ON_INCIDENT).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'on-incident-edges' is given for a write that deletes no nodes", "Leave it out.");
    }
    return options.ownChoice(
        ON_INCIDENT, Map.of("fail", "fail", "detach", "detach", "leave", "leave"), "fail");
  }

  private static boolean multiLabel(OptionReader options, TableTarget target, WriteMode mode) {
    boolean table = target instanceof TableTarget.NodesOf n && n.label().isPresent();
    if ((!table || mode != WriteMode.OVERWRITE) && options.own(MULTI_LABEL).isPresent()) {
      throw WriteErrors.badWrite(
          "Option 'overwrite-multi-label' is given for a write that replaces no label's nodes",
          "Use it with mode(\"overwrite\") and a label, or leave it out.");
    }
    return options.ownChoice(MULTI_LABEL, Map.of("fail", false, "delete", true), false);
  }
}
