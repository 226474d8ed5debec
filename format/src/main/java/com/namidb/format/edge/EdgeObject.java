package com.namidb.format.edge;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import com.namidb.format.error.UnsupportedFormatException;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.util.Optional;

/** The raw bytes of one edge SST: small objects are held, large ones fetched part by part. */
final class EdgeObject {
  private static final String KIND = "Edge SST";

  private final ObjectStore store;
  private final String key;
  private final long size;
  private Slice held;
  private long heldFrom;

  EdgeObject(ObjectStore store, String key, long size) {
    this.store = store;
    this.key = key;
    this.size = size;
  }

  long size() {
    return size;
  }

  /** Whether every byte is in memory. */
  boolean inMemory() {
    return held != null && heldFrom == 0;
  }

  /** Fetches the object with one request and keeps it. */
  void holdAll() {
    if (inMemory()) {
      return;
    }
    StoredObject got = store.get(key).orElseThrow(() -> FileErrors.missing(KIND, key));
    if (got.bytes().length != size) {
      throw wrongSize(got.bytes().length);
    }
    held = new Slice(got.bytes(), 0, got.bytes().length);
    heldFrom = 0;
  }

  /** Fetches the last bytes and keeps them. */
  Slice holdTail(int length) {
    Slice tail = read(size - length, length);
    if (!inMemory()) {
      held = tail;
      heldFrom = size - length;
    }
    return tail;
  }

  /** Bytes of the object; the caller has checked that the part lies inside it. */
  Slice read(long offset, int length) {
    if (held != null && offset >= heldFrom) {
      return new Slice(held.array, held.offset + (int) (offset - heldFrom), length);
    }
    if (length == 0) {
      return new Slice(new byte[0], 0, 0);
    }
    byte[] got =
        store.getRange(key, new ByteRange(offset, length)).orElseThrow(() -> notThere(offset));
    if (got.length != length) {
      throw damaged("the store returned " + got.length + " of " + length + " bytes");
    }
    return new Slice(got, 0, length);
  }

  private CorruptObjectException notThere(long offset) {
    Optional<ObjectMeta> meta = store.head(key);
    if (meta.isEmpty()) {
      return FileErrors.missing(KIND, key);
    }
    long real = meta.get().size();
    return real == size ? damaged("nothing can be read at byte " + offset) : wrongSize(real);
  }

  private CorruptObjectException wrongSize(long real) {
    return damaged("it has " + real + " bytes, the manifest says " + size);
  }

  CorruptObjectException damaged(String detail) {
    return FileErrors.damaged(KIND, key, detail);
  }

  CorruptObjectException damaged(String detail, Throwable cause) {
    return FileErrors.damaged(KIND, key, detail, cause);
  }

  UnsupportedFormatException unsupported(String detail) {
    return FileErrors.unsupported(KIND, key, detail);
  }
}
