package com.namidb.spark.write.row;

import com.namidb.format.error.WriteErrors;
import com.namidb.format.value.PropertyWriter;
import com.namidb.format.value.RefusedValueException;
import com.namidb.spark.options.ValueRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ArrayType;

/** Turns the property columns of a row into its property object. Not thread-safe. */
final class PropertyEncoder {
  private final PropertyWriter json;
  private final int[] order;
  private final int[] columns;
  private final CellWriter[] cells;
  private final boolean storeNulls;

  /**
   * Prepares it.
   *
   * @throws com.namidb.format.error.InvalidOptionException if a name or type cannot be stored
   */
  PropertyEncoder(List<PropertyColumn> properties, ValueRules rules) {
    this(properties, rules, rules.storeNulls());
  }

  /**
   * The same, with its own way of null cells.
   *
   * @param storeNulls whether they become nulls of the object; else they are left out
   */
  PropertyEncoder(List<PropertyColumn> properties, ValueRules rules, boolean storeNulls) {
    List<String> names = new ArrayList<>();
    Set<Integer> indexed = new HashSet<>();
    columns = new int[properties.size()];
    cells = new CellWriter[properties.size()];
    CellWriters writers = new CellWriters(rules);
    for (int i = 0; i < cells.length; i++) {
      PropertyColumn p = properties.get(i);
      names.add(p.name());
      columns[i] = p.column();
      cells[i] =
          p.vector() && p.type() instanceof ArrayType a
              ? writers.vector(p.name(), a, p.dim())
              : writers.of(p.name(), p.type());
      if (p.indexed()) {
        indexed.add(i);
      }
    }
    try {
      json = new PropertyWriter(names, indexed);
    } catch (RefusedValueException e) {
      throw WriteErrors.badWrite("A column cannot be a property: " + e.getMessage(), "Rename it.");
    }
    order = json.order();
    this.storeNulls = storeNulls;
  }

  /**
   * Encodes a row into {@link #buffer}, from position 0.
   *
   * @return its length; 0 if the row has no property
   * @throws RefusedRowException if a value cannot be stored
   */
  int encode(InternalRow row) {
    return encode(row, null);
  }

  /**
   * The same for some properties only.
   *
   * @param which their positions, {@code null} for all
   */
  int encode(InternalRow row, BitSet which) {
    json.clear();
    json.begin();
    boolean any = false;
    try {
      for (int i : order) {
        if (which != null && !which.get(i)) {
          continue;
        }
        if (!row.isNullAt(columns[i])) {
          cells[i].write(row, columns[i], json.property(i));
          any = true;
        } else if (storeNulls) {
          json.property(i).nullValue();
          any = true;
        }
      }
    } catch (RefusedValueException e) {
      String reason = e.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      throw RefusedRowException.counted(
          "property '" + e.property() + "': " + reason, e.getMessage());
    }
    int length = json.end();
    return any ? length : 0;
  }

  /** Where the last row is; valid until the next one. */
  byte[] buffer() {
    return json.buffer();
  }
}
