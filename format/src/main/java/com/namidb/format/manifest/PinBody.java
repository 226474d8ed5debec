package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.value.QuotedText;
import java.nio.charset.StandardCharsets;

/**
 * What a lease object says. Source: manifest §6.5.
 *
 * @param version oldest manifest version to keep, unsigned
 * @param expiresAtUnix end of the lease in seconds since 1970 UTC
 * @param owner who holds it, for people; {@code null} in leases of the engine
 */
public record PinBody(long version, long expiresAtUnix, String owner) {
  private static final ObjectShape SHAPE =
      new ObjectShape()
          .need("version", Shapes.U64)
          .need("expires_at_unix", Shapes.I64)
          .option("owner", Shapes.TEXT);

  /**
   * Reads the JSON text of a lease.
   *
   * @param object key of the object, for errors
   * @throws com.namidb.format.error.CorruptObjectException if it is none
   */
  public static PinBody parse(String object, byte[] bytes) {
    try (JsonCursor in = JsonCursor.of("Lease", object, bytes)) {
      in.next();
      in.expect(JsonToken.START_OBJECT, "an object");
      Members m = SHAPE.read(in);
      in.expectEnd();
      return new PinBody(m.number("version"), m.number("expires_at_unix"), m.text("owner"));
    }
  }

  /** The JSON text; the engine ignores the owner. */
  public byte[] toBytes() {
    String text =
        "{\"version\":"
            + Long.toUnsignedString(version)
            + ",\"expires_at_unix\":"
            + expiresAtUnix
            + (owner == null ? "" : ",\"owner\":" + QuotedText.of(owner))
            + "}";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
