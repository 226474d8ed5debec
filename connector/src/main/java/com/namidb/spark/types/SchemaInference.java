package com.namidb.spark.types;

import com.namidb.format.log.ManifestRef;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Location;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.format.value.ValueType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.spark.sql.types.StructType;

/**
 * Finds the properties of a table and their Spark types by looking at every live row. Contract §3.
 *
 * <p>Cost of the exact way: one scan of the property objects of the target, names and type tags
 * only; on the driver while the SSTs are small, as a Spark job otherwise. The result belongs to one
 * immutable version and is kept for the whole session.
 */
public final class SchemaInference {
  private static final int CACHED_SCHEMAS = 256;
  private static final Map<Question, Found> CACHE =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Question, Found> eldest) {
              return size() > CACHED_SCHEMAS;
            }
          });

  private SchemaInference() {}

  /**
   * The property columns of a target in contract order, without our own columns: declared ones in
   * declaration order, then the others by the UTF-8 bytes of their names; all nullable. Names that
   * differ only in case are all there. Fails if a record cannot be decoded.
   *
   * @param target nodes or edges of one type; cached per snapshot, target and policy
   * @param sample look at a part of the rows only; properties that only statistics tell of are
   *     STRING
   */
  public static StructType properties(
      Snapshot snapshot, ScanRequest.Target target, WalPolicy wal, boolean sample) {
    return properties(snapshot, target, wal, sample, OnMismatch.FAIL, Runnable::run);
  }

  /**
   * As {@link #properties(Snapshot, ScanRequest.Target, WalPolicy, boolean)}.
   *
   * @param onMismatch {@link OnMismatch#NULL} passes over records that cannot be decoded, as the
   *     reading of the table will
   * @param jobs runs a Spark job on the calling thread, where one is worth its price; the place to
   *     take a lease
   * @throws com.namidb.format.error.InvalidValueException if a record cannot be decoded and {@code
   *     onMismatch} is {@link OnMismatch#FAIL}; it names the record's id
   */
  public static StructType properties(
      Snapshot snapshot,
      ScanRequest.Target target,
      WalPolicy wal,
      boolean sample,
      OnMismatch onMismatch,
      Executor jobs) {
    Question question =
        new Question(snapshot.location(), snapshot.ref(), target, wal, sample, onMismatch);
    Found known = CACHE.get(question);
    if (known == null) {
      SeenProperties seen = new PropertyScan(snapshot, target, wal, onMismatch, jobs).run(sample);
      StructType columns = TargetSchema.of(snapshot.manifest().schema(), target, seen.byName());
      if (sample) {
        columns = TargetSchema.withStatistics(columns, snapshot.manifest(), target);
      }
      known = new Found(columns, sample ? Map.of() : seen.kinds());
      CACHE.put(question, known);
    }
    return known.columns;
  }

  /**
   * The types of values of properties that hold values of one type only, nulls aside, on every live
   * row of a target. Looks at no row: tells what an exact inference has proven earlier in this
   * session, nothing otherwise.
   */
  public static Map<String, ValueType> provenKinds(
      Snapshot snapshot, ScanRequest.Target target, WalPolicy wal, OnMismatch onMismatch) {
    Found known =
        CACHE.get(
            new Question(snapshot.location(), snapshot.ref(), target, wal, false, onMismatch));
    return known == null ? Map.of() : known.kinds;
  }

  private record Found(StructType columns, Map<String, ValueType> kinds) {}

  private record Question(
      Location location,
      ManifestRef ref,
      ScanRequest.Target target,
      WalPolicy wal,
      boolean sample,
      OnMismatch onMismatch) {}
}
