package com.namidb.spark.write.row;

import com.namidb.format.manifest.LabelDictionary;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;

/** Declared properties that a node must have because of its labels. Source: values §2.2. */
public final class RequiredProperties {
  private static final List<Rule> NONE = List.of();

  private final Map<String, List<Rule>> byLabel = new HashMap<>();
  private final Map<Integer, List<Rule>> byId = new HashMap<>();

  /**
   * A property no node of a label may lack.
   *
   * @param label the label
   * @param property the property
   * @param column its position in the row, −1 without such a column
   */
  public record Rule(String label, String property, int column) implements Serializable {}

  RequiredProperties(List<Rule> rules) {
    for (Rule rule : rules) {
      byLabel.computeIfAbsent(rule.label(), l -> new ArrayList<>()).add(rule);
    }
  }

  /**
   * Checks a row.
   *
   * @param ids its label ids
   * @throws RefusedRowException if it lacks a property
   */
  void check(InternalRow row, int[] ids, LabelDictionary names) {
    if (byLabel.isEmpty()) {
      return;
    }
    for (int id : ids) {
      List<Rule> rules = byId.get(id);
      if (rules == null) {
        rules = byLabel.getOrDefault(names.name(id), NONE);
        byId.put(id, rules);
      }
      for (Rule rule : rules) {
        if (rule.column() < 0 || row.isNullAt(rule.column())) {
          throw new RefusedRowException(
              "property '" + rule.property() + "' is null, label '" + rule.label() + "' needs it");
        }
      }
    }
  }
}
