package com.namidb.spark.read;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Translates predicates on one id column into the exact set of ids they allow. What it cannot
 * translate as a whole it leaves alone. Id columns are never null.
 */
final class IdPredicates {
  private final String column;
  private final DataType type;
  private final IdOrder order;

  /**
   * Makes the translator.
   *
   * @param column name of the id column
   * @param type its Spark type: text that sorts by its bytes, or binary; for any other, nothing is
   *     translated, and neither are literals of another type
   */
  IdPredicates(String column, DataType type) {
    this.column = column;
    this.type = type;
    this.order = type.equals(DataTypes.BinaryType) ? new BinaryIdOrder() : new TextIdOrder();
  }

  /** The ids for which the predicate is true; empty if it cannot be told exactly. */
  Optional<KeyRanges> allowed(Predicate predicate) {
    // Text of another collation sorts and compares differently.
    boolean sortable = type.equals(DataTypes.StringType) || type.equals(DataTypes.BinaryType);
    return sortable ? truth(predicate).map(Truth::yes) : Optional.empty();
  }

  private Optional<Truth> truth(Expression e) {
    if (!(e instanceof Predicate p)) {
      return Optional.empty();
    }
    Expression[] args = p.children();
    return switch (p.name()) {
      case "AND" -> both(args).map(t -> t.get(0).and(t.get(1)));
      case "OR" -> both(args).map(t -> t.get(0).or(t.get(1)));
      case "NOT" -> truth(args[0]).map(Truth::not);
      case "ALWAYS_TRUE" -> Optional.of(Truth.inside(KeyRanges.ALL));
      case "ALWAYS_FALSE" -> Optional.of(Truth.inside(KeyRanges.NONE));
      case "IS_NULL" -> onColumn(args[0], Truth.inside(KeyRanges.NONE));
      case "IS_NOT_NULL" -> onColumn(args[0], Truth.inside(KeyRanges.ALL));
      case "IN" -> in(args);
      case "STARTS_WITH" -> isColumn(args[0]) ? startsWith(args[1]) : Optional.empty();
      default -> args.length == 2 ? comparison(p.name(), args[0], args[1]) : Optional.empty();
    };
  }

  private Optional<List<Truth>> both(Expression[] args) {
    Optional<Truth> a = truth(args[0]);
    Optional<Truth> b = truth(args[1]);
    return a.isPresent() && b.isPresent()
        ? Optional.of(List.of(a.get(), b.get()))
        : Optional.empty();
  }

  private Optional<Truth> onColumn(Expression e, Truth truth) {
    return isColumn(e) ? Optional.of(truth) : Optional.empty();
  }

  private Optional<Truth> comparison(String name, Expression left, Expression right) {
    if (isColumn(left)) {
      return compare(name, right);
    }
    return isColumn(right) ? compare(flipped(name), left) : Optional.empty();
  }

  private static String flipped(String name) {
    return switch (name) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      default -> name;
    };
  }

  private Optional<Truth> compare(String name, Expression e) {
    if (!isLiteral(e)) {
      return Optional.empty();
    }
    Object v = ((Literal<?>) e).value();
    if (v == null) {
      return switch (name) {
        case "=", "<>", "<", "<=", ">", ">=" -> Optional.of(Truth.UNKNOWN);
        case "<=>" -> Optional.of(Truth.inside(KeyRanges.NONE));
        default -> Optional.empty();
      };
    }
    return switch (name) {
      case "=", "<=>" -> Optional.of(Truth.inside(single(v)));
      case "<>" -> Optional.of(Truth.inside(single(v)).not());
      case "<" -> Optional.of(Truth.inside(IdOrder.before(order.atOrAbove(v))));
      case "<=" -> Optional.of(Truth.inside(IdOrder.before(order.above(v))));
      case ">" -> Optional.of(Truth.inside(IdOrder.from(order.above(v))));
      case ">=" -> Optional.of(Truth.inside(IdOrder.from(order.atOrAbove(v))));
      default -> Optional.empty();
    };
  }

  private KeyRanges single(Object literal) {
    return KeyRanges.ofIds(order.equal(literal).stream().toList());
  }

  private Optional<Truth> in(Expression[] args) {
    if (!isColumn(args[0])) {
      return Optional.empty();
    }
    List<NodeId> ids = new ArrayList<>();
    boolean withNull = false;
    for (int i = 1; i < args.length; i++) {
      if (!isLiteral(args[i])) {
        return Optional.empty();
      }
      Object v = ((Literal<?>) args[i]).value();
      if (v == null) {
        withNull = true;
      } else {
        order.equal(v).ifPresent(ids::add);
      }
    }
    Truth truth = Truth.inside(KeyRanges.ofIds(ids));
    return Optional.of(withNull ? truth.orUnknown() : truth);
  }

  private Optional<Truth> startsWith(Expression e) {
    if (!isLiteral(e)) {
      return Optional.empty();
    }
    Object v = ((Literal<?>) e).value();
    return Optional.of(
        v == null
            ? Truth.UNKNOWN
            : Truth.inside(order.startingWith(v).map(KeyRanges::of).orElse(KeyRanges.NONE)));
  }

  private boolean isColumn(Expression e) {
    return e instanceof NamedReference r
        && r.fieldNames().length == 1
        && r.fieldNames()[0].equals(column);
  }

  private boolean isLiteral(Expression e) {
    return e instanceof Literal<?> l && (l.dataType().equals(type) || l.value() == null);
  }
}
