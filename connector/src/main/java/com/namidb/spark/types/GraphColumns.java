package com.namidb.spark.types;

import java.util.Locale;
import java.util.Set;

/** Names of the columns that are ours and not properties. Contract §3. */
public final class GraphColumns {
  public static final String ID = "_id";
  public static final String LABELS = "_labels";
  public static final String SRC = "_src";
  public static final String DST = "_dst";
  public static final String TYPE = "_type";
  public static final String LSN = "_lsn";
  public static final String SST = "_sst";
  public static final String LEVEL = "_level";
  public static final String SNAPSHOT_ID = "_snapshot_id";
  public static final String JSON = "_json";

  /** What a row of a table of changes tells; such tables have it first. */
  public static final String CHANGE = "_change";

  /** Columns that every table has and {@code *} does not show. */
  public static final Set<String> HIDDEN = Set.of(LSN, SST, LEVEL, SNAPSHOT_ID, JSON);

  /** Every reserved name; a property called so is reachable through {@link #JSON} only. */
  public static final Set<String> RESERVED =
      Set.of(
          ID,
          LABELS,
          SRC,
          DST,
          TYPE,
          LSN,
          SST,
          LEVEL,
          SNAPSHOT_ID,
          JSON,
          CHANGE,
          "_deleted",
          "_schema_version");

  private GraphColumns() {}

  /** A name without its case, as Spark compares names by default. */
  public static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
