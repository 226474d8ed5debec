package com.namidb.spark.write.task;

import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.StageTarget;
import com.namidb.spark.write.quarantine.KeptRows;
import com.namidb.spark.write.row.OriginalRows;
import java.util.ArrayList;
import java.util.List;

/** Takes the original rows off the records; keeps them beside the candidates if that is wanted. */
final class KeepingSink implements RowSorter.Sink, AutoCloseable {
  private final StageTarget target;
  private final CandidateSink sink;
  private final boolean keep;
  private final List<KeptFile> kept = new ArrayList<>();
  private KeptRows open;
  private KeptRows twice;
  private int finished;

  KeepingSink(StageTarget target, CandidateSink sink, boolean keep) {
    this.target = target;
    this.sink = sink;
    this.keep = keep;
  }

  @Override
  public void accept(byte[] record, int at, int contentLength) {
    int end = at + RowSorter.HEAD + contentLength;
    sink.accept(record, at, contentLength - OriginalRows.lengthAt(record, end));
    if (keep) {
      // The sink completes a file when it meets the first record of the next.
      close(sink.files());
      if (open == null) {
        open = new KeptRows(target);
      }
      open.add(record, at, end);
    }
  }

  /** Keeps a record that is in no candidate because its key comes twice. */
  void keepTwice(byte[] record, int at, int contentLength) {
    if (twice == null) {
      twice = new KeptRows(target);
    }
    twice.add(record, at, at + RowSorter.HEAD + contentLength);
  }

  /** Completes what is open, after the last candidate. */
  void finish() {
    close(sink.files());
    if (twice != null) {
      kept.add(twice.finish(KeyDigest.EMPTY));
      twice.close();
      twice = null;
    }
  }

  private void close(List<CandidateFile> files) {
    if (open != null && files.size() > finished) {
      kept.add(open.finish(files.get(finished).digest()));
      open.close();
      open = null;
    }
    finished = files.size();
  }

  /** What was kept so far. */
  List<KeptFile> kept() {
    return kept;
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
      open = null;
    }
    if (twice != null) {
      twice.close();
      twice = null;
    }
  }
}
