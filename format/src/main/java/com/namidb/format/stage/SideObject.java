package com.namidb.format.stage;

import com.namidb.format.store.ObjectUpload;
import java.util.UUID;

/** An object of a job that is no candidate, under a fresh name in a folder of the job. */
public final class SideObject implements AutoCloseable {
  private final CandidateUpload upload;
  private long size;

  /**
   * Starts it.
   *
   * @param folder name of the folder below the job's
   * @param ending of its name
   */
  public SideObject(StageTarget target, String folder, String ending) {
    upload = new CandidateUpload(target, UUID.randomUUID(), folder + "/", ending);
  }

  /** Its path relative to the namespace. */
  public String path() {
    return upload.path;
  }

  /** Bytes added so far. */
  public long size() {
    return size;
  }

  /** Adds bytes; the array may be reused after the call. */
  public void write(byte[] bytes, int offset, int length) {
    ObjectUpload to = upload.upload();
    to.write(bytes, offset, length);
    size += length;
  }

  /** Makes it visible. */
  public void finish() {
    upload.finish(size);
  }

  /** Drops it if it was not finished. */
  @Override
  public void close() {
    upload.close();
  }
}
