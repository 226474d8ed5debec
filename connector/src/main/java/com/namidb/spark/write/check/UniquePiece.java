package com.namidb.spark.write.check;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.CandidateKeys;
import com.namidb.format.store.ObjectStore;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;

/**
 * Nodes whose values are compared: those of a candidate, or a slice of the base. They become byte
 * strings: hash of the values, {@link #STAGED} or {@link #BASE}, id, position of the candidate (-1
 * for the base), number of the rule.
 *
 * @param paths the namespace
 * @param file a candidate of nodes, {@code null} for a slice
 * @param number its position
 * @param slice live nodes of the base that carry the label of the rules, {@code null} for a
 *     candidate
 * @param rules all rules
 * @param numbers which of them concern the slice
 */
record UniquePiece(
    NamespacePaths paths,
    CandidateFile file,
    int number,
    ScanSlice slice,
    List<UniqueRule> rules,
    List<Integer> numbers)
    implements Serializable {
  static final byte STAGED = 0;
  static final byte BASE = 1;

  /** Where the parts of a byte string start. */
  static final int KIND_AT = UniqueValue.BYTES;

  static final int ID_AT = KIND_AT + 1;
  static final int FILE_AT = ID_AT + NodeId.BYTES;
  static final int RULE_AT = FILE_AT + 4;
  static final int SIZE = RULE_AT + 4;

  UniquePiece {
    rules = new ArrayList<>(rules);
    numbers = new ArrayList<>(numbers);
  }

  /** The byte strings; reads batch by batch. */
  Pulled<byte[]> read(ObjectStore store) {
    return slice == null ? new Staged(store) : new Stored(store);
  }

  private abstract class Rows extends Pulled<byte[]> {
    private final List<UniqueValue> values = new ArrayList<>();
    private final Deque<byte[]> ready = new ArrayDeque<>();

    Rows() {
      for (int i = 0; i < rules.size(); i++) {
        values.add(new UniqueValue(i, rules.get(i)));
      }
    }

    /** Loads rows; false at the end. */
    abstract boolean load();

    void add(RecordBatch b, int row, int rule) {
      int length = b.payloadLength()[row];
      if (length == RecordBatch.NO_PAYLOAD) {
        return;
      }
      byte[] hash = values.get(rule).hash(b.payload(), b.payloadOffset()[row], length);
      if (hash != null) {
        ready.add(
            ByteBuffer.allocate(SIZE)
                .put(hash)
                .put(slice == null ? STAGED : BASE)
                .putLong(b.keyHi()[row])
                .putLong(b.keyLo()[row])
                .putInt(number)
                .putInt(rule)
                .array());
      }
    }

    @Override
    byte[] pull() {
      while (ready.isEmpty()) {
        if (!load()) {
          return null;
        }
      }
      return ready.poll();
    }
  }

  private final class Stored extends Rows {
    private final SliceReader rows;

    Stored(ObjectStore store) {
      rows = SliceReader.open(slice, store);
    }

    @Override
    boolean load() {
      if (!rows.next()) {
        rows.close();
        return false;
      }
      for (int i = 0; i < rows.selection().size(); i++) {
        for (int rule : numbers) {
          add(rows.batch(), rows.selection().row(i), rule);
        }
      }
      return true;
    }
  }

  private final class Staged extends Rows {
    private final CandidateKeys rows;
    private final List<List<Integer>> bySet = new ArrayList<>();

    Staged(ObjectStore store) {
      rows =
          CandidateKeys.open(store, paths, file.sst(), KeyRanges.ALL, EnumSet.allOf(Column.class));
    }

    @Override
    boolean load() {
      if (!rows.next()) {
        rows.close();
        return false;
      }
      RecordBatch b = rows.batch();
      for (int i = 0; i < b.size(); i++) {
        if (!b.anyTombstone() || !b.tombstone()[i]) {
          for (int rule : rules(b.labelSet()[i])) {
            add(b, i, rule);
          }
        }
      }
      return true;
    }

    private List<Integer> rules(int set) {
      LabelSets labels = rows.labels();
      for (int s = bySet.size(); s <= set; s++) {
        List<Integer> out = new ArrayList<>();
        for (int r = 0; r < rules.size(); r++) {
          for (int id : labels.ids(s)) {
            if (rules.get(r).label().equals(file.labels().get(id))) {
              out.add(r);
              break;
            }
          }
        }
        bySet.add(out);
      }
      return bySet.get(set);
    }
  }
}
