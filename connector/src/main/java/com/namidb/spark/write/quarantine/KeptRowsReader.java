package com.namidb.spark.write.quarantine;

import com.namidb.format.error.StoreErrors;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import com.namidb.format.stage.RowSorter;
import com.namidb.format.store.ObjectStore;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.InflaterInputStream;

/** Goes once through the rows {@link KeptRows} wrote. */
public final class KeptRowsReader implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final String key;
  private final DataInputStream in;
  private final byte[] ids = new byte[RowSorter.KEY];
  private int length;

  /**
   * Opens an object of kept rows.
   *
   * @param store stays owned by the caller
   * @param key of the object
   */
  public KeptRowsReader(ObjectStore store, String key) {
    this.key = key;
    in =
        new DataInputStream(
            new BufferedInputStream(new InflaterInputStream(new StoredStream(store, key)), BUFFER));
  }

  /** Goes to the next row, whose content is skipped unless it was read; false at the end. */
  public boolean next() {
    try {
      in.skipNBytes(length);
      length = 0;
      try {
        in.readFully(ids);
      } catch (EOFException e) {
        return false;
      }
      length = in.readInt();
      return true;
    } catch (IOException e) {
      throw StoreErrors.failed("read kept rows", key, e);
    }
  }

  /** The first id of the row. */
  public NodeId first() {
    return new NodeId(IdBytes.longAt(ids, 0), IdBytes.longAt(ids, 8));
  }

  /** The second id of the row. */
  public NodeId second() {
    return new NodeId(IdBytes.longAt(ids, 16), IdBytes.longAt(ids, 24));
  }

  /** The row's bytes; once. */
  public byte[] row() {
    byte[] out = new byte[length];
    try {
      in.readFully(out);
    } catch (IOException e) {
      throw StoreErrors.failed("read kept rows", key, e);
    }
    length = 0;
    return out;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw StoreErrors.failed("close kept rows", key, e);
    }
  }
}
