package com.namidb.format.value;

/** JSON strings as the engine writes them. Source: values §1.2, manifest §2.1. */
public final class QuotedText {
  private QuotedText() {}

  /** The text in quotes; only what must be escaped is. */
  public static String of(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    append(text, out);
    return out.toString();
  }

  /** Adds the text in quotes; only what must be escaped is. */
  public static void append(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
