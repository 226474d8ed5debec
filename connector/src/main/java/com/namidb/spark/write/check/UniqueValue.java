package com.namidb.spark.write.check;

import com.namidb.format.stage.RowSorter;
import com.namidb.format.value.PropertyReader;
import com.namidb.format.value.Value;
import com.namidb.format.value.ValueSink;
import com.namidb.format.value.ValueTree;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Hashes the values a rule looks at, so that two hashes are equal exactly when the engine calls the
 * values equal: same type and same value, 0.0 and -0.0 being one value; the order of a map's keys
 * does not matter; an integer and a float are never equal. A missing value exempts the node, and so
 * does an explicit null if the rule names several properties; a single null is a value. (Tried with
 * both engines.) Not thread-safe.
 */
final class UniqueValue {
  /** Bytes of a hash. */
  static final int BYTES = 16;

  private final int rule;
  private final PropertyReader reader;
  private final Cells cells;
  private final MessageDigest digest;

  /**
   * Prepares it.
   *
   * @param number tells rules apart
   */
  UniqueValue(int number, UniqueRule rule) {
    this.rule = number;
    reader = new PropertyReader(rule.properties(), Set.of());
    cells = new Cells(rule.properties().size());
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The hash of a record's values, {@code null} if the rule does not hold for it. */
  byte[] hash(byte[] json, int offset, int length) {
    Arrays.fill(cells.values, null);
    reader.read(json, offset, length, cells);
    boolean composite = cells.values.length > 1;
    digest.reset();
    digest.update((byte) (rule >>> 8));
    digest.update((byte) rule);
    for (byte[] value : cells.values) {
      if (value == null || (composite && value == Cells.NULL)) {
        return null;
      }
      byte[] size = new byte[4];
      RowSorter.putInt(size, 0, value.length);
      digest.update(size);
      digest.update(value);
    }
    return Arrays.copyOf(digest.digest(), BYTES);
  }

  /** One canonical byte string per property; of a name that comes twice the last one counts. */
  private static final class Cells implements ValueSink {
    static final byte[] NULL = {0};

    private final byte[][] values;

    Cells(int properties) {
      values = new byte[properties][];
    }

    private void put(int property, Value value) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        write(value, out);
      } catch (IOException e) {
        throw new IllegalStateException("memory does not fail to be written", e);
      }
      values[property] = bytes.toByteArray();
    }

    private static void write(Value value, DataOutputStream out) throws IOException {
      out.writeUTF(value.type().name());
      if (value instanceof Value.Bool b) {
        out.writeBoolean(b.value());
      } else if (value instanceof Value.Int64 i) {
        out.writeLong(i.value());
      } else if (value instanceof Value.Float64 f) {
        out.writeDouble(f.value() + 0.0);
      } else if (value instanceof Value.Str s) {
        text(s.value(), out);
      } else if (value instanceof Value.Bytes b) {
        out.writeInt(b.hex().length());
        out.write(HexFormat.of().parseHex(b.hex()));
      } else if (value instanceof Value.Date d) {
        out.writeInt(d.epochDays());
      } else if (value instanceof Value.DateTime t) {
        out.writeLong(t.epochMicros());
      } else if (value instanceof Value.Vector v) {
        out.writeInt(v.components().size());
        for (float f : v.components()) {
          out.writeFloat(f + 0.0f);
        }
      } else if (value instanceof Value.Int8Vector v) {
        out.writeFloat(v.scale() + 0.0f);
        out.writeInt(v.codes().size());
        for (byte code : v.codes()) {
          out.writeByte(code);
        }
      } else if (value instanceof Value.ListOf l) {
        out.writeInt(l.items().size());
        for (Value item : l.items()) {
          write(item, out);
        }
      } else if (value instanceof Value.MapOf m) {
        out.writeInt(m.entries().size());
        for (Map.Entry<String, Value> e : new TreeMap<>(m.entries()).entrySet()) {
          text(e.getKey(), out);
          write(e.getValue(), out);
        }
      }
    }

    private static void text(String text, DataOutputStream out) throws IOException {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      out.writeInt(utf8.length);
      out.write(utf8);
    }

    @Override
    public void nullValue(int property) {
      values[property] = NULL;
    }

    @Override
    public void bool(int property, boolean value) {
      put(property, new Value.Bool(value));
    }

    @Override
    public void int64(int property, long value) {
      put(property, new Value.Int64(value));
    }

    @Override
    public void float64(int property, double value) {
      put(property, new Value.Float64(value));
    }

    @Override
    public void string(int property, byte[] buffer, int offset, int length) {
      put(property, new Value.Str(new String(buffer, offset, length, StandardCharsets.UTF_8)));
    }

    @Override
    public void bytes(int property, byte[] buffer, int offset, int length) {
      put(property, new Value.Bytes(HexFormat.of().formatHex(buffer, offset, offset + length)));
    }

    @Override
    public void date(int property, int epochDays) {
      put(property, new Value.Date(epochDays));
    }

    @Override
    public void datetime(int property, long epochMicros) {
      put(property, new Value.DateTime(epochMicros));
    }

    @Override
    public void vector(int property, float[] components, int length) {
      List<Float> list = new ArrayList<>(length);
      for (int i = 0; i < length; i++) {
        list.add(components[i]);
      }
      put(property, new Value.Vector(list));
    }

    @Override
    public void int8Vector(int property, float scale, byte[] codes, int length) {
      List<Byte> list = new ArrayList<>(length);
      for (int i = 0; i < length; i++) {
        list.add(codes[i]);
      }
      put(property, new Value.Int8Vector(scale, list));
    }

    @Override
    public void list(int property, Value.ListOf value) {
      put(property, value);
    }

    @Override
    public void map(int property, Value.MapOf value) {
      put(property, value);
    }

    @Override
    public void json(int property, byte[] buffer, int offset, int length) {
      put(property, ValueTree.parse(buffer, offset, length));
    }
  }
}
