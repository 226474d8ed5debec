package com.namidb.format.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names seen in property objects, found by their UTF-8 bytes. Each name remembers which name came
 * after it last time: records of one kind repeat their order (engine files have it ascending), so
 * most names are recognised by comparing two words.
 */
final class NameTable {
  private Name[] slots = new Name[64];
  private int size;

  /** Stands before the first name of an object. */
  private final Name start = new Name(new byte[0], 0, -1);

  Name start() {
    return start;
  }

  int size() {
    return size;
  }

  /** The name with these bytes, {@code null} if it was not added. */
  Name find(byte[] b, int offset, int length) {
    int hash = hash(b, offset, length);
    for (int i = hash & (slots.length - 1); ; i = (i + 1) & (slots.length - 1)) {
      Name name = slots[i];
      if (name == null || (name.hash == hash && name.equalTo(b, offset, length))) {
        return name;
      }
    }
  }

  /** Adds a name that is not there. */
  Name add(byte[] b, int offset, int length, int property) {
    if (2 * (size + 1) > slots.length) {
      Name[] old = slots;
      slots = new Name[2 * old.length];
      for (Name name : old) {
        if (name != null) {
          place(name);
        }
      }
    }
    byte[] utf8 = Arrays.copyOfRange(b, offset, offset + length);
    Name name = new Name(utf8, hash(utf8, 0, length), property);
    place(name);
    size++;
    return name;
  }

  private void place(Name name) {
    int i = name.hash & (slots.length - 1);
    while (slots[i] != null) {
      i = (i + 1) & (slots.length - 1);
    }
    slots[i] = name;
  }

  private static int hash(byte[] b, int offset, int length) {
    int h = length;
    for (int i = offset; i < offset + length; i++) {
      h = h * 31 + b[i];
    }
    h *= 0x9E3779B1;
    return h ^ (h >>> 15);
  }

  /** One name. */
  static final class Name {
    private static final int WORDS = 16;
    private static final int NEVER = Integer.MAX_VALUE;

    private final byte[] utf8;
    private final int hash;
    private final int property;
    private final byte[] token;
    private final int tokenLength;
    private final long word0;
    private final long mask0;
    private final long word1;
    private final long mask1;
    private Name next;
    private String text;

    private Name(byte[] utf8, int hash, int property) {
      this.utf8 = utf8;
      this.hash = hash;
      this.property = property;
      int n = utf8.length + 3;
      token = new byte[Math.max(n, WORDS)];
      byte[] mask = new byte[WORDS];
      token[0] = '"';
      System.arraycopy(utf8, 0, token, 1, utf8.length);
      token[n - 2] = '"';
      token[n - 1] = ':';
      Arrays.fill(mask, 0, Math.min(n, WORDS), (byte) 0xFF);
      word0 = JsonScan.word(token, 0);
      mask0 = JsonScan.word(mask, 0);
      word1 = JsonScan.word(token, 8);
      mask1 = JsonScan.word(mask, 8);
      tokenLength = isPlain(utf8) ? n : NEVER;
    }

    /** Whether the name stands in JSON text as it is. */
    private static boolean isPlain(byte[] utf8) {
      for (byte c : utf8) {
        if (c == '"' || c == '\\' || (c >= 0 && c < ' ')) {
          return false;
        }
      }
      return true;
    }

    int property() {
      return property;
    }

    /** Length of {@code "name":}. */
    int tokenLength() {
      return tokenLength;
    }

    /** The name that came after this one last time, {@code null} if none did. */
    Name next() {
      return next;
    }

    void next(Name name) {
      next = name;
    }

    String text() {
      if (text == null) {
        text = new String(utf8, StandardCharsets.UTF_8);
      }
      return text;
    }

    private boolean equalTo(byte[] b, int offset, int length) {
      return utf8.length == length && Arrays.equals(utf8, 0, length, b, offset, offset + length);
    }

    /** Whether {@code "name":} stands at {@code p} and something follows it. */
    boolean isAt(byte[] b, int p, int end) {
      return p <= b.length - WORDS
          && tokenLength < end - p
          && ((JsonScan.word(b, p) ^ word0) & mask0) == 0
          && ((JsonScan.word(b, p + 8) ^ word1) & mask1) == 0
          && (tokenLength <= WORDS
              || Arrays.equals(token, WORDS, tokenLength, b, p + WORDS, p + tokenLength));
    }
  }
}
