package com.namidb.format.node;

import com.namidb.format.id.KeyRange;
import com.namidb.format.id.NodeId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.statistics.BooleanStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;

/** Reads the footer and checks it against the descriptor. Source: node §2.2, §2.3. */
final class NodeFooter {
  private static final int TRAILER = 8;
  private static final int MAGIC = 0x31524150;
  private static final int MAX_GROUP_ROWS = 1 << 30;

  // Parquet 1.17 reads no footer without options. The footer's length is checked before.
  private static final ParquetReadOptions OPTIONS =
      ParquetReadOptions.builder(new PlainParquetConfiguration()).build();

  private final NodeSstFile file;
  private final SstObject object;

  private NodeFooter(NodeSstFile file, SstObject object) {
    this.file = file;
    this.object = object;
  }

  /** One GET for most files, two if the footer is longer than the tail. */
  static List<GroupMeta> read(NodeSstFile file, SstObject object) {
    return new NodeFooter(file, object).groups();
  }

  private List<GroupMeta> groups() {
    ParquetMetadata footer = parse();
    MessageType schema = footer.getFileMetaData().getSchema();
    NodeSchema.check(schema, file.typed());
    List<GroupMeta> out = new ArrayList<>();
    long rows = 0;
    for (BlockMetaData block : footer.getBlocks()) {
      if (block.getRowCount() < 0 || block.getRowCount() > MAX_GROUP_ROWS) {
        throw new DamageException("a row group claims " + block.getRowCount() + " rows");
      }
      rows += block.getRowCount();
      if (block.getRowCount() > 0) {
        out.add(group(block, schema));
      }
    }
    if (rows != file.rows()) {
      throw new DamageException("it has " + rows + " rows, the manifest promises " + file.rows());
    }
    checkKeys(out);
    return out;
  }

  private ParquetMetadata parse() {
    long size = object.size();
    if (size < 4 + TRAILER) {
      throw new DamageException("it has only " + size + " bytes");
    }
    byte[] tail = object.tail(TRAILER);
    int at = tail.length - TRAILER;
    int length = LittleEndian.intAt(tail, at);
    if (LittleEndian.intAt(tail, at + 4) != MAGIC) {
      throw new DamageException("it does not end like a Parquet file");
    }
    if (length <= 0 || length > size - TRAILER - 4) {
      throw new DamageException("its footer claims " + length + " bytes");
    }
    tail = object.tail(length + TRAILER);
    int from = tail.length - TRAILER - length;
    new CompactReader(tail, from, from + length).skipStruct();
    try {
      return new ParquetMetadataConverter(OPTIONS)
          .readParquetMetadata(
              new ByteArrayInputStream(tail, from, length), ParquetMetadataConverter.NO_FILTER);
    } catch (IOException | RuntimeException e) {
      throw new DamageException("its footer cannot be read", e);
    }
  }

  private GroupMeta group(BlockMetaData block, MessageType schema) {
    Map<String, ChunkMeta> chunks = new HashMap<>();
    KeyRange keys = null;
    boolean live = false;
    long bytes = 0;
    for (ColumnChunkMetaData c : block.getColumns()) {
      String path = c.getPath().toDotString();
      ColumnDescriptor column = schema.getColumnDescription(c.getPath().toArray());
      ChunkMeta chunk =
          new ChunkMeta(
              column, c.getCodec(), c.getStartingPos(), c.getTotalSize(), c.getValueCount());
      check(chunk, path, block.getRowCount());
      chunks.put(path, chunk);
      bytes += chunk.size();
      if (path.equals(NodeSchema.ID)) {
        keys = keys(c.getStatistics());
      } else if (path.equals(NodeSchema.TOMBSTONE)) {
        live = live(c.getStatistics());
      }
    }
    if (chunks.size() != schema.getColumns().size()) {
      throw new DamageException("a row group has " + chunks.size() + " columns");
    }
    return new GroupMeta(block.getRowCount(), bytes, keys, live, chunks);
  }

  private void check(ChunkMeta c, String path, long rows) {
    long limit = object.size() - TRAILER;
    if (c.offset() < 4 || c.size() <= 0 || c.offset() > limit || c.size() > limit - c.offset()) {
      throw new DamageException("column " + path + " lies outside the object");
    }
    boolean flat = c.column().getMaxRepetitionLevel() == 0;
    if (flat ? c.values() != rows : c.values() < rows) {
      throw new DamageException(
          "column " + path + " has " + c.values() + " values in " + rows + " rows");
    }
  }

  private static KeyRange keys(Statistics<?> s) {
    if (s == null || !s.hasNonNullValue()) {
      return null;
    }
    byte[] min = s.getMinBytes();
    byte[] max = s.getMaxBytes();
    if (min.length != NodeId.BYTES || max.length != NodeId.BYTES) {
      return null;
    }
    NodeId first = NodeId.of(min, 0);
    NodeId last = NodeId.of(max, 0);
    if (first.compareTo(last) > 0) {
      throw new DamageException("a row group's ids end before they begin");
    }
    return new KeyRange(first, last);
  }

  private static boolean live(Statistics<?> s) {
    return s instanceof BooleanStatistics b
        && b.hasNonNullValue()
        && !b.getMax()
        && b.getNumNulls() <= 0;
  }

  /** Row groups must follow each other and span exactly what the descriptor promises. */
  private void checkKeys(List<GroupMeta> groups) {
    if (groups.isEmpty()) {
      throw new DamageException("it has no rows");
    }
    NodeId last = null;
    for (int i = 0; i < groups.size(); i++) {
      KeyRange keys = groups.get(i).keys();
      if (keys == null) {
        continue;
      }
      boolean ends = i < groups.size() - 1 || keys.max().equals(file.keys().max());
      boolean begins = i > 0 || keys.min().equals(file.keys().min());
      boolean inside = file.keys().contains(keys.min()) && file.keys().contains(keys.max());
      if (!ends || !begins || !inside) {
        throw new DamageException("its ids are " + keys + ", the manifest promises " + file.keys());
      }
      if (last != null && last.compareTo(keys.min()) >= 0) {
        throw new DamageException("its row groups are not in the order of their ids");
      }
      last = keys.max();
    }
  }
}
