package com.namidb.format.edge;

/** A part of an array that nobody modifies. */
final class Slice {
  final byte[] array;
  final int offset;
  final int length;

  Slice(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }
}
