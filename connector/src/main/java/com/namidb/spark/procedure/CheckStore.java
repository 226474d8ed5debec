package com.namidb.spark.procedure;

import com.namidb.format.snapshot.Location;
import com.namidb.format.store.CapabilityProbe;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoreCapabilities;
import com.namidb.spark.metadata.Cells;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.PlaceOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code check_store}: whether a store keeps the promises commits are built on. Contract §7. */
final class CheckStore extends NamiProcedure {
  private static final String URI = "uri";

  /** Below the root, where no graph is named so far: its folder is empty again afterwards. */
  private static final String PROBED = "check-store";

  private static final Pattern NAMES_ONE = Pattern.compile("[?&]ns=");

  private static final StructType COLUMNS =
      new StructType()
          .add("check", DataTypes.StringType, false)
          .add("ok", DataTypes.BooleanType, false)
          .add("detail", DataTypes.StringType, false);

  private final Function<String, Map<String, String>> place;
  private final Function<Location, ObjectStore> store;

  /**
   * Makes no request.
   *
   * @param place the path form's options that say where a graph of the catalog is
   */
  CheckStore(Function<String, Map<String, String>> place) {
    this(place, location -> OpenNamespace.at(location).store());
  }

  CheckStore(Function<String, Map<String, String>> place, Function<Location, ObjectStore> store) {
    super(
        "check_store",
        "Tries whether a store honours create-if-absent and If-Match, with objects it deletes again",
        optional(URI, DataTypes.StringType, "where graphs are, or one graph; else the catalog's"));
    this.place = place;
    this.store = store;
  }

  @Override
  Result run(Arguments arguments) {
    Map<String, String> options = new HashMap<>(place.apply(PROBED));
    arguments
        .optionalText(URI)
        .ifPresent(
            uri -> {
              options.put(URI, uri);
              if (NAMES_ONE.matcher(uri).find()) {
                options.remove(NAMESPACE);
              }
            });
    SQLConf conf = SQLConf.get();
    Location location = PlaceOptions.of(options, key -> conf.getConfString(key, null));
    StoreCapabilities found =
        new CapabilityProbe(store.apply(location), location.paths().bulk())
            .run(CapabilityProbe.THOROUGH_ROUNDS);
    return new Result(
        COLUMNS,
        found.checks().stream()
            .map(c -> Cells.row(c.condition() + ": " + c.name(), c.honoured(), c.detail()))
            .toList());
  }
}
