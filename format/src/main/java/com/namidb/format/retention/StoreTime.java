package com.namidb.format.retention;

import com.namidb.format.error.RetentionErrors;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.PutResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;

/**
 * The store's time, from a mark that every sweep leaves: ages are differences of one clock. A dry
 * run writes nothing and takes the driver's clock instead. Source: protocol §7.
 */
final class StoreTime {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final Clock clock;

  StoreTime(NamespacePaths paths, ObjectStore store, Clock clock) {
    this.paths = paths;
    this.store = store;
    this.clock = clock;
  }

  /** Milliseconds since 1970 UTC; one PUT and one HEAD unless it is a dry run. */
  long now(boolean dryRun, String sweep) {
    if (dryRun) {
      return clock.millis();
    }
    String key = paths.bulkSweep();
    byte[] mark = ("{\"last_sweep\":\"" + sweep + "\"}").getBytes(StandardCharsets.UTF_8);
    if (store.put(key, mark) instanceof PutResult.Unclear unclear) {
      throw RetentionErrors.noTime(key, unclear.cause());
    }
    return store
        .head(key)
        .map(ObjectMeta::modifiedMillis)
        .orElseThrow(() -> RetentionErrors.noTime(key, "a mark just written is not there"));
  }
}
