package com.namidb.spark.read;

import com.namidb.format.manifest.PropertyStats;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.value.ValueType;
import com.namidb.spark.types.SchemaInference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * Tells of node SSTs that no live row with the table's label can pass the filters, by the
 * statistics their descriptors list. Asked only about SSTs whose every row is the newest version of
 * its key; Spark tests the filters again.
 *
 * <p>The statistics say nothing of which types the values have, and are wrong for mixed ones. So a
 * column takes part only if a look at every live row of the table has proven that its values are of
 * one type, and if the column has exactly that type. Source: node §7.7 and §9.
 */
final class PropertyPruning implements Predicate<SstDescriptor> {
  private final List<org.apache.spark.sql.connector.expressions.filter.Predicate> filters;
  private final int label;
  private final Map<String, ValueType> kinds;

  private PropertyPruning(
      List<org.apache.spark.sql.connector.expressions.filter.Predicate> filters,
      int label,
      Map<String, ValueType> kinds) {
    this.filters = filters;
    this.label = label;
    this.kinds = kinds;
  }

  /**
   * The rule for one target of a scan.
   *
   * @param filters all of which a row must pass
   */
  static Predicate<SstDescriptor> of(
      TableSource source,
      ScanRequest.Target target,
      List<org.apache.spark.sql.connector.expressions.filter.Predicate> filters) {
    OptionalInt label = label(source.snapshot(), target);
    if (filters.isEmpty() || label.isEmpty()) {
      return sst -> false;
    }
    Map<String, ValueType> proven =
        SchemaInference.provenKinds(
            source.snapshot(), target, source.reading().wal(), source.reading().onMismatch());
    Map<String, ValueType> kinds = new HashMap<>();
    for (StructField f : source.schema().fields()) {
      ValueType kind = proven.get(f.name());
      if (kind != null && f.dataType().equals(Facts.typeOf(kind))) {
        kinds.put(f.name(), kind);
      }
    }
    return kinds.isEmpty() ? sst -> false : new PropertyPruning(filters, label.getAsInt(), kinds);
  }

  /**
   * The one id of the label; none for all nodes, whose rows without a label no statistics cover.
   */
  private static OptionalInt label(Snapshot snapshot, ScanRequest.Target target) {
    if (!(target instanceof ScanRequest.Nodes nodes) || nodes.label().isEmpty()) {
      return OptionalInt.empty();
    }
    List<String> names = snapshot.manifest().labels().names();
    String name = nodes.label().get();
    return names.indexOf(name) == names.lastIndexOf(name)
        ? snapshot.manifest().labels().id(name)
        : OptionalInt.empty();
  }

  @Override
  public boolean test(SstDescriptor sst) {
    if (!sst.scope().isEmpty()) {
      // A legacy SST: its rows may have its label without saying so.
      return false;
    }
    Map<String, PropertyStats> stats = new HashMap<>();
    for (PropertyStats s : sst.properties()) {
      if (s.label() == label && stats.put(s.property(), s) != null) {
        return false;
      }
    }
    long rows = sst.labelCounts().map(c -> c.getOrDefault(label, -1L)).orElse(-1L);
    Function<String, Facts> facts =
        name -> {
          ValueType kind = kinds.get(name);
          PropertyStats s = stats.get(name);
          return kind == null || s == null ? null : new Facts(kind, s, rows);
        };
    return filters.stream().anyMatch(f -> !outcomes(f, facts).yes());
  }

  private Outcomes outcomes(Expression e, Function<String, Facts> facts) {
    if (!(e instanceof org.apache.spark.sql.connector.expressions.filter.Predicate p)) {
      return Outcomes.ANY;
    }
    Expression[] args = p.children();
    return switch (p.name()) {
      case "AND" -> outcomes(args[0], facts).and(outcomes(args[1], facts));
      case "OR" -> outcomes(args[0], facts).or(outcomes(args[1], facts));
      case "NOT" -> outcomes(args[0], facts).not();
      case "ALWAYS_TRUE" -> new Outcomes(true, false, false);
      case "ALWAYS_FALSE" -> new Outcomes(false, true, false);
      case "IS_NULL" -> isNull(args[0], facts);
      case "IS_NOT_NULL" -> isNull(args[0], facts).not();
      case "IN" -> in(args, facts);
      default -> args.length == 2 ? binary(p.name(), args[0], args[1], facts) : Outcomes.ANY;
    };
  }

  private static Outcomes isNull(Expression e, Function<String, Facts> facts) {
    Facts f = column(e) == null ? null : facts.apply(column(e));
    return f == null ? Outcomes.ANY : f.isNull();
  }

  private Outcomes in(Expression[] args, Function<String, Facts> facts) {
    Outcomes any = new Outcomes(false, true, false);
    for (int i = 1; i < args.length; i++) {
      any = any.or(binary("=", args[0], args[i], facts));
    }
    return any;
  }

  private Outcomes binary(
      String name, Expression left, Expression right, Function<String, Facts> facts) {
    if (column(left) == null) {
      String flipped = flipped(name);
      return column(right) == null || flipped == null
          ? Outcomes.ANY
          : binary(flipped, right, left, facts);
    }
    Facts f = facts.apply(column(left));
    if (f == null || !(right instanceof Literal<?> l)) {
      return Outcomes.ANY;
    }
    if (l.value() == null) {
      return switch (name) {
        case "=", "<>", "<", "<=", ">", ">=" -> Outcomes.UNKNOWN;
        case "<=>" -> f.isNull();
        default -> Outcomes.ANY;
      };
    }
    DataType type = Facts.typeOf(kinds.get(column(left)));
    if (!l.dataType().equals(type)) {
      return Outcomes.ANY;
    }
    return name.equals("STARTS_WITH") ? f.startsWith(l.value()) : f.compared(name, l.value());
  }

  private static String flipped(String name) {
    return switch (name) {
      case "<" -> ">";
      case "<=" -> ">=";
      case ">" -> "<";
      case ">=" -> "<=";
      case "=", "<>", "<=>" -> name;
      default -> null;
    };
  }

  private static String column(Expression e) {
    return e instanceof NamedReference r && r.fieldNames().length == 1 ? r.fieldNames()[0] : null;
  }
}
