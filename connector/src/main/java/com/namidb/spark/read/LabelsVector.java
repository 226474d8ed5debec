package com.namidb.spark.read;

import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.LiveBatches;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code _labels}: the names of a node's labels in UTF-8 order, made once per distinct set. Ids the
 * dictionary does not know are left out, as the engine does.
 */
final class LabelsVector extends GraphVector {
  private final UTF8String[] namesById;
  private final Names names = new Names();
  private final int[] setOfRow;
  private LabelSets known;
  private int knownSets;
  private int[] starts = new int[8];
  private int[] lengths = new int[8];

  LabelsVector(DataType type, List<String> labelNames, int capacity) {
    super(type);
    namesById = labelNames.stream().map(UTF8String::fromString).toArray(UTF8String[]::new);
    setOfRow = new int[capacity];
  }

  @Override
  void fill(LiveBatches rows, int from, int count) {
    if (rows.labels() != known) {
      known = rows.labels();
      knownSets = 0;
      names.all.clear();
    }
    while (knownSets < known.size()) {
      addSet(known.ids(knownSets));
    }
    RecordBatch batch = rows.batch();
    Selection selection = rows.selection();
    for (int i = 0; i < count; i++) {
      setOfRow[i] = batch.labelSet()[selection.row(from + i)];
    }
  }

  private void addSet(int[] ids) {
    if (knownSets == starts.length) {
      starts = Arrays.copyOf(starts, 2 * knownSets);
      lengths = Arrays.copyOf(lengths, 2 * knownSets);
    }
    starts[knownSets] = names.all.size();
    Arrays.stream(ids)
        .filter(id -> id >= 0 && id < namesById.length)
        .mapToObj(id -> namesById[id])
        .sorted(UTF8String::binaryCompare)
        .distinct()
        .forEach(names.all::add);
    lengths[knownSets] = names.all.size() - starts[knownSets];
    knownSets++;
  }

  @Override
  public ColumnarArray getArray(int row) {
    int set = setOfRow[row];
    return new ColumnarArray(names, starts[set], lengths[set]);
  }

  private static final class Names extends PlainVector {
    private final List<UTF8String> all = new ArrayList<>();

    Names() {
      super(DataTypes.StringType);
    }

    @Override
    public UTF8String getUTF8String(int row) {
      return all.get(row);
    }
  }
}
