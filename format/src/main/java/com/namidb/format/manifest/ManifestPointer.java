package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.value.QuotedText;
import java.nio.charset.StandardCharsets;

/**
 * A pointer: its existence commits the version it names. Source: manifest §2.2.
 *
 * @param version manifest version, unsigned
 * @param epoch epoch of that manifest, unsigned
 * @param manifestPath full object key of the body, as it was when written
 */
public record ManifestPointer(long version, long epoch, String manifestPath) {
  private static final ObjectShape SHAPE =
      new ObjectShape()
          .need("version", Shapes.U64)
          .need("epoch", Shapes.U64)
          .need("manifest_path", Shapes.TEXT);

  /**
   * Reads the JSON text of a pointer or of the advisory copy.
   *
   * @param object key of the object, for errors
   * @throws com.namidb.format.error.CorruptObjectException if it is none
   */
  public static ManifestPointer parse(String object, byte[] bytes) {
    try (JsonCursor in = JsonCursor.of("Manifest pointer", object, bytes)) {
      in.next();
      in.expect(JsonToken.START_OBJECT, "an object");
      Members m = SHAPE.read(in);
      in.expectEnd();
      return new ManifestPointer(m.number("version"), m.number("epoch"), m.text("manifest_path"));
    }
  }

  /** The JSON text as the engine writes it. */
  public byte[] toBytes() {
    String text =
        "{\"version\":"
            + Long.toUnsignedString(version)
            + ",\"epoch\":"
            + Long.toUnsignedString(epoch)
            + ",\"manifest_path\":"
            + QuotedText.of(manifestPath)
            + "}";
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
