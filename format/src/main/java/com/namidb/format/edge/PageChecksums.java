package com.namidb.format.edge;

import com.namidb.format.store.Xxh3;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The hash of every page of every section. Source: edge §1.7. */
final class PageChecksums {
  static final byte[] MAGIC = "TGEPGC02".getBytes(StandardCharsets.US_ASCII);
  static final int WRITTEN_PAGE = 1 << 16;
  static final int HEAD_BYTES = 16;
  static final int RECORD_BYTES = 20;

  private static final int MIN_PAGE = 1 << 12;
  private static final int MAX_PAGE = 1 << 20;
  private static final long MAX_BYTES = 64 << 20;

  private final EdgeObject object;
  private final Slice bytes;
  private final int pageSize;
  private final Map<Section, Integer> firstHash = new HashMap<>();

  private PageChecksums(EdgeObject object, Slice bytes, int pageSize) {
    this.object = object;
    this.bytes = bytes;
    this.pageSize = pageSize;
  }

  /** Fetches and checks the section against the table. */
  static PageChecksums read(EdgeObject object, Section self, List<Section> table) {
    if (self.length() > MAX_BYTES || self.length() < HEAD_BYTES) {
      throw object.damaged(self.label() + " has " + self.length() + " bytes");
    }
    Slice s = object.read(self.offset(), (int) self.length());
    if (Xxh3.hash(s.array, s.offset, s.length) != self.hash()) {
      throw object.damaged(self.label() + " does not match its checksum");
    }
    int page = LeBytes.i32(s.array, s.offset + 8);
    boolean magic = Arrays.equals(s.array, s.offset, s.offset + 8, MAGIC, 0, 8);
    if (!magic || page < MIN_PAGE || page > MAX_PAGE || Integer.bitCount(page) != 1) {
      throw object.damaged(self.label() + " has a bad head");
    }
    PageChecksums out = new PageChecksums(object, s, page);
    out.index(self, table);
    return out;
  }

  private void index(Section self, List<Section> table) {
    byte[] b = bytes.array;
    int end = bytes.offset + bytes.length;
    int at = bytes.offset + HEAD_BYTES;
    long records = LeBytes.u32(b, bytes.offset + 12);
    long seen = 0;
    for (Section s : table) {
      if (s.kind() == SectionKind.PAGE_CHECKSUMS) {
        continue;
      }
      long pages = (s.length() + pageSize - 1) / pageSize;
      if (end - at < RECORD_BYTES + Long.BYTES * pages
          || LeBytes.u64(b, at) != s.offset()
          || LeBytes.u64(b, at + 8) != s.length()
          || LeBytes.u32(b, at + 16) != pages) {
        throw object.damaged(self.label() + " contradicts the section table at " + s.label());
      }
      firstHash.put(s, at + RECORD_BYTES);
      at += RECORD_BYTES + (int) (Long.BYTES * pages);
      seen++;
    }
    if (at != end || records != seen) {
      throw object.damaged(self.label() + " has " + records + " records, expected " + seen);
    }
  }

  int pageSize() {
    return pageSize;
  }

  /**
   * Fails unless the bytes are the section's.
   *
   * @param from where they start in the section: the start of a page
   * @param data whole pages, but for the section's last
   */
  void check(Section section, long from, Slice data) {
    int hashes = firstHash.get(section) + (int) (from / pageSize * Long.BYTES);
    for (int done = 0; done < data.length; done += pageSize) {
      int n = Math.min(pageSize, data.length - done);
      long expected = LeBytes.u64(bytes.array, hashes + done / pageSize * Long.BYTES);
      long real = Xxh3.hash(data.array, data.offset + done, n);
      if (real != expected) {
        throw object.damaged(
            "page "
                + (from + done) / pageSize
                + " of "
                + section.label()
                + " has hash "
                + Long.toHexString(real)
                + ", expected "
                + Long.toHexString(expected));
      }
    }
  }
}
