package com.namidb.format.node;

/**
 * The bytes of one column chunk, forward only. A window is held, never the whole chunk of a huge
 * row group; a page that is longer than the window is fetched whole, because it is decoded whole.
 */
final class ChunkInput {
  /** Bytes of one read; chunks up to this size are read at once. */
  static final int WINDOW = 8 << 20;

  private final SstObject object;
  private final long end;
  private long next;
  private byte[] buffer = new byte[0];
  private int pos;
  private int limit;

  ChunkInput(SstObject object, ChunkMeta chunk) {
    this.object = object;
    this.next = chunk.offset();
    this.end = chunk.offset() + chunk.size();
  }

  /** Hands over a buffer that holds the whole chunk. */
  void fill(byte[] bytes, int offset) {
    buffer = bytes;
    pos = offset;
    limit = offset + (int) (end - next);
    next = end;
  }

  /** Bytes of the chunk not consumed yet. */
  long remaining() {
    return end - next + (limit - pos);
  }

  /** Makes {@code n} bytes available in one piece, or all that remain if they are fewer. */
  int ensure(long n) {
    int have = limit - pos;
    if (have < n && next < end) {
      int want = (int) Math.min(remaining(), Math.max(n, WINDOW));
      byte[] more = object.range(next, want - have);
      byte[] whole = more;
      if (have > 0) {
        whole = new byte[want];
        System.arraycopy(buffer, pos, whole, 0, have);
        System.arraycopy(more, 0, whole, have, more.length);
      }
      next += want - have;
      buffer = whole;
      pos = 0;
      limit = want;
    }
    return (int) Math.min(n, limit - pos);
  }

  byte[] buffer() {
    return buffer;
  }

  int position() {
    return pos;
  }

  void advance(int n) {
    pos += n;
  }
}
