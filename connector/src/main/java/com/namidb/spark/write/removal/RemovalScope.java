package com.namidb.spark.write.removal;

import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.LabelDictionary;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.manifest.SstKind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What all pieces of one removal share.
 *
 * @param paths the namespace
 * @param job job id
 * @param lsn of the tombstones
 * @param schema the declared schema of the base
 * @param labels names of the label ids in the base
 * @param files candidates whose keys matter to the pieces
 */
record RemovalScope(
    NamespacePaths paths,
    String job,
    long lsn,
    GraphSchema schema,
    LabelDictionary labels,
    List<NewSst> files)
    implements Serializable {
  RemovalScope {
    files = new ArrayList<>(files);
  }

  /** Those of nodes. */
  List<NewSst> nodes() {
    return files.stream().filter(f -> f.kind() == SstKind.NODES).toList();
  }

  /** Those of a type's edges, by source. */
  List<NewSst> edges(String type) {
    return files.stream()
        .filter(f -> f.kind() == SstKind.EDGES_FWD && f.scope().equals(type))
        .toList();
  }
}
