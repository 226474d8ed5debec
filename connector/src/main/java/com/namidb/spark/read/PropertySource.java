package com.namidb.spark.read;

import com.namidb.format.value.ValueSink;

/** Decodes the asked properties of one record: {@code PropertyReader::read}. */
@FunctionalInterface
interface PropertySource {
  /** Streams one property object into the sink. */
  void read(byte[] json, int offset, int length, ValueSink sink);
}
