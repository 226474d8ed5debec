package com.namidb.format.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Steps over the bytes of JSON text without decoding them.
 *
 * <p>Every method relies on a fence: the last byte of the slice, {@code b[end - 1]}, is <code>}
 * </code> and belongs to the outermost object. Digits, letters and white space therefore stop there
 * by themselves, and only strings and nested objects have to look at {@code end}. A nested object
 * that closes on the fence is a fault, so a position behind a complete value is always below {@code
 * end}. Eight-byte loads are bounded by the buffer, not by the slice: what they see behind the
 * slice never changes a result.
 */
final class JsonScan {
  /**
   * Brackets that may be open at once, the property object's own included. The engine's decoder
   * reads 127 and fails at the 128th (values §1.8; seen with 2.6.19 in an edge SST).
   */
  static final int MAX_DEPTH = 127;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = 0x8080808080808080L;
  private static final long QUOTE = '"' * ONES;
  private static final long BACKSLASH = '\\' * ONES;
  private static final long CLOSE_SQUARE_OR_CURLY = '}' * ONES;
  private static final long OPEN_SQUARE_OR_CURLY = '{' * ONES;
  private static final long CASE = 0x20 * ONES;

  private JsonScan() {}

  /** Eight bytes as a little-endian number. */
  static long word(byte[] b, int p) {
    return (long) LONG.get(b, p);
  }

  /**
   * The slice's end without trailing white space, so that the fence stands.
   *
   * @throws JsonFault if there is no closing brace
   */
  static int fence(byte[] b, int from, int end) {
    int e = end;
    while (e > from && isSpace(b[e - 1])) {
      e--;
    }
    if (e == from || b[e - 1] != '}') {
      throw new JsonFault("no closing brace", e);
    }
    return e;
  }

  private static boolean isSpace(byte c) {
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
  }

  /** The first position from {@code p} on that holds no white space. */
  static int space(byte[] b, int p) {
    int q = p;
    while (isSpace(b[q])) {
      q++;
    }
    return q;
  }

  /** Steps over white space, a colon and white space. */
  static int colon(byte[] b, int p) {
    int q = space(b, p);
    if (b[q] != ':') {
      throw new JsonFault("expected ':'", q);
    }
    return space(b, q + 1);
  }

  /** Steps over white space and the brace that closes a nested object. */
  static int closeNested(byte[] b, int p, int end) {
    int q = space(b, p);
    if (b[q] != '}') {
      throw new JsonFault("expected '}'", q);
    }
    if (q + 1 >= end) {
      throw new JsonFault("an object is not closed", q);
    }
    return q + 1;
  }

  /** Checks that one more bracket may be opened below {@code depth} open ones. */
  static int deeper(int depth, int p) {
    if (depth >= MAX_DEPTH) {
      throw new JsonFault("more than " + MAX_DEPTH + " nested brackets", p);
    }
    return depth + 1;
  }

  /** Steps over a word such as {@code null} whose first letter is known to be there. */
  static int literal(byte[] b, int p, String word) {
    for (int i = 1; i < word.length(); i++) {
      if (b[p + i] != word.charAt(i)) {
        throw new JsonFault("expected " + word, p);
      }
    }
    return p + word.length();
  }

  /**
   * First quote, backslash, control character or byte outside ASCII in {@code [p, end)}.
   *
   * @throws JsonFault if there is none: the string does not end
   */
  static int special(byte[] b, int p, int end) {
    int q = p;
    // The lowest hit of such a word is exact: borrows start at hits only.
    for (int last = b.length - 8; q <= last && q < end; q += 8) {
      long w = word(b, q);
      // A quote flipped by 2 is a blank: below 0x21 together with the control characters.
      long hit = (((w ^ 2 * ONES) - 0x21 * ONES) | ((w ^ BACKSLASH) - ONES) | w) & HIGH;
      if (hit != 0) {
        return inside(q + (Long.numberOfTrailingZeros(hit) >>> 3), end, p);
      }
    }
    while (q < end && b[q] >= ' ' && b[q] != '"' && b[q] != '\\') {
      q++;
    }
    return inside(q, end, p);
  }

