package com.namidb.format.manifest;

import com.fasterxml.jackson.core.JsonToken;
import java.util.HashMap;
import java.util.Map;

/**
 * A JSON object with known members; unknown ones are checked for syntax and ignored. Reads as
 * {@link Members}.
 */
final class ObjectShape implements Shape {
  private final Map<String, Member> members = new HashMap<>();
  private int needed;

  private record Member(Shape shape, int need, boolean nullable) {}

  /** A member that must be there. */
  ObjectShape need(String name, Shape shape) {
    members.put(name, new Member(shape, needed++, false));
    return this;
  }

  /** A member that may be missing, but not null. */
  ObjectShape maybe(String name, Shape shape) {
    members.put(name, new Member(shape, -1, false));
    return this;
  }

  /** A member for which missing and null mean the same. */
  ObjectShape option(String name, Shape shape) {
    members.put(name, new Member(shape, -1, true));
    return this;
  }

  @Override
  public Members read(JsonCursor in) {
    in.expect(JsonToken.START_OBJECT, "an object");
    Map<String, Object> values = new HashMap<>();
    long seen = 0;
    while (in.next() != JsonToken.END_OBJECT) {
      String name = in.name();
      in.next();
      seen |= readMember(name, in, values);
    }
    checkComplete(seen, in);
    return new Members(values);
  }

  /**
   * Reads the member under the cursor into {@code values}.
   *
   * @return the bit to add to those seen, for {@link #checkComplete}
   */
  long readMember(String name, JsonCursor in, Map<String, Object> values) {
    Member member = members.get(name);
    if (member == null) {
      in.skip();
      return 0;
    }
    if (!member.nullable || in.token() != JsonToken.VALUE_NULL) {
      Object value = member.shape.read(in);
      if (value != null) {
        values.put(name, value);
      }
    }
    return member.need < 0 ? 0 : 1L << member.need;
  }

  /** Checks that every needed member was there; the cursor is at the object's end. */
  void checkComplete(long seen, JsonCursor in) {
    if (Long.bitCount(seen) < needed) {
      for (Map.Entry<String, Member> e : members.entrySet()) {
        int bit = e.getValue().need;
        if (bit >= 0 && (seen >> bit & 1) == 0) {
          throw in.damaged("lacks '" + e.getKey() + "'");
        }
      }
    }
  }
}
