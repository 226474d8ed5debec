package com.namidb.spark.types;

import com.namidb.format.value.ValueType;
import java.util.Set;

/** What was seen in one place: a property, the elements of its lists, the values of its maps. */
interface ObservedType {
  /** The types seen, {@link ValueType#NULL} for stored nulls. */
  Set<ValueType> types();

  /** What was seen in lists; nothing if there was no list, or only empty ones. */
  ObservedType elements();

  /** What was seen in maps; nothing if there was no map, or only empty ones. */
  ObservedType values();
}
