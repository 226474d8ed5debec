package com.namidb.spark.write.delta;

import com.namidb.format.commit.CommitReceipt;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.read.KeyFilter;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.write.publish.CommitLog;
import com.namidb.spark.write.publish.WriteJob;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes rows of a table that are known by their ids, or all of them: tasks read keys only and
 * stage the tombstones where they are, without a shuffle.
 */
public final class TableRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(TableRemoval.class);

  private static final Set<String> IDS =
      Set.of(GraphColumns.ID, GraphColumns.SRC, GraphColumns.DST);

  private TableRemoval() {}

  /**
   * Deletes and commits, or does nothing if there is no such row.
   *
   * @param schema columns of the table
   * @throws com.namidb.format.error.NamiException if that may not be, or nobody knows whether it
   *     was
   */
  public static void run(Statement statement, StructType schema, KeyFilter filter) {
    WriteOptions options = statement.options(WriteMode.OVERWRITE);
    StructType ids =
        new StructType(
            Arrays.stream(schema.fields())
                .filter(f -> IDS.contains(f.name()))
                .toArray(StructField[]::new));
    Optional<CommitReceipt> receipt =
        WriteJob.begin(options, ids, Optional.of(statement.base())).remove(filter);
    if (receipt.isEmpty()) {
      LOG.info("No row of {} to delete: nothing was committed", statement.target());
      return;
    }
    CommitLog.committed(options, receipt.get());
  }
}
