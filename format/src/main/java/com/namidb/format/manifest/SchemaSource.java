package com.namidb.format.manifest;

/** Where the schema objects of the single-object layout come from; no request is made twice. */
@FunctionalInterface
public interface SchemaSource {
  /**
   * The schema of this id.
   *
   * @param id lower-case hex SHA-256 of the object's bytes
   * @throws com.namidb.format.error.CorruptObjectException if its object is missing or damaged
   */
  GraphSchema schema(String id);
}
