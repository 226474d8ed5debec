package com.namidb.format.wal;

import com.namidb.format.value.InvalidJsonException;
import java.util.Arrays;

/**
 * The JSON document of an upsert, taken apart without touching the property values: the span of the
 * {@code properties} object, the label ids and the schema version. Reused from document to
 * document. Source: wal §4.1, §4.2.
 */
final class WalDocument {
  private final JsonScanner json = new JsonScanner();
  private int propertiesFrom;
  private int propertiesTo;
  private int[] labels = new int[8];
  private int labelCount;
  private long schemaVersion;
  private int seen;

  /**
   * Parses a document.
   *
   * @throws InvalidJsonException if it is not a JSON object with members of the expected types
   */
  void parse(byte[] bytes, int from, int length) {
    propertiesFrom = 0;
    propertiesTo = 0;
    labelCount = 0;
    schemaVersion = 0;
    seen = 0;
    json.reset(bytes, from, from + length);
    json.expect('{');
    if (!json.accept('}')) {
      do {
        String name = json.name();
        json.expect(':');
        member(name);
      } while (json.accept(','));
      json.expect('}');
    }
    json.end();
  }

  private void member(String name) {
    switch (name) {
      case "properties" -> {
        once(1, name);
        properties();
      }
      case "schema_version" -> {
        once(2, name);
        schemaVersion = json.unsigned(64);
      }
      case "labels" -> {
        once(4, name);
        labels();
      }
      default -> json.skipValue();
    }
  }

  private void once(int bit, String name) {
    if ((seen & bit) != 0) {
      throw json.invalid("member '" + name + "' occurs twice");
    }
    seen |= bit;
  }

  private void properties() {
    int from = json.valueStart();
    json.expect('{');
    boolean empty = json.accept('}');
    json.moveTo(from);
    json.skipValue();
    if (!empty) {
      propertiesFrom = from;
      propertiesTo = json.position();
    }
  }

  private void labels() {
    json.expect('[');
    if (json.accept(']')) {
      return;
    }
    do {
      int id = (int) json.unsigned(32);
      if (labelCount == labels.length) {
        labels = Arrays.copyOf(labels, 2 * labelCount);
      }
      labels[labelCount++] = id;
    } while (json.accept(','));
    json.expect(']');
  }

  /** Whether there is at least one property. */
  boolean hasProperties() {
    return propertiesTo > propertiesFrom;
  }

  /** First byte of the properties object. */
  int propertiesFrom() {
    return propertiesFrom;
  }

  /** Bytes of the properties object. */
  int propertiesLength() {
    return propertiesTo - propertiesFrom;
  }

  /** Label ids as stored; the first {@link #labelCount} count. */
  int[] labelIds() {
    return labels;
  }

  /** How many label ids there are. */
  int labelCount() {
    return labelCount;
  }

  /** Schema version, unsigned. */
  long schemaVersion() {
    return schemaVersion;
  }
}
