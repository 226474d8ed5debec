package com.namidb.format.node;

import java.util.zip.CRC32;

/**
 * The bytes of one column chunk, forward only. A window is held, never the whole chunk of a huge
 * row group; a page that is longer than the window is fetched whole, because it is decoded whole.
 */
final class ChunkInput {
  /** Most bytes of one read, unless a caller has less memory to give. */
  static final int WINDOW = 8 << 20;

  private final SstObject object;
  private final int window;
  private final long end;
  private long next;
  private byte[] buffer = new byte[0];
  private int pos;
  private int limit;

  ChunkInput(SstObject object, ChunkMeta chunk, int window) {
    this.object = object;
    this.window = window;
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
      int want = (int) Math.min(remaining(), Math.max(n, window));
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

  /** Bytes that stand in the buffer. */
  int buffered() {
    return limit - pos;
  }

  /** CRC-32 of the next {@code n} bytes, which are not consumed; what is not held is read twice. */
  int crc(int n) {
    CRC32 crc = new CRC32();
    int held = Math.min(n, limit - pos);
    crc.update(buffer, pos, held);
    for (long at = held; at < n; ) {
      byte[] piece = object.range(next + at - held, (int) Math.min(n - at, window));
      crc.update(piece, 0, piece.length);
      at += piece.length;
    }
    return (int) crc.getValue();
  }

  void advance(int n) {
    pos += n;
  }
}
