package com.namidb.spark.procedure;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.procedures.BoundProcedure;
import org.apache.spark.sql.connector.catalog.procedures.ProcedureParameter;
import org.apache.spark.sql.connector.catalog.procedures.UnboundProcedure;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A procedure with one form and one result. */
abstract class NamiProcedure implements UnboundProcedure, BoundProcedure {
  static final String NAMESPACE = "namespace";

  private final String name;
  private final String description;
  private final ProcedureParameter[] parameters;

  NamiProcedure(String name, String description, ProcedureParameter... parameters) {
    this.name = name;
    this.description = description;
    this.parameters = parameters;
  }

  /** Does it. */
  abstract Result run(Arguments arguments);

  /**
   * What a call returns.
   *
   * @param schema its columns
   * @param list its rows
   */
  record Result(StructType schema, List<InternalRow> list) implements LocalScan {
    @Override
    public StructType readSchema() {
      return schema;
    }

    @Override
    public InternalRow[] rows() {
      return list.toArray(InternalRow[]::new);
    }
  }

  /** The graph every procedure is about. */
  static ProcedureParameter namespace() {
    return text(NAMESPACE, "the graph's name below the catalog's root");
  }

  static ProcedureParameter text(String name, String comment) {
    return ProcedureParameter.in(name, DataTypes.StringType).comment(comment).build();
  }

  /** A snapshot id that must be given. */
  static ProcedureParameter version(String name, String comment) {
    return ProcedureParameter.in(name, DataTypes.LongType).comment(comment).build();
  }

  static ProcedureParameter flag(String name, String comment) {
    return ProcedureParameter.in(name, DataTypes.BooleanType)
        .defaultValue("false")
        .comment(comment)
        .build();
  }

  /**
   * An argument that may be left out. A number or a time that is null is a mistake: with ANSI mode
   * off Spark makes null of what it cannot cast.
   */
  static ProcedureParameter optional(String name, DataType type, String comment) {
    String standard = type.equals(DataTypes.StringType) ? "NULL" : Arguments.leftOut(type);
    return ProcedureParameter.in(name, type).defaultValue(standard).comment(comment).build();
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final BoundProcedure bind(StructType inputType) {
    return this;
  }

  @Override
  public final ProcedureParameter[] parameters() {
    return parameters.clone();
  }

  @Override
  public final boolean isDeterministic() {
    return false;
  }

  @Override
  public final Iterator<Scan> call(InternalRow input) {
    Scan result = run(new Arguments(name, parameters, input));
    return List.of(result).iterator();
  }

  @Override
  public final String toString() {
    return "procedure " + name;
  }
}
