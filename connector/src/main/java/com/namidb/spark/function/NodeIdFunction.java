package com.namidb.spark.function;

import com.namidb.format.error.CatalogErrors;
import com.namidb.spark.types.KeyParts;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * {@code node_id(label, key, …)}: the id that a write with {@code key=…} derives, as UUID text;
 * null if any argument is. Contract §6.
 */
final class NodeIdFunction implements UnboundFunction {
  static final String NAME = "node_id";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public BoundFunction bind(StructType arguments) {
    if (arguments.size() < 2) {
      throw CatalogErrors.nodeIdArguments();
    }
    DataType[] types = new DataType[arguments.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = known(arguments.fields()[i].dataType());
      if (i == 0 ? !(types[i] instanceof StringType) : !KeyParts.derivable(types[i])) {
        throw i == 0
            ? CatalogErrors.nodeIdArguments()
            : CatalogErrors.keyType(i + 1, types[i].sql());
      }
    }
    if (types.length == 2 && types[1] instanceof StringType) {
      return new OfText(types);
    }
    return types.length == 2 && KeyParts.isInteger(types[1])
        ? new OfInteger(new DataType[] {types[0], DataTypes.LongType})
        : new NodeIdOf(types);
  }

  /** A null of no type has no id whatever it is taken for. */
  private static DataType known(DataType type) {
    return type instanceof NullType ? DataTypes.StringType : type;
  }

  @Override
  public String description() {
    return "node_id(label, key, …): id of the node with this label and these keys, as text; the same"
        + " as of a write with the option key";
  }
}
