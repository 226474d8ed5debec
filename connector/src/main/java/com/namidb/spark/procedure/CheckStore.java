package com.namidb.spark.procedure;

import com.namidb.format.snapshot.Location;
import com.namidb.format.store.CapabilityProbe;
import com.namidb.format.store.StoreCapabilities;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PlaceOptions;
import com.namidb.spark.options.SessionConf;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code check_store}: whether a store keeps the promises commits are built on. Contract §7. */
final class CheckStore extends NamiProcedure {
  private static final String URI = "uri";
  private static final String ROOT = "root";

  /** Below the root, where no graph is named so far: its folder is empty again afterwards. */
  private static final String PROBED = "check-store";

  private static final StructType COLUMNS =
      new StructType()
          .add("check", DataTypes.StringType, false)
          .add("ok", DataTypes.BooleanType, false)
          .add("detail", DataTypes.StringType, false);

  private final Function<String, Map<String, String>> place;

  /**
   * Makes no request.
   *
   * @param place the path form's options that say where a graph of the catalog is
   */
  CheckStore(Function<String, Map<String, String>> place) {
    super(
        "check_store",
        "Tries whether a store honours create-if-absent and If-Match, with objects it deletes again",
        optional(URI, DataTypes.StringType, "where graphs are, or one graph; else the catalog's"));
    this.place = place;
  }

  @Override
  Result run(Arguments arguments) {
    Map<String, String> options = new HashMap<>(place.apply(PROBED));
    arguments
        .optionalText(URI)
        .ifPresent(
            uri -> {
              options.put(URI, uri);
              options.remove(ROOT);
              if (PlaceOptions.namesOne(uri)) {
                options.remove(NAMESPACE);
              }
            });
    Location location = PlaceOptions.of(options, SessionConf.lookup());
    StoreCapabilities found =
        new CapabilityProbe(OpenNamespace.at(location).store(), location.paths().bulk())
            .run(CapabilityProbe.THOROUGH_ROUNDS);
    return new Result(
        COLUMNS,
        found.checks().stream()
            .map(c -> Cells.row(c.condition() + ": " + c.name(), c.honoured(), c.detail()))
            .toList());
  }
}
