package com.namidb.format.node;

/** Parquet's numbers of the value encodings. */
final class Encodings {
  static final int PLAIN = 0;
  static final int PLAIN_DICTIONARY = 2;
  static final int RLE = 3;
  static final int DELTA_BINARY_PACKED = 5;
  static final int DELTA_LENGTH_BYTE_ARRAY = 6;
  static final int DELTA_BYTE_ARRAY = 7;
  static final int RLE_DICTIONARY = 8;
  static final int BYTE_STREAM_SPLIT = 9;

  private Encodings() {}

  static boolean dictionary(int encoding) {
    return encoding == PLAIN_DICTIONARY || encoding == RLE_DICTIONARY;
  }

  /** For an encoding the column's type cannot have. */
  static DamageException refuse(int encoding) {
    return new DamageException("a page has encoding " + encoding + ", not one of its type");
  }
}
