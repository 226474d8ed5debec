package com.namidb.format.value;

/**
 * Which lists and maps are open around the next value, and whose turn it is: commas, keys and the
 * order of a map's entries. A call out of turn is an {@link IllegalStateException}. Source: values
 * §1.2, §1.5.
 */
final class ValueNesting {
  private static final int MAP_OPEN = -1;
  private static final int KEY_GIVEN = -2;
  private static final int NONE_OPEN = -3;

  private final JsonBuffer json;
  private final ValueExtent extent = new ValueExtent();

  /** Per level that holds entries: 1 to one more than a value may lie deep. */
  private final MapFrame[] maps = new MapFrame[ValueExtent.MAX_LEVEL + 2];

  /** Items written per open list, {@code MAP_OPEN} or {@code KEY_GIVEN} for an open map. */
  private final int[] open = new int[ValueExtent.MAX_LEVEL + 1];

  private String property = "";
  private boolean begun;

  ValueNesting(JsonBuffer json) {
    this.json = json;
  }

  /** Expects the value of a property. */
  void expect(String name) {
    property = name;
    begun = false;
    extent.begin(name);
  }

  /** Whether the value is there and all its lists and maps are closed. */
  boolean isComplete() {
    return begun && extent.level() == 0;
  }

  /** Lists and maps open around the next value. */
  int level() {
    return extent.level();
  }

  /**
   * Takes its place before a value: comma, level and counts.
   *
   * @param contentBytes what it holds, without nested values
   * @param components of a vector, else 0
   * @throws RefusedValueException if it lies too deep or is too much
   */
  void next(long contentBytes, int components) {
    int level = extent.level();
    if (level == 0) {
      if (begun) {
        throw new IllegalStateException("a second value for property " + property);
      }
      begun = true;
    } else if (open[level - 1] >= 0) {
      if (open[level - 1]++ > 0) {
        json.put(',');
      }
    } else if (open[level - 1] == KEY_GIVEN) {
      open[level - 1] = MAP_OPEN;
    } else {
      throw new IllegalStateException("a map value without key in property " + property);
    }
    extent.count(contentBytes, components);
  }

  /** A list begins, after it took its place. */
  void beginList() {
    descend(0);
  }

  /** The innermost list ends. */
  void endList() {
    if (innermost() < 0) {
      throw new IllegalStateException("no list to end in property " + property);
    }
    extent.ascend();
  }

  /** A map begins, after it took its place; its first entry goes where the buffer ends now. */
  void beginMap() {
    descend(MAP_OPEN);
    int level = extent.level();
    if (maps[level] == null) {
      maps[level] = new MapFrame();
    }
    maps[level].begin(json.size());
  }

  private void descend(int state) {
    open[extent.level()] = state;
    extent.descend();
  }

  /** What is known of the innermost open list or map; {@code NONE_OPEN} without one. */
  private int innermost() {
    int level = extent.level();
    return level == 0 ? NONE_OPEN : open[level - 1];
  }

  /** Checks that a key of the innermost map comes next. */
  void checkKeyTurn() {
    if (innermost() != MAP_OPEN) {
      throw new IllegalStateException("a key out of turn in property " + property);
    }
  }

  /**
   * Takes its place before the key of an entry of the innermost map.
   *
   * @throws RefusedValueException if it is too much
   */
  void key(byte[] utf8, int offset, int length) {
    extent.grow(length);
    MapFrame map = maps[extent.level()];
    if (map.count() > 0) {
      json.put(',');
    }
    map.add(json.size(), utf8, offset, length);
    open[extent.level() - 1] = KEY_GIVEN;
  }

  /**
   * The innermost map ends: its entries are put into order.
   *
   * @return false if a key is there twice: then it stays open
   */
  boolean endMap() {
    if (innermost() != MAP_OPEN) {
      throw new IllegalStateException("no map to end in property " + property);
    }
    if (!maps[extent.level()].sort(json)) {
      return false;
    }
    extent.ascend();
    return true;
  }
}
