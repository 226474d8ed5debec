package com.namidb.spark.write;

import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.QuarantineReport;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What a task staged.
 *
 * @param files complete files
 * @param balance where its rows went
 * @param quarantine rows it set aside
 * @param kept original rows of what it staged, where a later check may want them
 */
record TaskReport(
    List<CandidateFile> files,
    Balance balance,
    QuarantineReport quarantine,
    List<KeptRows.File> kept)
    implements Serializable {
  TaskReport {
    files = new ArrayList<>(files);
    kept = new ArrayList<>(kept);
  }
}
