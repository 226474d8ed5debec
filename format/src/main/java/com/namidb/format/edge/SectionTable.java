package com.namidb.format.edge;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.store.Xxh3;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The section table of the footer: order, bounds and cardinalities checked. Source: edge §1.4. */
final class SectionTable {
  private final EdgeObject object;
  private final List<Section> entries = new ArrayList<>();
  private final Map<Integer, Section> single = new HashMap<>();
  private final Map<String, Section> streams = new HashMap<>();
  private final HashStream64 root = Xxh3.stream();

  private SectionTable(EdgeObject object) {
    this.object = object;
  }

  /**
   * Parses the table.
   *
   * @param bytes footer body; the table is its first {@code length} bytes
   * @param count entries the footer promises
   * @param end where sections must end: start of the footer
   */
  static SectionTable parse(EdgeObject object, Slice bytes, int length, long count, long end) {
    SectionTable table = new SectionTable(object);
    if (count > length / Section.FIXED_BYTES) {
      throw object.damaged("the footer counts " + count + " sections in " + length + " bytes");
    }
    int at = bytes.offset;
    int stop = bytes.offset + length;
    long free = EdgeHeader.BYTES;
    for (long i = 0; i < count; i++) {
      int room = stop - at;
      if (room < Section.FIXED_BYTES) {
        throw object.damaged("the section table ends within an entry");
      }
      int size = Section.FIXED_BYTES + (bytes.array[at + 28] & 0xFF);
      if (room < size) {
        throw object.damaged("the section table ends within a name");
      }
      Section s = entry(bytes.array, at, size);
      if (s.offset() < free
          || s.offset() > end
          || s.length() < 0
          || s.length() > end - s.offset()) {
        throw object.damaged(s.label() + " overlaps another part or leaves the object");
      }
      free = s.offset() + s.length();
      table.add(s);
      if (s.kind() != SectionKind.PAGE_CHECKSUMS && s.kind() != SectionKind.SST_BINDING) {
        table.root.putBytes(bytes.array, at, size);
      }
      at += size;
    }
    if (at != stop) {
      throw object.damaged("the section table does not fill its place");
    }
    return table;
  }

  private static Section entry(byte[] b, int at, int size) {
    return new Section(
        LeBytes.u16(b, at),
        LeBytes.u64(b, at + 2),
        LeBytes.u64(b, at + 10),
        b[at + 18] & 0xFF,
        LeBytes.u64(b, at + 20),
        new String(
            b, at + Section.FIXED_BYTES, size - Section.FIXED_BYTES, StandardCharsets.UTF_8));
  }

  private void add(Section s) {
    entries.add(s);
    if (s.kind() == SectionKind.PROPERTY_STREAM) {
      if (s.codec() > Section.CODEC_ZSTD_PAGES) {
        throw object.unsupported(s.label() + " has codec " + s.codec());
      }
      streams.putIfAbsent(s.name(), s);
    } else if (s.kind() <= SectionKind.SST_BINDING) {
      if (s.codec() != Section.CODEC_PLAIN || !s.name().isEmpty()) {
        throw object.unsupported(s.label() + " has a name or codec " + s.codec());
      }
      if (single.putIfAbsent(s.kind(), s) != null) {
        throw object.damaged(s.label() + " occurs twice");
      }
    }
  }

  /** All entries in table order. */
  List<Section> entries() {
    return entries;
  }

  /** A section that may be absent. */
  Optional<Section> find(int kind) {
    return Optional.ofNullable(single.get(kind));
  }

  /** A section that must be there. */
  Section require(int kind) {
    return find(kind)
        .orElseThrow(() -> object.damaged("it has no " + SectionKind.name(kind) + " section"));
  }

  /** The first property stream of this name. */
  Optional<Section> stream(String name) {
    return Optional.ofNullable(streams.get(name));
  }

  /** XXH3 of all entries but those of the binding and the page checksums. Source: edge §1.8. */
  long root() {
    return root.getAsLong();
  }

  /** Fails unless the section, if present, has exactly this length. */
  void checkLength(int kind, long expected) {
    Section s = single.get(kind);
    if (s != null && s.length() != expected) {
      throw object.damaged(s.label() + " has " + s.length() + " bytes, expected " + expected);
    }
  }
}
