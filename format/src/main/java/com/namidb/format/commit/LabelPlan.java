package com.namidb.format.commit;

import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.stage.CandidateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Do the label ids baked into files still mean the same names on the base really committed on?
 * Source: manifest §4.7 R4.
 *
 * @param dictionary label ids to publish
 * @param fits whether the files can stay as they are
 */
record LabelPlan(LabelDictionary dictionary, boolean fits) {
  /**
   * Decides.
   *
   * @param base dictionary of the base
   * @param table dictionary the files were written with
   */
  static LabelPlan of(LabelDictionary base, LabelDictionary table, List<CandidateFile> files) {
    int used = 0;
    TreeSet<String> names = new TreeSet<>();
    for (CandidateFile file : files) {
      for (Map.Entry<Integer, String> e : file.labels().entrySet()) {
        used = Math.max(used, e.getKey() + 1);
        names.add(e.getValue());
      }
    }
    List<String> all = new ArrayList<>(base.names());
    for (int id = all.size(); id < Math.min(used, table.size()); id++) {
      all.add(table.name(id));
    }
    LabelDictionary wanted = base.extended(all.subList(base.size(), all.size()));
    for (CandidateFile file : files) {
      for (Map.Entry<Integer, String> e : file.labels().entrySet()) {
        int id = e.getKey();
        if (!wanted.knows(id) || !wanted.name(id).equals(e.getValue())) {
          return new LabelPlan(base.extended(names), false);
        }
      }
    }
    return new LabelPlan(wanted, true);
  }
}
