package com.namidb.format.edge;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Joins a JSON object with members of declared names, which replace members of the same name. Works
 * on the text: nothing but member boundaries is parsed, values stay as they are. Source: edge §2.8.
 */
final class ObjectJoiner {
  private static final int MAX_BYTES = 1 << 30;

  private final EdgeObject object;
  private final List<String> names;
  private final List<byte[]> heads = new ArrayList<>();
  private final List<byte[]> plain = new ArrayList<>();
  private final boolean[] overridden;
  private byte[] out = new byte[1 << 12];
  private int size;
  private boolean open;

  ObjectJoiner(EdgeObject object, List<String> names) {
    this.object = object;
    this.names = names;
    overridden = new boolean[names.size()];
    for (String name : names) {
      heads.add((quote(name) + ":").getBytes(StandardCharsets.UTF_8));
      plain.add(name.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static String quote(String name) {
    StringBuilder s = new StringBuilder("\"");
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '"' || c == '\\') {
        s.append('\\').append(c);
      } else if (c < ' ') {
        s.append(String.format("\\u%04x", (int) c));
      } else {
        s.append(c);
      }
    }
    return s.append('"').toString();
  }

  /** Drops all objects made so far; their buffer is reused. */
  void start() {
    size = 0;
  }

  /** Bytes of all objects since {@link #start}. */
  int size() {
    return size;
  }

  /** Holds all objects since {@link #start}. */
  byte[] buffer() {
    return out;
  }

  /** Announces that the next object replaces this name. */
  void override(int name) {
    overridden[name] = true;
  }

  /** Adds the members of an object whose names are not overridden. */
  void addObject(byte[] json, int offset, int length) {
    int end = offset + length;
    int at = blanks(json, offset, end);
    expect(json, at++, end, '{');
    at = blanks(json, at, end);
    if (at < end && json[at] == '}') {
      trailing(json, at + 1, end);
      return;
    }
    while (true) {
      int start = at;
      expect(json, at, end, '"');
      int nameEnd = stringEnd(json, at, end);
      at = blanks(json, nameEnd, end);
      expect(json, at++, end, ':');
      at = valueEnd(json, at, end);
      if (!isOverridden(json, start + 1, nameEnd - 1)) {
        separate();
        append(json, start, at - start);
      }
      if (at < end && json[at] == ',') {
        at = blanks(json, at + 1, end);
        continue;
      }
      expect(json, at, end, '}');
      trailing(json, at + 1, end);
      return;
    }
  }

  /** Adds a member of a declared name. */
  void addMember(int name, byte[] json, int offset, int length) {
    separate();
    byte[] head = heads.get(name);
    append(head, 0, head.length);
    append(json, offset, length);
  }

  /**
   * Ends the current object.
   *
   * @return false if it has no member, then nothing was written
   */
  boolean finishObject() {
    Arrays.fill(overridden, false);
    if (!open) {
      return false;
    }
    open = false;
    append(new byte[] {'}'}, 0, 1);
    return true;
  }

  private void separate() {
    append(new byte[] {(byte) (open ? ',' : '{')}, 0, 1);
    open = true;
  }

  private void append(byte[] b, int offset, int length) {
    if (length > MAX_BYTES - size) {
      throw object.unsupported("the properties of one batch exceed " + MAX_BYTES + " bytes");
    }
    if (out.length - size < length) {
      out = Arrays.copyOf(out, Math.max(size + length, (int) Math.min(2L * size, MAX_BYTES)));
    }
    System.arraycopy(b, offset, out, size, length);
    size += length;
  }

  private boolean isOverridden(byte[] json, int from, int to) {
    boolean escaped = false;
    for (int i = from; i < to; i++) {
      escaped |= json[i] == '\\';
    }
    for (int n = 0; n < overridden.length; n++) {
      byte[] p = plain.get(n);
      if (overridden[n]
          && (escaped
              ? names.get(n).equals(unescape(json, from, to))
              : Arrays.equals(json, from, to, p, 0, p.length))) {
        return true;
      }
    }
    return false;
  }

  private String unescape(byte[] json, int from, int to) {
    String text = new String(json, from, to - from, StandardCharsets.UTF_8);
    StringBuilder s = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        s.append(c);
        continue;
      }
      char e = ++i < text.length() ? text.charAt(i) : 0;
      int known = "\"\\/bfnrt".indexOf(e);
      if (known >= 0 && e != 0) {
        s.append("\"\\/\b\f\n\r\t".charAt(known));
      } else if (e == 'u' && i + 4 < text.length()) {
        s.append(hex(text, i + 1));
        i += 4;
      } else {
        throw broken("a property name has an unknown escape");
      }
    }
    return s.toString();
  }

  private char hex(String text, int at) {
    int v = 0;
    for (int i = at; i < at + 4; i++) {
      int d = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
      if (d < 0) {
        throw broken("a property name has an unknown escape");
      }
      v = v << 4 | d;
    }
    return (char) v;
  }

  /** First byte after a value that starts at or after {@code at}, blanks skipped on both sides. */
  private int valueEnd(byte[] json, int at, int end) {
    int start = blanks(json, at, end);
    int i = start;
    int depth = 0;
    while (i < end) {
      byte c = json[i];
      if (c == '"') {
        i = stringEnd(json, i, end);
        continue;
      }
      if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        if (depth == 0) {
          break;
        }
        depth--;
      } else if (c == ',' && depth == 0) {
        break;
      }
      i++;
    }
    if (i == start) {
      throw broken("a property has no value");
    }
    return i;
  }

  /** First byte after the string that starts at {@code at}. */
  private int stringEnd(byte[] json, int at, int end) {
    for (int i = at + 1; i < end; i++) {
      if (json[i] == '\\') {
        i++;
      } else if (json[i] == '"') {
        return i + 1;
      }
    }
    throw broken("a string does not end");
  }

  private static int blanks(byte[] json, int at, int end) {
    int i = at;
    while (i < end && (json[i] == ' ' || json[i] == '\n' || json[i] == '\r' || json[i] == '\t')) {
      i++;
    }
    return i;
  }

  private void expect(byte[] json, int at, int end, char c) {
    if (at >= end || json[at] != c) {
      throw broken("'" + c + "' is missing");
    }
  }

  private void trailing(byte[] json, int at, int end) {
    if (blanks(json, at, end) != end) {
      throw broken("text follows the object");
    }
  }

  private RuntimeException broken(String detail) {
    return object.damaged("a property object is no JSON: " + detail);
  }
}
