package com.namidb.format.edge;

import com.namidb.format.error.CorruptObjectException;

/**
 * Reads a section forward with one bounded buffer; every byte is verified before it is handed out.
 * Callers take bytes straight from {@link #buffer} after {@link #need} or {@link #ready}. Source:
 * edge §6.2, §6.3.
 */
final class SectionReader {
  private final EdgeFile file;
  private final Section section;
  private long end;
  private byte[] buffer = new byte[0];
  private byte[] joined = buffer;
  private int position;
  private int limit;
  private int skip;
  private long fetched;

  SectionReader(EdgeFile file, Section section, long from, long end) {
    this.file = file;
    this.section = section;
    this.end = end;
    int page = file.pageSize();
    fetched = from / page * page;
    skip = (int) (from - fetched);
  }

  /** Moves the end of what may be read. */
  void endAt(long newEnd) {
    end = newEnd;
  }

  /** The current buffer; changes with {@link #need} and {@link #ready}. */
  byte[] buffer() {
    return buffer;
  }

  /** Where the next byte is in {@link #buffer}. */
  int position() {
    return position;
  }

  /** Consumes bytes that {@link #need} or {@link #ready} promised. */
  void advance(int n) {
    position += n;
  }

  /** Offset of the next byte in the section. */
  long offset() {
    return fetched - (limit - position) + skip;
  }

  /** Makes the next {@code n} bytes stand in {@link #buffer}; damage if the part ends before. */
  void need(int n) {
    if (limit - position < n) {
      fill(n);
    }
  }

  /** How many bytes stand in {@link #buffer}, at least {@code n}. */
  int ready(int n) {
    need(n);
    return limit - position;
  }

  byte takeByte() {
    return buffer[position++];
  }

  private void fill(int n) {
    if (end - offset() < n) {
      throw damaged("it ends at byte " + end + " within an entry");
    }
    while (limit - position < n) {
      fetch();
    }
  }

  private void fetch() {
    int page = file.pageSize();
    long stop = Math.min((end + page - 1) / page * page, section.length());
    int window = Math.max(page, file.window() / page * page);
    Slice s = file.read(section, fetched, (int) Math.min(window, stop - fetched));
    int rest = limit - position;
    if (rest == 0) {
      buffer = s.array;
      position = s.offset;
      limit = s.offset + s.length;
    } else {
      // The rest of an entry is joined with its continuation.
      if (joined.length < rest + s.length) {
        joined = new byte[rest + s.length + VarInts.MAX_BYTES];
      }
      System.arraycopy(buffer, position, joined, 0, rest);
      System.arraycopy(s.array, s.offset, joined, rest, s.length);
      buffer = joined;
      position = 0;
      limit = rest + s.length;
    }
    fetched += s.length;
    position += skip;
    skip = 0;
  }

  CorruptObjectException damaged(String detail) {
    return file.object().damaged(section.label() + ", byte " + offset() + ": " + detail);
  }
}
