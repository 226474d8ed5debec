package com.namidb.format.manifest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Percent-encoding of object keys: a raw path is split on {@code /}, empty parts are dropped, every
 * part is encoded. The percent signs are literally part of the key. Source: manifest §1.3.
 */
public final class KeyEncoding {
  private static final boolean[] ENCODED = encoded();
  private static final String DIGITS = "0123456789ABCDEF";

  private KeyEncoding() {}

  private static boolean[] encoded() {
    boolean[] out = new boolean[256];
    for (int i = 0; i < 256; i++) {
      out[i] = i < 0x20 || i >= 0x7F;
    }
    for (char c : "\\{^}%`]\">[~<#|*?".toCharArray()) {
      out[c] = true;
    }
    return out;
  }

  /**
   * Turns a raw path into a key. The result never starts or ends with a slash and has no part that
   * a store could take for the current or the parent folder.
   *
   * @param rawPath parts separated by slashes
   */
  public static String encode(String rawPath) {
    StringBuilder out = new StringBuilder(rawPath.length() + 8);
    int start = 0;
    while (start <= rawPath.length()) {
      int slash = rawPath.indexOf('/', start);
      int end = slash < 0 ? rawPath.length() : slash;
      if (end > start) {
        if (out.length() > 0) {
          out.append('/');
        }
        appendPart(rawPath.substring(start, end), out);
      }
      start = end + 1;
    }
    return out.toString();
  }

  /** The raw path of a key. */
  public static String decode(String key) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(key.length());
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (bytes[i] == '%' && high >= 0 && low >= 0) {
        out.write(high << 4 | low);
        i += 2;
      } else {
        out.write(bytes[i]);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static void appendPart(String part, StringBuilder out) {
    if (part.equals(".")) {
      out.append("%2E");
      return;
    }
    if (part.equals("..")) {
      out.append("%2E%2E");
      return;
    }
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      int v = b & 255;
      if (ENCODED[v]) {
        out.append('%').append(DIGITS.charAt(v >> 4)).append(DIGITS.charAt(v & 15));
      } else {
        out.append((char) v);
      }
    }
  }
}
