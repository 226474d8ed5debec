package com.namidb.spark.options;

import com.namidb.format.commit.Isolation;
import com.namidb.format.error.InvalidOptionException;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.snapshot.Location;
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
  /** Every name a write may give. */
  static List<String> known() {
    return WriteNames.KNOWN;
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
    OptionReader reader =
        new OptionReader(options, conf, WriteNames.KNOWN, WriteNames.LISTED, "write");
    JobName job = JobName.of(reader, WriteNames.OWN, overwrite);
    TableTarget target = target(reader);
    WriteMode mode = WriteMode.of(reader, overwrite);
    return with(reader, ReadOptions.location(reader), target, mode, job);
  }

  private static WriteOptions with(
      OptionReader reader, Location location, TableTarget target, WriteMode mode, JobName job) {
    return new WriteOptions(
        location,
        target,
        mode,
        mode.text(),
        KeyNames.of(reader, target),
        ValueRules.of(reader),
        PublishRules.of(reader, target, mode),
        QuarantineRules.of(reader, target, mode),
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
    Set<String> taken =
        new HashSet<>(
            Set.of(WriteNames.ON_NULL, WriteNames.DECIMALS, WriteNames.NTZ, WriteNames.SEARCH));
    if (!edges && (mode == WriteMode.DELETE || mode == WriteMode.OVERWRITE)) {
      taken.add(WriteNames.ON_INCIDENT);
    }
    Map<String, String> given = new HashMap<>();
    for (String name : taken) {
      String value = conf.apply(OptionReader.CONF_PREFIX + name);
      if (value != null) {
        given.put(name, value);
      }
    }
    if (mode == WriteMode.OVERWRITE && target instanceof TableTarget.NodesOf n) {
      n.label().ifPresent(label -> given.put(WriteNames.MULTI_LABEL, "delete"));
    }
    OptionReader reader =
        new OptionReader(given, conf, WriteNames.KNOWN, WriteNames.LISTED, "write");
    WriteOptions out = with(reader, location, target, mode, new JobName.None());
    return out.under(PublishRules.isolation(reader, Isolation.SERIALIZABLE));
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
}
