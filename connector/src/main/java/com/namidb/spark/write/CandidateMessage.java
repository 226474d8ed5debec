package com.namidb.spark.write;

import com.namidb.format.stage.Balance;
import com.namidb.format.stage.CandidateFile;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task staged.
 *
 * @param files complete files
 * @param balance where its rows went
 * @param requests requests it sent
 */
record CandidateMessage(List<CandidateFile> files, Balance balance, long requests)
    implements WriterCommitMessage {
  private static final long serialVersionUID = 1L;

  /** Copies into a form every serialiser can handle. */
  public CandidateMessage {
    files = new ArrayList<>(files);
  }
}
