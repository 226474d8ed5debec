package com.namidb.format.node;

import com.namidb.format.node.Page.Slice;
import java.util.zip.CRC32;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** The pages of one column chunk in order, decompressed; the dictionary apart. */
final class PageStream implements AutoCloseable {
  /** Text pages above this size are decompressed in pieces. */
  static final int STREAMED = 16 << 20;

  /** Far above what any writer puts into a page; bounds what a damaged count can allocate. */
  private static final int MAX_PAGE_VALUES = 1 << 24;

  private static final int FIRST_LOOK = 4096;

  private final ChunkInput in;
  private final ChunkMeta chunk;
  private final PageCodec codec;
  private final boolean reuse;
  private byte[] scratch = new byte[0];
  private Slice dictionary;
  private int dictionaryValues;
  private long seen;
  private StreamedText open;

  /**
   * Starts before the first page.
   *
   * @param reuse whether a page's bytes may be overwritten when the next one is read; if not, very
   *     large plain pages are streamed
   */
  PageStream(ChunkInput in, ChunkMeta chunk, PageCodec codec, boolean reuse) {
    this.in = in;
    this.chunk = chunk;
    this.codec = codec;
    this.reuse = reuse;
  }

  ChunkMeta chunk() {
    return chunk;
  }

  /** Most rows a batch of this chunk can have. */
  int batch() {
    return (int) Math.min(NodeCursor.BATCH, chunk.values());
  }

  /** The next data page; {@code null} at the end of the chunk. */
  Page next() {
    if (open != null) {
      open.finish();
      open = null;
    }
    while (in.remaining() > 0) {
      PageHeader h = header();
      if (!reuse && h.uncompressed > STREAMED && streams(h)) {
        return count(h, streamed(h));
      }
      Slice body = body(h);
      switch (h.type) {
        case PageHeader.DICTIONARY -> dictionary(h, body);
        case PageHeader.DATA -> {
          return count(h, v1(h, body));
        }
        case PageHeader.DATA_V2 -> {
          return count(h, v2(h, body));
        }
        default -> {
          // An index page: nothing a reader needs.
        }
      }
    }
    if (seen != chunk.values()) {
      throw new DamageException(
          column() + " has pages for " + seen + " of " + chunk.values() + " values");
    }
    return null;
  }

  /** The dictionary's encoded values. */
  Slice dictionary() {
    if (dictionary == null) {
      throw new DamageException(column() + " has no dictionary");
    }
    return dictionary;
  }

  int dictionaryValues() {
    return dictionaryValues;
  }

  String column() {
    return "column " + chunk.column().getPath()[0];
  }

  private Page count(PageHeader h, Page page) {
    seen += h.values;
    if (h.values > MAX_PAGE_VALUES || seen > chunk.values()) {
      throw new DamageException(column() + " has a page of " + h.values + " values");
    }
    return page;
  }

  private PageHeader header() {
    int look = FIRST_LOOK;
    while (true) {
      int have = in.ensure(look);
      try {
        CompactReader r = new CompactReader(in.buffer(), in.position(), in.position() + have);
        PageHeader h = PageHeader.read(r);
        in.advance(r.position() - in.position());
        return h;
      } catch (DamageException e) {
        // Statistics of long values make long headers: look again at more bytes.
        if (have < look || look >= ChunkInput.WINDOW) {
          throw e;
        }
        look *= 16;
      }
    }
  }

  private boolean streams(PageHeader h) {
    boolean data = h.type == PageHeader.DATA || h.type == PageHeader.DATA_V2;
    return data && h.encoding == Encodings.PLAIN && PageCodec.streams(chunk.codec());
  }

  private Page streamed(PageHeader h) {
    inside(h);
    if (h.hasCrc && in.crc(h.compressed) != h.crc) {
      throw damagedPage();
    }
    Slice none = new Slice(new byte[0], 0, 0);
    Slice rep = none;
    Slice def = none;
    long length = h.uncompressed;
    PageBytes stored = new PageBytes(in, h.compressed);
    boolean v2 = h.type == PageHeader.DATA_V2;
    if (v2) {
      rep = raw(stored, h.repBytes);
      def = raw(stored, h.defBytes);
      length -= h.repBytes + h.defBytes;
    }
    CompressionCodecName name =
        v2 && !h.valuesCompressed ? CompressionCodecName.UNCOMPRESSED : chunk.codec();
    open = new StreamedText(column(), stored, PageCodec.open(name, stored), length);
    if (!v2 && chunk.column().getMaxDefinitionLevel() > 0) {
      if (h.defEncoding != Encodings.RLE) {
        throw new DamageException(column() + " has levels of encoding " + h.defEncoding);
      }
      byte[] levels = open.take(LittleEndian.intAt(open.take(4), 0));
      def = new Slice(levels, 0, levels.length);
    }
    return new Page(h.values, h.encoding, rep, def, null, open);
  }

