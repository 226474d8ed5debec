package com.namidb.spark.write.check;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.store.StoreConfig;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * What a task needs to take rows out of candidates.
 *
 * @param store how to open the store
 * @param paths the namespace
 * @param job job id
 * @param labels label ids of the job
 * @param schema the declared schema
 * @param rows type of the original rows
 * @param items the candidates that rejects refer to by position
 */
record SetAsidePlan(
    StoreConfig store,
    NamespacePaths paths,
    String job,
    LabelDictionary labels,
    GraphSchema schema,
    StructType rows,
    List<Item> items)
    implements Serializable {
  SetAsidePlan {
    items = new ArrayList<>(items);
  }

  /**
   * A candidate and the object with its original rows.
   *
   * @param file nodes, or the forward file of edges
   * @param kept path relative to the namespace
   */
  record Item(CandidateFile file, String kept) implements Serializable {}
}
