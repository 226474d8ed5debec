package com.namidb.format.edge;

/**
 * How much one request fetches: a trade of requests against bytes that are not needed.
 *
 * @param whole objects up to this size are fetched with one request when opened
 * @param preload objects up to this size are fetched with one request when scanned whole
 * @param tail first guess at the end of an object: footer and, mostly, page checksums
 * @param window most bytes of a section to fetch and hold at once
 */
record ReadSizes(int whole, int preload, int tail, int window) {
  /** For stores with some milliseconds of latency. */
  static final ReadSizes DEFAULT = new ReadSizes(1 << 20, 4 << 20, 64 << 10, 4 << 20);

  /** The same, but with at most so many bytes at once. */
  ReadSizes within(int bytes) {
    int most = Math.max(1 << 12, bytes);
    return new ReadSizes(
        Math.min(whole, most),
        Math.min(preload, most),
        Math.min(tail, most),
        Math.min(window, most));
  }
}
