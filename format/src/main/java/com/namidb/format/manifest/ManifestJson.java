package com.namidb.format.manifest;

/** Bytes to manifest and back; one implementation per layout. */
public interface ManifestJson {
  /** The engine's layout: one numbered body per version. Source: manifest §2.3. */
  static ManifestJson versioned() {
    return VersionedJson.INSTANCE;
  }

  /**
   * The layout of one replaced object. Source: single-object manifest.
   *
   * @param schemas where the schema objects are read
   */
  static ManifestJson singleObject(SchemaSource schemas) {
    return new SingleObjectJson(schemas);
  }

  /**
   * Reads a manifest.
   *
   * @param object key of the object, for errors
   * @param bytes its content; kept, must not change later
   * @throws com.namidb.format.error.CorruptObjectException if it breaks a rule of the format
   * @throws com.namidb.format.error.UnsupportedFormatException if it uses an unknown enum value
   */
  Manifest read(String object, byte[] bytes);

  /** The manifest's JSON text. Whatever was not edited is byte for byte what was read. */
  byte[] write(Manifest manifest);
}
