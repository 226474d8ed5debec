package com.namidb.format.wal;

import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import com.namidb.format.id.NodeId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes the payload of one record; bytes after the document are tolerated. Source: wal §3. */
final class WalEnvelope {
  private static final int NODE = 0;
  private static final int EDGE = 1;
  private static final int UPSERT = 0;
  private static final int DELETE = 1;

  private final String object;
  private final int record;
  private final ByteBuffer in;

  /**
   * Prepares.
   *
   * @param record position of the record in its segment, for errors
   * @param from first byte of the payload
   * @param to first byte after it
   */
  WalEnvelope(String object, int record, byte[] segment, int from, int to) {
    this.object = object;
    this.record = record;
    this.in = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN).position(from).limit(to);
  }

  WalEntry read(long recordLsn) {
    int kind = u32("key variant");
    if (kind != NODE && kind != EDGE) {
      throw damaged("key variant " + Integer.toUnsignedString(kind) + " is unknown");
    }
    String type = kind == EDGE ? text() : null;
    NodeId key = id();
    NodeId partner = kind == EDGE ? id() : null;
    int op = u32("operation");
    int document = 0;
    int length = WalEntry.TOMBSTONE;
    if (op == UPSERT) {
      length = length("document");
      document = in.position();
      in.position(document + length);
    } else if (op != DELETE) {
      throw damaged("operation " + Integer.toUnsignedString(op) + " is unknown");
    }
    need(8, "LSN");
    long lsn = in.getLong();
    if (lsn != recordLsn) {
      throw damaged(
          "its envelope has LSN "
              + Long.toUnsignedString(lsn)
              + ", its header "
              + Long.toUnsignedString(recordLsn));
    }
    return new WalEntry(type, key, partner, lsn, document, length);
  }

  private int u32(String what) {
    need(4, what);
    return in.getInt();
  }

  private NodeId id() {
    if (length("id") != NodeId.BYTES) {
      throw damaged("an id does not have 16 bytes");
    }
    NodeId id = NodeId.of(in.array(), in.position());
    in.position(in.position() + NodeId.BYTES);
    return id;
  }

  private String text() {
    int length = length("edge type");
    ByteBuffer part = in.slice(in.position(), length);
    in.position(in.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(part).toString();
    } catch (CharacterCodingException e) {
      throw damaged("its edge type is not UTF-8");
    }
  }

  /** A 64-bit length whose bytes are all there. */
  private int length(String what) {
    need(8, what);
    long length = in.getLong();
    if (length < 0 || length > in.remaining()) {
      throw damaged("its " + what + " is said to have " + Long.toUnsignedString(length) + " bytes");
    }
    return (int) length;
  }

  private void need(int bytes, String what) {
    if (in.remaining() < bytes) {
      throw damaged("it ends before its " + what);
    }
  }

  private CorruptObjectException damaged(String detail) {
    return FileErrors.damaged(WalSegmentReader.KIND, object, "record " + record + ": " + detail);
  }
}
