package com.namidb.spark.write.task;

import com.namidb.format.error.NamiException;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.KeptFile;
import com.namidb.format.stage.QuarantineReport;
import com.namidb.format.store.ObjectStore;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what failed attempts left; never called once publishing began. */
public final class StagedObjects {
  private static final Logger LOG = LoggerFactory.getLogger(StagedObjects.class);

  private StagedObjects() {}

  /** Deletes files nobody will publish; what cannot be deleted stays as an orphan. */
  public static void delete(ObjectStore store, NamespacePaths paths, List<CandidateFile> files) {
    for (CandidateFile file : files) {
      delete(store, paths.object(file.sst().path()));
    }
  }

  /** Deletes rows that were set aside or kept by something that failed. */
  public static void deleteRows(
      ObjectStore store, NamespacePaths paths, QuarantineReport aside, List<KeptFile> kept) {
    aside.files().forEach(f -> delete(store, paths.object(f.path())));
    kept.forEach(f -> delete(store, paths.object(f.path())));
  }

  /** Deletes one object nobody needs; if that fails it stays as an orphan. */
  public static void delete(ObjectStore store, String key) {
    try {
      store.delete(key);
    } catch (NamiException e) {
      LOG.info("The unpublished file {} stays behind: {}", key, e.getMessage());
    }
  }
}
