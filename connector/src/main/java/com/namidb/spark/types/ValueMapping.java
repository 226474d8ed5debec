package com.namidb.spark.types;

import com.namidb.format.value.TypeSummary;
import com.namidb.format.value.ValueType;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Which Spark type takes everything that was seen of a property. Source: values §6.1.
 *
 * <ul>
 *   <li>One type: its counterpart. Vectors of both kinds are {@code ARRAY<FLOAT>}.
 *   <li>Integers and floats: DOUBLE.
 *   <li>Lists: an array of what its elements need; lists whose elements differ are {@code
 *       ARRAY<STRING>}, as are lists that were always empty or held only nulls.
 *   <li>Vectors, and lists that were always empty: {@code ARRAY<FLOAT>}.
 *   <li>Maps: {@code MAP<STRING, V>} if the values share a type, else STRING.
 *   <li>Nothing but nulls, and every other mix: STRING, the text of strings and the JSON of the
 *       rest.
 * </ul>
 */
final class ValueMapping {
  private static final Set<ValueType> NUMBERS = EnumSet.of(ValueType.INT64, ValueType.FLOAT64);
  private static final Set<ValueType> VECTORS = EnumSet.of(ValueType.VECTOR, ValueType.INT8_VECTOR);

  private ValueMapping() {}

  /** The type of a column for what was seen. */
  static DataType of(TypeSummary seen) {
    Set<ValueType> types = notNull(seen);
    if (types.isEmpty()) {
      return DataTypes.StringType;
    }
    if (VECTORS.containsAll(types)) {
      return DataTypes.createArrayType(DataTypes.FloatType, false);
    }
    if (types.size() == 1) {
      return single(types.iterator().next(), seen);
    }
    if (NUMBERS.containsAll(types)) {
      return DataTypes.DoubleType;
    }
    if (types.remove(ValueType.LIST)
        && VECTORS.containsAll(types)
        && seen.items().map(TypeSummary::types).orElse(Set.of()).isEmpty()) {
      return DataTypes.createArrayType(DataTypes.FloatType, false);
    }
    return DataTypes.StringType;
  }

  private static DataType single(ValueType type, TypeSummary seen) {
    return switch (type) {
      case BOOL -> DataTypes.BooleanType;
      case INT64 -> DataTypes.LongType;
      case FLOAT64 -> DataTypes.DoubleType;
      case BYTES -> DataTypes.BinaryType;
      case DATE -> DataTypes.DateType;
      case DATETIME -> DataTypes.TimestampType;
      case LIST -> DataTypes.createArrayType(of(inside(seen.items())), true);
      case MAP ->
          share(inside(seen.mapValues()))
              ? DataTypes.createMapType(DataTypes.StringType, of(inside(seen.mapValues())), true)
              : DataTypes.StringType;
      case STRING, NULL, VECTOR, INT8_VECTOR -> DataTypes.StringType;
    };
  }

  private static TypeSummary inside(Optional<TypeSummary> seen) {
    return seen.orElseGet(TypeSummary::new);
  }

  /** Whether values have one type between them, so that a map of them is more than JSON. */
  private static boolean share(TypeSummary seen) {
    Set<ValueType> types = notNull(seen);
    return types.size() <= 1 || NUMBERS.containsAll(types) || VECTORS.containsAll(types);
  }

  private static Set<ValueType> notNull(TypeSummary seen) {
    Set<ValueType> types = EnumSet.noneOf(ValueType.class);
    types.addAll(seen.types());
    types.remove(ValueType.NULL);
    return types;
  }
}
