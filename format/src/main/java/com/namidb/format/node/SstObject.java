package com.namidb.format.node;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import com.namidb.format.error.NamiException;
import com.namidb.format.error.UnsupportedFormatException;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.util.Arrays;
import java.util.Optional;

/** The body as bytes: ranged reads of an object of known size; the tail is read once and kept. */
final class SstObject {
  static final String KIND = "Node SST";
  private static final int TAIL = 1 << 16;

  private final ObjectStore store;
  private final String key;
  private final long size;
  private final int firstTail;
  private byte[] tail = new byte[0];

  /**
   * An object of known size.
   *
   * @param window bytes of it the caller can afford to hold at once
   */
  SstObject(ObjectStore store, String key, long size, int window) {
    this.store = store;
    this.key = key;
    this.size = size;
    this.firstTail = Math.min(TAIL, window);
  }

  long size() {
    return size;
  }

  /** Reads the last bytes, at least {@code atLeast} of them, and keeps them. */
  byte[] tail(int atLeast) {
    int want = (int) Math.min(size, Math.max(firstTail, atLeast));
    if (tail.length < want) {
      byte[] head = range(size - want, want - tail.length);
      byte[] whole = Arrays.copyOf(head, want);
      System.arraycopy(tail, 0, whole, head.length, tail.length);
      tail = whole;
    }
    return tail;
  }

  /** One ranged read, or none if the range lies in the tail. */
  byte[] range(long offset, int length) {
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new DamageException(
          "it names bytes " + offset + " to " + (offset + length) + " of " + size);
    }
    if (length == 0) {
      return new byte[0];
    }
    long inTail = offset - (size - tail.length);
    if (inTail >= 0) {
      return Arrays.copyOfRange(tail, (int) inTail, (int) inTail + length);
    }
    return store.getRange(key, new ByteRange(offset, length)).orElseThrow(this::absent);
  }

  private CorruptObjectException absent() {
    Optional<ObjectMeta> meta = store.head(key);
    if (meta.isEmpty()) {
      return FileErrors.missing(KIND, key);
    }
    return FileErrors.damaged(
        KIND, key, "it has " + meta.get().size() + " bytes, the manifest promises " + size);
  }

  /** The error a user sees for broken bytes. */
  NamiException damaged(RuntimeException e) {
    String detail = e instanceof DamageException ? e.getMessage() : "a value lies outside its page";
    return FileErrors.damaged(KIND, key, detail, e);
  }

  /** The error a user sees for something legal that is not read here. */
  UnsupportedFormatException unsupported(String detail) {
    return FileErrors.unsupported(KIND, key, detail);
  }
}
