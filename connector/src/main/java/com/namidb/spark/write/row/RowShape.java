package com.namidb.spark.write.row;

import com.namidb.spark.options.ValueRules;
import com.namidb.spark.options.WriteMode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the columns of the rows mean; checked on the driver, used by tasks.
 *
 * @param mode what becomes of the rows
 * @param scope label or edge type, empty for nodes of any label
 * @param first the node, or the source of the edge
 * @param second the destination of the edge; {@code null} for nodes
 * @param labels position of the labels' column, −1 without
 * @param properties columns that become properties
 * @param rules how values are stored
 * @param required properties that nodes of some labels must have
 */
public record RowShape(
    WriteMode mode,
    String scope,
    IdSource first,
    IdSource second,
    int labels,
    List<PropertyColumn> properties,
    ValueRules rules,
    List<RequiredProperties.Rule> required)
    implements Serializable {
  /** Copies the lists, so that they can be sent. */
  public RowShape {
    properties = new ArrayList<>(properties);
    required = new ArrayList<>(required);
  }

  /** Whether rows are edges. */
  public boolean edges() {
    return second != null;
  }

  /** Whether rows change records that must exist. */
  public boolean patches() {
    return mode == WriteMode.PATCH;
  }

  /** Whether rows are ids of what is deleted. */
  public boolean deletes() {
    return mode == WriteMode.DELETE;
  }
}
