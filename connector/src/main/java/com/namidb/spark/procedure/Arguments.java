package com.namidb.spark.procedure;

import com.namidb.format.error.ReadErrors;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;

/** The arguments of one call, by name. Spark has cast them and filled defaults in. */
final class Arguments {
  private final String procedure;
  private final ProcedureParameter[] parameters;
  private final InternalRow row;

  Arguments(String procedure, ProcedureParameter[] parameters, InternalRow row) {
    this.procedure = procedure;
    this.parameters = parameters;
    this.row = row;
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

  /** A switch; null means no. */
  boolean flag(String name) {
    int at = position(name);
    return !row.isNullAt(at) && row.getBoolean(at);
  }

  /** A switch that is on unless it is switched off in words. */
  boolean flagOrYes(String name) {
    int at = position(name);
    return row.isNullAt(at) || row.getBoolean(at);
  }

  /** A number; null means the default. */
  int number(String name, int standard) {
    int at = position(name);
    return row.isNullAt(at) ? standard : row.getInt(at);
  }

  /** A time, microseconds since 1970 UTC. */
  OptionalLong time(String name) {
    int at = position(name);
    return row.isNullAt(at) ? OptionalLong.empty() : OptionalLong.of(row.getLong(at));
  }

  /**
   * A snapshot id.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it is negative
   */
  Optional<Long> version(String name) {
    int at = position(name);
    if (row.isNullAt(at)) {
      return Optional.empty();
    }
    long version = row.getLong(at);
    if (version < 0) {
      throw ReadErrors.badArgument(
          procedure, name, "is " + version, "Give it a snapshot id such as 42.");
    }
    return Optional.of(version);
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
