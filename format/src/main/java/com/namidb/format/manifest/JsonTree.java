package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import com.namidb.format.value.QuotedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The connector's own small documents (job state, reports, receipts) as trees of {@code Map},
 * {@code List}, {@code String}, {@code Long}, {@code Boolean} and {@code null}. Numbers are signed
 * 64-bit integers; anything unsigned is written as text.
 */
public final class JsonTree {
  private final String kind;
  private final String object;
  private final Map<?, ?> members;

  private JsonTree(String kind, String object, Map<?, ?> members) {
    this.kind = kind;
    this.object = object;
    this.members = members;
  }

  /**
   * Reads a document whose outermost value is an object.
   *
   * @param kind what the object is, for errors
   * @param object its key, for errors
   * @throws com.namidb.format.error.CorruptObjectException if it is none
   */
  public static JsonTree parse(String kind, String object, byte[] bytes) {
    try (JsonCursor in = JsonCursor.of(kind, object, bytes)) {
      in.next();
      in.expect(JsonToken.START_OBJECT, "an object");
      Object tree = read(in);
      in.expectEnd();
      return new JsonTree(kind, object, (Map<?, ?>) tree);
    }
  }

  /** The UTF-8 text of a tree. */
  public static byte[] write(Map<String, ?> tree) {
    StringBuilder out = new StringBuilder();
    append(tree, out);
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A text member. */
  public String text(String name) {
    return typed(name, String.class);
  }

  /** A number member. */
  public long number(String name) {
    return typed(name, Long.class);
  }

  /** A boolean member. */
  public boolean flag(String name) {
    return typed(name, Boolean.class);
  }

  /** Whether a member is there and not null. */
  public boolean has(String name) {
    return members.get(name) != null;
  }

  /** A member that is an object. */
  public JsonTree child(String name) {
    return new JsonTree(kind, object, typed(name, Map.class));
  }

  /** A member that is an array of objects. */
  public List<JsonTree> children(String name) {
    List<JsonTree> out = new ArrayList<>();
    for (Object o : typed(name, List.class)) {
      if (!(o instanceof Map<?, ?> m)) {
        throw wrong(name);
      }
      out.add(new JsonTree(kind, object, m));
    }
    return out;
  }

  /** A member that is an array of texts. */
  public List<String> texts(String name) {
    return list(name, String.class);
  }

  /** A member that is an array of numbers. */
  public List<Long> numbers(String name) {
    return list(name, Long.class);
  }

  /** An object of texts, in file order. */
  public Map<String, String> textMap(String name) {
    Map<String, String> out = new LinkedHashMap<>();
    Map<?, ?> map = typed(name, Map.class);
    for (Map.Entry<?, ?> e : map.entrySet()) {
      if (!(e.getValue() instanceof String text)) {
        throw wrong(name);
      }
      out.put((String) e.getKey(), text);
    }
    return out;
  }

  /** The document contradicts what it should say. */
  public CorruptObjectException wrong(String name) {
    return FileErrors.damaged(
        kind, object, "member '" + name + "' is missing or of the wrong type");
  }

  private <T> List<T> list(String name, Class<T> type) {
    List<T> out = new ArrayList<>();
    for (Object o : typed(name, List.class)) {
      if (!type.isInstance(o)) {
        throw wrong(name);
      }
      out.add(type.cast(o));
    }
    return out;
  }

  private <T> T typed(String name, Class<T> type) {
    Object value = members.get(name);
    if (!type.isInstance(value)) {
      throw wrong(name);
    }
    return type.cast(value);
  }

  private static Object read(JsonCursor in) {
    return switch (in.token()) {
      case START_OBJECT -> {
        Map<String, Object> out = new LinkedHashMap<>();
        while (in.next() != JsonToken.END_OBJECT) {
          String name = in.name();
          in.next();
          out.put(name, read(in));
        }
        yield out;
      }
      case START_ARRAY -> {
        List<Object> out = new ArrayList<>();
        while (in.next() != JsonToken.END_ARRAY) {
          out.add(read(in));
        }
        yield out;
      }
      case VALUE_STRING -> in.text();
      case VALUE_NULL -> null;
      case VALUE_TRUE, VALUE_FALSE -> Shapes.BOOL.read(in);
      default -> Shapes.I64.read(in);
    };
  }

  private static void append(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      out.append('{');
      String separator = "";
      for (Map.Entry<?, ?> e : map.entrySet()) {
        out.append(separator).append(QuotedText.of((String) e.getKey())).append(':');
        append(e.getValue(), out);
        separator = ",";
      }
      out.append('}');
    } else if (value instanceof List<?> list) {
      out.append('[');
      String separator = "";
      for (Object o : list) {
        out.append(separator);
        append(o, out);
        separator = ",";
      }
      out.append(']');
    } else if (value instanceof String text) {
      out.append(QuotedText.of(text));
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      throw new IllegalStateException("no JSON form of " + value.getClass());
    }
  }
}
