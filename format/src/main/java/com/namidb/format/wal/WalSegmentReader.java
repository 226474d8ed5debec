package com.namidb.format.wal;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Decodes one complete segment. Any violation is an error: there is no torn tail and no partial
 * replay. Source: wal §2.
 */
final class WalSegmentReader {
  static final String KIND = "WAL segment";

  private static final int HEADER_MAGIC = 0x4C574754;
  private static final int FOOTER_MAGIC = 0x4C454754;
  private static final int HEADER_BYTES = 20;
  private static final int FOOTER_BYTES = 8;
  private static final int RECORD_HEADER_BYTES = 16;
  private static final int COUNT_OFFSET = 8;
  private static final int NEWEST_VERSION = 1;

  private final String object;
  private final byte[] bytes;
  private final ByteBuffer in;
  private final int end;

  private WalSegmentReader(String object, byte[] bytes) {
    this.object = object;
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.end = bytes.length - FOOTER_BYTES;
  }

  /**
   * Decodes a segment.
   *
   * @param object its key, for errors
   * @param bytes the whole object
   * @return its records in file order
   * @throws CorruptObjectException if any rule of wal §2–3 is violated
   * @throws com.namidb.format.error.UnsupportedFormatException if the format version is above 1
   */
  static List<WalEntry> read(String object, byte[] bytes) {
    return new WalSegmentReader(object, bytes).records();
  }

  private List<WalEntry> records() {
    checkFrame();
    long count = Integer.toUnsignedLong(in.getInt(COUNT_OFFSET));
    // A record takes at least its header, so the count cannot demand more memory than the object.
    if (count > (end - HEADER_BYTES) / RECORD_HEADER_BYTES) {
      throw damaged(count + " records cannot fit in " + bytes.length + " bytes");
    }
    List<WalEntry> out = new ArrayList<>((int) count);
    int at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      if (end - at < RECORD_HEADER_BYTES) {
        throw damaged("record " + i + " starts beyond the last record's end");
      }
      long length = Integer.toUnsignedLong(in.getInt(at));
      if (length > end - at - RECORD_HEADER_BYTES) {
        throw damaged("record " + i + " is said to have " + length + " bytes, more than are left");
      }
      checkRecord(i, at, (int) length);
      long lsn = in.getLong(at + 8);
      int from = at + RECORD_HEADER_BYTES;
      at = from + (int) length;
      out.add(new WalEnvelope(object, i, bytes, from, at).read(lsn));
    }
    if (at != end) {
      throw damaged((end - at) + " bytes are left after the last record");
    }
    return out;
  }

  private void checkFrame() {
    if (bytes.length < HEADER_BYTES + FOOTER_BYTES) {
      throw damaged("it has " + bytes.length + " bytes, the smallest segment has 28");
    }
    if (in.getInt(end) != FOOTER_MAGIC) {
      throw damaged("the footer magic is wrong");
    }
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, end);
    if ((int) crc.getValue() != in.getInt(end + 4)) {
      throw damaged("the checksum over the whole segment is wrong");
    }
    if (in.getInt(0) != HEADER_MAGIC) {
      throw damaged("the header magic is wrong");
    }
    int version = Short.toUnsignedInt(in.getShort(4));
    if (version > NEWEST_VERSION) {
      throw FileErrors.unsupported(KIND, object, "version " + version + ", known are 0 and 1");
    }
  }

  private void checkRecord(int i, int at, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, at + 8, 8 + length);
    if ((int) crc.getValue() != in.getInt(at + 4)) {
      throw damaged("the checksum of record " + i + " is wrong");
    }
  }

  private CorruptObjectException damaged(String detail) {
    return FileErrors.damaged(KIND, object, detail);
  }
}
