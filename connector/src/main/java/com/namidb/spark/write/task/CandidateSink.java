package com.namidb.spark.write.task;

import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.RowSorter;
import java.util.List;

/** Writes sorted records into candidate files, a new one when the last is large enough. */
interface CandidateSink extends RowSorter.Sink, AutoCloseable {
  /** Rows per file at most, since checks hold the keys of a file in memory. */
  int MAX_ROWS = 2_000_000;

  /** Completes the last file. */
  void finish();

  /** Files complete so far. */
  List<CandidateFile> files();

  @Override
  void close();
}