  private static Slice raw(PageBytes stored, int n) {
    byte[] out = new byte[n];
    int got = 0;
    while (got < n) {
      int k = stored.read(out, got, n - got);
      if (k < 0) {
        throw new DamageException("a page ends within its levels");
      }
      got += k;
    }
    return new Slice(out, 0, n);
  }

  private void inside(PageHeader h) {
    if (h.compressed > in.remaining()) {
      throw new DamageException(
          column() + " has a page of " + h.compressed + " bytes where " + in.remaining() + " are");
    }
  }

  private DamageException damagedPage() {
    return new DamageException("a page of " + column() + " does not match its checksum");
  }

  private Slice body(PageHeader h) {
    inside(h);
    in.ensure(h.compressed);
    int from = in.position();
    Slice out = new Slice(in.buffer(), from, from + h.compressed);
    in.advance(h.compressed);
    if (h.hasCrc) {
      CRC32 crc = new CRC32();
      crc.update(out.bytes, out.from, out.length());
      if ((int) crc.getValue() != h.crc) {
        throw damagedPage();
      }
    }
    return out;
  }

  private Slice decompress(Slice body, int length) {
    CompressionCodecName name = chunk.codec();
    Slice out = codec.decompress(name, body, length, reuse ? scratch : new byte[0]);
    if (reuse && name != CompressionCodecName.UNCOMPRESSED) {
      scratch = out.bytes;
    }
    return out;
  }

  private void dictionary(PageHeader h, Slice body) {
    boolean plain = h.encoding == Encodings.PLAIN || h.encoding == Encodings.PLAIN_DICTIONARY;
    if (dictionary != null || seen > 0 || !plain) {
      throw new DamageException(column() + " has a misplaced dictionary");
    }
    dictionary = codec.decompress(chunk.codec(), body, h.uncompressed, new byte[0]);
    dictionaryValues = h.values;
  }

  private Page v1(PageHeader h, Slice body) {
    Slice all = decompress(body, h.uncompressed);
    int from = all.from;
    Slice rep = levels(all, from, chunk.column().getMaxRepetitionLevel(), h.repEncoding);
    from = chunk.column().getMaxRepetitionLevel() > 0 ? rep.to : from;
    Slice def = levels(all, from, chunk.column().getMaxDefinitionLevel(), h.defEncoding);
    from = chunk.column().getMaxDefinitionLevel() > 0 ? def.to : from;
    return new Page(h.values, h.encoding, rep, def, new Slice(all.bytes, from, all.to));
  }

  private Slice levels(Slice all, int from, int max, int encoding) {
    if (max == 0) {
      return new Slice(all.bytes, from, from);
    }
    if (encoding != Encodings.RLE) {
      throw new DamageException(column() + " has levels of encoding " + encoding);
    }
    if (all.to - from < 4) {
      throw new DamageException(column() + " has a page without levels");
    }
    int length = LittleEndian.intAt(all.bytes, from);
    if (length < 0 || length > all.to - from - 4) {
      throw new DamageException(column() + " has levels that are longer than the page");
    }
    return new Slice(all.bytes, from + 4, from + 4 + length);
  }

  private Page v2(PageHeader h, Slice body) {
    int levels = h.repBytes + h.defBytes;
    int defFrom = body.from + h.repBytes;
    Slice rest = new Slice(body.bytes, body.from + levels, body.to);
    int length = h.uncompressed - levels;
    if (!h.valuesCompressed && rest.length() != length) {
      throw new DamageException(column() + " has a page of a wrong length");
    }
    return new Page(
        h.values,
        h.encoding,
        new Slice(body.bytes, body.from, defFrom),
        new Slice(body.bytes, defFrom, defFrom + h.defBytes),
        h.valuesCompressed ? decompress(rest, length) : rest);
  }

  @Override
  public void close() {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
