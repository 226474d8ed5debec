package com.namidb.spark.write.row;

import com.namidb.format.id.DerivedId;
import com.namidb.format.id.IdText;
import com.namidb.format.id.NodeId;
import com.namidb.spark.types.KeyParts;
import java.security.SecureRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Takes ids out of rows. Not thread-safe. */
final class IdReader {
  private final IdSource source;
  private final DerivedId derived = new DerivedId();
  private final SecureRandom random = new SecureRandom();
  private final byte[] text = new byte[NodeId.TEXT_LENGTH];

  IdReader(IdSource source) {
    this.source = source;
  }

  /** Whether ids can be derived from values of a type: those with one exact text. */
  static boolean derivable(DataType type) {
    return KeyParts.derivable(type);
  }

  /**
   * The id of a row.
   *
   * @throws RefusedRowException if it has none
   */
  NodeId read(InternalRow row) {
    if (source instanceof IdSource.Given given) {
      return given(row, given);
    }
    if (source instanceof IdSource.Derived d) {
      derived.begin(d.label());
      for (IdSource.Key key : d.keys()) {
        if (row.isNullAt(key.column())) {
          throw new RefusedRowException("key column '" + key.name() + "' is null");
        }
        KeyParts.add(derived, row, key.column(), key.type());
      }
      return derived.id();
    }
    return fresh();
  }

  private NodeId given(InternalRow row, IdSource.Given given) {
    if (row.isNullAt(given.column())) {
      throw new RefusedRowException("column '" + given.name() + "' is null");
    }
    if (given.binary()) {
      byte[] bytes = row.getBinary(given.column());
      if (bytes.length != NodeId.BYTES) {
        throw RefusedRowException.counted(
            "column '" + given.name() + "' does not hold 16 bytes",
            "column '" + given.name() + "' holds " + bytes.length + " bytes instead of 16");
      }
      return NodeId.of(bytes, 0);
    }
    UTF8String utf8 = row.getUTF8String(given.column());
    if (utf8.numBytes() == text.length) {
      utf8.writeToMemory(text, Platform.BYTE_ARRAY_OFFSET);
      NodeId usual = IdText.parseHyphenated(text);
      if (usual != null) {
        return usual;
      }
    }
    String other = utf8.toString();
    try {
      return NodeId.parse(other);
    } catch (IllegalArgumentException e) {
      throw new RefusedRowException(
          "column '" + given.name() + "' holds no UUID", ": '" + other + "'");
    }
  }

  /** UUID version 7: milliseconds first, so that files of later jobs do not overlap much. */
  private NodeId fresh() {
    long hi = (System.currentTimeMillis() << 16) | 0x7000L | random.nextInt(0x1000);
    long lo = (random.nextLong() & ~(0xC0L << 56)) | (0x80L << 56);
    return new NodeId(hi, lo);
  }
}
