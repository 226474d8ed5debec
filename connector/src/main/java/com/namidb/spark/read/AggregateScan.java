package com.namidb.spark.read;

import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.LocalScan;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;

/**
 * A whole answer from metadata: no task, no lease, no SST.
 *
 * @param source the table
 * @param pushed what filters allow on the id columns
 * @param asked the aggregates
 * @param answer their values
 */
record AggregateScan(
    TableSource source, Pushdown pushed, AskedAggregates asked, AggregateAnswer answer)
    implements LocalScan, SupportsReportStatistics {
  private static final int CELL_BYTES = 40;

  @Override
  public InternalRow[] rows() {
    return answer.rows().toArray(InternalRow[]::new);
  }

  @Override
  public StructType readSchema() {
    return asked.schema();
  }

  @Override
  public Statistics estimateStatistics() {
    long rows = answer.rows().size();
    long cells = rows * readSchema().size();
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(Math.max(1, cells * CELL_BYTES));
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(rows);
      }
    };
  }

  @Override
  public String description() {
    return "snapshot=%s, answered from metadata, ssts=%d (described %d), pushed=[%s]"
        .formatted(
            Long.toUnsignedString(source.snapshot().version()),
            answer.ssts(),
            answer.settled(),
            String.join(", ", pushed.describe()));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof AggregateScan s
        && source.equals(s.source)
        && pushed.equals(s.pushed)
        && asked.equals(s.asked);
  }

  @Override
  public int hashCode() {
    return 31 * source.hashCode() + asked.hashCode();
  }

  @Override
  public String toString() {
    return "namidb " + source.name() + ": " + description();
  }
}
