package com.namidb.format.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decodes single values, strictly by values §1.4, into a {@link ValueSink}. Lists and maps become
 * trees, unless the sink is {@link #NOTHING}: then the value is only checked. Positions follow the
 * contract of {@link JsonScan}.
 */
final class ValueDecoder {
  /** Takes any value and keeps nothing. */
  static final ValueSink NOTHING = new NoSink();

  private final JsonString strings = new JsonString();
  private final JsonNumber numbers = new JsonNumber();
  private final TreeSink tree = new TreeSink();
  private float[] components = new float[16];
  private byte[] octets = new byte[16];
  private int octetCount;

  /**
   * Decodes one value.
   *
   * @param p position of its first byte
   * @param depth brackets open around it
   * @param property what the sink is told
   * @return position behind the value, below {@code end}
   */
  int decode(byte[] b, int p, int end, int depth, int property, ValueSink sink) {
    return switch (b[p]) {
      case '"' -> string(b, p, end, property, sink);
      case 'n' -> nullValue(JsonScan.literal(b, p, "null"), property, sink);
      case 't' -> bool(JsonScan.literal(b, p, "true"), property, true, sink);
      case 'f' -> bool(JsonScan.literal(b, p, "false"), property, false, sink);
      case '[' -> vector(b, p, depth, property, sink);
      case '{' -> object(b, p, end, JsonScan.deeper(depth, p), property, sink);
      default -> number(b, p, property, sink);
    };
  }

  /** Decodes one value into a tree. */
  int decodeTree(byte[] b, int p, int end, int depth) {
    return decode(b, p, end, depth, 0, tree);
  }

  /** The tree made last. */
  Value tree() {
    return tree.value();
  }

  /** Reads a string, e.g. a name; the result is in {@link #strings()}. */
  int string(byte[] b, int p, int end) {
    if (b[p] != '"') {
      throw new JsonFault("expected a string", p);
    }
    return strings.read(b, p + 1, end);
  }

  JsonString strings() {
    return strings;
  }

  private int string(byte[] b, int p, int end, int property, ValueSink sink) {
    int q = strings.read(b, p + 1, end);
    sink.string(property, strings.buffer(), strings.offset(), strings.length());
    return q;
  }

  private static int nullValue(int p, int property, ValueSink sink) {
    sink.nullValue(property);
    return p;
  }

  private static int bool(int p, int property, boolean value, ValueSink sink) {
    sink.bool(property, value);
    return p;
  }

  private int number(byte[] b, int p, int property, ValueSink sink) {
    int q = numbers.read(b, p);
    if (numbers.isInteger()) {
      sink.int64(property, numbers.value());
    } else {
      sink.float64(property, numbers.real());
    }
    return q;
  }

  private int vector(byte[] b, int p, int depth, int property, ValueSink sink) {
    JsonScan.deeper(depth, p);
    int n = 0;
    int q = JsonScan.space(b, p + 1);
    if (b[q] == ']') {
      q++;
    } else {
      do {
        q = numbers.read(b, q);
        if (n == components.length) {
          components = Arrays.copyOf(components, 2 * n);
        }
        components[n++] = (float) numbers.real();
        q = afterElement(b, q);
      } while (b[q - 1] != ']');
    }
    sink.vector(property, components, n);
    return q;
  }

  /**
   * Steps behind the comma, and the white space around it, or behind the closing bracket: then the
   * byte before the result is that bracket.
   */
  private static int afterElement(byte[] b, int p) {
    int q = JsonScan.space(b, p);
    if (b[q] == ',') {
      return JsonScan.space(b, q + 1);
    }
    if (b[q] != ']') {
      throw new JsonFault("expected ',' or ']'", q);
    }
    return q + 1;
  }

  private int object(byte[] b, int p, int end, int depth, int property, ValueSink sink) {
    int q = JsonScan.space(b, p + 1);
    if (b[q] == '}') {
      return nullValue(JsonScan.closeNested(b, q, end), property, sink);
    }
    q = string(b, q, end);
    Tag tag = Tag.of(strings.buffer(), strings.offset(), strings.length());
    if (tag == null) {
      throw new JsonFault("an object that is no typed value", p);
    }
    q = JsonScan.colon(b, q);
    return switch (tag) {
      case BYTES -> bytes(b, q, end, property, sink);
      case INT8_VECTOR -> int8Vector(b, q, end, property, sink);
      case DATE -> date(b, q, end, property, sink);
      case DATETIME -> datetime(b, q, end, property, sink);
      case LIST -> list(b, q, end, depth, property, sink);
      case MAP -> map(b, q, end, depth, property, sink);
    };
  }

  private int integer(byte[] b, int p, long min, long max) {
    int q = numbers.read(b, p);
    long value = numbers.value();
    if (!numbers.isInteger() || numbers.isWrapped() || value < min || value > max) {
      throw new JsonFault("expected an integer from " + min + " to " + max, p);
    }
    return q;
  }

  private int date(byte[] b, int p, int end, int property, ValueSink sink) {
    int q = integer(b, p, Integer.MIN_VALUE, Integer.MAX_VALUE);
    q = JsonScan.closeNested(b, q, end);
    sink.date(property, (int) numbers.value());
    return q;
  }

  private int datetime(byte[] b, int p, int end, int property, ValueSink sink) {
    int q = integer(b, p, Long.MIN_VALUE, Long.MAX_VALUE);
    q = JsonScan.closeNested(b, q, end);
    sink.datetime(property, numbers.value());
    return q;
  }

  private int bytes(byte[] b, int p, int end, int property, ValueSink sink) {
    int q = octets(b, p, 0, 255);
    int n = octetCount;
    q = JsonScan.closeNested(b, q, end);
    sink.bytes(property, octets, 0, n);
    return q;
  }

  private int int8Vector(byte[] b, int p, int end, int property, ValueSink sink) {
    int q = numbers.read(b, JsonScan.space(b, openArray(b, p)));
    float scale = (float) numbers.real();
    q = JsonScan.space(b, q);
    if (b[q] != ',') {
      throw new JsonFault("expected ','", q);
    }
    q = JsonScan.space(b, octets(b, JsonScan.space(b, q + 1), Byte.MIN_VALUE, Byte.MAX_VALUE));
    if (b[q] != ']') {
      throw new JsonFault("expected ']'", q);
    }
    q = JsonScan.closeNested(b, q + 1, end);
    sink.int8Vector(property, scale, octets, octetCount);
    return q;
  }

  private int octets(byte[] b, int p, int min, int max) {
    int n = 0;
    int q = JsonScan.space(b, openArray(b, p));
    if (b[q] == ']') {
      q++;
    } else {
      do {
        q = integer(b, q, min, max);
        if (n == octets.length) {
          octets = Arrays.copyOf(octets, 2 * n);
        }
        octets[n++] = (byte) numbers.value();
        q = afterElement(b, q);
      } while (b[q - 1] != ']');
    }
    octetCount = n;
    return q;
  }

  private static int openArray(byte[] b, int p) {
    if (b[p] != '[') {
      throw new JsonFault("expected '['", p);
    }
    return p + 1;
  }

  private int list(byte[] b, int p, int end, int depth, int property, ValueSink sink) {
    int inner = JsonScan.deeper(depth, p);
    ValueSink into = sink == NOTHING ? NOTHING : tree;
    List<Value> items = new ArrayList<>();
    int q = JsonScan.space(b, openArray(b, p));
    if (b[q] == ']') {
      q++;
    } else {
      do {
        q = decode(b, q, end, inner, 0, into);
        if (into == tree) {
          items.add(tree.value());
        }
        q = afterElement(b, q);
      } while (b[q - 1] != ']');
    }
    q = JsonScan.closeNested(b, q, end);
    sink.list(property, new Value.ListOf(items));
    return q;
  }

  private int map(byte[] b, int p, int end, int depth, int property, ValueSink sink) {
    int inner = JsonScan.deeper(depth, p);
    if (b[p] != '{') {
      throw new JsonFault("expected '{'", p);
    }
    ValueSink into = sink == NOTHING ? NOTHING : tree;
    Map<String, Value> entries = new LinkedHashMap<>();
    int q = JsonScan.space(b, p + 1);
    if (b[q] != '}') {
      while (true) {
        q = string(b, q, end);
        String key = into == tree ? strings.text() : null;
        q = decode(b, JsonScan.colon(b, q), end, inner, 0, into);
        if (into == tree) {
          entries.put(key, tree.value());
        }
        q = JsonScan.space(b, q);
        if (b[q] != ',') {
          break;
        }
        q = JsonScan.space(b, q + 1);
      }
    }
    q = JsonScan.closeNested(b, JsonScan.closeNested(b, q, end), end);
    sink.map(property, new Value.MapOf(entries));
    return q;
  }
}
