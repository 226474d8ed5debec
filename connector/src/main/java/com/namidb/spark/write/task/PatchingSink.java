package com.namidb.spark.write.task;

import com.namidb.format.stage.CandidateFile;
import java.util.List;

/** Makes whole records of the rows of a patch before they are written. */
final class PatchingSink implements CandidateSink {
  private final RowPatcher patcher;
  private final CandidateSink sink;

  PatchingSink(RowPatcher patcher, CandidateSink sink) {
    this.patcher = patcher;
    this.sink = sink;
  }

  @Override
  public void accept(byte[] record, int at, int contentLength) {
    if (patcher.patch(record, at, contentLength)) {
      sink.accept(patcher.record(), 0, patcher.length());
    }
  }

  /**
   * Completes the last file.
   *
   * @throws com.namidb.format.error.ValidationFailedException if rows named records that are not
   *     there
   */
  @Override
  public void finish() {
    patcher.finish();
    sink.finish();
  }

  @Override
  public List<CandidateFile> files() {
    return sink.files();
  }

  @Override
  public void close() {
    patcher.close();
    sink.close();
  }
}
