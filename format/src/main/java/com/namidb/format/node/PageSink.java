package com.namidb.format.node;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;

/**
 * Finished V1 pages into the file: page headers with checksums, page index, statistics and footer
 * are the library's. Source: node §2.3, §13.
 */
final class PageSink implements AutoCloseable {
  private static final long GROUP_BYTES = 1L << 40;
  private static final int TRUNCATE = 64;

  private final MessageType schema = NodeSchema.message();
  private final ZstdCompressCtx zstd = new ZstdCompressCtx();
  private final ParquetFileWriter writer;
  private byte[] scratch = new byte[0];
  private ColumnDescriptor column;

  /**
   * A page, ready to be written.
   *
   * @param rows number of rows
   * @param values number of values, nulls and empty lists included
   * @param bytes as stored
   * @param rawSize before compression
   * @param statistics of its values
   * @param encoding of its values
   */
  record Encoded(
      int rows,
      int values,
      BytesInput bytes,
      int rawSize,
      Statistics<?> statistics,
      Encoding encoding) {}

  PageSink(SinkOutputFile file, int level) throws IOException {
    zstd.setLevel(level);
    writer =
        new ParquetFileWriter(
            file,
            schema,
            ParquetFileWriter.Mode.CREATE,
            GROUP_BYTES,
            0,
            TRUNCATE,
            Integer.MAX_VALUE,
            true);
    writer.start();
  }

  void startGroup(long rows) throws IOException {
    writer.startBlock(rows);
  }

  void endGroup() throws IOException {
    writer.endBlock();
  }

  /** Empty statistics of a column, by its place in the schema. */
  Statistics<?> statistics(int index) {
    return Statistics.createStats(schema.getColumns().get(index).getPrimitiveType());
  }

  /** Starts the next column of a row group. */
  void startColumn(int index, long values, CompressionCodecName codec) throws IOException {
    column = schema.getColumns().get(index);
    writer.startColumn(column, values, codec);
  }

  /** Writes statistics of the whole column only: its pages have none that are true. */
  void columnStatistics(Statistics<?> whole) {
    writer.invalidateStatistics(whole);
  }

  void dictionary(byte[] raw, int values) throws IOException {
    writer.writeDictionaryPage(
        new DictionaryPage(compress(raw, raw.length), raw.length, values, Encoding.PLAIN));
  }

  void pages(List<Encoded> pages) throws IOException {
    for (Encoded p : pages) {
      writer.writeDataPage(
          p.values,
          p.rawSize,
          p.bytes,
          p.statistics,
          p.rows,
          Encoding.RLE,
          Encoding.RLE,
          p.encoding);
    }
  }

  void endColumn() throws IOException {
    writer.endColumn();
  }

  /** Compresses the first bytes of an array; the array may be reused. */
  BytesInput compress(byte[] raw, int length) {
    int bound = (int) Math.min(Zstd.compressBound(length), Integer.MAX_VALUE - 16);
    if (scratch.length < bound) {
      scratch = new byte[bound];
    }
    int n = zstd.compressByteArray(scratch, 0, scratch.length, raw, 0, length);
    return BytesInput.from(Arrays.copyOf(scratch, n));
  }

  /** Writes index and footer. */
  void finish() throws IOException {
    writer.end(Map.of());
  }

  @Override
  public void close() {
    zstd.close();
  }
}
