package com.namidb.format.store;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stores this JVM has proved safe to write to. A store is probed once, before the first request
 * that creates, commits or deletes; those of this project are known to keep their promises.
 */
public final class ProvenStores {
  /** For AWS itself, where only what stands between can be wrong. */
  private static final int FEW_ROUNDS = 4;

  /** For whoever speaks S3: enough to meet most races, and a second or two. */
  private static final int ROUNDS = 25;

  private static final String ENDPOINT = "s3.endpoint";

  private static final Map<StoreConfig, Boolean> PROVEN = new ConcurrentHashMap<>();

  private ProvenStores() {}

  /**
   * Makes sure that commits on a store are safe; no request if that is known already.
   *
   * @param folder prefix with a trailing slash for the probe's objects
   * @throws com.namidb.format.error.StoreUnsafeException if the store breaks a promise
   * @throws com.namidb.format.error.StoreException if it cannot be asked
   */
  public static void require(StoreConfig config, ObjectStore store, String folder) {
    if (config.scheme().equals("file") || config.scheme().equals("memory")) {
      return;
    }
    String endpoint = config.options().getOrDefault(ENDPOINT, "");
    // Other keys, or fresh ones, do not make it another store. One probe at a time, so that writes
    // that start together pay once.
    PROVEN.computeIfAbsent(
        new StoreConfig(config.scheme(), config.place(), Map.of(ENDPOINT, endpoint)),
        c -> {
          boolean aws = endpoint.isBlank();
          StoreCapabilities found =
              new CapabilityProbe(store, folder).run(aws ? FEW_ROUNDS : ROUNDS);
          if (!found.isSafe()) {
            throw CommitErrors.unsafe(Where.object(c.toString()), found.flaws());
          }
          return true;
        });
  }
}
