package com.namidb.format.edge;

import com.namidb.format.error.EdgeErrors;
import com.namidb.format.id.KeyRange;
import com.namidb.format.id.Lsn;
import com.namidb.format.id.NodeId;
import com.namidb.format.store.ObjectUpload;
import com.namidb.format.store.Xxh3;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.codec.digest.Blake3;

/**
 * Writes one edge SST of one type and direction, laid out as the engine does. Source: edge §6.6.
 *
 * <p>Rows come sorted by key, then partner; each column is spooled, in memory as long as it is
 * small, and the object is streamed at the end. Nothing grows with the degree of a key.
 */
public final class EdgeSstWriter implements AutoCloseable {
  /** Most rows one key may have in one file: the engine decodes no more at once. Edge §2.10. */
  public static final long MAX_DEGREE = 4_194_304;

  private static final long SKEW = 1024;
  private static final String UNDECLARED = "_";
  private static final String OVERFLOW = "__overflow_json";
  private static final byte[] EMPTY_OBJECT = {'{', '}'};

  private final EdgeSstSpec spec;
  private final EdgeLayout layout;
  private final Spool keys;
  private final Spool blocks;
  private final Spool partners;
  private final Spool lsns;
  private final Spool tombstones;
  private final PropertyPageWriter properties;
  private final DegreeHistogram histogram = new DegreeHistogram();
  private NodeId firstKey;
  private long keyHi;
  private long keyLo;
  private long partnerHi;
  private long partnerLo;
  private long degree;
  private long splitBytes;
  private long blockBytes;
  private long rows;
  private long dead;
  private int deadBits;
  private long minLsn = -1;
  private long maxLsn;
  private boolean finished;

  private EdgeSstWriter(EdgeSstSpec spec, Path folder, EdgeLayout layout) {
    this.spec = spec;
    this.layout = layout;
    keys = new Spool(folder, layout.spoolBytes());
    blocks = new Spool(folder, layout.spoolBytes());
    partners = new Spool(folder, layout.spoolBytes());
    lsns = new Spool(folder, layout.spoolBytes());
    tombstones = new Spool(folder, layout.spoolBytes());
    properties = new PropertyPageWriter(folder, layout.spoolBytes(), layout.codec());
  }

  /**
   * Starts a file; writes nothing yet.
   *
   * @param folder an existing local directory for temporary files
   */
  public static EdgeSstWriter open(EdgeSstSpec spec, Path folder) {
    return open(spec, folder, EdgeLayout.ENGINE);
  }

  static EdgeSstWriter open(EdgeSstSpec spec, Path folder, EdgeLayout layout) {
    return new EdgeSstWriter(spec, folder, layout);
  }

  /**
   * Adds a live edge.
   *
   * @param key source in a forward file, destination in an inverse one
   * @param json property object; empty for none; not checked here
   * @throws IllegalStateException if the edge is not above the one before
   * @throws com.namidb.format.error.InvalidValueException if the key has more than {@link
   *     #MAX_DEGREE} rows or the object is above 64 MiB
   */
  public void add(NodeId key, NodeId partner, long lsn, Optional<byte[]> json) {
    byte[] text = json.orElse(EMPTY_OBJECT);
    add(key, partner, lsn, text, 0, text.length);
  }

  /** Adds a live edge whose property object is a part of a buffer. */
  public void add(NodeId key, NodeId partner, long lsn, byte[] json, int offset, int length) {
    if (length > PropertyPageWriter.MAX_TEXT) {
      throw EdgeErrors.tooLarge(spec.type(), key + " / " + partner, length);
    }
    addIds(key, partner, lsn, false);
    if (Arrays.equals(json, offset, offset + length, EMPTY_OBJECT, 0, EMPTY_OBJECT.length)) {
      properties.addAbsent();
    } else {
      properties.add(json, offset, length);
    }
  }

  /** Adds a deleted edge. */
  public void addTombstone(NodeId key, NodeId partner, long lsn) {
    addIds(key, partner, lsn, true);
    properties.addAbsent();
  }

  private void addIds(NodeId key, NodeId partner, long lsn, boolean tombstone) {
    int order = rows == 0 ? 1 : NodeId.compare(key.hi(), key.lo(), keyHi, keyLo);
    int inner = rows == 0 ? 1 : NodeId.compare(partner.hi(), partner.lo(), partnerHi, partnerLo);
    if (order < 0 || (order == 0 && inner <= 0)) {
      throw new IllegalStateException("edge " + key + " / " + partner + " is not in order");
    }
    if (order > 0) {
      endKey();
      startKey(key);
    } else if (degree == MAX_DEGREE) {
      throw EdgeErrors.tooManyEdges(spec.type(), key.toString(), MAX_DEGREE);
    }
    long top = Long.reverseBytes(partner.hi());
    long before = degree == 0 ? 0 : Long.reverseBytes(partnerHi);
    splitBytes += VarInts.length(top - before) + Long.BYTES;
    partnerHi = partner.hi();
    partnerLo = partner.lo();
    partners.putId(partnerHi, partnerLo);
    lsns.putLong(lsn);
    minLsn = Lsn.min(minLsn, lsn);
    maxLsn = Lsn.max(maxLsn, lsn);
    if (tombstone) {
      deadBits |= 1 << (rows & 7);
      dead++;
    }
    degree++;
    rows++;
    if ((rows & 7) == 0) {
      tombstones.putByte(deadBits);
      deadBits = 0;
    }
  }

