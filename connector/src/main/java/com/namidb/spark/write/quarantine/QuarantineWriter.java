package com.namidb.spark.write.quarantine;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.stage.QuarantinedFile;
import com.namidb.format.stage.SideObject;
import com.namidb.format.stage.StageTarget;
import com.namidb.spark.write.row.RefusedRowException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The rows one task attempt sets aside: a local file first, an object when it is complete. */
public final class QuarantineWriter implements AutoCloseable {
  /** Folder below that of the job. */
  public static final String FOLDER = "quarantine";

  private static final int CHUNK = 1 << 16;

  private final StageTarget target;
  private final StructType schema;
  private final String folder;
  private final JoinedRow joined = new JoinedRow();
  private final Map<String, Long> reasons = new TreeMap<>();
  private Path file;
  private RowParquet parquet;
  private long rows;

  /**
   * Prepares it; nothing is made before the first row.
   *
   * @param rows type of the original rows
   * @param folder where they go, below the job's
   */
  public QuarantineWriter(StageTarget target, StructType rows, String folder) {
    this.target = target;
    this.folder = folder;
    schema = QuarantineSchema.of(rows);
  }

  /** Rows set aside so far. */
  public long rows() {
    return rows;
  }

  /** Sets a row aside, for a reason that names it. */
  public void add(InternalRow row, RefusedRowException reason) {
    InternalRow why =
        new GenericInternalRow(
            new Object[] {
              UTF8String.fromString(reason.getMessage()), UTF8String.fromString(reason.row())
            });
    try {
      if (parquet == null) {
        file = Files.createTempFile(target.temp(), "quarantine", ".parquet");
        Files.delete(file);
        parquet = new RowParquet(file, schema);
      }
      parquet.add(joined.apply(row, why));
    } catch (IOException e) {
      throw StoreErrors.failed("write a temporary file in " + target.temp(), null, e);
    }
    QuarantineReport.count(reasons, reason.kind(), 1);
    rows++;
  }

  /** Uploads the rows, if there are any. */
  public QuarantineReport finish() {
    if (rows == 0) {
      return QuarantineReport.EMPTY;
    }
    try (SideObject object = new SideObject(target, folder, ".parquet")) {
      parquet.close();
      parquet = null;
      try (InputStream in = Files.newInputStream(file)) {
        byte[] chunk = new byte[CHUNK];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
          object.write(chunk, 0, n);
        }
      }
      object.finish();
      return new QuarantineReport(
          List.of(new QuarantinedFile(object.path(), object.size(), rows)), reasons);
    } catch (IOException e) {
      throw StoreErrors.failed("upload the temporary file " + file, null, e);
    }
  }

  @Override
  public void close() {
    try {
      if (parquet != null) {
        parquet.close();
        parquet = null;
      }
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // A temporary file that stays behind harms nobody.
      parquet = null;
    }
  }
}
