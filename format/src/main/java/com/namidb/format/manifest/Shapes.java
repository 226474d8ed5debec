package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The value types of all JSON documents. Source: manifest §2.1. */
final class Shapes {
  /** Text; equal texts of a document share one instance. */
  static final Shape TEXT =
      in -> {
        in.expect(JsonToken.VALUE_STRING, "a string");
        return in.sharedText();
      };

  /** Unsigned 64-bit integer, as the {@code Long} with the same bits. */
  static final Shape U64 = in -> unsigned(u64Text(in), in);

  /** Unsigned 64-bit integer, as it is spelled. */
  static final Shape U64_TEXT =
      in -> {
        String text = u64Text(in);
        unsigned(text, in);
        return text;
      };

  /** Unsigned 64-bit integer that counts something: a {@code Long} that is not negative. */
  static final Shape COUNT =
      in -> {
        long value = unsigned(u64Text(in), in);
        if (value < 0) {
          throw in.damaged("is greater than any count can be");
        }
        return value;
      };

  /** Unsigned 32-bit integer, as a {@code Long}. */
  static final Shape U32 = in -> ranged(in, 0xFFFF_FFFFL);

  /** Unsigned 32-bit integer small enough for an {@code Integer}. */
  static final Shape SMALL = in -> (int) ranged(in, Integer.MAX_VALUE);

  /** Signed integer of at most 64 bits. */
  static final Shape I64 =
      in -> {
        in.expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        try {
          return Long.parseLong(in.text());
        } catch (NumberFormatException e) {
          throw in.damaged("is not a signed 64-bit integer");
        }
      };

  /** {@code true} or {@code false}. */
  static final Shape BOOL =
      in -> {
        if (in.token() != JsonToken.VALUE_TRUE && in.token() != JsonToken.VALUE_FALSE) {
          throw in.damaged("is not true or false");
        }
        return in.token() == JsonToken.VALUE_TRUE;
      };

  /** A number; nothing is kept. */
  static final Shape FLOAT =
      in -> {
        if (in.token() != JsonToken.VALUE_NUMBER_INT
            && in.token() != JsonToken.VALUE_NUMBER_FLOAT) {
          throw in.damaged("is not a number");
        }
        in.skip();
        return null;
      };

  /** A UUID in any accepted spelling, as a {@link NodeId}. */
  static final Shape UUID =
      in -> {
        in.expect(JsonToken.VALUE_STRING, "a string");
        try {
          return NodeId.parse(in.text());
        } catch (IllegalArgumentException e) {
          throw in.damaged("is " + e.getMessage());
        }
      };

  /** A UUID in any accepted spelling, kept as spelled. */
  static final Shape UUID_TEXT =
      in -> {
        UUID.read(in);
        return in.text();
      };

  /** A time, in microseconds since 1970 UTC. */
  static final Shape TIME =
      in -> {
        in.expect(JsonToken.VALUE_STRING, "a string");
        try {
          return Rfc3339.parseMicros(in.text());
        } catch (IllegalArgumentException e) {
          throw in.damaged("is wrong: " + e.getMessage());
        }
      };

  /** Sixteen bytes in padded standard base64, as a {@link NodeId}. */
  static final Shape KEY = Shapes::key;

  /** A JSON array of bytes; nothing is kept. */
  static final Shape BYTES =
      in -> {
        in.expect(JsonToken.START_ARRAY, "an array of bytes");
        while (in.next() != JsonToken.END_ARRAY) {
          byteOf(in);
        }
        return null;
      };

  /** Any well-formed value; nothing is kept. */
  static final Shape ANY =
      in -> {
        in.skip();
        return null;
      };

  /** Any well-formed array; nothing is kept. */
  static final Shape ANY_ARRAY =
      in -> {
        in.expect(JsonToken.START_ARRAY, "an array");
        in.skip();
        return null;
      };

  private Shapes() {}

  /** One of some fixed strings; anything else is a newer format. */
  static Shape oneOf(String... values) {
    Set<String> known = Set.of(values);
    return in -> {
      in.expect(JsonToken.VALUE_STRING, "a string");
      String text = in.sharedText();
      if (!known.contains(text)) {
        throw in.unknown(text);
      }
      return text;
    };
  }

  /** An array, as the {@code List} of what its elements keep. */
  static Shape list(Shape element) {
    return in -> {
      in.expect(JsonToken.START_ARRAY, "an array");
      List<Object> out = new ArrayList<>();
      while (in.next() != JsonToken.END_ARRAY) {
        out.add(element.read(in));
      }
      return out;
    };
  }

  /** An object of freely named members, as the {@code Map} of what they keep, in file order. */
  static Shape map(Shape value) {
    return in -> {
      in.expect(JsonToken.START_OBJECT, "an object");
      Map<String, Object> out = new LinkedHashMap<>();
      while (in.next() != JsonToken.END_OBJECT) {
        String name = in.name();
        in.next();
        out.put(name, value.read(in));
      }
      return out;
    };
  }

  /** Checks and keeps nothing. */
  static Shape checked(Shape shape) {
    return in -> {
      shape.read(in);
      return null;
    };
  }

  /** The byte under the cursor, unsigned. */
  static int byteOf(JsonCursor in) {
    in.expect(JsonToken.VALUE_NUMBER_INT, "a byte");
    int b = in.smallInt();
    if (b < 0 || b > 255) {
      throw in.damaged("is not a byte");
    }
    return b;
  }

  private static String u64Text(JsonCursor in) {
    in.expect(JsonToken.VALUE_NUMBER_INT, "an integer");
    return in.text();
  }

  private static long unsigned(String text, JsonCursor in) {
    try {
      if (text.startsWith("-")) {
        throw in.damaged("is not an unsigned 64-bit integer");
      }
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw in.damaged("is not an unsigned 64-bit integer");
    }
  }

  private static long ranged(JsonCursor in, long max) {
    long value = unsigned(u64Text(in), in);
    if (value < 0 || value > max) {
      throw in.damaged("is above " + max);
    }
    return value;
  }

  private static Object key(JsonCursor in) {
    in.expect(JsonToken.VALUE_STRING, "a string");
    String text = in.text();
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw in.damaged("is not base64");
    }
    // The decoder is lenient about padding and spare bits; the engine is not.
    if (bytes.length != NodeId.BYTES || !Base64.getEncoder().encodeToString(bytes).equals(text)) {
      throw in.damaged("is not the base64 text of 16 bytes");
    }
    return NodeId.of(bytes, 0);
  }
}
