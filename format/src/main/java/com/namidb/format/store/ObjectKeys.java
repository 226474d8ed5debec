package com.namidb.format.store;

import com.namidb.format.error.StoreErrors;
import java.util.Comparator;
import java.util.Optional;

/**
 * Keys of objects: which are allowed, how they are ordered.
 *
 * <p>A key is made of one or more parts joined by {@code /}. The percent signs of the encoding are
 * characters of the key itself; no store decodes them. Source: manifest §1.3, node §1.
 */
public final class ObjectKeys {
  /** Ascending by the bytes of the UTF-8 text, as every store lists. */
  public static final Comparator<String> ORDER = ObjectKeys::compareUtf8;

  private ObjectKeys() {}

  /**
   * Makes sure that a key names an object below a root and nothing else.
   *
   * @throws com.namidb.format.error.StoreException if a part is empty, {@code .} or {@code ..}, or
   *     the key holds a NUL or a backslash
   */
  public static void check(String key) {
    Optional<String> reason = flaw(key);
    if (reason.isPresent()) {
      throw StoreErrors.badKey(key, reason.get());
    }
  }

  /** As {@link #check}, but the last part may be incomplete or empty. */
  public static void checkPrefix(String prefix) {
    int slash = prefix.lastIndexOf('/');
    check(
        slash < 0 ? "-" + prefix : prefix.substring(0, slash) + "/-" + prefix.substring(slash + 1));
  }

  private static Optional<String> flaw(String key) {
    if (key.indexOf('\0') >= 0) {
      return Optional.of("it holds a NUL");
    }
    if (key.indexOf('\\') >= 0) {
      return Optional.of("it holds a backslash");
    }
    for (String part : key.split("/", -1)) {
      if (part.isEmpty()) {
        return Optional.of("one of its parts is empty");
      }
      if (part.equals(".") || part.equals("..")) {
        return Optional.of("one of its parts is '" + part + "'");
      }
    }
    return Optional.empty();
  }

  private static int compareUtf8(String a, String b) {
    int n = Math.min(a.length(), b.length());
    for (int i = 0; i < n; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // A surrogate stands for a code point above every other UTF-16 unit.
        boolean sx = Character.isSurrogate(x);
        boolean sy = Character.isSurrogate(y);
        return sx == sy ? x - y : sx ? 1 : -1;
      }
    }
    return a.length() - b.length();
  }
}
