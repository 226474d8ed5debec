package com.namidb.format.node;

/** The property objects: a decoder whose slices lie in one buffer, so it says how far that goes. */
interface PayloadColumn extends ColumnDecoder {
  /** Rows that can be filled in next without changing the buffer, at least 1 before the end. */
  int available();
}
