package com.namidb.format.edge;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;

/**
 * Every so many-th key with its place, or nothing where the file has no such section. Source: edge
 * §2.7.
 */
final class Fence {
  static final int WRITTEN_STRIDE = 256;
  static final int HEAD_BYTES = 8;
  static final int ENTRY_BYTES = 24;

  /** Above this, keys are searched without the fence. */
  private static final int MAX_BYTES = 16 << 20;

  private static final Fence NONE = new Fence(new Slice(new byte[0], 0, 0), 0, 1);

  private final Slice bytes;
  private final int count;
  private final long stride;

  private Fence(Slice bytes, int count, long stride) {
    this.bytes = bytes;
    this.count = count;
    this.stride = stride;
  }

  /** Reads and checks all entries. */
  static Fence load(EdgeFile file) {
    Section section = file.table().find(SectionKind.FENCE_INDEX).orElse(null);
    if (section == null || section.length() > MAX_BYTES) {
      return NONE;
    }
    long keys = file.footer().keyCount();
    if (section.length() < HEAD_BYTES) {
      throw bad(file, section, "has no head");
    }
    Slice s = file.read(section, 0, (int) section.length());
    long stride = LeBytes.u32(s.array, s.offset);
    long count = LeBytes.u32(s.array, s.offset + 4);
    if (stride == 0
        || count != (keys + stride - 1) / stride
        || section.length() != HEAD_BYTES + ENTRY_BYTES * count) {
      throw bad(file, section, "has " + count + " entries of stride " + stride);
    }
    Fence out = new Fence(s, (int) count, stride);
    for (int i = 0; i < count; i++) {
      long place = LeBytes.u64(s.array, out.entry(i) + NodeId.BYTES);
      boolean ordered =
          i == 0 ? out.compare(0, file.footer().minKey()) == 0 : out.compare(i, out.key(i - 1)) > 0;
      if (!ordered || place != i * stride * NodeId.BYTES) {
        throw bad(file, section, "is wrong at entry " + i);
      }
    }
    return out;
  }

  private static CorruptObjectException bad(EdgeFile file, Section section, String detail) {
    return file.object().damaged(section.label() + " " + detail);
  }

  /** Key indexes {@code [from, to]} between which the place of an id is to be searched. */
  long[] window(NodeId id, long keys) {
    int a = 0;
    int z = count;
    while (a < z) {
      int m = (a + z) >>> 1;
      if (compare(m, id) <= 0) {
        a = m + 1;
      } else {
        z = m;
      }
    }
    return new long[] {a == 0 ? 0 : (a - 1) * stride, a == count ? keys : a * stride};
  }

  private int entry(int i) {
    return bytes.offset + HEAD_BYTES + ENTRY_BYTES * i;
  }

  private NodeId key(int i) {
    return NodeId.of(bytes.array, entry(i));
  }

  private int compare(int i, NodeId id) {
    int at = entry(i);
    return NodeId.compare(
        IdBytes.longAt(bytes.array, at),
        IdBytes.longAt(bytes.array, at + Long.BYTES),
        id.hi(),
        id.lo());
  }
}
