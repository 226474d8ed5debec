package com.namidb.spark.options;

import com.namidb.format.snapshot.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The options that say where a namespace is, alone. Contract §2. */
public final class PlaceOptions {
  private static final Pattern NAMES_ONE = Pattern.compile("[?&]ns=");

  private PlaceOptions() {}

  /** Whether a {@code uri} says which namespace it means, so that no option has to. */
  public static boolean namesOne(String uri) {
    return NAMES_ONE.matcher(uri).find();
  }

  /**
   * Reads them.
   *
   * @param options {@code uri}, or {@code uri} without {@code ns} and {@code namespace}, with the
   *     store's options
   * @param conf value of a Spark conf key, {@code null} if unset
   * @throws com.namidb.format.error.InvalidOptionException for anything unknown or missing
   */
  public static Location of(Map<String, String> options, UnaryOperator<String> conf) {
    List<String> listed =
        List.of(
            ReadOptions.URI,
            ReadOptions.PATH,
            ReadOptions.NAMESPACE,
            ReadOptions.ROOT,
            ReadOptions.LAYOUT);
    List<String> known = new ArrayList<>(listed);
    known.addAll(ReadOptions.STORE);
    return ReadOptions.location(new OptionReader(options, conf, known, listed, "namespace"));
  }
}
