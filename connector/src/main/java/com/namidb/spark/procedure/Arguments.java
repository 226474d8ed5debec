package com.namidb.spark.procedure;

import com.namidb.format.error.ReadErrors;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The arguments of one call, by name. Spark has cast them and filled defaults in. */
final class Arguments {
  /** Stands for a version that is left out; nobody means it. */
  private static final long NO_VERSION = -Long.MAX_VALUE;

  /** Nothing was written before: an earlier time stands for one that is left out. */
  private static final long FIRST_MICROS = 0;

  private final String procedure;
  private final ProcedureParameter[] parameters;
  private final InternalRow row;

  Arguments(String procedure, ProcedureParameter[] parameters, InternalRow row) {
    this.procedure = procedure;
    this.parameters = parameters;
    this.row = row;
  }

  /** The default of an argument that may be left out, as SQL. */
  static String leftOut(DataType type) {
    return type.equals(DataTypes.TimestampType)
        ? "TIMESTAMP '0001-01-01 00:00:00'"
        : Long.toString(NO_VERSION);
  }

  /**
   * A text that must be given.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is null or empty
   */
  String text(String name) {
    return optionalText(name)
        .filter(t -> !t.isEmpty())
        .orElseThrow(
            () -> ReadErrors.badArgument(procedure, name, "is null or empty", "Give it a value."));
  }

  Optional<String> optionalText(String name) {
    int at = position(name);
    return row.isNullAt(at) ? Optional.empty() : Optional.of(row.getUTF8String(at).toString());
  }

  /**
   * A switch.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is null
   */
  boolean flag(String name) {
    return row.getBoolean(given(name));
  }

  /**
   * A number.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is null
   */
  int number(String name) {
    return row.getInt(given(name));
  }

  /**
   * A time, microseconds since 1970 UTC; empty if it was left out.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is null
   */
  OptionalLong time(String name) {
    long micros = row.getLong(given(name));
    return micros < FIRST_MICROS ? OptionalLong.empty() : OptionalLong.of(micros);
  }

  /**
   * A snapshot id; empty if it was left out.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is null or negative
   */
  Optional<Long> version(String name) {
    long version = row.getLong(given(name));
    if (version == NO_VERSION) {
      return Optional.empty();
    }
    if (version < 0) {
      throw ReadErrors.badArgument(
          procedure, name, "is " + version, "Give it a snapshot id such as 42.");
    }
    return Optional.of(version);
  }

  private int given(String name) {
    int at = position(name);
    if (row.isNullAt(at)) {
      throw ReadErrors.badArgument(
          procedure, name, "is null, or no " + type(at), "Give it a value, or leave it out.");
    }
    return at;
  }

  private String type(int at) {
    return parameters[at].dataType().sql();
  }

  private int position(String name) {
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].name().equals(name)) {
        return i;
      }
    }
    throw new IllegalStateException("no parameter '" + name + "' of " + procedure);
  }
}
