package com.namidb.format.edge;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.id.NodeId;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.Xxh3;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An opened edge SST: header, footer and table checked, sections readable with every byte verified
 * before it is used. Source: edge §6.1, §6.2.
 *
 * <p>Generations without page checksums only have a hash per section; there a section is read once
 * to check it before it is read to be used, so that no row of a damaged object gets out.
 */
final class EdgeFile {
  /** What sections are read in where there are no page checksums. */
  private static final int PLAIN_PAGE = 1 << 16;

  private static final byte[] BINDING_MAGIC = "TGEBND02".getBytes(StandardCharsets.US_ASCII);
  private static final int BINDING_BYTES = 40;

  private final EdgeObject object;
  private final ReadSizes sizes;
  private final EdgeFooter footer;
  private final SectionTable table;
  private final PageChecksums pages;
  private final Set<Section> verified = new HashSet<>();

  private EdgeFile(
      EdgeObject object,
      ReadSizes sizes,
      EdgeFooter footer,
      SectionTable table,
      PageChecksums pages) {
    this.object = object;
    this.sizes = sizes;
    this.footer = footer;
    this.table = table;
    this.pages = pages;
  }

  /** Reads and checks what every scan needs. */
  static EdgeFile open(ObjectStore store, EdgeSstFile file, ReadSizes sizes) {
    EdgeObject object = new EdgeObject(store, file.object(), file.sizeBytes());
    if (file.sizeBytes() <= sizes.whole()) {
      object.holdAll();
    }
    Slice foot = EdgeFooter.fetch(object, sizes.tail());
    Slice head = object.read(0, EdgeHeader.BYTES);
    EdgeHeader header = EdgeHeader.parse(object, head);
    EdgeFooter footer = EdgeFooter.parse(object, foot);
    SectionTable table = EdgeFooter.table(object, foot);
    checkLayout(object, header, footer, table);
    if (footer.edgeCount() != file.rows()) {
      throw object.damaged(
          "it has " + footer.edgeCount() + " edges, the manifest says " + file.rows());
    }
    PageChecksums pages =
        table
            .find(SectionKind.PAGE_CHECKSUMS)
            .map(s -> PageChecksums.read(object, s, table.entries()))
            .orElse(null);
    Optional<Section> binding = table.find(SectionKind.SST_BINDING);
    if (binding.isPresent()) {
      checkBinding(object, binding.get(), head, table.root(), file.id());
    }
    EdgeFile out = new EdgeFile(object, sizes, footer, table, pages);
    if (object.inMemory()) {
      for (Section s : table.entries()) {
        out.verifyWhole(s);
      }
    }
    return out;
  }

  private static void checkLayout(
      EdgeObject object, EdgeHeader header, EdgeFooter footer, SectionTable table) {
    long keys = footer.keyCount();
    long edges = footer.edgeCount();
    table.require(SectionKind.KEY_IDS);
    table.require(SectionKind.OFFSETS);
    table.require(SectionKind.PARTNERS);
    table.require(SectionKind.LSN);
    table.checkLength(SectionKind.KEY_IDS, 16 * keys);
    table.checkLength(SectionKind.OFFSETS, footer.offsetWidth() * (keys + 1));
    table.checkLength(SectionKind.EDGE_ORDINALS, Long.BYTES * (keys + 1));
    table.checkLength(SectionKind.LSN, Long.BYTES * edges);
    table.checkLength(SectionKind.TOMBSTONES, (edges + 7) / 8);
    table.checkLength(SectionKind.SST_BINDING, BINDING_BYTES);
    if (header.minor() >= EdgeHeader.MINOR_PAGED) {
      table.require(SectionKind.EDGE_ORDINALS);
      table.require(SectionKind.PAGE_CHECKSUMS);
    }
    if (header.hasTombstones() != table.find(SectionKind.TOMBSTONES).isPresent()) {
      throw object.damaged("its header and its sections disagree about tombstones");
    }
  }

  private static void checkBinding(
      EdgeObject object, Section section, Slice head, long root, UUID id) {
    Slice s = object.read(section.offset(), BINDING_BYTES);
    if (Xxh3.hash(s.array, s.offset, s.length) != section.hash()
        || !Arrays.equals(s.array, s.offset, s.offset + 8, BINDING_MAGIC, 0, 8)) {
      throw object.damaged(section.label() + " does not match its checksum");
    }
    if (Xxh3.hash(head.array, head.offset, head.length) != LeBytes.u64(s.array, s.offset + 24)) {
      throw object.damaged("the header does not match its checksum");
    }
    if (root != LeBytes.u64(s.array, s.offset + 32)) {
      throw object.damaged("the section table is not the bound one");
    }
    byte[] expected = bindingId(id);
    if (!Arrays.equals(s.array, s.offset + 8, s.offset + 24, expected, 0, expected.length)) {
      throw object.damaged("it is bound to another SST than " + id);
    }
  }

  private static byte[] bindingId(UUID id) {
    return new NodeId(id.getMostSignificantBits(), id.getLeastSignificantBits()).toBytes();
  }

  /** The SST_BINDING section as stored. Source: edge §1.8. */
  static byte[] encodeBinding(UUID id, long headerHash, long root) {
    byte[] out = Arrays.copyOf(BINDING_MAGIC, BINDING_BYTES);
    System.arraycopy(bindingId(id), 0, out, 8, 16);
    LeBytes.put64(out, 24, headerHash);
    LeBytes.put64(out, 32, root);
    return out;
  }

  EdgeObject object() {
    return object;
  }

  EdgeFooter footer() {
    return footer;
  }

  SectionTable table() {
    return table;
  }

  /** Most bytes of a section to hold at once; everything where the object is held anyway. */
  int window() {
    return object.inMemory() ? (int) object.size() : sizes.window();
  }

  /** What verified reads must be aligned to. */
  int pageSize() {
    return pages == null ? PLAIN_PAGE : pages.pageSize();
  }

  /** Saves requests if the whole object is going to be used and is small. */
  void prepareWholeScan() {
    if (object.size() <= sizes.preload()) {
      object.holdAll();
    }
  }

  /** A forward reader over {@code [from, to)} of a section. */
  SectionReader reader(Section section, long from, long to) {
    return new SectionReader(this, section, from, to);
  }

  /** Random access to a section, which is fetched whole if it is not longer than told. */
  RandomReader random(Section section, int wholeUpTo) {
    return new RandomReader(this, section, wholeUpTo);
  }

  /**
   * Bytes of a section that match its checksums.
   *
   * @param from start of a page
   * @param length whole pages, or up to the end of the section
   */
  Slice read(Section section, long from, int length) {
    if (pages == null) {
      verifyWhole(section);
    }
    Slice s = object.read(section.offset() + from, length);
    if (pages != null) {
      pages.check(section, from, s);
    }
    return s;
  }

  private void verifyWhole(Section section) {
    if (!verified.add(section)) {
      return;
    }
    HashStream64 hash = Xxh3.stream();
    for (long at = 0; at < section.length(); ) {
      int n = (int) Math.min(window(), section.length() - at);
      Slice s = object.read(section.offset() + at, n);
      hash.putBytes(s.array, s.offset, s.length);
      at += n;
    }
    if (hash.getAsLong() != section.hash()) {
      verified.remove(section);
      throw object.damaged(section.label() + " does not match its checksum");
    }
  }
}
