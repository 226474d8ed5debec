package com.namidb.spark.read;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.KeyRanges;
import com.namidb.spark.types.GraphColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What predicates allow on the id columns of one table, exactly: {@code _id} for nodes, {@code
 * _src} and {@code _dst} for edges. Immutable.
 */
final class Pushdown {
  private final List<IdPredicates> columns;
  private final List<String> names;
  private final List<KeyRanges> ranges;

  private Pushdown(List<IdPredicates> columns, List<String> names, List<KeyRanges> ranges) {
    this.columns = columns;
    this.names = names;
    this.ranges = ranges;
  }

  /** No restriction yet. */
  static Pushdown on(StructType schema, boolean edges) {
    List<String> names =
        edges ? List.of(GraphColumns.SRC, GraphColumns.DST) : List.of(GraphColumns.ID);
    List<IdPredicates> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(new IdPredicates(name, typeOf(schema, name)));
    }
    return new Pushdown(columns, names, names.stream().map(n -> KeyRanges.ALL).toList());
  }

  private static DataType typeOf(StructType schema, String name) {
    for (StructField f : schema.fields()) {
      if (f.name().equals(name)) {
        return f.dataType();
      }
    }
    // A column that is not there gets no predicates.
    return DataTypes.NullType;
  }

  /** Narrowed by as many of the predicates as can be taken. */
  Narrowed with(Predicate[] predicates) {
    Pushdown narrowed = this;
    List<Predicate> taken = new ArrayList<>();
    List<Predicate> left = new ArrayList<>();
    for (Predicate p : predicates) {
      Optional<Pushdown> next = narrowed.with(p);
      narrowed = next.orElse(narrowed);
      (next.isPresent() ? taken : left).add(p);
    }
    return new Narrowed(narrowed, taken, left);
  }

  /**
   * What became of predicates.
   *
   * @param pushdown what is allowed now
   * @param taken those that need no further test
   * @param left the others
   */
  record Narrowed(Pushdown pushdown, List<Predicate> taken, List<Predicate> left) {}

  /** Narrowed by a predicate, which then needs no further test; empty if it cannot be taken. */
  Optional<Pushdown> with(Predicate predicate) {
    for (int i = 0; i < columns.size(); i++) {
      Optional<KeyRanges> allowed = columns.get(i).allowed(predicate);
      if (allowed.isPresent()) {
        List<KeyRanges> out = new ArrayList<>(ranges);
        out.set(i, ranges.get(i).intersect(allowed.get()));
        return Optional.of(new Pushdown(columns, names, out));
      }
    }
    return Optional.empty();
  }

  /** Allowed node ids, or source ids. */
  KeyRanges keys() {
    return ranges.get(0);
  }

  /** Allowed destination ids; all for nodes. */
  KeyRanges partners() {
    return ranges.size() > 1 ? ranges.get(1) : KeyRanges.ALL;
  }

  /** Names of the id columns, keys first. */
  List<String> names() {
    return names;
  }

  /** For plans: what is restricted, in a few words. */
  List<String> describe() {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (!ranges.get(i).isAll()) {
        out.add(names.get(i) + " " + describe(ranges.get(i).ranges()));
      }
    }
    return out;
  }

  private static String describe(List<KeyRange> ranges) {
    if (ranges.isEmpty()) {
      return "in nothing";
    }
    long single = ranges.stream().filter(r -> r.min().equals(r.max())).count();
    if (ranges.size() == 1) {
      KeyRange r = ranges.get(0);
      return single == 1 ? "= " + r.min() : "in " + r;
    }
    return single == ranges.size() ? "in " + single + " ids" : "in " + ranges.size() + " ranges";
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Pushdown p && names.equals(p.names) && ranges.equals(p.ranges);
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, ranges);
  }
}
