package com.namidb.spark.options;

import com.namidb.format.error.NearestName;
import com.namidb.format.error.ReadErrors;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Looks options up: given ones first, then the Spark conf, then the default. Names ignore case, as
 * Spark's do.
 */
final class OptionReader {
  /** Prefix of an option set in the Spark conf. */
  static final String CONF_PREFIX = "spark.namidb.";

  private final Map<String, String> given = new HashMap<>();
  private final UnaryOperator<String> conf;

  /**
   * Checks that every given name is known.
   *
   * @param options options as the user spelled them
   * @param conf value of a Spark conf key, {@code null} if unset
   * @param known every name that may be given
   * @param listed those of them that are worth listing to who gave an unknown one
   * @param kind {@code "read"} or {@code "write"}, for errors
   * @throws com.namidb.format.error.InvalidOptionException for an unknown name or two spellings of
   *     one name with different values
   */
  OptionReader(
      Map<String, String> options,
      UnaryOperator<String> conf,
      Collection<String> known,
      Collection<String> listed,
      String kind) {
    this.conf = conf;
    Map<String, String> spelled = new HashMap<>();
    for (String k : known) {
      spelled.put(fold(k), k);
    }
    for (Map.Entry<String, String> e : options.entrySet()) {
      String name = spelled.get(fold(e.getKey()));
      if (name == null) {
        throw ReadErrors.unknownOption(kind, e.getKey(), NearestName.of(e.getKey(), known), listed);
      }
      String before = given.put(name, e.getValue());
      if (before != null && !before.equals(e.getValue())) {
        throw ReadErrors.conflict(
            "Option '" + name + "' is given in two spellings with different values", "Keep one.");
      }
    }
  }

  /** Only what this read gives itself. */
  Optional<String> own(String name) {
    return Optional.ofNullable(given.get(name));
  }

  /** What this read gives, else the Spark conf. */
  Optional<String> text(String name) {
    String own = given.get(name);
    return Optional.ofNullable(own != null ? own : conf.apply(CONF_PREFIX + name));
  }

  /** A switch. */
  boolean flag(String name, boolean otherwise) {
    Map<String, Boolean> values = new HashMap<>();
    values.put("true", true);
    values.put("false", false);
    return choice(name, values, otherwise);
  }

  /** One of a few words. */
  <T> T choice(String name, Map<String, T> values, T otherwise) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    T value = values.get(fold(text.get().strip()));
    if (value == null) {
      throw ReadErrors.badValue(
          name,
          text.get(),
          "one of " + String.join(", ", values.keySet().stream().sorted().toList()));
    }
    return value;
  }

  /** One of a few words that this operation gives itself. */
  <T> T ownChoice(String name, Map<String, T> values, T otherwise) {
    return given.containsKey(name) ? choice(name, values, otherwise) : otherwise;
  }

  /** A whole number from 0 on. */
  long number(String name, long otherwise) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    String s = text.get().strip();
    if (s.isEmpty() || s.length() > 18 || !s.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw ReadErrors.badValue(name, text.get(), "a whole number from 0 on");
    }
    return Long.parseLong(s);
  }

  /** Names separated by commas, in order; empty if the option is not given. */
  List<String> names(String name) {
    List<String> out = new ArrayList<>();
    String text = given.get(name);
    if (text == null) {
      return out;
    }
    for (String part : text.split(",", -1)) {
      if (part.isBlank() || out.contains(part.strip())) {
        throw ReadErrors.badValue(name, text, "distinct column names separated by commas");
      }
      out.add(part.strip());
    }
    return out;
  }

  /** A size: bytes, or a number with k, m, g or t (binary), optionally followed by b. */
  long bytes(String name, long otherwise) {
    Optional<String> text = text(name);
    return text.isEmpty() ? otherwise : parseBytes(name, text.get());
  }

  private static long parseBytes(String name, String value) {
    String s = fold(value.strip());
    int digits = 0;
    while (digits < s.length() && s.charAt(digits) >= '0' && s.charAt(digits) <= '9') {
      digits++;
    }
    int shift =
        switch (s.substring(digits).strip()) {
          case "", "b" -> 0;
          case "k", "kb", "kib" -> 10;
          case "m", "mb", "mib" -> 20;
          case "g", "gb", "gib" -> 30;
          case "t", "tb", "tib" -> 40;
          default -> -1;
        };
    // Eighteen digits always fit a long; the shift is checked on the way back.
    if (shift >= 0 && digits > 0 && digits <= 18) {
      long number = Long.parseLong(s.substring(0, digits));
      long size = number << shift;
      if (number > 0 && size >> shift == number) {
        return size;
      }
    }
    throw ReadErrors.badValue(name, value, "a size above zero such as 134217728, 64m or 1g");
  }

  private static String fold(String s) {
    return s.toLowerCase(Locale.ROOT);
  }
}
