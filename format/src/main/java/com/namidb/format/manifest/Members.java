package com.namidb.format.manifest;

import java.util.List;
import java.util.Map;

/** What was kept of one JSON object, typed by the shapes that read it. */
record Members(Map<String, Object> values) {
  boolean has(String name) {
    return values.containsKey(name);
  }

  String text(String name) {
    return (String) values.get(name);
  }

  long number(String name) {
    return (Long) values.get(name);
  }

  int small(String name) {
    return (Integer) values.get(name);
  }

  boolean flag(String name) {
    return values.get(name) instanceof Boolean b && b;
  }

  /** A member of any type, {@code null} if absent. */
  Object value(String name) {
    return values.get(name);
  }

  /** A nested object, {@code null} if absent. */
  Members object(String name) {
    return (Members) values.get(name);
  }

  /** The elements of an array, none if it is absent. */
  List<?> list(String name) {
    return values.get(name) instanceof List<?> l ? l : List.of();
  }

  /** The members of a map, none if it is absent. */
  Map<?, ?> map(String name) {
    return values.get(name) instanceof Map<?, ?> m ? m : Map.of();
  }
}
