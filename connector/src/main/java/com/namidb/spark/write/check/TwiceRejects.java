package com.namidb.spark.write.check;

import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import com.namidb.format.stage.RowSorter;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;

/**
 * Finds every staged row whose key another task staged or set aside too: possible where ids are
 * given as text, of which Spark knows no other spelling.
 */
final class TwiceRejects extends Pulled<byte[]> {
  private final Iterator<byte[]> keys;
  private byte[] last;
  private boolean twice;

  private TwiceRejects(Iterator<byte[]> keys) {
    this.keys = keys;
  }

  /**
   * All rejects.
   *
   * @param keys of {@link StoreJobs#keys} and {@link StoreJobs#kept}
   * @param tasks how many compare them
   */
  static JavaRDD<byte[]> find(JavaRDD<byte[]> keys, int tasks) {
    return SortedBytes.of(keys, RowSorter.KEY, tasks).mapPartitions(TwiceRejects::new);
  }

  @Override
  byte[] pull() {
    while (last != null || keys.hasNext()) {
      byte[] row = keys.hasNext() ? keys.next() : null;
      byte[] before = last;
      boolean same =
          row != null
              && before != null
              && Arrays.equals(row, 0, RowSorter.KEY, before, 0, RowSorter.KEY);
      boolean wrong = same || twice;
      twice = same;
      last = row;
      if (before != null && wrong && RowSorter.intAt(before, RowSorter.KEY) >= 0) {
        return new Reject(
                RowSorter.intAt(before, RowSorter.KEY),
                new NodeId(IdBytes.longAt(before, 0), IdBytes.longAt(before, 8)),
                new NodeId(IdBytes.longAt(before, 16), IdBytes.longAt(before, 24)),
                "it is in the job twice",
                "")
            .toBytes();
      }
    }
    return null;
  }
}
