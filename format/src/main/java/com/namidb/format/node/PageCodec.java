package com.namidb.format.node;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.namidb.format.node.Page.Slice;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * Decompresses pages, zstd in one call. The length a header claims is believed up to a limit; above
 * it the content is measured first, so that a damaged header cannot exhaust the memory.
 */
final class PageCodec implements AutoCloseable {
  private static final int BELIEVED = 64 << 20;

  /** No block of LZ4 or Snappy expands further. */
  private static final int MAX_RATIO = 256;

  private final ZstdDecompressCtx zstd;
  private final Lz4Decompressor lz4 = new Lz4Decompressor();

  /**
   * Makes a codec.
   *
   * @param lean whether to hold no native memory between calls, for many codecs side by side
   */
  PageCodec(boolean lean) {
    zstd = lean ? null : new ZstdDecompressCtx();
  }

  /** Whether pages of this codec can be read. */
  static boolean knows(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4, LZ4_RAW -> true;
      default -> false;
    };
  }

  /** Whether pages of this codec can be decompressed piece by piece. */
  static boolean streams(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED, GZIP, ZSTD -> true;
      default -> false;
    };
  }

  /** Decompresses piece by piece; only for codecs that {@link #streams}. */
  static InputStream open(CompressionCodecName codec, InputStream in) {
    try {
      return codec == CompressionCodecName.UNCOMPRESSED ? in : stream(codec, in);
    } catch (IOException e) {
      throw new DamageException("a page does not decompress", e);
    }
  }

  /**
   * Decompresses one piece.
   *
   * @param length exact number of bytes it must give
   * @param reuse an array to fill if it is long enough
   */
  Slice decompress(CompressionCodecName codec, Slice in, int length, byte[] reuse) {
    if (codec == CompressionCodecName.UNCOMPRESSED) {
      if (in.length() != length) {
        throw new DamageException("a page has " + in.length() + " bytes, not " + length);
      }
      return in;
    }
    if (length == 0) {
      return new Slice(reuse, 0, 0);
    }
    try {
      measure(codec, in, length);
      byte[] out = reuse.length >= length ? reuse : new byte[length];
      int n = run(codec, in, out, length);
      if (n != length) {
        throw new DamageException("a page decompresses to " + n + " bytes, not " + length);
      }
      return new Slice(out, 0, length);
    } catch (DamageException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new DamageException("a page does not decompress", e);
    }
  }

  private int run(CompressionCodecName codec, Slice in, byte[] out, int length) throws IOException {
    return switch (codec) {
      case ZSTD -> zstd(in, out, length);
      case SNAPPY -> snappy(in, out, length);
      case LZ4_RAW -> lz4.decompress(in.bytes, in.from, in.length(), out, 0, length);
      case LZ4 -> framedLz4(in, out, length);
      case GZIP -> {
        try (InputStream s = stream(codec, in)) {
          int n = s.readNBytes(out, 0, length);
          yield s.read() < 0 ? n : length + 1;
        }
      }
      default -> throw new DamageException("a page is compressed with " + codec);
    };
  }

  private int zstd(Slice in, byte[] out, int length) {
    if (zstd != null) {
      return zstd.decompressByteArray(out, 0, length, in.bytes, in.from, in.length());
    }
    try (ZstdDecompressCtx once = new ZstdDecompressCtx()) {
      return once.decompressByteArray(out, 0, length, in.bytes, in.from, in.length());
    }
  }

  private static int snappy(Slice in, byte[] out, int length) throws IOException {
    if (Snappy.uncompressedLength(in.bytes, in.from, in.length()) != length) {
      throw new DamageException("a page does not decompress to " + length + " bytes");
    }
    return Snappy.uncompress(in.bytes, in.from, in.length(), out, 0);
  }

  /** Blocks with two big-endian lengths before each, as Hadoop frames them. */
  private int framedLz4(Slice in, byte[] out, int length) {
    int pos = in.from;
    int done = 0;
    while (in.to - pos >= 8 && done < length) {
      int plain = Integer.reverseBytes(LittleEndian.intAt(in.bytes, pos));
      int packed = Integer.reverseBytes(LittleEndian.intAt(in.bytes, pos + 4));
      pos += 8;
      boolean fits = packed >= 0 && packed <= in.to - pos && plain >= 0 && plain <= length - done;
      if (!fits) {
        throw new DamageException("a page does not decompress to " + length + " bytes");
      }
      done += lz4.decompress(in.bytes, pos, packed, out, done, plain);
      pos += packed;
    }
    return done;
  }

  private static void measure(CompressionCodecName codec, Slice in, int length) throws IOException {
    if (length <= BELIEVED) {
      return;
    }
    boolean possible;
    if (codec == CompressionCodecName.ZSTD || codec == CompressionCodecName.GZIP) {
      possible = count(codec, in, length) == length;
    } else {
      possible = length / MAX_RATIO <= in.length();
    }
    if (!possible) {
      throw new DamageException("a page does not decompress to " + length + " bytes");
    }
  }

  private static long count(CompressionCodecName codec, Slice in, int length) throws IOException {
    byte[] scratch = new byte[1 << 16];
    long n = 0;
    try (InputStream s = stream(codec, in)) {
      for (int k = s.read(scratch); k >= 0 && n <= length; k = s.read(scratch)) {
        n += k;
      }
    }
    return n;
  }

  private static InputStream stream(CompressionCodecName codec, Slice in) throws IOException {
    return stream(codec, new ByteArrayInputStream(in.bytes, in.from, in.length()));
  }

  private static InputStream stream(CompressionCodecName codec, InputStream raw)
      throws IOException {
    return codec == CompressionCodecName.ZSTD
        ? new ZstdInputStreamNoFinalizer(raw)
        : new GZIPInputStream(raw);
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
  }
}
