package com.namidb.format.stage;

import com.namidb.format.error.StoreErrors;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A local file of sorted records, read once; gone when it is closed. */
final class SortedRun implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private DataInputStream in;
  private byte[] record = new byte[RowSorter.HEAD];

  SortedRun(Path file) {
    this.file = file;
  }

  /** Loads the next record; false at the end. */
  boolean next() {
    try {
      if (in == null) {
        in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
      }
      try {
        in.readFully(record, 0, RowSorter.HEAD);
      } catch (EOFException e) {
        return false;
      }
      int length = RowSorter.contentLength(record);
      if (record.length < RowSorter.HEAD + length) {
        record = Arrays.copyOf(record, RowSorter.HEAD + length);
      }
      in.readFully(record, RowSorter.HEAD, length);
      return true;
    } catch (IOException e) {
      throw StoreErrors.failed("read a temporary file", null, e);
    }
  }

  /** The current record, from position 0. */
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
