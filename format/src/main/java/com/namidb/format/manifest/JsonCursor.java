package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.namidb.format.error.CorruptObjectException;
import com.namidb.format.error.FileErrors;
import com.namidb.format.error.UnsupportedFormatException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A strict walk over one JSON document that knows the byte position of every token and names the
 * member in every error. A repeated member name is an error. Source: manifest §2.1.
 */
final class JsonCursor implements AutoCloseable {
  // Name interning and the hash overflow check guard shared tables we do not want to fill or trip
  // over: names come from stored data. Texts are bounded by the document alone, which is in memory:
  // the engine copies values of any length into its statistics.
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(128)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final String kind;
  private final String object;
  private final JsonParser parser;
  private final Map<String, String> strings = new HashMap<>();

  private JsonCursor(String kind, String object, JsonParser parser) {
    this.kind = kind;
    this.object = object;
    this.parser = parser;
  }

  /**
   * Starts before the first token.
   *
   * @param kind what the object is, for errors
   * @param object its key, for errors
   * @param bytes UTF-8 JSON
   */
  static JsonCursor of(String kind, String object, byte[] bytes) {
    // Keeps the parser from guessing another encoding than UTF-8.
    for (int i = 0; i < Math.min(4, bytes.length); i++) {
      int b = bytes[i] & 255;
      if (b == 0 || (b >= 0x80 && i == 0)) {
        throw FileErrors.damaged(kind, object, "it is not UTF-8 JSON");
      }
    }
    try {
      return new JsonCursor(kind, object, FACTORY.createParser(bytes));
    } catch (IOException e) {
      throw FileErrors.damaged(kind, object, "it is not JSON", e);
    }
  }

  /** Moves to the next token, {@code null} at the end. */
  JsonToken next() {
    try {
      return parser.nextToken();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** The token under the cursor. */
  JsonToken token() {
    return parser.currentToken();
  }

  /** The member name under the cursor; one instance per distinct name. */
  String name() {
    try {
      return whole(parser.currentName());
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** The text of a string, or of a number exactly as spelled. */
  String text() {
    try {
      return whole(parser.getText());
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Escapes can spell half of a surrogate pair, which is no text for the engine. */
  private String whole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        int next = i + 1;
        if (next == text.length() || !Character.isSurrogatePair(c, text.charAt(next))) {
          throw damaged("holds half of a surrogate pair");
        }
        i = next;
      }
    }
    return text;
  }

  /** As {@link #text}, one instance per distinct text of this document. */
  String sharedText() {
    String s = text();
    String known = strings.putIfAbsent(s, s);
    return known == null ? s : known;
  }

  /** The integer under the cursor, which must fit an {@code int}. */
  int smallInt() {
    try {
      return parser.getIntValue();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Moves to the end of the value under the cursor, checking its syntax. */
  void skip() {
    try {
      parser.skipChildren();
      parser.finishToken();
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  /** Position of the first byte of the token under the cursor. */
  int tokenStart() {
    return (int) parser.currentTokenLocation().getByteOffset();
  }

  /** Position after the last byte of the value just read or skipped. */
  int valueEnd() {
    try {
      parser.finishToken();
    } catch (IOException e) {
      throw malformed(e);
    }
    return (int) parser.currentLocation().getByteOffset();
  }

  /** Checks the type of the token under the cursor. */
  void expect(JsonToken expected, String what) {
    if (token() != expected) {
      throw damaged("is not " + what);
    }
  }

  /** Checks that nothing follows the document. */
  void expectEnd() {
    if (next() != null) {
      throw FileErrors.damaged(kind, object, "something follows the JSON document");
    }
  }

  /** The member under the cursor is wrong. */
  CorruptObjectException damaged(String detail) {
    return FileErrors.damaged(kind, object, path() + " " + detail);
  }

  /** The member under the cursor has a value of a newer format. */
  UnsupportedFormatException unknown(String value) {
    return FileErrors.unsupported(kind, object, path() + " has the unknown value '" + value + "'");
  }

  private String path() {
    String pointer = parser.getParsingContext().pathAsPointer().toString();
    return pointer.isEmpty() ? "the document" : "member " + pointer;
  }

  private CorruptObjectException malformed(IOException e) {
    String detail =
        e instanceof JsonProcessingException j ? j.getOriginalMessage() : e.getMessage();
    long at = parser.currentLocation().getByteOffset();
    return FileErrors.damaged(kind, object, path() + ", byte " + at + ": " + detail, e);
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw malformed(e);
    }
  }
}
