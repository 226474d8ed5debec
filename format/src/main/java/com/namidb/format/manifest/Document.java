package com.namidb.format.manifest;

import com.namidb.format.value.QuotedText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON text a manifest was read from, cut into the pieces a rewrite keeps or replaces. Kept
 * pieces are copied byte for byte: no number is ever spelled anew, no unknown member lost. Source:
 * manifest §2.1, §4.7 R1.
 */
final class Document {
  private final byte[] bytes;
  private final List<Piece> members;
  private final List<Piece> descriptors;

  /**
   * A part of the text.
   *
   * @param name member name, empty for array elements
   * @param start first byte; of the member's name where it has one
   * @param end byte after the value
   */
  record Piece(String name, int start, int end) {}

  /**
   * Keeps all three; none may change later.
   *
   * @param bytes the whole text
   * @param members the members of the outermost object in order
   * @param descriptors the elements of {@code ssts} in order
   */
  Document(byte[] bytes, List<Piece> members, List<Piece> descriptors) {
    this.bytes = bytes;
    this.members = List.copyOf(members);
    this.descriptors = List.copyOf(descriptors);
  }

  /** The whole text; not to be modified. */
  byte[] bytes() {
    return bytes;
  }

  /** The text of a descriptor as it stands. */
  byte[] descriptor(int index) {
    Piece p = descriptors.get(index);
    return Arrays.copyOfRange(bytes, p.start, p.end);
  }

  int descriptors() {
    return descriptors.size();
  }

  /** The text of a member's value, empty if there is no such member. */
  Optional<byte[]> value(String name) {
    for (Piece p : members) {
      if (p.name.equals(name)) {
        return Optional.of(Arrays.copyOfRange(bytes, valueStart(p), p.end));
      }
    }
    return Optional.empty();
  }

  private int valueStart(Piece member) {
    int i = member.start + 1;
    while (bytes[i] != '"') {
      i += bytes[i] == '\\' ? 2 : 1;
    }
    i++;
    while (bytes[i] != ':') {
      i++;
    }
    i++;
    while (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r') {
      i++;
    }
    return i;
  }

  /**
   * The text with some values replaced; members keep their order, new ones follow at the end.
   *
   * @param values new JSON text by member name
   */
  byte[] with(Map<String, byte[]> values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 1024);
    Map<String, byte[]> left = new LinkedHashMap<>(values);
    out.write('{');
    boolean first = true;
    for (Piece p : members) {
      first = separate(first, out);
      byte[] value = left.remove(p.name);
      if (value == null) {
        out.write(bytes, p.start, p.end - p.start);
      } else {
        writeMember(p.name, value, out);
      }
    }
    for (Map.Entry<String, byte[]> e : left.entrySet()) {
      first = separate(first, out);
      writeMember(e.getKey(), e.getValue(), out);
    }
    out.write('}');
    return out.toByteArray();
  }

  private static boolean separate(boolean first, ByteArrayOutputStream out) {
    if (!first) {
      out.write(',');
    }
    return false;
  }

  private static void writeMember(String name, byte[] value, ByteArrayOutputStream out) {
    byte[] text = QuotedText.of(name).getBytes(StandardCharsets.UTF_8);
    out.write(text, 0, text.length);
    out.write(':');
    out.write(value, 0, value.length);
  }
}
