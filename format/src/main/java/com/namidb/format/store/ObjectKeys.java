package com.namidb.format.store;

import com.namidb.format.error.StoreErrors;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Keys of objects: how raw text becomes a key, which keys are allowed, how they are ordered.
 *
 * <p>A key is made of one or more parts joined by {@code /}. The percent signs of the encoding are
 * characters of the key itself; no store decodes them. Source: manifest §1.3, node §1.
 */
public final class ObjectKeys {
  /** Ascending by the bytes of the UTF-8 text, as every store lists. */
  public static final Comparator<String> ORDER = ObjectKeys::compareUtf8;

  private static final String ENCODED_PUNCTUATION = "\\{^}%`]\">[~<#|*?";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private ObjectKeys() {}

  /**
   * Turns a raw path into a key: split at {@code /}, empty parts dropped, every part encoded.
   *
   * @param rawPath text as the manifest holds it, joined to its prefix
   * @return a key no part of which is empty, {@code .} or {@code ..}; empty if nothing was left
   */
  public static String encode(String rawPath) {
    StringBuilder key = new StringBuilder(rawPath.length() + 16);
    int start = 0;
    while (start <= rawPath.length()) {
      int slash = rawPath.indexOf('/', start);
      int end = slash < 0 ? rawPath.length() : slash;
      if (end > start) {
        if (key.length() > 0) {
          key.append('/');
        }
        encodePart(rawPath.substring(start, end), key);
      }
      start = end + 1;
    }
    return key.toString();
  }

  /** Joins two keys or prefixes that are encoded already; either may be empty. */
  public static String join(String prefix, String rest) {
    return prefix.isEmpty() ? rest : rest.isEmpty() ? prefix : prefix + '/' + rest;
  }

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

  private static void encodePart(String part, StringBuilder key) {
    if (part.equals(".") || part.equals("..")) {
      key.append("%2E".repeat(part.length()));
      return;
    }
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      if (b < 0x20 || b == 0x7F || ENCODED_PUNCTUATION.indexOf(b) >= 0) {
        HEX.toHexDigits(key.append('%'), b);
      } else {
        key.append((char) b);
      }
    }
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
