package com.namidb.format.value;

import java.io.Serializable;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which types the values of one property have: the union over all values seen, and the same for the
 * items of its lists and the values of its maps. Grows by {@link #add} and {@link #merge}, whose
 * order does not matter. Source: values §6.3. Crosses to tasks and back; not thread-safe.
 */
public final class TypeSummary implements Serializable {
  /** Map keys kept; a map with more different keys is a dictionary and no structure. */
  public static final int MAX_MAP_KEYS = 1000;

  private static final long serialVersionUID = 1L;

  /** A bit per type. */
  private int types;

  private TypeSummary items;
  private TypeSummary mapValues;
  private TreeSet<String> mapKeys;
  private boolean moreMapKeys;

  /** The types seen, {@link ValueType#NULL} for explicit nulls; absence leaves no trace. */
  public Set<ValueType> types() {
    EnumSet<ValueType> out = EnumSet.noneOf(ValueType.class);
    for (ValueType type : ValueType.values()) {
      if (has(type)) {
        out.add(type);
      }
    }
    return out;
  }

  /** Whether a value of this type was seen. */
  public boolean has(ValueType type) {
    return (types & bit(type)) != 0;
  }

  // A summary lives for one query, on one release: positions cannot shift under it.
  @SuppressWarnings("EnumOrdinal")
  private static int bit(ValueType type) {
    return 1 << type.ordinal();
  }

  /** The items of all lists seen, empty if there was none; lists may all have been empty. */
  public Optional<TypeSummary> items() {
    return Optional.ofNullable(items);
  }

  /** The values of all maps seen, empty if there was none; maps may all have been empty. */
  public Optional<TypeSummary> mapValues() {
    return Optional.ofNullable(mapValues);
  }

  /** The keys of all maps seen, {@link #MAX_MAP_KEYS} at most. */
  public SortedSet<String> mapKeys() {
    return mapKeys == null ? new TreeSet<>() : Collections.unmodifiableSortedSet(mapKeys);
  }

  /** Whether {@link #mapKeys} lacks some. */
  public boolean hasMoreMapKeys() {
    return moreMapKeys;
  }

  /** Notes a value; what it contains is noted on {@link #listItems} and {@link #mapEntries}. */
  void add(ValueType type) {
    types |= bit(type);
  }

  /** Notes a list. */
  TypeSummary listItems() {
    add(ValueType.LIST);
    if (items == null) {
      items = new TypeSummary();
    }
    return items;
  }

  /** Notes a map. */
  TypeSummary mapEntries() {
    add(ValueType.MAP);
    if (mapValues == null) {
      mapValues = new TypeSummary();
      mapKeys = new TreeSet<>();
    }
    return mapValues;
  }

  /** Notes a key of a map. */
  void addMapKey(String key) {
    if (mapKeys.size() < MAX_MAP_KEYS) {
      mapKeys.add(key);
    } else if (!mapKeys.contains(key)) {
      moreMapKeys = true;
    }
  }

  /**
   * Adds what another summary saw.
   *
   * @return this summary
   */
  public TypeSummary merge(TypeSummary other) {
    types |= other.types;
    if (other.items != null) {
      listItems().merge(other.items);
    }
    if (other.mapValues != null) {
      mapEntries().merge(other.mapValues);
      other.mapKeys.forEach(this::addMapKey);
      moreMapKeys |= other.moreMapKeys;
    }
    return this;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TypeSummary other
        && types == other.types
        && moreMapKeys == other.moreMapKeys
        && Objects.equals(items, other.items)
        && Objects.equals(mapValues, other.mapValues)
        && Objects.equals(mapKeys, other.mapKeys);
  }

  @Override
  public int hashCode() {
    return Objects.hash(types, items, mapValues, mapKeys, moreMapKeys);
  }

  @Override
  public String toString() {
    return types()
        + (items == null ? "" : " items " + items)
        + (mapValues == null ? "" : " map " + mapKeys + " of " + mapValues);
  }
}
