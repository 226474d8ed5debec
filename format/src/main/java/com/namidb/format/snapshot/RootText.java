package com.namidb.format.snapshot;

import com.namidb.format.error.LocationErrors;
import com.namidb.format.manifest.KeyEncoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The root prefix from what a user writes. In a bucket the engine takes the path of the URI as URLs
 * have it, in which a blank is {@code %20}, and encodes that once more to get keys: {@code a b} and
 * {@code a%20b} are both the root {@code a%20b}, whose keys begin with {@code a%2520b/}. Source:
 * manifest §1.3, §1.5.
 */
final class RootText {
  /** What a URL's path never holds as it is, besides what is no printable ASCII. */
  private static final String ENCODED = " \"#<>?`{}";

  private RootText() {}

  /**
   * The root in a bucket, as its URL has it; encoding gives its keys.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is ambiguous or leads elsewhere
   */
  static String inBucket(String given) {
    List<String> parts = new ArrayList<>();
    for (String part : parts(given)) {
      parts.add(encoded(part));
    }
    return String.join("/", parts);
  }

  /**
   * The root in a folder, of which the engine's URIs know nothing: they have the folder itself.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it needs encoding
   */
  static String inFolder(String given) {
    String root = String.join("/", parts(given));
    if (!inBucket(root).equals(root) || !KeyEncoding.encode(root).equals(root)) {
      throw LocationErrors.encodedRoot(root);
    }
    return root;
  }

  private static List<String> parts(String given) {
    List<String> parts = new ArrayList<>();
    for (String part : given.split("/", -1)) {
      String plain = part.toLowerCase(Locale.ROOT).replace("%2e", ".");
      if (plain.equals(".") || plain.equals("..")) {
        throw LocationErrors.dotsInRoot(given, part);
      }
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    // URLs lose some of them, and half a character is none.
    boolean text = StandardCharsets.UTF_8.newEncoder().canEncode(given);
    if (!text || given.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
      throw LocationErrors.controlsInRoot(given.replaceAll("\\p{Cntrl}", "?"));
    }
    return parts;
  }

  private static String encoded(String part) {
    StringBuilder out = new StringBuilder(part.length());
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      if (b < 0 || ENCODED.indexOf(b) >= 0) {
        out.append(String.format(Locale.ROOT, "%%%02X", b & 255));
      } else {
        out.append((char) b);
      }
    }
    return out.toString();
  }
}
