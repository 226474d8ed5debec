package com.namidb.spark.options;

import com.namidb.format.error.CatalogErrors;
import com.namidb.format.error.ReadErrors;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.WalPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Options that a query gives to a table of a catalog, which is loaded already: those that say how
 * rows are fetched can still change, those that settle columns or the version cannot. Contract
 * §3–5.
 */
public final class QueryOptions {
  private static final String WAL = "wal";
  private static final String PIN = "pin";
  private static final String SPLIT = "split-size";
  private static final String COMBINE = "combine-small";
  private static final String VECTORIZED = "vectorized";
  private static final String PUSHDOWN = "pushdown";
  private static final List<String> TAKEN = List.of(WAL, PIN, SPLIT, COMBINE, VECTORIZED, PUSHDOWN);
  private static final List<String> COLUMNS = List.of("id-format", "on-mismatch", "infer");
  private static final List<String> VERSIONS =
      List.of(VersionOptions.VERSION, VersionOptions.SNAPSHOT, VersionOptions.TIMESTAMP);

  private static final Map<String, Boolean> LEASED = Map.of("auto", true, "off", false);

  private QueryOptions() {}

  /**
   * Whether jobs that have no options of their own run under leases.
   *
   * @param conf value of a Spark conf key, {@code null} if unset
   * @throws com.namidb.format.error.InvalidOptionException for a value that makes no sense
   */
  public static boolean leased(UnaryOperator<String> conf) {
    List<String> known = List.of(PIN);
    return new OptionReader(Map.of(), conf, known, known, "read").choice(PIN, LEASED, true);
  }

  /**
   * How the query reads.
   *
   * @param given the query's options
   * @param loaded how the table was loaded
   * @param version the version it is pinned to, unsigned
   * @param chosen whether that version was asked for
   * @throws com.namidb.format.error.InvalidOptionException for an unknown option and one that comes
   *     too late
   */
  public static Reading of(
      Map<String, String> given, Reading loaded, long version, boolean chosen) {
    if (given.isEmpty()) {
      return loaded;
    }
    OptionReader options = new OptionReader(given, key -> null, known(), listed(), "read");
    refusePlace(options);
    for (String name : COLUMNS) {
      if (options.own(name).isPresent()) {
        throw CatalogErrors.tooLate(
            name,
            "Set "
                + OptionReader.CONF_PREFIX
                + name
                + " for the session before, or read with"
                + " format(\"namidb\") and the graph's uri.");
      }
    }
    checkVersion(options, version, chosen);
    return new Reading(
        loaded.ids(),
        loaded.onMismatch(),
        loaded.sample(),
        options.choice(
            WAL,
            Map.of(
                "replay", WalPolicy.REPLAY,
                "ignore", WalPolicy.IGNORE,
                "require-empty", WalPolicy.REQUIRE_EMPTY),
            loaded.wal()),
        options.choice(PIN, LEASED, loaded.pin()),
        new ScanRequest.Sizing(
            options.bytes(SPLIT, loaded.sizing().splitBytes()),
            options.flag(COMBINE, loaded.sizing().combineSmall()),
            loaded.sizing().tasks()),
        options.flag(VECTORIZED, loaded.vectorized()),
        options.flag(PUSHDOWN, loaded.pushdown()));
  }

  private static List<String> listed() {
    List<String> out = new ArrayList<>(TAKEN);
    out.addAll(VERSIONS);
    return out;
  }

  private static List<String> known() {
    List<String> out = listed();
    out.addAll(COLUMNS);
    out.addAll(places());
    return out;
  }

  private static List<String> places() {
    List<String> out =
        new ArrayList<>(
            List.of(
                ReadOptions.URI,
                ReadOptions.PATH,
                ReadOptions.NAMESPACE,
                ReadOptions.ROOT,
                ReadOptions.LABEL,
                ReadOptions.TYPE,
                ReadOptions.METADATA));
    out.addAll(ReadOptions.STORE);
    return out;
  }

  private static void refusePlace(OptionReader options) {
    for (String name : places()) {
      if (options.own(name).isPresent()) {
        throw CatalogErrors.tooLate(name, "The catalog and the table's name say where it is.");
      }
    }
  }

  /** Spark chose the version from the options before; this only proves that it did. */
  private static void checkVersion(OptionReader options, long version, boolean chosen) {
    for (String name : List.of(VersionOptions.VERSION, VersionOptions.SNAPSHOT)) {
      Optional<String> text = options.own(name);
      if (text.isPresent() && VersionOptions.parseVersion(name, text.get()) != version) {
        throw CatalogErrors.tooLate(name, "Use VERSION AS OF, or the option versionAsOf.");
      }
    }
    if (options.own(VersionOptions.TIMESTAMP).isPresent() && !chosen) {
      throw ReadErrors.conflict(
          "Option 'timestampAsOf' did not choose the table's version", "Use TIMESTAMP AS OF.");
    }
  }
}
