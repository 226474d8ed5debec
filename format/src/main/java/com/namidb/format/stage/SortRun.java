package com.namidb.format.stage;

import com.namidb.format.error.StoreErrors;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** A sorted file of records, read once; the file is gone when it is closed. */
final class SortRun implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private DataInputStream in;
  private byte[] record = new byte[InverseSorter.head()];

  private SortRun(Path file) {
    this.file = file;
  }

  static SortRun open(Path file) {
    return new SortRun(file);
  }

  /** Loads the next record; false at the end. */
  boolean next() {
    try {
      if (in == null) {
        in =
            new DataInputStream(
                new BufferedInputStream(
                    Files.newInputStream(file, StandardOpenOption.DELETE_ON_CLOSE), BUFFER));
      }
      in.readFully(record, 0, InverseSorter.head());
    } catch (EOFException e) {
      return false;
    } catch (IOException e) {
      throw StoreErrors.failed("read a temporary file", null, e);
    }
    int payload = InverseSorter.payload(record);
    if (record.length < InverseSorter.head() + payload) {
      record = Arrays.copyOf(record, InverseSorter.head() + payload);
    }
    try {
      in.readFully(record, InverseSorter.head(), payload);
    } catch (IOException e) {
      throw StoreErrors.failed("read a temporary file", null, e);
    }
    return true;
  }

  /** The current record from position 0. */
  byte[] record() {
    return record;
  }

  @Override
  public void close() {
    try {
      if (in != null) {
        in.close();
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A temporary file that stays behind harms nobody.
      record = new byte[0];
    }
  }
}