  /** Like {@link #special}, but passes over bytes outside ASCII. */
  static int specialAscii(byte[] b, int p, int end) {
    int q = p;
    for (int last = b.length - 8; q <= last && q < end; q += 8) {
      long w = word(b, q);
      long hit = (((w ^ 2 * ONES) - 0x21 * ONES) | ((w ^ BACKSLASH) - ONES)) & ~w & HIGH;
      if (hit != 0) {
        return inside(q + (Long.numberOfTrailingZeros(hit) >>> 3), end, p);
      }
    }
    while (q < end && (b[q] < 0 || (b[q] >= ' ' && b[q] != '"' && b[q] != '\\'))) {
      q++;
    }
    return inside(q, end, p);
  }

  private static int quoteOrBackslash(byte[] b, int p, int end) {
    int q = p;
    for (int last = b.length - 8; q <= last && q < end; q += 8) {
      long w = word(b, q);
      long hit = (((w ^ QUOTE) - ONES) | ((w ^ BACKSLASH) - ONES)) & ~w & HIGH;
      if (hit != 0) {
        return inside(q + (Long.numberOfTrailingZeros(hit) >>> 3), end, p);
      }
    }
    while (q < end && b[q] != '"' && b[q] != '\\') {
      q++;
    }
    return inside(q, end, p);
  }

  private static int inside(int q, int end, int p) {
    if (q >= end) {
      throw new JsonFault("a string is not closed", p);
    }
    return q;
  }

  /**
   * Steps over a string, honouring escapes and checking nothing else.
   *
   * @param p position behind the opening quote
   * @return position behind the closing quote
   */
  static int skipString(byte[] b, int p, int end) {
    int q = quoteOrBackslash(b, p, end);
    while (b[q] != '"') {
      q = quoteOrBackslash(b, inside(q + 2, end, p), end);
    }
    return q + 1;
  }

  /**
   * Steps over a value of which nothing is wanted. Strings end where they should, brackets pair up
   * kind by kind and a scalar is one run of its own characters, so that the next member is found;
   * what the value says is not checked.
   *
   * @param depth brackets open around the value
   */
  static int skipValue(byte[] b, int p, int end, int depth) {
    byte c = b[p];
    if (c == '"') {
      return skipString(b, p + 1, end);
    }
    if (c == '{' || c == '[') {
      return skipNested(b, p, end, depth);
    }
    int q = p;
    while (isScalar(b[q])) {
      q++;
    }
    if (q == p) {
      throw new JsonFault("expected a value", p);
    }
    return q;
  }

  private static boolean isScalar(byte c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || c == '.'
        || c == '-'
        || c == '+'
        || c == 'E';
  }

  private static int skipNested(byte[] b, int p, int end, int depth) {
    // Kinds of the open brackets, innermost in the lowest bit: 1 = object. 127 deep at most.
    long kinds = 0;
    long outerKinds = 0;
    int open = 0;
    int q = p;
    while (true) {
      q = structural(b, q, end);
      byte c = b[q];
      if (c == '"') {
        q = skipString(b, q + 1, end);
        continue;
      }
      if (c == '{' || c == '[') {
        deeper(depth + open, q);
        open++;
        outerKinds = (outerKinds << 1) | (kinds >>> 63);
        kinds = (kinds << 1) | (c == '{' ? 1 : 0);
        q++;
        continue;
      }
      if ((kinds & 1) != (c == '}' ? 1 : 0)) {
        throw new JsonFault("brackets do not pair up", q);
      }
      kinds = (kinds >>> 1) | (outerKinds << 63);
      outerKinds >>>= 1;
      q++;
      if (q >= end) {
        throw new JsonFault("an object is not closed", p);
      }
      if (--open == 0) {
        return q;
      }
    }
  }

  /** First quote or bracket; there is one, because the fence is a bracket. */
  private static int structural(byte[] b, int p, int end) {
    int q = p;
    for (int last = b.length - 8; q <= last && q < end; q += 8) {
      long w = word(b, q);
      long folded = w | CASE;
      long hit =
          (((folded ^ OPEN_SQUARE_OR_CURLY) - ONES)
                  | ((folded ^ CLOSE_SQUARE_OR_CURLY) - ONES)
                  | ((w ^ QUOTE) - ONES))
              & ~w
              & HIGH;
      if (hit != 0) {
        return q + (Long.numberOfTrailingZeros(hit) >>> 3);
      }
    }
    while (!isStructural(b[q])) {
      q++;
    }
    return q;
  }

  private static boolean isStructural(byte c) {
    int folded = c | 0x20;
    return c == '"' || folded == '{' || folded == '}';
  }
}
