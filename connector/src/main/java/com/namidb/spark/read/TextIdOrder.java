package com.namidb.spark.read;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Ids as lower-case hyphenated UUID text, compared byte by byte with arbitrary text. The order of
 * these texts is the unsigned order of the ids, because digits sort as their values do and hyphens
 * stand at the same places.
 */
final class TextIdOrder implements IdOrder {
  private static final int NIBBLES = 2 * NodeId.BYTES;

  @Override
  public Optional<NodeId> equal(Object literal) {
    byte[] text = ((UTF8String) literal).getBytes();
    int[] nibbles = new int[NIBBLES];
    return text.length == NodeId.TEXT_LENGTH && matching(text, nibbles) == text.length
        ? Optional.of(id(nibbles))
        : Optional.empty();
  }

  @Override
  public Optional<NodeId> atOrAbove(Object literal) {
    byte[] text = ((UTF8String) literal).getBytes();
    int[] nibbles = new int[NIBBLES];
    int same = matching(text, nibbles);
    int known = nibblesIn(same);
    if (same == text.length) {
      // The literal is how some ids start, or a whole id: the first of them.
      return Optional.of(id(nibbles));
    }
    if (same == NodeId.TEXT_LENGTH) {
      // A whole id and more: that id is below, the next one above.
      return after(nibbles, known);
    }
    int b = text[same] & 255;
    if (hyphenAt(same)) {
      return b < '-' ? Optional.of(id(nibbles)) : after(nibbles, known);
    }
    if (b > 'f') {
      return after(nibbles, known);
    }
    nibbles[known] = b < '0' ? 0 : 10;
    return Optional.of(id(nibbles));
  }

  @Override
  public Optional<KeyRange> startingWith(Object literal) {
    byte[] text = ((UTF8String) literal).getBytes();
    int[] nibbles = new int[NIBBLES];
    int same = matching(text, nibbles);
    if (same < text.length) {
      return Optional.empty();
    }
    NodeId first = id(nibbles);
    Arrays.fill(nibbles, nibblesIn(same), NIBBLES, 15);
    return Optional.of(new KeyRange(first, id(nibbles)));
  }

  /** How many leading bytes could start an id; their digits go to {@code nibbles}. */
  private static int matching(byte[] text, int[] nibbles) {
    int n = Math.min(text.length, NodeId.TEXT_LENGTH);
    int digits = 0;
    for (int i = 0; i < n; i++) {
      if (hyphenAt(i)) {
        if (text[i] != '-') {
          return i;
        }
      } else {
        int digit = digit(text[i]);
        if (digit < 0) {
          return i;
        }
        nibbles[digits++] = digit;
      }
    }
    return n;
  }

  private static boolean hyphenAt(int i) {
    return i == 8 || i == 13 || i == 18 || i == 23;
  }

  private static int nibblesIn(int chars) {
    int hyphens = 0;
    for (int i = 0; i < chars; i++) {
      hyphens += hyphenAt(i) ? 1 : 0;
    }
    return chars - hyphens;
  }

  private static int digit(byte b) {
    return b >= '0' && b <= '9' ? b - '0' : b >= 'a' && b <= 'f' ? b - 'a' + 10 : -1;
  }

  /** The first id above all that start with these nibbles. */
  private static Optional<NodeId> after(int[] nibbles, int known) {
    Arrays.fill(nibbles, known, NIBBLES, 15);
    return IdOrder.after(id(nibbles));
  }

  private static NodeId id(int[] nibbles) {
    byte[] out = new byte[NodeId.BYTES];
    for (int i = 0; i < NodeId.BYTES; i++) {
      out[i] = (byte) (nibbles[2 * i] << 4 | nibbles[2 * i + 1]);
    }
    return new NodeId(IdBytes.longAt(out, 0), IdBytes.longAt(out, 8));
  }
}
