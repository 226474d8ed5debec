package com.namidb.spark.write.check;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * Shuffles byte strings so that those with the same start meet in one task, sorted: groups are gone
 * through one by one, and nothing is held in memory.
 */
final class SortedBytes {
  private static final byte[] NOTHING = new byte[0];

  private SortedBytes() {}

  /**
   * The same strings, distributed and sorted.
   *
   * @param prefix bytes at the start that decide on the task
   * @param partitions how many tasks
   */
  static JavaRDD<byte[]> of(JavaRDD<byte[]> strings, int prefix, int partitions) {
    return strings
        .mapToPair(s -> new Tuple2<>(s, NOTHING))
        .repartitionAndSortWithinPartitions(new ByPrefix(partitions, prefix), new Unsigned())
        .keys();
  }

  private static final class Unsigned implements Comparator<byte[]>, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public int compare(byte[] a, byte[] b) {
      return Arrays.compareUnsigned(a, b);
    }
  }

  private static final class ByPrefix extends Partitioner {
    private static final long serialVersionUID = 1L;

    private final int partitions;
    private final int prefix;

    ByPrefix(int partitions, int prefix) {
      this.partitions = partitions;
      this.prefix = prefix;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      int hash = Arrays.hashCode(Arrays.copyOf((byte[]) key, prefix)) * 0x9E3779B9;
      return Math.floorMod(hash ^ (hash >>> 16), partitions);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof ByPrefix p && p.partitions == partitions && p.prefix == prefix;
    }

    @Override
    public int hashCode() {
      return 31 * partitions + prefix;
    }
  }
}
