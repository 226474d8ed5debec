package com.namidb.spark.write.quarantine;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.parquet.ParquetWriteSupport;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/** Writes rows to a local Parquet file as Spark itself would, whatever the session prefers. */
final class RowParquet implements AutoCloseable {
  private static final long GROUP_BYTES = 8 << 20;

  private final ParquetWriter<InternalRow> writer;

  RowParquet(Path file, StructType schema) throws IOException {
    writer =
        new Builder(new LocalOutputFile(file), schema)
            .withConf(new Configuration(false))
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withRowGroupSize(GROUP_BYTES)
            .build();
  }

  void add(InternalRow row) throws IOException {
    writer.write(row);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<InternalRow, Builder> {
    private final StructType schema;

    Builder(OutputFile file, StructType schema) {
      super(file);
      this.schema = schema;
    }

    @Override
    protected Builder self() {
      return this;
    }

    // Deprecated but abstract; Spark's support reads this kind of configuration.
    @SuppressWarnings("deprecation")
    @Override
    protected WriteSupport<InternalRow> getWriteSupport(Configuration conf) {
      ParquetWriteSupport.setSchema(schema, conf);
      conf.set("spark.sql.parquet.writeLegacyFormat", "false");
      conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS");
      conf.set("spark.sql.parquet.fieldId.write.enabled", "true");
      conf.set("spark.sql.parquet.variant.annotateLogicalType.enabled", "false");
      // A date that cannot be stored must not fail the file that is to hold it.
      SQLConf exact = new SQLConf();
      exact.setConfString("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED");
      return SQLConf.withExistingConf(exact, ParquetWriteSupport::new);
    }
  }
}
