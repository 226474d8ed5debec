package com.namidb.format.edge;

/**
 * Choices the format leaves to a writer.
 *
 * @param codec of property streams
 * @param binding whether SST_BINDING is written
 * @param fenceAbove most keys without a FENCE_INDEX
 * @param spoolBytes bytes of each column held in memory
 */
record EdgeLayout(int codec, boolean binding, long fenceAbove, int spoolBytes) {
  /** As the engine writes. */
  static final EdgeLayout ENGINE = new EdgeLayout(Section.CODEC_ZSTD_PAGES, true, 65_536, 4 << 20);
}
