package com.namidb.spark.options;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * How Spark values without an exact counterpart are stored. Source: values §6.1.
 *
 * @param storeNulls whether a null cell becomes a stored null instead of nothing
 * @param decimals what becomes of decimals
 * @param ntzAsUtc whether timestamps without zone are taken as UTC; else refused
 * @param vectors columns of numeric arrays to store as vectors of 32-bit floats
 */
public record ValueRules(
    boolean storeNulls, Decimals decimals, boolean ntzAsUtc, List<String> vectors)
    implements Serializable {
  /** What becomes of decimals. */
  public enum Decimals {
    /** Refused. */
    FAIL,
    /** Stored as text, exactly. */
    STRING,
    /** Stored as the nearest double. */
    DOUBLE
  }

  /** Copies into a form every serialiser can handle. */
  public ValueRules {
    vectors = new ArrayList<>(vectors);
  }

  /** Reads them. */
  static ValueRules of(OptionReader options) {
    return new ValueRules(
        options.ownChoice(WriteNames.ON_NULL, Map.of("omit", false, "store", true), false),
        options.ownChoice(
            WriteNames.DECIMALS,
            Map.of(
                "fail", Decimals.FAIL,
                "string", Decimals.STRING,
                "double", Decimals.DOUBLE),
            Decimals.FAIL),
        options.ownChoice(WriteNames.NTZ, Map.of("fail", false, "utc", true), false),
        options.names(WriteNames.VECTORS));
  }

  /** The same for columns of other names. */
  ValueRules naming(UnaryOperator<String> names) {
    return new ValueRules(
        storeNulls, decimals, ntzAsUtc, vectors.stream().map(names).distinct().toList());
  }
}
