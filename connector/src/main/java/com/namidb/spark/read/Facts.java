package com.namidb.spark.read;

import com.namidb.format.manifest.PropertyStats;
import com.namidb.format.value.ValueType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * What is certain of one column on the live rows of one SST, all of whose values are of one type.
 * Bounds that are missing, of another type or not finite are no bounds. Source: node §7.7.
 */
final class Facts {
  /** Engines may read a float one or two units away from its text (values §1.5). */
  private static final double SLACK = 1e-12;

  private final ValueType kind;
  private final Object min;
  private final Object max;
  private final long nulls;
  private final long rows;

  /**
   * Takes over the statistics.
   *
   * @param kind the type of every value
   * @param rows live rows with the label, -1 if unknown
   */
  Facts(ValueType kind, PropertyStats stats, long rows) {
    this.kind = kind;
    this.min = bound(stats.min(), -1);
    this.max = bound(stats.max(), 1);
    this.nulls = stats.nulls();
    this.rows = rows;
  }

  /** The Spark type that shows values of this type as they are, {@code null} if none is known. */
  static DataType typeOf(ValueType kind) {
    return switch (kind) {
      case BOOL -> DataTypes.BooleanType;
      case INT64 -> DataTypes.LongType;
      case FLOAT64 -> DataTypes.DoubleType;
      case STRING -> DataTypes.StringType;
      case BYTES -> DataTypes.BinaryType;
      case DATE -> DataTypes.DateType;
      case DATETIME -> DataTypes.TimestampType;
      case NULL, VECTOR, INT8_VECTOR, LIST, MAP -> null;
    };
  }

  private static String listedType(ValueType kind) {
    return switch (kind) {
      case BOOL -> "Bool";
      case INT64 -> "Int64";
      case FLOAT64 -> "Float64";
      case STRING -> "Utf8";
      case BYTES -> "Binary";
      case DATE -> "Date32";
      case DATETIME -> "TimestampMicrosUtc";
      case NULL, VECTOR, INT8_VECTOR, LIST, MAP -> "";
    };
  }

  /** A bound in the form {@link #compare} takes, moved outwards where it is not exact. */
  private Object bound(Optional<PropertyStats.Bound> listed, int outwards) {
    if (listed.isEmpty() || !listed.get().type().equals(listedType(kind))) {
      return null;
    }
    Object value = listed.get().value();
    if (value instanceof Double d) {
      double moved = d + outwards * (Math.abs(d) * SLACK + Double.MIN_NORMAL);
      return Double.isFinite(moved) ? moved : null;
    }
    if (value instanceof String s) {
      return s.getBytes(StandardCharsets.UTF_8);
    }
    if (value instanceof List<?> list) {
      byte[] bytes = new byte[list.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = ((Integer) list.get(i)).byteValue();
      }
      return bytes;
    }
    return value;
  }

  /** A literal's value in the form {@link #compare} takes; empty if it cannot be compared. */
  private Optional<Object> comparable(Object literal) {
    if (literal instanceof UTF8String s) {
      return Optional.of(s.getBytes());
    }
    if (literal instanceof Integer i) {
      return Optional.of(i.longValue());
    }
    // NaN is no stored value, but Spark's order has it; infinities are as rare.
    return literal instanceof Double d && !Double.isFinite(d)
        ? Optional.empty()
        : Optional.of(literal);
  }

  private static int compare(Object a, Object b) {
    if (a instanceof byte[] x) {
      return Arrays.compareUnsigned(x, (byte[]) b);
    }
    if (a instanceof Double x) {
      // As Spark: zero equals minus zero, which Double.compare denies.
      double y = (Double) b;
      return x < y ? -1 : x > y ? 1 : 0;
    }
    if (a instanceof Boolean x) {
      return Boolean.compare(x, (Boolean) b);
    }
    return Long.compare((Long) a, (Long) b);
  }

  private boolean anyNull() {
    return nulls != 0;
  }

  private boolean anyValue() {
    return rows < 0 || nulls != rows;
  }

  /** Outcomes of {@code IS NULL}. */
  Outcomes isNull() {
    return new Outcomes(anyNull(), anyValue(), false);
  }

  /** Outcomes of a comparison with a literal that is not null. */
  Outcomes compared(String name, Object literal) {
    Optional<Object> v = comparable(literal);
    if (v.isEmpty()) {
      return Outcomes.ANY;
    }
    Outcomes o =
        switch (name) {
          case "=", "<=>" -> equal(v.get());
          case "<>" -> equal(v.get()).not();
          case "<" -> below(v.get());
          case ">=" -> below(v.get()).not();
          case ">" -> above(v.get());
          case "<=" -> above(v.get()).not();
          default -> Outcomes.ANY;
        };
    if (name.equals("<=>")) {
      return new Outcomes(o.yes() && anyValue(), true, false);
    }
    return ofValues(o);
  }

  /** Outcomes of a test for which null gives null. */
  private Outcomes ofValues(Outcomes o) {
    return new Outcomes(o.yes() && anyValue(), o.no() && anyValue(), o.unknown() || anyNull());
  }

  private Outcomes equal(Object v) {
    boolean inside = (min == null || compare(min, v) <= 0) && (max == null || compare(max, v) >= 0);
    boolean only = min != null && max != null && compare(min, v) == 0 && compare(max, v) == 0;
    return new Outcomes(inside, !only, false);
  }

  private Outcomes below(Object v) {
    boolean yes = min == null || compare(min, v) < 0;
    return new Outcomes(yes, max == null || compare(max, v) >= 0, false);
  }

  private Outcomes above(Object v) {
    boolean yes = max == null || compare(max, v) > 0;
    return new Outcomes(yes, min == null || compare(min, v) <= 0, false);
  }

  /** Outcomes of a text's or byte string's start. */
  Outcomes startsWith(Object literal) {
    byte[] prefix = literal instanceof UTF8String s ? s.getBytes() : (byte[]) literal;
    boolean before = max != null && compare(max, prefix) < 0;
    boolean after = min instanceof byte[] m && compare(m, prefix) > 0 && !startsWith(m, prefix);
    return ofValues(new Outcomes(!before && !after, true, false));
  }

  private static boolean startsWith(byte[] text, byte[] prefix) {
    return text.length >= prefix.length
        && Arrays.equals(text, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** The range of a column over several SSTs, as Spark's estimates take it: numbers and times. */
  static final class Span {
    private final ValueType kind;
    private Object least;
    private Object greatest;
    private boolean open;

    Span(ValueType kind) {
      this.kind = kind;
    }

    void add(PropertyStats stats) {
      Facts f = new Facts(kind, stats, -1);
      open |= f.min == null || f.max == null || f.min instanceof byte[];
      if (!open) {
        least = least == null || compare(f.min, least) < 0 ? f.min : least;
        greatest = greatest == null || compare(f.max, greatest) > 0 ? f.max : greatest;
      }
    }

    Optional<Object> min() {
      return shown(least);
    }

    Optional<Object> max() {
      return shown(greatest);
    }

    private Optional<Object> shown(Object bound) {
      if (open || bound == null) {
        return Optional.empty();
      }
      return Optional.of(kind == ValueType.DATE ? (Object) ((Long) bound).intValue() : bound);
    }
  }
}
