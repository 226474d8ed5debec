package com.namidb.spark.write.quarantine;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.KeyDigest;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.stage.SideObject;
import com.namidb.format.stage.StageTarget;
import com.namidb.spark.write.row.OriginalRows;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * The original rows of one candidate in its order: ids, size, row; deflated. For a check after
 * staging that sets some of them aside.
 */
public final class KeptRows implements AutoCloseable {
  /** Folder below that of the job. */
  static final String FOLDER = "rows";

  private static final int BUFFER = 1 << 16;

  private final SideObject object;
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private final DataOutputStream out;

  /**
   * Prepares it; nothing is uploaded before {@link #finish}.
   *
   * @param target where the rows are to go; stays owned by the caller
   */
  public KeptRows(StageTarget target) {
    object = new SideObject(target, FOLDER, ".rows");
    OutputStream to =
        new OutputStream() {
          @Override
          public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            object.write(bytes, offset, length);
          }
        };
    out = new DataOutputStream(new DeflaterOutputStream(to, deflater, BUFFER));
  }

  /**
   * Adds the row of a record.
   *
   * @param end where the record's content ends
   */
  public void add(byte[] record, int at, int end) {
    int length = OriginalRows.lengthAt(record, end);
    try {
      out.write(record, at, RowSorter.KEY);
      out.writeInt(length - Integer.BYTES);
      out.write(record, end - length, length - Integer.BYTES);
    } catch (IOException e) {
      throw StoreErrors.failed("keep a row", object.path(), e);
    }
  }

  /**
   * Completes it.
   *
   * @param digest of the keys of its candidate
   */
  public KeptFile finish(KeyDigest digest) {
    try {
      out.close();
    } catch (IOException e) {
      throw StoreErrors.failed("keep rows", object.path(), e);
    }
    object.finish();
    return new KeptFile(digest, object.path());
  }

  @Override
  public void close() {
    deflater.end();
    object.close();
  }
}
