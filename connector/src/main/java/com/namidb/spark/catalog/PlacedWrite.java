package com.namidb.spark.catalog;

import com.namidb.format.error.CatalogErrors;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A write into a table of a catalog: its own options and those that say where the table is. Has no
 * text form, because options may hold secrets.
 */
final class PlacedWrite implements LogicalWriteInfo {
  private final LogicalWriteInfo info;
  private final Map<String, String> place;

  PlacedWrite(LogicalWriteInfo info, Map<String, String> place) {
    place.forEach(
        (name, value) -> {
          String given = info.options().get(name);
          if (given != null && !given.equals(value)) {
            throw CatalogErrors.tooLate(name, "The catalog and the table's name say where it is.");
          }
        });
    this.info = info;
    this.place = place;
  }

  @Override
  public CaseInsensitiveStringMap options() {
    Map<String, String> all = new HashMap<>(info.options().asCaseSensitiveMap());
    place.keySet().forEach(name -> all.keySet().removeIf(name::equalsIgnoreCase));
    all.putAll(place);
    return new CaseInsensitiveStringMap(all);
  }

  @Override
  public String queryId() {
    return info.queryId();
  }

  @Override
  public StructType schema() {
    return info.schema();
  }

  @Override
  public Optional<StructType> rowIdSchema() {
    return info.rowIdSchema();
  }

  @Override
  public Optional<StructType> metadataSchema() {
    return info.metadataSchema();
  }
}
