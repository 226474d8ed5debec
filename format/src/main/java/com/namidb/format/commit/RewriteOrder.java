package com.namidb.format.commit;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StageTarget;
import java.io.Serializable;
import java.util.List;

/**
 * How candidates are to be written again because other commits overtook them. Source: protocol §3.
 *
 * @param schema of the base
 * @param labels label ids of the rows written, by name
 * @param lsn of every row written
 */
public record RewriteOrder(GraphSchema schema, LabelDictionary labels, long lsn)
    implements Serializable {
  /** Writes files again; those of the inverse direction come anew out of the forward ones. */
  public List<CandidateFile> run(StageTarget target, List<CandidateFile> files) {
    return new CandidateRewrite(target, schema, labels, lsn).rewrite(files);
  }
}
