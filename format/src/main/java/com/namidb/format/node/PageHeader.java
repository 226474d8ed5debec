package com.namidb.format.node;

/**
 * A Parquet page header. Parsed here and not by the library because it stands before every page and
 * because damaged lengths in it must not lead to allocations.
 */
final class PageHeader {
  static final int DATA = 0;
  static final int DICTIONARY = 2;
  static final int DATA_V2 = 3;
  private static final int MAX_VALUES = Integer.MAX_VALUE - 64;

  int type = -1;
  int uncompressed = -1;
  int compressed = -1;
  boolean hasCrc;
  int crc;
  int values = -1;
  int encoding = -1;
  int defEncoding = Encodings.RLE;
  int repEncoding = Encodings.RLE;
  int defBytes;
  int repBytes;
  boolean valuesCompressed = true;

  private PageHeader() {}

  /** Reads one struct; the reader then stands on the page's first byte. */
  static PageHeader read(CompactReader in) {
    PageHeader out = new PageHeader();
    in.begin();
    while (in.next()) {
      int field = in.field();
      switch (field) {
        case 1 -> out.type = count(in);
        case 2 -> out.uncompressed = count(in);
        case 3 -> out.compressed = count(in);
        case 4 -> {
          out.hasCrc = true;
          out.crc = (int) in.integer();
        }
        case 5 -> out.data(in);
        case 7 -> out.dictionary(in);
        case 8 -> out.dataV2(in);
        default -> in.skip();
      }
      in.resume(field);
    }
    out.check();
    return out;
  }

  private void data(CompactReader in) {
    in.struct();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> values = count(in);
        case 2 -> encoding = count(in);
        case 3 -> defEncoding = count(in);
        case 4 -> repEncoding = count(in);
        default -> in.skip();
      }
    }
  }

  private void dictionary(CompactReader in) {
    in.struct();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> values = count(in);
        case 2 -> encoding = count(in);
        default -> in.skip();
      }
    }
  }

  private void dataV2(CompactReader in) {
    in.struct();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> values = count(in);
        case 4 -> encoding = count(in);
        case 5 -> defBytes = count(in);
        case 6 -> repBytes = count(in);
        case 7 -> valuesCompressed = in.bool();
        default -> in.skip();
      }
    }
  }

  private static int count(CompactReader in) {
    long v = in.integer();
    if (v < 0 || v > MAX_VALUES) {
      throw new DamageException("a page header holds the number " + v);
    }
    return (int) v;
  }

  private void check() {
    if (type < 0 || uncompressed < 0 || compressed < 0) {
      throw new DamageException("a page header is incomplete");
    }
    boolean known = type == DATA || type == DICTIONARY || type == DATA_V2;
    if (known && (values < 0 || encoding < 0)) {
      throw new DamageException("a page header is incomplete");
    }
    if ((long) defBytes + repBytes > Math.min(compressed, uncompressed)) {
      throw new DamageException("a page's levels are longer than the page");
    }
  }
}
