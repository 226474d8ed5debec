package com.namidb.format.store.local;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.error.StoreErrors;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.PutResult;
import com.namidb.format.store.Xxh3;
import java.io.IOException;

/** A large object on its way; every piece goes straight to the temporary file. */
final class LocalUpload implements ObjectUpload {
  private final String key;
  private final TempFile temp;
  private final HashStream64 hash = Xxh3.stream();
  private boolean open = true;

  LocalUpload(String key, TempFile temp) {
    this.key = key;
    this.temp = temp;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    checkOpen();
    try {
      temp.write(bytes, offset, length);
    } catch (IOException e) {
      throw StoreErrors.fileSystem("write", key, e);
    }
    hash.putBytes(bytes, offset, length);
  }

  @Override
  public PutResult finish() {
    checkOpen();
    try {
      return temp.create(LocalFile.etag(hash.getAsLong()));
    } catch (IOException e) {
      throw StoreErrors.fileSystem("create", key, e);
    } finally {
      close();
    }
  }

  private void checkOpen() {
    if (!open) {
      throw new IllegalStateException("the upload of " + key + " is over");
    }
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      temp.close();
    }
  }
}
