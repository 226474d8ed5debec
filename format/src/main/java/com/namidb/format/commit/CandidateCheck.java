package com.namidb.format.commit;

import com.namidb.format.error.CommitErrors;
import com.namidb.format.error.Where;
import com.namidb.format.manifest.KeyEncoding;
import com.namidb.format.manifest.Manifest;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.stage.CandidateFile;
import com.namidb.format.stage.StageTarget;
import com.namidb.format.store.ObjectMeta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Are the staged files still there as they were written, complete, and not published already? One
 * HEAD per file. Source: manifest §4.7 R6, R11, R13.
 */
final class CandidateCheck {
  private final StageTarget target;

  CandidateCheck(StageTarget target) {
    this.target = target;
  }

  /**
   * Checks everything about the files that does not need their content.
   *
   * @throws com.namidb.format.error.ValidationFailedException naming the first file that is not as
   *     its writer reported
   */
  void check(Where where, Manifest base, List<CandidateFile> files) {
    Set<UUID> listed = new HashSet<>();
    for (SstDescriptor sst : base.ssts()) {
      listed.add(sst.id());
    }
    Map<UUID, CandidateFile> byId = new HashMap<>();
    for (CandidateFile file : files) {
      if (byId.put(file.sst().id(), file) != null) {
        throw CommitErrors.staged(where, "id " + file.sst().id() + " is reported twice");
      }
      if (listed.contains(file.sst().id())) {
        throw CommitErrors.staged(where, "id " + file.sst().id() + " is published already");
      }
    }
    for (CandidateFile file : files) {
      checkType(where, file);
      checkPair(where, file, byId);
      checkObject(where, file);
    }
  }

  /** The engine names compacted files by the type, and its janitor deletes encoded names (R14). */
  private static void checkType(Where where, CandidateFile file) {
    String type = file.sst().scope();
    boolean live = file.sst().counts().rows() > file.sst().counts().tombstones();
    boolean encoded = !KeyEncoding.encode(type.replace("/", "")).equals(type.replace("/", ""));
    if (live && encoded) {
      throw CommitErrors.badEdgeType(where, type);
    }
  }

  private static void checkPair(Where where, CandidateFile file, Map<UUID, CandidateFile> byId) {
    if (file.sst().kind() == SstKind.NODES) {
      return;
    }
    CandidateFile other = byId.get(file.partner());
    boolean pair =
        other != null
            && other.sst().kind() != file.sst().kind()
            && other.sst().scope().equals(file.sst().scope())
            && other.sst().lsns().equals(file.sst().lsns())
            && other.sst().counts().rows() == file.sst().counts().rows()
            && other.sst().counts().tombstones() == file.sst().counts().tombstones()
            && other.digest().equals(file.digest());
    if (!pair) {
      throw CommitErrors.staged(
          where, file.sst().path() + " and the file of the other direction differ");
    }
  }

  private void checkObject(Where where, CandidateFile file) {
    String key = target.paths().object(file.sst().path());
    Optional<ObjectMeta> there = target.store().head(key);
    if (there.isEmpty()) {
      throw CommitErrors.staged(where, key + " is not there");
    }
    if (there.get().size() != file.sst().sizeBytes()) {
      throw CommitErrors.staged(
          where,
          key + " has " + there.get().size() + " bytes instead of " + file.sst().sizeBytes());
    }
    if (!there.get().etag().equals(file.etag())) {
      throw CommitErrors.staged(
          where, key + " has tag " + there.get().etag() + " instead of " + file.etag());
    }
  }
}
