package com.namidb.format.scan;

import com.namidb.format.record.RecordBatch;
import com.namidb.format.value.InvalidJsonException;
import com.namidb.format.value.ValueTree;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Compares the property objects of two records. */
final class StoredContent {
  private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.US_ASCII);

  private StoredContent() {}

  /**
   * Whether both texts are the same, byte by byte. A missing object is not the same as an empty
   * one.
   */
  static boolean sameText(RecordBatch a, int i, RecordBatch b, int j) {
    int length = a.payloadLength()[i];
    if (length != b.payloadLength()[j]) {
      return false;
    }
    if (length <= 0) {
      return true;
    }
    int p = a.payloadOffset()[i];
    int q = b.payloadOffset()[j];
    return Arrays.equals(a.payload(), p, p + length, b.payload(), q, q + length);
  }

  /**
   * Whether both have the same properties with the same stored values of the same types. The order
   * of names and the spelling of a value, which a compaction may change, mean nothing; a null is
   * not a missing property. What cannot be read differs from everything but the same text.
   */
  static boolean sameProperties(RecordBatch a, int i, RecordBatch b, int j) {
    if (sameText(a, i, b, j)) {
      return true;
    }
    try {
      return ValueTree.parseProperties(buffer(a, i), offset(a, i), length(a, i))
          .equals(ValueTree.parseProperties(buffer(b, j), offset(b, j), length(b, j)));
    } catch (InvalidJsonException e) {
      return false;
    }
  }

  private static boolean stored(RecordBatch b, int row) {
    return b.payloadLength()[row] != RecordBatch.NO_PAYLOAD;
  }

  private static byte[] buffer(RecordBatch b, int row) {
    return stored(b, row) ? b.payload() : EMPTY;
  }

  private static int offset(RecordBatch b, int row) {
    return stored(b, row) ? b.payloadOffset()[row] : 0;
  }

  private static int length(RecordBatch b, int row) {
    return stored(b, row) ? b.payloadLength()[row] : EMPTY.length;
  }
}