  private void startKey(NodeId key) {
    if (rows == 0) {
      firstKey = key;
    }
    keyHi = key.hi();
    keyLo = key.lo();
    keys.putId(keyHi, keyLo);
  }

  private void endKey() {
    if (degree == 0) {
      return;
    }
    boolean split = degree <= SKEW && splitBytes < NodeId.BYTES * degree;
    long payload = split ? splitBytes : NodeId.BYTES * degree;
    blockBytes += VarInts.length(degree) + 1 + payload;
    blocks.putInt((int) degree);
    blocks.putInt((int) payload);
    histogram.add(degree);
    degree = 0;
    splitBytes = 0;
  }

  /** Rows added so far, so that a caller can cut files by size. */
  public long rows() {
    return rows;
  }

  /**
   * Streams the file into {@code upload}, which the caller then finishes.
   *
   * @throws IllegalStateException if there is no row
   */
  public EdgeSstSummary writeTo(ObjectUpload upload) {
    if (rows == 0 || finished) {
      throw new IllegalStateException(finished ? "already written" : "an edge SST needs a row");
    }
    finished = true;
    endKey();
    if ((rows & 7) != 0) {
      tombstones.putByte(deadBits);
    }
    EdgeFooter footer =
        new EdgeFooter(
            histogram.keys(),
            rows,
            offsetWidth(),
            firstKey,
            new NodeId(keyHi, keyLo),
            minLsn,
            maxLsn);
    CsrOutput out = new CsrOutput(upload);
    byte[] header = header();
    out.raw(header);
    new BlockSections(keys, blocks, partners, footer).writeTo(out);
    out.begin();
    out.put(lsns);
    out.end(SectionKind.LSN, Section.CODEC_PLAIN, "");
    if (dead > 0) {
      out.begin();
      out.put(tombstones);
      out.end(SectionKind.TOMBSTONES, Section.CODEC_PLAIN, "");
    }
    if (histogram.keys() > layout.fenceAbove()) {
      fence(out);
    }
    if (properties.any()) {
      properties.writeTo(out, OVERFLOW);
    }
    if (layout.binding()) {
      out.section(
          SectionKind.SST_BINDING,
          EdgeFile.encodeBinding(spec.id(), Xxh3.hash(header), out.root()));
    }
    out.pageChecksums();
    out.footer(footer);
    KeyRange range = new KeyRange(footer.minKey(), footer.maxKey());
    return new EdgeSstSummary(rows, dead, histogram, range, minLsn, maxLsn, out.size(), out.hash());
  }

  private int offsetWidth() {
    int width = 3;
    while (blockBytes >>> (8 * width) != 0) {
      width++;
    }
    return width;
  }

  private byte[] header() {
    int flags =
        (properties.any() ? EdgeHeader.HAS_PROPERTIES : 0)
            | (dead > 0 ? EdgeHeader.HAS_TOMBSTONES : 0)
            | (histogram.max() > SKEW ? EdgeHeader.SKEW_BUCKETS : 0)
            | (spec.inverse() ? EdgeHeader.INVERSE : 0);
    byte[][] ids = {
      blake3(spec.type()),
      blake3(spec.sourceLabel().orElse(UNDECLARED)),
      blake3(spec.destinationLabel().orElse(UNDECLARED))
    };
    return new EdgeHeader(EdgeHeader.MINOR_PAGED, flags).encode(ids);
  }

  private static byte[] blake3(String name) {
    return Arrays.copyOf(Blake3.hash(name.getBytes(StandardCharsets.UTF_8)), NodeId.BYTES);
  }

  private void fence(CsrOutput out) {
    int stride = Fence.WRITTEN_STRIDE;
    byte[] entry = new byte[Fence.ENTRY_BYTES];
    LeBytes.put32(entry, 0, stride);
    LeBytes.put32(entry, 4, (int) ((histogram.keys() + stride - 1) / stride));
    out.begin();
    out.put(entry, 0, Fence.HEAD_BYTES);
    SpoolReader in = new SpoolReader(keys);
    for (long i = 0; i < histogram.keys(); i++) {
      int at = in.take(NodeId.BYTES);
      if (i % stride == 0) {
        System.arraycopy(in.buffer(), at, entry, 0, NodeId.BYTES);
        LeBytes.put64(entry, NodeId.BYTES, i * NodeId.BYTES);
        out.put(entry, 0, entry.length);
      }
    }
    out.end(SectionKind.FENCE_INDEX, Section.CODEC_PLAIN, "");
  }

  /** Drops temporary files; an upload that was not finished is the caller's to drop. */
  @Override
  public void close() {
    keys.close();
    blocks.close();
    partners.close();
    lsns.close();
    tombstones.close();
    properties.close();
  }
}
