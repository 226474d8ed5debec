package com.namidb.format.node;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;

/** {@code node_id} of a row group, plain; random ids are stored as they are, others compressed. */
final class IdPages {
  private final byte[] ids;
  private int rows;

  IdPages(int groupRows) {
    ids = new byte[groupRows * NodeId.BYTES];
  }

  void add(long hi, long lo) {
    IdBytes.putLong(ids, rows * NodeId.BYTES, hi);
    IdBytes.putLong(ids, rows * NodeId.BYTES + 8, lo);
    rows++;
  }

  void write(PageSink sink, int index, int pageRows) throws IOException {
    boolean packed = false;
    List<PageSink.Encoded> pages = new ArrayList<>();
    for (int from = 0; from < rows; from += pageRows) {
      int n = Math.min(pageRows, rows - from);
      int length = n * NodeId.BYTES;
      byte[] raw = Arrays.copyOfRange(ids, from * NodeId.BYTES, from * NodeId.BYTES + length);
      BytesInput bytes = BytesInput.from(raw);
      if (from == 0 || packed) {
        BytesInput small = sink.compress(raw, length);
        packed = from > 0 || small.size() < length - length / 8;
        bytes = packed ? small : bytes;
      }
      Statistics<?> s = sink.statistics(index);
      s.updateStats(Binary.fromConstantByteArray(raw, 0, NodeId.BYTES));
      s.updateStats(Binary.fromConstantByteArray(raw, length - NodeId.BYTES, NodeId.BYTES));
      pages.add(new PageSink.Encoded(n, n, bytes, length, s, Encoding.PLAIN));
    }
    sink.startColumn(
        index, rows, packed ? CompressionCodecName.ZSTD : CompressionCodecName.UNCOMPRESSED);
    sink.pages(pages);
    sink.endColumn();
    rows = 0;
  }
}
