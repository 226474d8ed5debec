package com.namidb.format.edge;

/** The section kinds by their number. Source: edge §1.5. */
final class SectionKind {
  static final int KEY_IDS = 0x0001;
  static final int OFFSETS = 0x0002;
  static final int PARTNERS = 0x0003;
  static final int LSN = 0x0004;
  static final int TOMBSTONES = 0x0005;
  static final int FENCE_INDEX = 0x0006;
  static final int EDGE_ORDINALS = 0x0007;
  static final int PAGE_CHECKSUMS = 0x0008;
  static final int SST_BINDING = 0x0009;
  static final int PROPERTY_STREAM = 0x0100;

  private SectionKind() {}

  /** Name as the spec writes it, for messages. */
  static String name(int kind) {
    return switch (kind) {
      case KEY_IDS -> "KEY_IDS";
      case OFFSETS -> "OFFSETS";
      case PARTNERS -> "PARTNERS";
      case LSN -> "PER_EDGE_LSN";
      case TOMBSTONES -> "PER_EDGE_TOMBSTONES";
      case FENCE_INDEX -> "FENCE_INDEX";
      case EDGE_ORDINALS -> "EDGE_ORDINALS";
      case PAGE_CHECKSUMS -> "PAGE_CHECKSUMS";
      case SST_BINDING -> "SST_BINDING";
      case PROPERTY_STREAM -> "PROPERTY_STREAM";
      default -> "section kind " + kind;
    };
  }
}
