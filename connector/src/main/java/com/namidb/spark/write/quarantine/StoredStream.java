package com.namidb.spark.write.quarantine;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ObjectMeta;
import com.namidb.format.store.ObjectStore;
import java.io.InputStream;

/** Reads an object from its start, a few megabytes per request. */
final class StoredStream extends InputStream {
  private static final int CHUNK = 4 << 20;

  private final ObjectStore store;
  private final String key;
  private final long size;
  private byte[] chunk = new byte[0];
  private int at;
  private long fetched;

  StoredStream(ObjectStore store, String key) {
    this.store = store;
    this.key = key;
    size = store.head(key).map(ObjectMeta::size).orElseThrow(this::gone);
  }

  @Override
  public int read() {
    return fill() ? chunk[at++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(length, chunk.length - at);
    System.arraycopy(chunk, at, to, offset, n);
    at += n;
    return n;
  }

  private boolean fill() {
    if (at < chunk.length) {
      return true;
    }
    if (fetched == size) {
      return false;
    }
    ByteRange range = new ByteRange(fetched, (int) Math.min(CHUNK, size - fetched));
    chunk = store.getRange(key, range).orElseThrow(this::gone);
    at = 0;
    fetched += chunk.length;
    return true;
  }

  private RuntimeException gone() {
    return StoreErrors.failed("read the rows a job kept: they are gone", key, null);
  }
}
