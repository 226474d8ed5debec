package com.namidb.spark.write.row;

import com.namidb.format.manifest.LabelDictionary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Label ids within one task: the job's, then names the task meets first. Two tasks may give one id
 * to different names; the publisher sees that in their reports and rewrites such files.
 */
final class TaskLabels {
  private final LabelDictionary planned;
  private final String scope;
  private final Map<UTF8String, Integer> ids = new HashMap<>();
  private final List<String> names;
  private final int[] alone;
  private LabelDictionary dictionary;

  /**
   * Prepares it.
   *
   * @param scope label every row must carry, empty for none
   */
  TaskLabels(LabelDictionary planned, String scope) {
    this.planned = planned;
    dictionary = planned;
    this.scope = scope;
    names = new ArrayList<>(planned.names());
    alone = scope.isEmpty() ? new int[0] : new int[] {planned.id(scope).orElseThrow()};
  }

  /** The ids of a row without labels' column. */
  int[] alone() {
    return alone;
  }

  /**
   * The ids of the names in a cell, ascending and distinct.
   *
   * @throws RefusedRowException if they do not fit the table
   */
  int[] of(ArrayData cell) {
    int[] out = new int[cell.numElements()];
    for (int i = 0; i < out.length; i++) {
      if (cell.isNullAt(i)) {
        throw new RefusedRowException("_labels holds a null");
      }
      out[i] = id(cell.getUTF8String(i));
    }
    out = Arrays.stream(out).distinct().sorted().toArray();
    if (alone.length > 0 && Arrays.binarySearch(out, alone[0]) < 0) {
      throw new RefusedRowException("_labels lacks the label '" + scope + "' it is written to");
    }
    return out;
  }

  private int id(UTF8String name) {
    Integer known = ids.get(name);
    if (known != null) {
      return known;
    }
    String text = name.toString();
    if (text.isEmpty() || !name.isValid()) {
      throw new RefusedRowException("_labels holds an empty name or one that is no valid UTF-8");
    }
    int id = planned.id(text).orElse(names.size());
    if (id == names.size()) {
      names.add(text);
    }
    ids.put(name.copy(), id);
    return id;
  }

  /** All names met so far, in id order. */
  LabelDictionary dictionary() {
    if (names.size() != dictionary.size()) {
      dictionary = LabelDictionary.of(names);
    }
    return dictionary;
  }
}
