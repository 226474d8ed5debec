package com.namidb.format.manifest;

import com.namidb.format.error.FileErrors;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The declared schema as an object of its own, named by its content. Source: single-object
 * manifest, "Objects".
 */
public final class SchemaObject {
  private static final String KIND = "Schema object";
  private static final String EMPTY_TEXT =
      "{\"version\":0,\"labels\":{},\"edge_types\":{},\"constraints\":[]}";

  /** Id of the schema that declares nothing: known without reading its object. */
  public static final String EMPTY_ID = id(empty());

  private SchemaObject() {}

  /** Bytes of the schema that declares nothing. */
  public static byte[] empty() {
    return EMPTY_TEXT.getBytes(StandardCharsets.UTF_8);
  }

  /** The id of a schema: lower-case hex SHA-256 of its bytes. */
  public static String id(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Reads one.
   *
   * @param object its key, for errors
   * @param id what it must be named by
   * @throws com.namidb.format.error.CorruptObjectException if the bytes have another hash, or break
   *     a rule of the format
   */
  public static GraphSchema read(String object, byte[] bytes, String id) {
    if (!id(bytes).equals(id)) {
      throw FileErrors.damaged(KIND, object, "its bytes do not have the SHA-256 " + id);
    }
    try (JsonCursor in = JsonCursor.of(KIND, object, bytes)) {
      in.next();
      GraphSchema schema = SchemaReader.read(in);
      in.expectEnd();
      return schema;
    }
  }
}
