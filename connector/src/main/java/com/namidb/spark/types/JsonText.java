package com.namidb.spark.types;

import com.namidb.format.value.QuotedText;
import com.namidb.format.value.Value;

/**
 * A value as the text a STRING column shows: strings as they are, everything else as the tagged
 * JSON it is stored in, compact. Source: values §1.2, §6.1.
 */
public final class JsonText {
  private JsonText() {}

  /**
   * The text of a value; {@code null} for a stored null.
   *
   * @param value at any level of a list or map
   */
  public static String of(Value value) {
    if (value instanceof Value.Null) {
      return null;
    }
    if (value instanceof Value.Str s) {
      return s.value();
    }
    StringBuilder out = new StringBuilder();
    json(value, out);
    return out.toString();
  }

  private static void json(Value value, StringBuilder out) {
    if (value instanceof Value.Null) {
      out.append("null");
    } else if (value instanceof Value.Bool v) {
      out.append(v.value());
    } else if (value instanceof Value.Int64 v) {
      out.append(v.value());
    } else if (value instanceof Value.Float64 v) {
      out.append(v.value());
    } else if (value instanceof Value.Str v) {
      QuotedText.append(v.value(), out);
    } else if (value instanceof Value.Date v) {
      out.append("{\"$date\":").append(v.epochDays()).append('}');
    } else if (value instanceof Value.DateTime v) {
      out.append("{\"$datetime\":").append(v.epochMicros()).append('}');
    } else {
      container(value, out);
    }
  }

  private static void container(Value value, StringBuilder out) {
    if (value instanceof Value.Bytes v) {
      out.append("{\"$bytes\":[");
      for (int i = 0; i < v.hex().length(); i += 2) {
        out.append(i == 0 ? "" : ",").append(Integer.parseInt(v.hex(), i, i + 2, 16));
      }
      out.append("]}");
    } else if (value instanceof Value.Vector v) {
      items(v.components(), out);
    } else if (value instanceof Value.Int8Vector v) {
      out.append("{\"$i8vec\":[").append(v.scale()).append(',');
      items(v.codes(), out);
      out.append("]}");
    } else if (value instanceof Value.ListOf v) {
      out.append("{\"$list\":[");
      String comma = "";
      for (Value item : v.items()) {
        out.append(comma);
        json(item, out);
        comma = ",";
      }
      out.append("]}");
    } else if (value instanceof Value.MapOf v) {
      out.append("{\"$map\":{");
      String[] comma = {""};
      v.entries()
          .forEach(
              (name, item) -> {
                out.append(comma[0]);
                QuotedText.append(name, out);
                out.append(':');
                json(item, out);
                comma[0] = ",";
              });
      out.append("}}");
    }
  }

  private static void items(Iterable<?> items, StringBuilder out) {
    out.append('[');
    String comma = "";
    for (Object item : items) {
      out.append(comma).append(item);
      comma = ",";
    }
    out.append(']');
  }
}
