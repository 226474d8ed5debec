package com.namidb.format.store;

/** A whole object as one read returned it: the bytes and the tag they carried. */
public final class StoredObject {
  private final ObjectMeta meta;
  private final byte[] bytes;

  /** Joins both; neither is copied. */
  public StoredObject(ObjectMeta meta, byte[] bytes) {
    this.meta = meta;
    this.bytes = bytes;
  }

  /** Size, tag and time that came with the bytes. */
  public ObjectMeta meta() {
    return meta;
  }

  /** The complete content; not to be modified. */
  public byte[] bytes() {
    return bytes;
  }
}
