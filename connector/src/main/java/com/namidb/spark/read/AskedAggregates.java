package com.namidb.spark.read;

import com.namidb.format.scan.ExtremeKeys;
import com.namidb.spark.types.GraphColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.aggregate.AggregateFunc;
import org.apache.spark.sql.connector.expressions.aggregate.Aggregation;
import org.apache.spark.sql.connector.expressions.aggregate.Count;
import org.apache.spark.sql.connector.expressions.aggregate.CountStar;
import org.apache.spark.sql.connector.expressions.aggregate.Max;
import org.apache.spark.sql.connector.expressions.aggregate.Min;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * An aggregation that metadata may answer: counts of rows, extremes of id columns, over the whole
 * table or per edge type.
 *
 * @param byType whether rows are grouped by {@code _type}
 * @param items the aggregates, in order
 */
record AskedAggregates(boolean byType, List<Item> items) {
  /**
   * One aggregate.
   *
   * @param side which end of which column; {@code null} for a count of rows
   * @param distinct a count of different ids, which are as many as rows but cannot be added up by
   *     Spark
   * @param type its Spark type
   */
  record Item(ExtremeKeys.Side side, boolean distinct, DataType type) {
    boolean isCount() {
      return side == null;
    }
  }

  /** What is asked; empty if something in it is nothing metadata knows. */
  static Optional<AskedAggregates> of(Aggregation asked, TableSource source) {
    Expression[] groups = asked.groupByExpressions();
    boolean byType =
        groups.length == 1
            && source.edges()
            && GraphColumns.TYPE.equals(column(groups[0]))
            && typeOf(source, GraphColumns.TYPE).isPresent();
    if (groups.length > 0 && !byType) {
      return Optional.empty();
    }
    List<Item> items = new ArrayList<>();
    for (AggregateFunc f : asked.aggregateExpressions()) {
      Optional<Item> item = item(f, source);
      if (item.isEmpty()) {
        return Optional.empty();
      }
      items.add(item.get());
    }
    return Optional.of(new AskedAggregates(byType, items));
  }

  private static Optional<Item> item(AggregateFunc f, TableSource source) {
    Item count = new Item(null, false, DataTypes.LongType);
    if (f instanceof CountStar) {
      return Optional.of(count);
    }
    if (f instanceof Count c) {
      String name = column(c.column());
      boolean id = isId(name) && typeOf(source, name).isPresent();
      if (c.isDistinct()) {
        // Nodes have one row per id; of edges only pairs are distinct.
        return id && !source.edges()
            ? Optional.of(new Item(null, true, DataTypes.LongType))
            : Optional.empty();
      }
      return id ? Optional.of(count) : Optional.empty();
    }
    if (f instanceof Min m) {
      return extreme(column(m.column()), false, source);
    }
    return f instanceof Max m ? extreme(column(m.column()), true, source) : Optional.empty();
  }

  private static Optional<Item> extreme(String name, boolean greatest, TableSource source) {
    if (!isId(name)) {
      return Optional.empty();
    }
    boolean partner = name.equals(GraphColumns.DST);
    ExtremeKeys.Side side;
    if (greatest) {
      side = partner ? ExtremeKeys.Side.LAST_PARTNER : ExtremeKeys.Side.LAST_KEY;
    } else {
      side = partner ? ExtremeKeys.Side.FIRST_PARTNER : ExtremeKeys.Side.FIRST_KEY;
    }
    // Text of another collation has another order.
    return typeOf(source, name)
        .filter(t -> t.equals(DataTypes.StringType) || t.equals(DataTypes.BinaryType))
        .map(t -> new Item(side, false, t));
  }

  private static boolean isId(String name) {
    return GraphColumns.ID.equals(name)
        || GraphColumns.SRC.equals(name)
        || GraphColumns.DST.equals(name);
  }

  private static Optional<DataType> typeOf(TableSource source, String name) {
    for (StructField f : source.schema().fields()) {
      if (f.name().equals(name)) {
        return Optional.of(f.dataType());
      }
    }
    return Optional.empty();
  }

  private static String column(Expression e) {
    return e instanceof NamedReference r && r.fieldNames().length == 1 ? r.fieldNames()[0] : null;
  }

  /** Whether a number of rows is asked for. */
  boolean hasCount() {
    return items.stream().anyMatch(Item::isCount);
  }

  /** Whether Spark could add up the answers of several partitions. */
  boolean canBeSplit() {
    return items.stream().noneMatch(Item::distinct);
  }

  /** Columns of the answer: the group, then the aggregates. */
  StructType schema() {
    StructType out = new StructType();
    if (byType) {
      out = out.add(GraphColumns.TYPE, DataTypes.StringType);
    }
    for (int i = 0; i < items.size(); i++) {
      out = out.add("a" + i, items.get(i).type(), !items.get(i).isCount());
    }
    return out;
  }
}
