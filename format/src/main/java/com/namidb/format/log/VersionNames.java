package com.namidb.format.log;

import com.namidb.format.id.Hex;
import java.util.Optional;
import java.util.OptionalLong;

/** Objects whose names end with the number of a version. */
final class VersionNames {
  private static final String END = ".json";

  private VersionNames() {}

  /** The number in a key that begins so, empty if it is no such key. */
  static Optional<Long> number(String key, String start) {
    if (!key.startsWith(start) || !key.endsWith(END)) {
      return Optional.empty();
    }
    String digits = key.substring(start.length(), key.length() - END.length());
    OptionalLong version = Hex.parseH16(digits);
    return version.isPresent() ? Optional.of(version.getAsLong()) : Optional.empty();
  }
}
