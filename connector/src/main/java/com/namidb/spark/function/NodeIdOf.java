package com.namidb.spark.function;

import com.namidb.format.id.DerivedId;
import com.namidb.spark.types.KeyParts;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code node_id} for arguments of known types. */
class NodeIdOf implements ScalarFunction<UTF8String> {
  private static final long serialVersionUID = 1L;

  // A digest is not for two threads, and making one per row would cost more than the id.
  private static final ThreadLocal<DerivedId> IDS = ThreadLocal.withInitial(DerivedId::new);

  private final DataType[] types;

  /** For a label and keys of these types. */
  NodeIdOf(DataType[] types) {
    this.types = types.clone();
  }

  static DerivedId begin(UTF8String label) {
    return IDS.get().begin(label.toString());
  }

  static UTF8String text(DerivedId id) {
    return UTF8String.fromString(id.id().toString());
  }

  @Override
  public final DataType[] inputTypes() {
    return types.clone();
  }

  @Override
  public final DataType resultType() {
    return DataTypes.StringType;
  }

  @Override
  public final String name() {
    return NodeIdFunction.NAME;
  }

  @Override
  public final String canonicalName() {
    return Arrays.stream(types)
        .map(DataType::sql)
        .collect(Collectors.joining(", ", "com.namidb.node_id(", ")"));
  }

  @Override
  public final UTF8String produceResult(InternalRow arguments) {
    for (int i = 0; i < types.length; i++) {
      if (arguments.isNullAt(i)) {
        return null;
      }
    }
    DerivedId id = begin(arguments.getUTF8String(0));
    for (int i = 1; i < types.length; i++) {
      KeyParts.add(id, arguments, i, types[i]);
    }
    return text(id);
  }

  @Override
  public final boolean equals(Object o) {
    return o instanceof NodeIdOf f && Arrays.equals(types, f.types);
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(types);
  }

  /** As plans show it. */
  @Override
  public final String toString() {
    return name();
  }
}
