package com.namidb.format.edge;

import java.util.LinkedHashMap;
import java.util.Map;

/** Verified random access to a section, with the last pages kept. */
final class RandomReader {
  private static final int KEPT_PAGES = 32;

  private final EdgeFile file;
  private final Section section;
  private final int grain;
  private final Map<Long, Slice> kept =
      new LinkedHashMap<>(KEPT_PAGES, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Slice> eldest) {
          return size() > KEPT_PAGES;
        }
      };

  /**
   * Creates it.
   *
   * @param wholeUpTo sections up to this many bytes are fetched whole, larger ones page by page
   */
  RandomReader(EdgeFile file, Section section, int wholeUpTo) {
    this.file = file;
    this.section = section;
    int page = file.pageSize();
    grain = section.length() <= wholeUpTo ? Math.max(page, wholeUpTo / page * page) : page;
  }

  /** Whether the first probe brings all other bytes too. */
  boolean whole() {
    return section.length() <= grain;
  }

  /** At most one page of bytes. */
  Slice bytes(long offset, int length) {
    if (offset < 0 || length > section.length() - offset) {
      throw file.object().damaged(section.label() + " ends before byte " + (offset + length));
    }
    Slice first = page(offset / grain);
    int at = (int) (offset % grain);
    if (at + length <= first.length) {
      return new Slice(first.array, first.offset + at, length);
    }
    byte[] out = new byte[length];
    int head = first.length - at;
    Slice second = page(offset / grain + 1);
    System.arraycopy(first.array, first.offset + at, out, 0, head);
    System.arraycopy(second.array, second.offset, out, head, length - head);
    return new Slice(out, 0, length);
  }

  private Slice page(long number) {
    Slice s = kept.get(number);
    if (s == null) {
      long from = number * grain;
      s = file.read(section, from, (int) Math.min(grain, section.length() - from));
      kept.put(number, s);
    }
    return s;
  }
}
