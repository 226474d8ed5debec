package com.namidb.format.manifest;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Label id to name and back; a duplicate name resolves to its first id. Source: values §2.3. */
public final class LabelDictionary implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> names;
  private final HashMap<String, Integer> ids;

  private LabelDictionary(List<String> names, Map<String, Integer> ids) {
    this.names = new ArrayList<>(names);
    this.ids = new HashMap<>(ids);
  }

  /**
   * Builds the dictionary.
   *
   * @param names label names in id order
   */
  public static LabelDictionary of(List<String> names) {
    Map<String, Integer> ids = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      ids.putIfAbsent(names.get(i), i);
    }
    return new LabelDictionary(names, ids);
  }

  /** This dictionary with the names it lacks appended, in the order given. */
  public LabelDictionary extended(Collection<String> more) {
    List<String> all = new ArrayList<>(names);
    Set<String> known = new HashSet<>(names);
    for (String name : more) {
      if (known.add(name)) {
        all.add(name);
      }
    }
    return of(all);
  }

  /** All names in id order. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** How many ids there are. */
  public int size() {
    return names.size();
  }

  /** The id of a name, empty if no node ever carried it. */
  public OptionalInt id(String name) {
    Integer id = ids.get(name);
    return id == null ? OptionalInt.empty() : OptionalInt.of(id);
  }

  /** Whether an id is known; rows may hold ids that are not, which are ignored. */
  public boolean knows(int id) {
    return id >= 0 && id < names.size();
  }

  /** The name of a known id. */
  public String name(int id) {
    return names.get(id);
  }

  /** The first id that carries the same name as {@code id}: what two equal names mean. */
  public int canonical(int id) {
    return ids.get(names.get(id));
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof LabelDictionary d && names.equals(d.names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }
}
