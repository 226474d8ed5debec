package com.namidb.spark.options;

import com.namidb.format.error.ReadErrors;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.apache.spark.network.util.JavaUtils;

/** How long a session stays pinned. Contract §4, protocol §8. */
public final class PinOptions {
  /** Spark conf key of the longest time. */
  private static final String MAX_AGE = "pin-max-age";

  private static final Duration DEFAULT = Duration.ofHours(12);

  private PinOptions() {}

  /**
   * The longest time a session stays pinned.
   *
   * @param conf value of a Spark conf key, {@code null} if unset
   * @throws com.namidb.format.error.InvalidOptionException if it is no time above zero
   */
  public static Duration maxAge(UnaryOperator<String> conf) {
    String text = conf.apply(OptionReader.CONF_PREFIX + MAX_AGE);
    if (text == null) {
      return DEFAULT;
    }
    try {
      long seconds = JavaUtils.timeStringAsSec(text);
      if (seconds > 0) {
        return Duration.ofSeconds(seconds);
      }
    } catch (NumberFormatException e) {
      // Reported below like zero.
    }
    throw ReadErrors.badValue(
        OptionReader.CONF_PREFIX + MAX_AGE, text, "a time such as 30min, 12h or 2d");
  }
}
