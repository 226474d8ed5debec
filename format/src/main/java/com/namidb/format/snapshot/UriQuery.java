package com.namidb.format.snapshot;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The query of a store URI: form-urlencoded pairs, of which the last of a name wins. */
final class UriQuery {
  private UriQuery() {}

  /** Decodes a query without its question mark; a pair without {@code =} has an empty value. */
  static Map<String, String> parse(String query) {
    Map<String, String> pairs = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      // The two spellings are one option: whichever comes last wins.
      pairs.put(
          name.equals("namespace") ? "ns" : name,
          equals < 0 ? "" : decode(pair.substring(equals + 1)));
    }
    return pairs;
  }

  /** A malformed escape stands for itself, as form decoding has it. */
  private static String decode(String text) {
    byte[] in = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
    for (int i = 0; i < in.length; i++) {
      if (in[i] == '%' && i + 2 < in.length && digit(in[i + 1]) >= 0 && digit(in[i + 2]) >= 0) {
        out.write(digit(in[i + 1]) << 4 | digit(in[i + 2]));
        i += 2;
      } else {
        out.write(in[i] == '+' ? ' ' : in[i]);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static int digit(byte b) {
    return b < 0 ? -1 : Character.digit(b, 16);
  }
}
