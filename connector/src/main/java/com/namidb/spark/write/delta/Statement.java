package com.namidb.spark.write.delta;

import com.namidb.format.snapshot.Snapshot;
import com.namidb.spark.options.SessionConf;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.types.OnMismatch;
import java.util.Locale;
import java.util.Optional;

/**
 * A DELETE, UPDATE or MERGE of one table. What it reads and what it writes are the same version.
 *
 * @param name which statement, for plans
 * @param base the version it reads: what others change after it is a conflict
 * @param target nodes, or edges of one type
 * @param onMismatch how it reads values that do not fit their column
 */
public record Statement(String name, Snapshot base, TableTarget target, OnMismatch onMismatch) {
  /** Its name in lower case, as plans and receipts show it. */
  String text() {
    return name.toLowerCase(Locale.ROOT);
  }

  /** What the session says of rows that become something. */
  WriteOptions options(WriteMode mode) {
    return options(target, mode);
  }

  /** The same for rows of nodes, whatever their labels. */
  WriteOptions anyLabel(WriteMode mode) {
    boolean nodes = target instanceof TableTarget.NodesOf;
    return options(nodes ? new TableTarget.NodesOf(Optional.empty()) : target, mode);
  }

  private WriteOptions options(TableTarget rows, WriteMode mode) {
    return WriteOptions.statement(base.location(), rows, mode, SessionConf.lookup()).called(text());
  }
}
