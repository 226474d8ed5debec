package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import com.namidb.format.error.CorruptObjectException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Reads the first members of a body from its first bytes. Source: manifest §2.3, protocol §9. */
public final class ManifestHead {
  /** As many bytes as every body has and the first four members need as the engine writes them. */
  public static final int BYTES = 256;

  /** The same for the single-object layout, whose members before {@code created_at} are more. */
  public static final int SINGLE_OBJECT_BYTES = 290;

  private static final ObjectShape SHAPE =
      new ObjectShape().need("version", Shapes.U64).need("created_at", Shapes.TIME);

  private ManifestHead() {}

  /**
   * Commit time in microseconds since 1970 UTC, empty if these bytes do not tell for sure.
   *
   * @param object key of the object
   * @param start the first bytes of a body, cut anywhere
   * @param version the version the body must be of
   */
  public static OptionalLong createdAtMicros(String object, byte[] start, long version) {
    Map<String, Object> values = new HashMap<>();
    try (JsonCursor in = JsonCursor.of("Manifest", object, start)) {
      in.next();
      in.expect(JsonToken.START_OBJECT, "an object");
      while (values.size() < 2 && in.next() != JsonToken.END_OBJECT) {
        String name = in.name();
        in.next();
        SHAPE.readMember(name, in, values);
      }
    } catch (CorruptObjectException e) {
      // Cut off or damaged: the whole body says which.
      return OptionalLong.empty();
    }
    if (!(values.get("created_at") instanceof Long micros)
        || !Long.valueOf(version).equals(values.get("version"))) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(micros);
  }
}
