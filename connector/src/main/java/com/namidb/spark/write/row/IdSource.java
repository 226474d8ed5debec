package com.namidb.spark.write.row;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/** Where an id comes from. */
public sealed interface IdSource extends Serializable {
  /**
   * A column that holds it.
   *
   * @param column position in the row
   * @param name its name
   * @param binary whether it holds 16 bytes; else UUID text
   */
  record Given(int column, String name, boolean binary) implements IdSource {}

  /**
   * Business keys it is derived from.
   *
   * @param label label of the node
   * @param keys key columns in order
   */
  record Derived(String label, List<Key> keys) implements IdSource {
    /** Copies the list, so that it can be sent. */
    public Derived {
      keys = new ArrayList<>(keys);
    }
  }

  /** A new one per row: not the same when the job runs again. */
  record Fresh() implements IdSource {}

  /**
   * A key column.
   *
   * @param column position in the row
   * @param name its name
   * @param type its type
   */
  record Key(int column, String name, DataType type) implements Serializable {}
}
