package com.namidb.format.stage;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.PutResult;
import java.util.Optional;
import java.util.UUID;

/** The object of one candidate: a fresh name, so whatever stands there after a finish is ours. */
final class CandidateUpload implements AutoCloseable {
  private final ObjectStore store;
  private final String key;
  private final ObjectUpload upload;
  final UUID id;
  final String path;

  CandidateUpload(StageTarget target, UUID id, String ending) {
    this(target, id, "", ending);
  }

  CandidateUpload(StageTarget target, UUID id, String folder, String ending) {
    this.id = id;
    store = target.store();
    path = target.path(folder + id.toString().replace("-", ""), ending);
    key = target.paths().object(path);
    upload = store.upload(key);
  }

  ObjectUpload upload() {
    return upload;
  }

  /**
   * Makes the object visible.
   *
   * @param size bytes that were written
   * @return its tag
   */
  String finish(long size) {
    if (upload.finish() instanceof PutResult.Written written) {
      return written.etag();
    }
    // Refused by our own earlier request, or no clear answer: what is there decides.
    Optional<ObjectMeta> there = store.head(key);
    if (there.isEmpty() || there.get().size() != size) {
      throw StoreErrors.failed("keep a staged file", key, null);
    }
    return there.get().etag();
  }

  @Override
  public void close() {
    upload.close();
  }
}
