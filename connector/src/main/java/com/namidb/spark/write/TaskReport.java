package com.namidb.spark.write;

import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task staged.
 *
 * @param files complete files
 * @param balance where its rows went
 */
record TaskReport(List<CandidateFile> files, Balance balance) implements Serializable {
  TaskReport {
    files = new ArrayList<>(files);
  }
}
