package com.namidb.spark.catalog;

import com.namidb.spark.options.TableTarget;
import java.util.Map;

/**
 * What a catalog knows of a table besides its rows. Has no text form, because options may hold
 * secrets.
 */
final class CatalogEntry {
  private final TableName name;
  private final Map<String, String> place;
  private final boolean chosen;
  private Map<String, String> facts;

  /**
   * Keeps it.
   *
   * @param place the path form's options of the table
   * @param chosen whether a version was asked for
   */
  CatalogEntry(TableName name, Map<String, String> place, boolean chosen) {
    this.name = name;
    this.place = place;
    this.chosen = chosen;
  }

  TableTarget target() {
    return name.target();
  }

  Map<String, String> place() {
    return place;
  }

  boolean chosen() {
    return chosen;
  }

  /** What {@code DESCRIBE EXTENDED} shows; found out when first asked for. */
  synchronized Map<String, String> facts(NamiTable table) {
    if (facts == null) {
      facts = TableFacts.of(table.source(), target());
    }
    return facts;
  }
}
