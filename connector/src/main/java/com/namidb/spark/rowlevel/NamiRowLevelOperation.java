package com.namidb.spark.rowlevel;

import com.namidb.spark.read.NamiScanBuilder;
import com.namidb.spark.read.TableSource;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.write.delta.NamiDeltaWriteBuilder;
import com.namidb.spark.write.delta.Statement;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.DeltaWriteBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsDelta;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * One statement. Rows are named by their ids; those to be updated carry the stored object along,
 * from which everything is taken that the statement leaves alone.
 */
final class NamiRowLevelOperation implements SupportsDelta {
  private final TableSource source;
  private final Command command;
  private final Statement statement;

  NamiRowLevelOperation(TableSource source, Command command, Statement statement) {
    this.source = source;
    this.command = command;
    this.statement = statement;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public String description() {
    return "namidb " + source.name();
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new NamiScanBuilder(source);
  }

  @Override
  public DeltaWriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new NamiDeltaWriteBuilder(statement, info);
  }

  @Override
  public NamedReference[] rowId() {
    return source.edges()
        ? references(GraphColumns.SRC, GraphColumns.DST)
        : references(GraphColumns.ID);
  }

  /** At least one always: some Spark versions shift the columns of rows without any. */
  @Override
  public NamedReference[] requiredMetadataAttributes() {
    return command == Command.DELETE
        ? references(GraphColumns.LSN)
        : references(GraphColumns.LSN, GraphColumns.JSON);
  }

  private static NamedReference[] references(String... names) {
    NamedReference[] out = new NamedReference[names.length];
    for (int i = 0; i < names.length; i++) {
      out[i] = Expressions.column(names[i]);
    }
    return out;
  }
}
