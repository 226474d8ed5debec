package com.namidb.format.stage;

import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.store.ObjectStore;
import java.nio.file.Path;

/**
 * Where a task writes.
 *
 * @param store owned by the caller
 * @param paths the namespace
 * @param job job id, or a random UUID for a write without one
 * @param temp an existing local directory for temporary files
 */
public record StageTarget(ObjectStore store, NamespacePaths paths, String job, Path temp) {
  /** Path of a new file relative to the namespace, as its descriptor will name it. */
  String path(String idDigits, String ending) {
    return "bulk/" + job + "/" + idDigits + ending;
  }
}
