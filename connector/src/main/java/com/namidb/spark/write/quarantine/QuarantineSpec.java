package com.namidb.spark.write.quarantine;

import com.namidb.format.stage.AsideRules;
import com.namidb.format.stage.KeptFile;
import com.namidb.spark.options.QuarantineRules;
import com.namidb.spark.write.row.IdSource;
import com.namidb.spark.write.row.RowShape;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * What tasks do with rows that are set aside.
 *
 * @param rows type of the original rows
 * @param invalid whether rows that cannot be stored are set aside; else they fail the job
 * @param keep whether the original rows of accepted ones are kept until the commit, because a check
 *     after staging may set them aside
 * @param text whether ids are text, which has several spellings that may be in several tasks
 * @param folder where rows go, below the job's
 */
public record QuarantineSpec(
    StructType rows, boolean invalid, boolean keep, boolean text, String folder)
    implements Serializable {
  /** Nothing is set aside. */
  public static final QuarantineSpec OFF =
      new QuarantineSpec(new StructType(), false, false, false, QuarantineWriter.FOLDER);

  /**
   * What the options say about a job.
   *
   * @param unique whether some uniqueness rule concerns it
   */
  public static QuarantineSpec of(
      QuarantineRules rules, StructType rows, RowShape shape, boolean unique) {
    if (!rules.on()) {
      return OFF;
    }
    boolean text = rules.invalid() && (text(shape.first()) || text(shape.second()));
    return new QuarantineSpec(
        rows,
        rules.invalid(),
        text || rules.dangling() || (rules.invalid() && unique),
        text,
        QuarantineWriter.FOLDER);
  }

  /**
   * The same for a write of a stage: only its tasks set rows aside.
   *
   * @param folder where rows go, below the job's
   */
  public static QuarantineSpec inTasks(QuarantineRules rules, StructType rows, String folder) {
    return rules.invalid() ? new QuarantineSpec(rows, true, false, false, folder) : OFF;
  }

  /** What may still be set aside when a job with these rows is published. */
  public AsideRules rules(QuarantineRules asked, List<KeptFile> kept) {
    return keep
        ? new AsideRules(asked.invalid(), asked.dangling(), rows.json(), kept)
        : AsideRules.NONE;
  }

  private static boolean text(IdSource source) {
    return source instanceof IdSource.Given given && !given.binary();
  }

  /** Whether original rows travel with the encoded ones. */
  public boolean carriesRows() {
    return invalid || keep;
  }
}
