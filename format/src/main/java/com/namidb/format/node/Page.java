package com.namidb.format.node;

/**
 * One decompressed data page. Levels and values may lie in different buffers (V2), each with its
 * own bounds; level bounds are equal where a column has no such level.
 *
 * @param values number of values, nulls included
 * @param encoding of the values
 * @param repetition repetition levels, without length prefix
 * @param definition definition levels, without length prefix
 * @param data the encoded values; {@code null} if they are streamed
 * @param streamed the values of a page too large to be held, else {@code null}
 */
record Page(
    int values,
    int encoding,
    Slice repetition,
    Slice definition,
    Slice data,
    StreamedText streamed) {
  Page(int values, int encoding, Slice repetition, Slice definition, Slice data) {
    this(values, encoding, repetition, definition, data, null);
  }

  /** A part of a buffer. */
  static final class Slice {
    final byte[] bytes;
    final int from;
    final int to;

    Slice(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      this.from = from;
      this.to = to;
    }

    int length() {
      return to - from;
    }
  }
}
