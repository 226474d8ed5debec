package com.namidb.spark.options;

import com.namidb.format.error.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether options are those of a read or of a write, where Spark asks for a table and does not say.
 */
public enum Direction {
  /** Something among them is of reads only, or looks like it. */
  READ,
  /** Something among them is of writes only, or looks like it. */
  WRITE,
  /** Both could have given them. */
  UNKNOWN;

  /** Finds out from the names. */
  public static Direction of(Map<String, String> options) {
    List<String> reads = only(ReadOptions.known(), WriteOptions.known());
    List<String> writes = only(WriteOptions.known(), ReadOptions.known());
    List<String> names = options.keySet().stream().map(k -> k.toLowerCase(Locale.ROOT)).toList();
    boolean write = names.stream().anyMatch(writes::contains);
    boolean read = names.stream().anyMatch(n -> reads.stream().anyMatch(n::equalsIgnoreCase));
    if (!write && !read) {
      List<String> strange = strange(names);
      write = strange.stream().anyMatch(n -> !NearestName.of(n, writes).isEmpty());
      read = strange.stream().anyMatch(n -> !NearestName.of(n, reads).isEmpty());
    }
    return write == read ? UNKNOWN : write ? WRITE : READ;
  }

  /** Whether some name is neither an option of reads nor one of writes. */
  public static boolean isStrange(Map<String, String> options) {
    return !strange(List.copyOf(options.keySet())).isEmpty();
  }

  private static List<String> strange(List<String> names) {
    List<String> known = new ArrayList<>(ReadOptions.known());
    known.addAll(WriteOptions.known());
    return names.stream().filter(n -> known.stream().noneMatch(n::equalsIgnoreCase)).toList();
  }

  private static List<String> only(List<String> these, List<String> those) {
    return these.stream().filter(n -> !those.contains(n)).toList();
  }
}
