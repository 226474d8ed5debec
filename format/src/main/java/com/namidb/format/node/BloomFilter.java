package com.namidb.format.node;

import com.namidb.format.error.FileErrors;
import com.namidb.format.id.IdBytes;
import com.namidb.format.id.NodeId;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import com.namidb.format.store.Xxh3;
import java.util.Arrays;

/**
 * The split-block id filter beside large SSTs, nodes and edges alike. Source: node §7.1.
 *
 * <pre>
 *  0  8  "TGBLOOM" 00        16  4  block count
 *  8  1  major 1             20  8  key count
 *  9  1  minor 0             28  …  blocks, each 8 words of 4 bytes
 * 12  1  bits per key       end-8  XXH3 of everything before
 * </pre>
 */
public final class BloomFilter {
  /** What the engine uses. */
  public static final int BITS_PER_KEY = 10;

  private static final String KIND = "Id filter";
  private static final long MAGIC = 0x004D4F4F4C424754L;
  private static final int HEADER = 28;
  private static final int BLOCK = 32;
  private static final int HASH = 8;
  private static final int MAX_BLOCKS = (Integer.MAX_VALUE - HEADER - HASH - 16) / BLOCK;
  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private final byte[] bytes;
  private final int blocks;

  private BloomFilter(byte[] bytes, int blocks) {
    this.bytes = bytes;
    this.blocks = blocks;
  }

  /**
   * An empty filter.
   *
   * @param expectedKeys how many ids will be added
   */
  public static BloomFilter create(long expectedKeys) {
    long bits = Math.max(Math.multiplyExact(expectedKeys, (long) BITS_PER_KEY), 256);
    long blocks = (bits + 255) / 256;
    if (blocks > MAX_BLOCKS) {
      throw new IllegalStateException("a filter of " + expectedKeys + " keys is above 2 GiB");
    }
    byte[] bytes = new byte[HEADER + (int) blocks * BLOCK + HASH];
    LittleEndian.putLong(bytes, 0, MAGIC);
    bytes[8] = 1;
    bytes[12] = BITS_PER_KEY;
    LittleEndian.putInt(bytes, 16, (int) blocks);
    return new BloomFilter(bytes, (int) blocks);
  }

  /**
   * Reads a listed filter: one GET.
   *
   * @param xxh3 the descriptor's {@code xxhash3_64}
   * @throws com.namidb.format.error.CorruptObjectException if it is missing or damaged: the engine
   *     fails too
   */
  public static BloomFilter read(ObjectStore store, String object, long sizeBytes, long xxh3) {
    StoredObject stored = store.get(object).orElseThrow(() -> FileErrors.missing(KIND, object));
    byte[] bytes = stored.bytes();
    String problem = problem(bytes, sizeBytes, xxh3);
    if (problem != null) {
      throw FileErrors.damaged(KIND, object, problem);
    }
    return new BloomFilter(bytes, LittleEndian.intAt(bytes, 16));
  }

  private static String problem(byte[] b, long sizeBytes, long xxh3) {
    if (b.length != sizeBytes || b.length < HEADER + BLOCK + HASH) {
      return "it has " + b.length + " bytes, the manifest promises " + sizeBytes;
    }
    if (LittleEndian.longAt(b, 0) != MAGIC || b[8] != 1) {
      return "it does not begin like an id filter of major version 1";
    }
    long blocks = LittleEndian.intAt(b, 16) & 0xFFFFFFFFL;
    if (blocks == 0 || HEADER + blocks * BLOCK + HASH != b.length) {
      return "it has " + b.length + " bytes and claims " + blocks + " blocks";
    }
    long stored = LittleEndian.longAt(b, b.length - HASH);
    long found = Xxh3.hash(b, 0, b.length - HASH);
    if (found != stored || found != xxh3) {
      return String.format(
          "it has hash %016x, its last bytes say %016x and the manifest %016x",
          found, stored, xxh3);
    }
    return null;
  }

  /** False if the id is certainly not in the SST. */
  public boolean mayContain(NodeId id) {
    long h = hash(id.hi(), id.lo());
    int block = block(h);
    for (int i = 0; i < SALT.length; i++) {
      if ((LittleEndian.intAt(bytes, block + 4 * i) & bit(h, i)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Adds an id given as halves; each at most once; one thread only. */
  public void add(long hi, long lo) {
    long h = hash(hi, lo);
    int block = block(h);
    for (int i = 0; i < SALT.length; i++) {
      int at = block + 4 * i;
      LittleEndian.putInt(bytes, at, LittleEndian.intAt(bytes, at) | bit(h, i));
    }
    LittleEndian.putLong(bytes, 20, keys() + 1);
  }

  /** Number of ids added. */
  public long keys() {
    return LittleEndian.longAt(bytes, 20);
  }

  /** Number of 32-byte blocks. */
  public int blocks() {
    return blocks;
  }

  /** The whole file; its last 8 bytes are the descriptor's {@code xxhash3_64}. */
  public byte[] toBytes() {
    byte[] out = Arrays.copyOf(bytes, bytes.length);
    LittleEndian.putLong(out, out.length - HASH, Xxh3.hash(out, 0, out.length - HASH));
    return out;
  }

  private static long hash(long hi, long lo) {
    byte[] id = new byte[NodeId.BYTES];
    IdBytes.putLong(id, 0, hi);
    IdBytes.putLong(id, 8, lo);
    return Xxh3.hash(id);
  }

  private int block(long h) {
    return HEADER + (int) (((h >>> 32) * blocks) >>> 32) * BLOCK;
  }

  private static int bit(long h, int word) {
    return 1 << ((SALT[word] * (int) h) >>> 27);
  }
}
