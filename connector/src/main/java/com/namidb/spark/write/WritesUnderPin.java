package com.namidb.spark.write;

import com.namidb.format.snapshot.Location;
import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a session may write while it is pinned to a version. Protocol §10. */
public final class WritesUnderPin {
  private static final Logger LOG = LoggerFactory.getLogger(WritesUnderPin.class);

  private WritesUnderPin() {}

  /**
   * Refuses writes that depend on rows they were not shown; others are told to be invisible.
   *
   * @throws com.namidb.format.error.InvalidOptionException for such a write
   */
  static void check(WriteOptions options) {
    WriteMode mode = options.mode();
    if (mode.readsGraph() || mode == WriteMode.DELETE) {
      NotebookPins.refuseChange(
          options.location(),
          mode == WriteMode.OVERWRITE
              ? "An overwrite"
              : "write-mode=" + mode.name().toLowerCase(Locale.ROOT));
    }
    warn(options.location());
  }

  /** Says in the log and returns that what is written now cannot be seen, if that is so. */
  public static Optional<String> warn(Location location) {
    Optional<String> text =
        NotebookPins.hiding(location)
            .map(
                version ->
                    "this session is pinned to version "
                        + Long.toUnsignedString(version)
                        + " of '"
                        + location.paths().namespace()
                        + "': what is written now is not visible to it until unpin");
    text.ifPresent(LOG::warn);
    return text;
  }
}
