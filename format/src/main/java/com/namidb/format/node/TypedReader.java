package com.namidb.format.node;

import com.namidb.format.node.NodeSstFile.TypedColumn;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** One typed column of the legacy generation, as members of a JSON object. Source: node §4. */
abstract class TypedReader {
  private final byte[] name;
  private LevelReader levels;
  private String column;

  private TypedReader(String name) {
    this.name = name.getBytes(StandardCharsets.UTF_8);
  }

  /** Chooses by the declared type. */
  static TypedReader of(TypedColumn t, PageStream pages) {
    TypedReader out =
        switch (t.dataType()) {
          case "Bool" -> new Numbers(t, pages, 0);
          case "Int32", "Date32", "Float32", "FloatVector" -> new Numbers(t, pages, 4);
          case "Int64", "TimestampMicrosUtc", "Float64" -> new Numbers(t, pages, 8);
          case "Utf8", "LargeUtf8", "Json", "Binary" -> new Texts(t, pages, 0);
          case "Int8Vector" ->
              new Texts(t, pages, pages.chunk().column().getPrimitiveType().getTypeLength());
          default -> throw new DamageException("a column has the unknown type " + t.dataType());
        };
    out.levels = new LevelReader(pages, out.page());
    out.column = pages.column();
    return out;
  }

  abstract Consumer<Page> page();

  /** Writes the next value. */
  abstract void value(JsonText out);

  boolean list() {
    return false;
  }

  /** Adds the next row's member, with the comma before it, or nothing if it is null. */
  void append(JsonText out) {
    if (!levels.load()) {
      throw new DamageException(column + " ends before its row group does");
    }
    if (!levels.startsRow()) {
      throw new DamageException(column + " has a page that starts inside a row");
    }
    int level = levels.take();
    if (level == 0 && levels.maxDefinition > 0) {
      return;
    }
    if (level > 1 && level < levels.maxDefinition) {
      throw new DamageException(column + " holds a null");
    }
    if (out.bytes()[out.length() - 1] != '{') {
      out.text(",");
    }
    out.string(name, 0, name.length);
    out.text(":");
    if (!list()) {
      value(out);
      return;
    }
    out.text("[");
    while (level == levels.maxDefinition) {
      value(out);
      if (!levels.continuesRow()) {
        break;
      }
      out.text(",");
      level = levels.take();
      if (level < levels.maxDefinition) {
        throw new DamageException(column + " holds a null");
      }
    }
    out.text("]");
  }

  private static final class Numbers extends TypedReader {
    private final String type;
    private final LongValues values;
    private final long[] one = new long[1];

    Numbers(TypedColumn t, PageStream pages, int width) {
      super(t.name());
      type = t.dataType();
      values = new LongValues(pages, width);
    }

    @Override
    Consumer<Page> page() {
      return values::init;
    }

    @Override
    boolean list() {
      return type.equals("FloatVector");
    }

    @Override
    void value(JsonText out) {
      values.read(one, 0, 1);
      long v = one[0];
      out.text(
          switch (type) {
            case "Bool" -> v != 0 ? "true" : "false";
            case "Date32" -> "{\"$date\":" + v + "}";
            case "TimestampMicrosUtc" -> "{\"$datetime\":" + v + "}";
            case "Float32" -> finite(Float.intBitsToFloat((int) v));
            case "Float64" -> finite(Double.longBitsToDouble(v));
            case "FloatVector" -> Float.toString(Float.intBitsToFloat((int) v));
            default -> Long.toString(v);
          });
    }

    /** Doubles that JSON cannot say read as null, as after a rewrite by the engine. */
    private static String finite(double d) {
      return Double.isFinite(d) ? Double.toString(d) : "null";
    }
  }

  private static final class Texts extends TypedReader {
    private final String type;
    private final ByteArrayValues values;
    private final int[] offset = new int[1];
    private final int[] length = new int[1];

    Texts(TypedColumn t, PageStream pages, int fixed) {
      super(t.name());
      type = t.dataType();
      values = new ByteArrayValues(pages, fixed);
    }

    @Override
    Consumer<Page> page() {
      return values::init;
    }

    @Override
    void value(JsonText out) {
      values.read(offset, length, 0, 1);
      byte[] b = values.base();
      int from = offset[0];
      int n = length[0];
      switch (type) {
        case "Json" -> out.raw(b, from, n);
        case "Binary" -> {
          out.text("{\"$bytes\":[");
          list(out, b, from, n, 0xFF);
          out.text("]}");
        }
        case "Int8Vector" -> {
          out.text("{\"$i8vec\":[");
          out.text(Float.toString(Float.intBitsToFloat(LittleEndian.intAt(b, from))));
          out.text(",[");
          list(out, b, from + 4, n - 4, -1);
          out.text("]]}");
        }
        default -> out.string(b, from, n);
      }
    }

    private static void list(JsonText out, byte[] b, int from, int n, int mask) {
      for (int i = 0; i < n; i++) {
        out.text((i == 0 ? "" : ",") + (b[from + i] & mask));
      }
    }
  }
}
